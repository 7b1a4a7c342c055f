"""Questions can be kept and read back, and what cannot be asked is refused in a sentence."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search.search_query import Example, SearchQuery
from core.errors import TwinlensError


def named(name: bytes) -> Path:
    """Return a path with a name that may be no text."""
    return Path("/photographs") / os.fsdecode(name.replace(b"\0", b"x"))


paths = st.binary(min_size=1, max_size=20).map(named)
shares = st.tuples(st.integers(0, 99), st.integers(1, 100)).filter(lambda pair: pair[0] < pair[1])
regions = st.builds(lambda x, y: (x[0] / 100, y[0] / 100, x[1] / 100, y[1] / 100), shares, shares)
weights = st.floats(-10, 10)
kept = st.builds(Example, paths | st.integers(1, 2**40), weights, st.none() | regions)


@given(st.lists(kept, max_size=5))
def test_a_kept_question_comes_back(examples: list[Example]) -> None:
    question = SearchQuery(tuple(examples))
    assert SearchQuery.from_json(json.loads(json.dumps(question.to_json()))) == question


@given(kept, st.binary(max_size=30), weights)
def test_bytes_are_not_kept(example: Example, data: bytes, weight: float) -> None:
    question = SearchQuery((Example(data, weight), example))
    assert SearchQuery.from_json(question.to_json()) == SearchQuery((example,))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["picture", "weight", "region"]), inner)
    ),
    max_leaves=8,
)


@given(json_values)
def test_what_is_no_question_is_a_sentence(values: Any) -> None:
    question = None
    with contextlib.suppress(TwinlensError):  # any other error would fail the test
        question = SearchQuery.from_json({"examples": values})
    if question is not None:
        assert SearchQuery.from_json(question.to_json()) == question


@pytest.mark.parametrize("values", [{}, {"examples": 3}, {"examples": [{}]}, {"examples": [{"picture": True}]}])
def test_a_damaged_question_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(TwinlensError, match="cannot be read any more"):
        SearchQuery.from_json(values)


@pytest.mark.parametrize(
    "region", [(0, 0, 0, 1), (0.5, 0, 0.4, 1), (-0.1, 0, 1, 1), (0, 0, 1, 1.01), (0, float("nan"), 1, 1)]
)
def test_a_region_is_a_part_of_the_picture(region: tuple[float, float, float, float]) -> None:
    with pytest.raises(TwinlensError, match="outside the picture"):
        Example(1, region=region)


@pytest.mark.parametrize("weight", [float("nan"), float("inf")])
def test_a_weight_is_a_number(weight: float) -> None:
    with pytest.raises(TwinlensError, match="weight"):
        Example(1, weight)


def test_one_picture_is_a_question_too() -> None:
    question = SearchQuery.of(Path("a.jpg"))
    assert question == SearchQuery((Example(Path("a.jpg"), 1.0, None),))
    assert SearchQuery.of(question) is question
