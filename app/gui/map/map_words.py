"""Texts of the map: how to read it, the selection, and descriptions for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.pictures.photograph_facts import written_date
from app.language.spoken import _, _n

if TYPE_CHECKING:
    from app.gui.map.colouring import Colouring
    from app.map.results import MapFacts, MapResult

_SMALL = 6  # photographs: fewer lie as they lie


def map_title(count: int) -> str:
    """Return what is shown."""
    if count == 1:
        return _("One photo")
    return _("{value} photos, similar ones close together", value=count)


def reading_help(found: MapResult, measure: str) -> str:
    """Explain how to read the map, and how reliable it is.

    Parameters
    ----------
    found : MapResult
    measure : str
        What its index compares, in plain words.
    """
    count = len(found.ids)
    if count == 1:
        return _("Add more: a map shows which are alike.")
    if count < _SMALL:
        return _(
            "Near means alike by {measure}. So few say little: a map is worth it from some dozens on.", measure=measure
        )
    parts = [_("Near means alike by {measure}; directions mean nothing.", measure=measure)]
    if found.kind == "pca":
        parts = [_("Near means alike by {measure}, seen from the side on which photos differ most.", measure=measure)]
    parts.append(
        _("Of the 10 nearest of each, {share:.0%} are among its 10 nearest here.", share=found.kept_neighbours)
    )
    if count < found.of:
        parts.append(_("A sample of {value} of {of}.", value=count, of=found.of))
    if found.silent:
        parts.append(
            _n(
                "{count} of which it can say nothing lies in the lower left corner.",
                "{count} of which it can say nothing lie in the lower left corner.",
                found.silent,
            )
        )
    if found.placed:
        parts.append(
            _n(
                "{count} came later and lies beside its nearest.",
                "{count} came later and lie beside their nearest.",
                found.placed,
            )
        )
    return " ".join(parts)


def point_description(found: MapResult, facts: MapFacts | None, coloured: Colouring | None, row: int) -> str:
    """Return what a photograph is: where it lies, when it was taken, in which group."""
    parts = []
    if facts is not None:
        if facts.folder[row] >= 0:
            parts.append(_("photo in {inner}", inner=facts.inner[facts.folder[row]]))
        taken = f"{int(facts.taken[row]):014}" if facts.taken[row] else ""
        if taken:
            day = f"{taken[:4]}-{taken[4:6]}-{taken[6:8]}T{taken[8:10]}:{taken[10:12]}:{taken[12:]}"
            parts.append(written_date(day))
    cluster = int(found.cluster[row])
    if cluster >= 0:
        parts.append(_("among {name}", name=found.clusters[cluster].name))
    if coloured is not None and coloured.groups:
        name = coloured.groups[int(coloured.of[row])].name
        if name not in " ".join(parts):
            parts.append(name)
    return ", ".join(parts)
