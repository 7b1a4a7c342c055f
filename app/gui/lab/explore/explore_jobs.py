"""Jobs of the explorer: opening a sample, measuring a setting, and preparing data for the view."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.gui.compare.board_data import RankedTile
from app.gui.frame.opened import OpenLibrary
from app.gui.lab.explore.curve_slider import CurvePoint
from app.language.spoken import text
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.explore.answers import QueryOutcome
    from app.lab.explore.explorer import Explorer, ExplorerReading
    from app.lab.explore.knobs import Knob, KnobSetting
    from app.library.browsing import Photograph

Families = list[tuple[str, str, str]]


@dataclass(frozen=True, eq=False)
class ExplorerSample:
    """An explorer with what the view has to know of its photographs.

    Attributes
    ----------
    explorer : Explorer
    indexes : list of str
        Names of all indexes that can be looked at.
    photographs : dict of int to Photograph
    methods, searches : list of (key, title, about)
    """

    explorer: Explorer
    indexes: list[str]
    photographs: dict[int, Photograph]
    methods: Families
    searches: Families


@dataclass(frozen=True, eq=False)
class SettingReading:
    """The figures of a setting, ready for the view.

    Attributes
    ----------
    reading : Reading
    knobs : tuple of Knob
    points : dict of str to list of Point
        What is known along sliders, by path.
    """

    reading: ExplorerReading
    knobs: tuple[Knob, ...]
    points: dict[str, list[CurvePoint]] = field(default_factory=dict)


def open_sample(
    opened: OpenLibrary, index: str, photographs: int, include: Sequence[int], progress: Progress
) -> ExplorerSample:
    """Draw a sample of an index's vectors; of the usual one where there is none of this name."""
    from app.lab.explore.explorer import Explorer
    from app.lab.explore.sample import SampleSettings, index_names, load_material
    from app.library.browsing import photographs as known
    from app.library.library import AUTOMATIC
    from app.methods import catalogue

    names = index_names(opened.library, opened.put_away)
    chosen = index if index in names else AUTOMATIC if AUTOMATIC in names or not names else names[0]
    material = load_material(opened.library, chosen, SampleSettings(photographs, include=include), progress)
    explorer = Explorer(material)
    _ = material.far_of_few, material.images
    listed = {one.id: one for one in known(opened.library, material.ids.tolist())}
    methods = []
    for option in catalogue.FAMILIES["method"]():
        why_not = explorer.why_not(explorer.begin(option.key))
        methods.append((option.key, option.title, text(why_not) or option.summary()))
    searches = [(option.key, option.title, option.summary()) for option in catalogue.FAMILIES["search"]()]
    return ExplorerSample(explorer, names, listed, methods, searches)


def first_setting(explorer: Explorer, wanted: Mapping[str, object]) -> KnobSetting:
    """Return the setting that was remembered; that of the index where there is none, or it is of another version."""
    from app.lab.explore.knobs import KnobSetting
    from app.methods import catalogue
    from core.errors import TwinlensError

    method, search = wanted.get("method"), wanted.get("search")
    if isinstance(method, str) and isinstance(search, str):
        with contextlib.suppress(TwinlensError):
            return KnobSetting(catalogue.method(method), catalogue.search_structure(search))
    return explorer.begin()


def points_of(explorer: Explorer, setting: KnobSetting, knob: Knob) -> list[CurvePoint]:
    """Return what is known along a slider: recall of the codes, or what the search finds."""
    searched = knob.path.startswith("search.")
    found = []
    for place, reading in explorer.curve(setting, knob):
        value = reading.overlap if searched else reading.recall.get(10)
        if value is not None:
            found.append(CurvePoint(place, value, reading.exact))
    return found


def read_coarse(
    explorer: Explorer, setting: KnobSetting, path: str, row: int, by_codes: bool, progress: Progress
) -> SettingReading:  # fmt: skip
    """Read off nearly, with what is known along one slider."""
    reading = explorer.coarse(setting, row, by_codes, progress)
    knobs = explorer.knobs(setting)
    points = {knob.path: points_of(explorer, setting, knob) for knob in knobs if knob.slides and knob.path == path}
    return SettingReading(reading, knobs, points)


def read_exact(
    explorer: Explorer, setting: KnobSetting, row: int, by_codes: bool, progress: Progress
) -> SettingReading:
    """Read off exactly, with what is known along every slider."""
    reading = explorer.exact(setting, row, by_codes, progress)
    knobs = explorer.knobs(setting)
    return SettingReading(
        reading, knobs, {knob.path: points_of(explorer, setting, knob) for knob in knobs if knob.slides}
    )


def read_beside(
    explorer: Explorer, setting: KnobSetting, path: str, some: int, progress: Progress
) -> SettingReading | None:
    """Read off the next setting along a slider of which nothing is known; None where nothing is left."""
    from core.errors import TwinlensError

    knob = next((knob for knob in explorer.knobs(setting) if knob.path == path), None)
    if knob is None or not knob.slides or knob.why_not:
        return None
    for one in explorer.neighbouring(setting, knob, some):
        try:
            reading = explorer.coarse(one, progress=progress)
        except TwinlensError:
            continue
        return SettingReading(reading, (), {path: points_of(explorer, setting, knob)})
    return None


def tiles_of(
    answer: QueryOutcome, known: Mapping[int, Photograph]
) -> tuple[RankedTile | None, list[RankedTile], list[RankedTile]]:
    """Return the pictures of an answer: the question, the hits, what was missed."""

    def tile(photograph: int, rank: int, **about: object) -> RankedTile:
        one = known.get(photograph)
        name, content_hash = ("", b"") if one is None else (one.name, one.content_hash)
        return RankedTile(photograph, content_hash, name, rank, **about)  # type: ignore[arg-type]

    hits = [tile(hit.id, hit.rank, agrees=hit.agreed, true_rank=hit.true_rank) for hit in answer.hits]
    ghosts = [tile(one.id, one.true_rank, ghost=True, true_rank=one.true_rank) for one in answer.missed]
    return tile(answer.id, 0, asked=True), hits, ghosts
