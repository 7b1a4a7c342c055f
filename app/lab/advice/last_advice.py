"""The last advice that was asked for, remembered with the library, and what has changed since."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import Field, ValidationError

from app.lab.advice.questions import NamedPairs
from app.lab.advice.results import AdviceResult
from app.library.library import Library
from app.results import Result
from storage.schema import State

_SETTING = "advice"


class KeptAdvice(Result):
    """An advice, when it was given, and what it was asked with."""

    made: str = Field(description="when, ISO 8601, UTC")
    result: AdviceResult
    match: list[tuple[int, int]] = Field(default_factory=list, description="ids that should match")
    differ: list[tuple[int, int]] = Field(default_factory=list, description="ids that should not")
    ready: int = Field(description="photographs that the library had")


def keep_advice(library: Library, result: AdviceResult, pairs: NamedPairs | None = None) -> KeptAdvice:
    """Remember an advice in the place of the one before; in a library that can only be read it is only given back."""
    some = NamedPairs() if pairs is None else pairs
    kept = KeptAdvice(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        result=result,
        match=_by_id(some.match),
        differ=_by_id(some.differ),
        ready=photographs(library),
    )
    if library.store.writable:
        with library.store.writing("remembering advice") as w:
            w.settings.put(_SETTING, kept.model_dump(mode="json"))
    return kept


def last_advice(library: Library) -> KeptAdvice | None:
    """Return the advice that was given last; None where there is none that this version can read."""
    with library.store.reading() as r:
        found = r.settings.get(_SETTING, None)
    try:
        return None if found is None else KeptAdvice.model_validate(found)
    except ValidationError:
        return None


def photographs(library: Library) -> int:
    """Count the photographs that can be found."""
    with library.store.reading() as r:
        return r.photographs.counts()[State.READY]


def _by_id(pairs: tuple[tuple[object, object], ...]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in pairs if isinstance(a, int) and isinstance(b, int)]
