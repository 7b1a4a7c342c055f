"""Spoiled copies of the demo: counted as they were found, and the same every time."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from app.demo import demo
from app.demo.demo import NAMES, copy_sections, try_copies
from app.library.library import Library
from app.library.picture_sheet import write_sheet
from app.machine.output_file import OutputFile
from app.search.searcher import Searcher
from core.progress import silent
from features.pictures.edits import HARD_EDITS
from tests.app.library_fixture import Libraries


def test_every_edit_has_words_for_people() -> None:
    assert set(NAMES) == {edit.name for edit in HARD_EDITS}


def test_copies_are_counted_as_they_were_found_and_shown(
    libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "PHOTOGRAPHS", 2)
    with Library.open(libraries.of(5)) as library:
        trials = try_copies(Searcher(library, check_seconds=inf), silent)
        again = try_copies(Searcher(library, check_seconds=inf), silent)
        made = list(copy_sections(trials, str))
        write_sheet(library, made, OutputFile(tmp_path / "demo.html"))
    assert trials == again
    assert [len(trial.copies) for trial in trials] == [2] * len(HARD_EDITS)
    assert all(copy.found for trial in trials for copy in trial.copies)
    for trial, section in zip(trials, made, strict=True):
        figures = [one for band in section.bands for one in band.figures]
        assert [one.picture for one in figures] == [
            picture for copy in trial.copies for picture in (copy.jpeg, copy.first, copy.nearest)
        ]
        counted = f"a perceptual hash {sum(copy.found_by_hash for copy in trial.copies)}."
        assert section.words[0].endswith(counted)
