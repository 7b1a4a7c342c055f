"""A cache keeps what was used last, within its bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.containers import RecentValues


def test_what_was_used_longest_ago_goes_first() -> None:
    kept: RecentValues[str, int] = RecentValues(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert [kept.get(key) for key in "abc"] == [1, None, 3]
    kept.keep("a", 4)
    assert kept.made("a", lambda: 5) == 4
    assert kept.peek("c") == 3  # which is no use
    assert kept.made("d", lambda: 6) == 6
    assert kept.items() == [("a", 4), ("d", 6)]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9))), st.integers(0, 20))
def test_bytes_are_counted_whatever_comes_grows_and_goes(steps: list[tuple[int, int]], most: int) -> None:
    kept: RecentValues[int, bytearray] = RecentValues(most, len)
    for key, count in steps:
        value = kept.peek(key)
        if value is None:
            kept.keep(key, bytearray(count))
        elif count:
            value += bytes(count)
            kept.weigh(key)
        else:
            kept.drop(key)
        assert kept.held == sum(len(one) for _, one in kept.items()) <= most
    kept.most = 0
    assert kept.held == 0
