"""Advice out of a process of its own is advice, kept; whoever stops it has what is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.lab.making import new_library
from twinlens.app.lab.advice.advice import AdviceJob, advise_in_process, last_advice
from twinlens.app.lab.advice.advice_results import AdvicePoint
from twinlens.app.lab.advice.advice_settings import NamedPairs
from twinlens.app.library.library import Library
from twinlens.core.errors import Cancelled, TwinlensError


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TWINLENS_PLAIN", "1")  # nothing is compiled
    with new_library(tmp_path) as library:
        yield library


@pytest.mark.usefixtures("separate_processes")
def test_it_is_told_on_the_way_and_what_is_known_when_it_is_stopped_gives_the_answer_which_is_kept(
    own: Library,
) -> None:
    found: list[AdvicePoint] = []
    told: list[float] = []

    def stop(done: float, *_: object) -> None:
        told.append(done)
        if len(found) > 1:
            raise Cancelled

    kept = advise_in_process(own.address, AdviceJob(600.0, "neighbours"), stop, found.append)
    assert max(told) > 0
    assert kept.result.cancelled
    assert kept.result.time_limit == 600.0
    assert kept.result.seconds < 600
    assert {one.key for one in found} >= {one.key for one in kept.result.points}
    assert kept.result.point().key in {one.key for one in found}
    assert last_advice(own) == kept


@pytest.mark.usefixtures("separate_processes")
def test_stopped_before_anything_is_known_it_gives_nothing(own: Library) -> None:
    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        advise_in_process(own.address, AdviceJob(600.0, "neighbours"), stop)
    assert last_advice(own) is None


def test_what_cannot_be_asked_is_said(own: Library) -> None:
    with pytest.raises(TwinlensError):
        advise_in_process(own.address, AdviceJob(5.0, pairs=NamedPairs(match=((1, Path("/nowhere")),))))
