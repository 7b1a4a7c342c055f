"""The window asks the index that it was left with, unless another one was chosen to answer since then."""

from __future__ import annotations

from pathlib import Path

from app.gui.process.open_library import OpenLibrary, close_library, open_library
from app.indexes.indexes import set_default
from app.library.library import Library


def left_with(path: Path, index: str) -> None:
    close_library(open_library(path), {"search": {"index": index}})


def index_of(opened: OpenLibrary) -> object:
    kept = opened.state.get("search")
    return kept["index"] if isinstance(kept, dict) else "Automatic"


def test_an_index_that_was_chosen_elsewhere_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    left_with(path, "Colours")
    opened = open_library(path)
    assert index_of(opened) == "Colours"
    opened.library.close()
    with Library.open(path) as library:
        set_default(library, "Colours")
    left_with(path, "Automatic")
    opened = open_library(path)
    assert index_of(opened) == "Automatic"  # chosen after that
    opened.library.close()
    with Library.open(path) as library:
        set_default(library, "Automatic")
    opened = open_library(path)
    assert index_of(opened) == "Automatic"
    opened.library.close()


def test_what_answers_is_asked_by_a_window_that_was_never_left(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    with Library.open(path, create=True) as library:
        set_default(library, "Colours")
    opened = open_library(path)
    assert index_of(opened) == "Colours"
    opened.library.close()
