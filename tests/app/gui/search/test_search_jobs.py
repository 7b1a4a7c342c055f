"""Searches as the window runs them: the check works on the answer that is shown."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.gui.process.open_library import OpenLibrary
from app.gui.search.window_search import MOST_RESULTS, ShownResults, WindowSearch, check, find
from app.library import browsing
from app.library.ingest.adding import Adding, add
from app.library.library import AUTOMATIC, Library
from app.search.search_query import Example, SearchOptions, SearchQuery
from core.progress import silent
from tests.features.keypoints.test_geometric_agreement import painted


def _ids(answer: ShownResults) -> list[int]:
    return [one.photograph.id for one in answer.found]


def test_a_checked_answer_uses_what_the_search_has_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    for number in (3, 4, 5):
        Image.fromarray(painted(number)).save(folder / f"{number}.jpg", quality=92)
    copy = tmp_path / "mirrored.jpg"
    Image.fromarray(np.ascontiguousarray(painted(4)[:, ::-1])).save(copy, quality=92)
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        add(library, [folder], Adding(workers=1))
        opened = OpenLibrary(library, {})
        asked = WindowSearch(SearchQuery((Example(copy),)), AUTOMATIC)
        answer = find(opened, asked, {}, False, True, silent)
        assert not any(one.confirmed for one in answer.found)
        monkeypatch.setattr(browsing, "listed", None)
        monkeypatch.setattr(Library, "look_up", None)
        checked = check(opened, answer, silent)
        assert checked.photographs is answer.photographs
        monkeypatch.undo()
        whole = opened.searcher.search(copy, AUTOMATIC, SearchOptions(MOST_RESULTS, check=True))
        assert [one.hit for one in checked.found] == whole.hits
        assert [one.photograph.name for one in checked.found if one.confirmed] == ["4.jpg"]
        assert _ids(checked)[0] == next(one.photograph.id for one in checked.found if one.confirmed)
        assert sorted(_ids(checked)) == sorted(_ids(answer))
