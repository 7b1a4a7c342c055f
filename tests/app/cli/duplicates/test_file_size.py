"""Sizes of files as people write them."""

from __future__ import annotations

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.session import FileSize


@given(st.integers(0, 10**6), st.sampled_from([("", 1), ("k", 10**3), ("M", 10**6), ("G", 10**9)]), st.booleans())
def test_a_unit_multiplies(count: int, unit: tuple[str, int], with_b: bool) -> None:
    for space in ("", " "):
        assert FileSize().convert(f"{count}{space}{unit[0]}{'B' * with_b}", None, None) == count * unit[1]


def test_parts_of_a_unit_count() -> None:
    assert FileSize().convert("1.5 mb", None, None) == 1_500_000


@pytest.mark.parametrize("value", ["", "MB", "-1", "5 TBx", "1,5MB", "nan"])
def test_what_is_no_size_is_refused(value: str) -> None:
    with pytest.raises(click.BadParameter):
        FileSize().convert(value, None, None)
