"""One index of the list: name, description, size and progress."""

from __future__ import annotations

from dataclasses import dataclass

from app.gui.look.card_painting import Card, CardLine
from app.indexes.results import IndexStatus
from app.language.spoken import _, _n, text
from core.amounts import size


@dataclass(frozen=True)
class ListedIndex:
    """An index, and what the window knows of it.

    Attributes
    ----------
    status : IndexStatus
    words : str
        What it compares, in plain words.
    default : bool
        It is searched where none is named.
    """

    status: IndexStatus
    words: str
    default: bool


def index_card(index: ListedIndex, progress: float | None = None, doing: str = "") -> Card:
    """Return how an index is seen and spoken, with the share of its building that is done, if it is being built."""
    status = index.status
    signs = [_("searched by default")] * index.default + [_("maintained by Twinlens")] * status.automatic
    compares = _("Compares {words}.", words=index.words) if index.words else ""
    facts, sign = _facts(status), "  ·  ".join(signs)
    last = doing or text(status.note)
    return Card(
        title=CardLine(status.name, "ink", sign, "accent" if index.default else "quiet"),
        lines=(
            *([CardLine(compares, "ink")] if compares else ()),
            CardLine(facts),
            CardLine(status.text.replace(",", ", "), mono=True),  # read as the same when it is pasted
            *([CardLine(last)] if last else ()),
        ),
        spoken=". ".join(filter(None, (status.name, sign, index.words, facts, last))),
        tip="\n".join(filter(None, (status.name, compares, facts, status.text, text(status.note)))),
        progress=progress,
    )


def _facts(index: IndexStatus) -> str:
    parts = [_n("{count} photo", "{count} photos", index.photographs)]
    if index.waiting:
        parts.append(_n("{count} waiting", "{count} waiting", index.waiting))
    if index.bits is None:
        parts.append(_("exact, without codes"))
    else:
        parts.append(_n("{count} bit each", "{count} bits each", index.bits))
        parts.append(
            _("not fitted yet: searches are exact")
            if index.fitted_on is None
            else _("fitted on {count}", count=index.fitted_on)
        )
    parts.append(text(size(index.bytes)))
    return "  ·  ".join(parts)
