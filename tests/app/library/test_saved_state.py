"""What is remembered comes back, and is that of one library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.library.library import Library
from app.library.saved_state import (
    HISTORY,
    forget_search,
    history,
    keep_window_state,
    remember,
    save_search,
    saved_searches,
    window_state,
)
from core.errors import TwinlensError


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        yield made


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("remembered") / "library.twinlens", create=True) as made:
        yield made


def test_questions_come_back_newest_first_and_each_once(library: Library) -> None:
    assert history(library) == []
    for number in (1, 2, 3, 1):
        remember(library, {"photograph": number})
    assert [one["photograph"] for one in history(library)] == [1, 3, 2]


def test_the_oldest_questions_are_forgotten(library: Library) -> None:
    with library.store.writing() as w:
        w.settings.put("history", [{"photograph": number} for number in range(HISTORY)])
    remember(library, {"photograph": -1})
    found = [one["photograph"] for one in history(library)]
    assert (len(found), found[0], found[-1]) == (HISTORY, -1, HISTORY - 2)


_values = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.floats(0, 1)))


@given(st.dictionaries(st.text(min_size=1).map(str.strip).filter(bool), _values, max_size=4), _values)
def test_searches_and_the_window_come_back(shared: Library, searches: dict[str, Any], state: dict[str, Any]) -> None:
    for name in saved_searches(shared):
        forget_search(shared, name)
    for name, value in searches.items():
        save_search(shared, f" {name} ", value)
    keep_window_state(shared, state)
    assert saved_searches(shared) == searches
    assert list(saved_searches(shared)) == sorted(searches, key=str.casefold)
    assert window_state(shared) == state


def test_a_search_needs_a_name(library: Library) -> None:
    with pytest.raises(TwinlensError, match="needs a name"):
        save_search(library, "  ", {})


def test_the_same_state_is_not_written_again(library: Library) -> None:
    keep_window_state(library, {"width": 800})
    before = library.store.data_version()
    keep_window_state(library, {"width": 800})
    forget_search(library, "none")
    assert library.store.data_version() == before


def test_what_is_no_such_value_counts_as_nothing(library: Library) -> None:
    with library.store.writing() as w:
        for name in ("history", "saved searches", "window"):
            w.settings.put(name, "nonsense")
    assert (history(library), saved_searches(library), window_state(library)) == ([], {}, {})
    remember(library, {"photograph": 1})
    assert history(library) == [{"photograph": 1}]


def test_where_nothing_can_be_written_nothing_fails(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library.store.place, "writable", False)
    remember(library, {"photograph": 1})
    keep_window_state(library, {"width": 800})
    assert (history(library), window_state(library)) == ([], {})
