"""A mix of colours: whole percents, 100 together, whatever is done with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.gui.search.colours.palette import LEAST_SHARE, MOST_COLOURS, PaletteMix, colour_code, whole_percents
from app.search.search_query import read_palette

BLUE, WHITE, GREEN = (31, 95, 191), (255, 255, 255), (58, 154, 70)
BYTE = st.integers(0, 255)
MIXES = st.lists(
    st.tuples(st.tuples(BYTE, BYTE, BYTE), st.floats(0.01, 100)),
    min_size=1,
    max_size=MOST_COLOURS,
    unique_by=lambda one: one[0],
).map(PaletteMix.of)


def test_a_colour_comes_with_as_much_as_the_others_have() -> None:
    mix = PaletteMix().with_colour(BLUE).with_colour(WHITE).with_colour(GREEN)
    assert mix.shares == (34, 33, 33)
    assert mix.without(0).shares == (50, 50)
    assert PaletteMix.of([(BLUE, 3), (WHITE, 1)]).with_colour(GREEN).shares == (50, 17, 33)


def test_what_is_there_already_is_not_added_and_eight_are_the_most() -> None:
    mix = PaletteMix.of([((n, n, n), 1.0) for n in range(MOST_COLOURS)])
    assert mix.with_colour(BLUE) is mix
    assert PaletteMix.of([(BLUE, 1.0)]).with_colour(BLUE) == PaletteMix.of([(BLUE, 1.0)])
    assert len(PaletteMix.of([((n, n, n), 1.0) for n in range(MOST_COLOURS + 3)])) == MOST_COLOURS


def test_an_edge_moves_two_shares_and_stops_before_one_is_gone() -> None:
    mix = PaletteMix.of([(BLUE, 50), (WHITE, 30), (GREEN, 20)])
    assert mix.with_edge(1, 60).shares == (50, 10, 40)
    assert mix.with_edge(0, -20).shares == (LEAST_SHARE, 78, 20)
    assert mix.with_edge(1, 200).shares == (50, 50 - LEAST_SHARE, LEAST_SHARE)


def test_a_share_takes_from_all_others() -> None:
    mix = PaletteMix.of([(BLUE, 50), (WHITE, 30), (GREEN, 20)])
    assert mix.with_share(0, 60).shares == (60, 24, 16)
    assert mix.with_share(2, 100).shares == (LEAST_SHARE, LEAST_SHARE, 100 - 2 * LEAST_SHARE)
    assert PaletteMix.of([(BLUE, 1)]).with_share(0, 50).shares == (100,)


def test_it_is_written_as_palettes_are() -> None:
    mix = PaletteMix.of([(BLUE, 3), (WHITE, 1)])
    assert mix.text() == "#1f5fbf:75,#ffffff:25"
    assert PaletteMix.of(read_palette(mix.text()).colours) == mix
    assert colour_code((0, 10, 255)) == "#000aff"


@given(mix=MIXES, place=st.integers(0, MOST_COLOURS - 1), percent=st.integers(-50, 150))
def test_shares_are_always_a_hundred_and_none_is_lost(mix: PaletteMix, place: int, percent: int) -> None:
    place %= len(mix)
    made = [mix, mix.with_share(place, percent), mix.with_colour((1, 2, 3)), mix.replaced(place, (1, 2, 3))]
    if len(mix) > 1:
        made += [mix.without(place), mix.with_edge(place % (len(mix) - 1), percent)]
    for one in made:
        assert sum(one.shares) == 100
        assert min(one.shares) >= LEAST_SHARE
        assert len(one.shares) == len(one.colours)


@pytest.mark.parametrize("weights", [[1e-9, 1.0], [1.0] * 8, [5.0]])
def test_percents_of_any_weights(weights: list[float]) -> None:
    assert sum(whole_percents(weights)) == 100
    assert whole_percents([]) == ()
