"""The time that is left is told by what was timed, and pauses do not count."""

from __future__ import annotations

from app.methods import catalogue
from core.evaluation.measurement import Timing
from core.evaluation.plan import CodeStep
from core.message import NOTHING, Message


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def step(text: str) -> CodeStep:
    return CodeStep(text, catalogue.method(text), catalogue.search_structure("scan"), 0)


def test_seconds_left_come_from_steps_alone() -> None:
    clock, told = Clock(), []
    timing = Timing(lambda done, total, text: told.append((done, total)), clock)
    waiting = [step("lsh:bits=16"), step("lsh:bits=64"), step("itq:bits=16")]
    timing.begin(waiting)
    progress = timing.within(1, 3, Message("lsh"))
    clock.now += 2
    progress(0.2, 1.0, NOTHING)
    assert told[-1] == (2.0, 0.0), "nothing tells how long the others take"
    clock.now += 2
    progress(0.5, 1.0, Message("Searching"))
    assert told[-1] == (4.0, 24.0), "half of one in 4 s: three take 24 s"
    clock.now += 6
    timing.measured(waiting[0], timing.step_seconds())
    timing.begin(waiting[1:])
    progress(0.0, 1.0, NOTHING)
    assert told[-1] == (10.0, 30.0)
    clock.now += 30
    timing.measured(waiting[1], timing.step_seconds())
    timing.begin(waiting[2:])
    progress(0.0, 1.0, NOTHING)
    assert told[-1] == (40.0, 60.0), "of a method that none was timed of, the mean of the others"
    timing.measured(step("itq:bits=32"), 4.0)
    timing.measured(step("itq:bits=256"), 50.0)
    progress(0.0, 1.0, NOTHING)
    assert told[-1] == (40.0, 44.0), "the nearest number of bits tells"


def test_a_pause_is_not_counted() -> None:
    clock = Clock()

    def paused(done: float, total: float, text: object) -> None:
        clock.now += 1_000

    timing = Timing(paused, clock)
    timing.begin([step("lsh:bits=16")])
    clock.now += 3
    timing.tell(NOTHING)
    clock.now += 1
    assert (timing.spent, timing.step_seconds()) == (4.0, 4.0)
