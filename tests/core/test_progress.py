from __future__ import annotations

import pytest

from twinlens.core.errors import Cancelled
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import part, silent


def test_parts_nest_and_meet() -> None:
    seen: list[tuple[float, float, str]] = []

    def whole(done: float, total: float, text: object) -> None:
        seen.append((done, total, str(text)))

    second_half = part(whole, 0.5, 1.0)
    second_half(0, 10, Message("start"))
    part(second_half, 0.0, 0.5)(3, 3, Message("quarter"))
    second_half(10, 10, Message("end"))
    assert seen == [(0.5, 1.0, "start"), (0.75, 1.0, "quarter"), (1.0, 1.0, "end")]


def test_more_than_all_and_an_unknown_end_stay_within_the_part() -> None:
    seen: list[float] = []
    step = part(lambda done, total, text: seen.append(done), 0.2, 0.4)
    step(7, 5, NOTHING)
    step(7, 0, NOTHING)
    assert seen == pytest.approx([0.4, 0.2])


def test_a_part_passes_the_cancel_on() -> None:
    def stop(done: float, total: float, text: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        part(stop, 0, 1)(1, 2, NOTHING)
    silent(1, 2, NOTHING)
