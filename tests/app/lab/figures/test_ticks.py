"""Ticks stand where something was measured, and their words do not touch each other."""

from __future__ import annotations

from collections.abc import Sequence
from math import log as logarithm

from hypothesis import given
from hypothesis import strategies as st

from app.lab.figures.axes import _GAP, _LETTER, measured_at, plain_number
from app.lab.figures.figure import Axis, Figure, Series


def figure(*lines: Sequence[float], log: bool = False, marked: bool = True, through: Sequence[float] = ()) -> Figure:
    """Make a figure of lines at some places, and of a line without marks."""
    series = [Series(str(place), x, x, marked=marked) for place, x in enumerate(lines)]
    return Figure("a", "A", "It is.", Axis("x", log=log), Axis("y"), [*series, Series("level", through, through)])


def test_measured_places_are_ticks_although_a_level_goes_through_them() -> None:
    bits = [16.0, 32.0, 64.0, 128.0, 256.0]
    assert measured_at(figure(bits, log=True, through=bits)) == bits
    assert measured_at(figure(bits, log=True, through=[16.0, 256.0])) == bits
    assert measured_at(figure([1.0, 5.0, 10.0], [5.0, 15.0], through=[1.0, 15.0])) == [1, 5, 10, 15]


def test_a_curve_that_goes_on_between_has_its_own_ticks() -> None:
    assert measured_at(figure([1.0, 2.0], through=[1.0, 1.5, 2.0])) == []
    assert measured_at(figure([1.0, 2.0], marked=False)) == []
    assert measured_at(figure([float(one) for one in range(20)])) == []
    assert measured_at(figure([0.0, 2.0], log=True)) == []


def test_words_that_would_touch_are_left_out_but_the_ends() -> None:
    bits = [100.0, 400.0, 900.0, 1_600.0, 2_500.0, 4_900.0, 6_400.0]
    assert measured_at(figure(bits, log=True)) == [100, 400, 900, 1_600, 2_500, 6_400]
    assert measured_at(figure([0.0, 0.5, 1.0, 1.5, 2.0, 100.0])) == []  # too few would be left


@given(st.lists(st.integers(1, 3_000), min_size=2, max_size=8, unique=True), st.booleans())
def test_no_words_touch(places: list[int], log: bool) -> None:
    found = measured_at(figure([float(one) for one in places], log=log))
    if not found:
        return
    assert set(found) <= set(places)
    assert (found[0], found[-1]) == (min(places), max(places))
    at = [logarithm(one) if log else one for one in found]
    for one in range(1, len(found) - 1):
        for other in (one - 1, one + 1):
            apart = abs(at[one] - at[other]) / (at[-1] - at[0])
            letters = len(plain_number(found[one])) + len(plain_number(found[other]))
            assert apart >= _LETTER * letters / 2 + _GAP - 1e-9
