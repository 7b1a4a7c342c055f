"""Sizes and spans of time as messages."""

from __future__ import annotations

import pytest

from core.message import duration, size


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (2_400_000, "2.4 MB"), (14e9, "14 GB"), (5e15, "5,000 TB")],
)
def test_a_size_has_the_largest_unit_that_fits(count: float, text: str) -> None:
    assert str(size(count)) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (7200, "2 hours")]
)
def test_a_duration_is_never_less_than_a_second(seconds: float, text: str) -> None:
    assert str(duration(seconds)) == text
