"""The last advice, kept with the library."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import Field, ValidationError

from app.lab.advice.questions import EDITS, NEIGHBOURS, PAIRS, NamedPairs
from app.lab.advice.report import same_command
from app.lab.advice.results import AdviceResult
from app.library.library import Library
from app.machine import places
from app.results import Result
from core.message import KEPT
from storage.database.address import Address
from storage.database.schema import PhotographState

_SETTING = "advice"


class KeptAdvice(Result):
    """An advice with its time and its pairs."""

    made: str = Field(description="when, ISO 8601, UTC")
    result: AdviceResult
    match: list[tuple[int, int]] = Field(default_factory=list, description="ids that should match")
    differ: list[tuple[int, int]] = Field(default_factory=list, description="ids that should not")
    ready: int = Field(description="photographs in the library then")


def keep_advice(library: Library, result: AdviceResult, pairs: NamedPairs | None = None) -> KeptAdvice:
    """Keep an advice in place of the last one; a read-only library keeps nothing."""
    some = NamedPairs() if pairs is None else pairs
    kept = KeptAdvice(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        result=result,
        match=_by_id(some.match),
        differ=_by_id(some.differ),
        ready=named_photographs(library),
    )
    if library.store.writable:
        with library.store.writing("keeping advice") as w:
            w.settings.put(_SETTING, kept.model_dump(mode="json", context=KEPT))
    return kept


def last_advice(library: Library) -> KeptAdvice | None:
    """Return the last advice; None without one that this version can read."""
    with library.store.reading() as r:
        found = r.settings.get(_SETTING, None)
    try:
        return None if found is None else KeptAdvice.model_validate(found)
    except ValidationError:
        return None


def named_photographs(library: Library) -> int:
    """Return the number of photographs that a search can find."""
    with library.store.reading() as r:
        return r.photographs.counts()[PhotographState.READY]


def _by_id(pairs: tuple[tuple[object, object], ...]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in pairs if isinstance(a, int) and isinstance(b, int)]


def command_of(kept: KeptAdvice, library: Address) -> str:
    """Return the command that gives the same advice for a library."""
    result = kept.result
    pairs = NamedPairs(tuple(kept.match), tuple(kept.differ)) if result.truth == PAIRS else None
    truth = NEIGHBOURS if result.truth == NEIGHBOURS else EDITS
    usual = Address.of(places.default_library())
    peers = list(dict.fromkeys(one.method for one in result.peers))
    return same_command(result.time_limit, truth, pairs, "" if library == usual else library.shown, peers)
