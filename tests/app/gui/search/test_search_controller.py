"""Searches as the window runs them: checks, timing, and a picture that crashes what describes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.app.extractors import ABORT, MishapBefore
from tests.app.folders import Libraries, write_scene
from tests.app.gui.looking import LONG
from tests.app.gui.working import settle, workspace
from tests.features.keypoints.test_geometric_check import painted
from twinlens.app.gui.look.buttons import Link
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.search.search_results import ResultRows
from twinlens.app.gui.search.timing_line import HEIGHT, TimingLine, milliseconds
from twinlens.app.gui.search.window_search import MOST_RESULTS, ShownResults, WindowSearch, check, find
from twinlens.app.indexes.fitted_models import load_extractors
from twinlens.app.library.browsing import photographs
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import (
    GeometricCheck,
    ResultPhotograph,
    SearchResult,
    SearchSeconds,
    SimilarityLevels,
)
from twinlens.core.progress import silent
from twinlens.features.descriptor import Extractor
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow


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
        monkeypatch.setattr(photographs, "listed", None)
        monkeypatch.setattr(Library, "look_up", None)
        checked = check(opened, answer, silent)
        assert checked.photographs is answer.photographs
        monkeypatch.undo()
        whole = opened.searcher.search(copy, AUTOMATIC, SearchOptions(k=MOST_RESULTS, check=True))
        assert [one.result for one in checked.found] == whole.hits
        assert [one.photograph.name for one in checked.found if one.confirmed] == ["4.jpg"]
        assert _ids(checked)[0] == next(one.photograph.id for one in checked.found if one.confirmed)
        assert sorted(_ids(checked)) == sorted(_ids(answer))


def _result(**changes: Any) -> SearchResult:
    seconds = SearchSeconds(extract=0, encode=0.0002, scan=0.0004, rerank=0.0013, total=0.0019)
    hits = [ResultPhotograph(path=f"{n}.jpg", id=n, distance=n / 10, similarity=1 - n / 10) for n in range(4)]
    return SearchResult(
        query="0.jpg", index="Automatic", text="", measure="linear", exact=False, hits=hits, seconds=seconds,
        looked_at=500, scanned=12480, of=12480,
    ).model_copy(update=changes)  # fmt: skip


@pytest.fixture
def line(qtbot: QtBot) -> TimingLine:
    made = TimingLine()
    made.show_detail(True)
    qtbot.addWidget(made)
    made.resize(1200, made.sizeHint().height())
    made.show()
    return made


def _link(line: TimingLine) -> Link | None:
    shown = [link for link in line.findChildren(Link) if link.isVisible()]
    assert len(shown) <= 1
    return shown[0] if shown else None


def _words(line: TimingLine) -> str:
    return " | ".join(words for row in line.lines() for words in row)


def test_people_read_what_was_found_and_how_long_it_took(line: TimingLine) -> None:
    line.show_detail(False)
    match = GeometricCheck(confirmed=True, score=9, inliers=40, mirrored=False, inverted=False)
    hits = [
        one.model_copy(update={"query": one.id == 0, "check": match if one.id < 2 else None}) for one in _result().hits
    ]
    found = _result(hits=hits, likeness=SimilarityLevels(very_similar=0.85, similar=0.75))
    line.set_result(found)
    assert _words(line) == "1 copy | 1 similar photo | among 12,480 photos, in 0.00 s"
    assert "re-rank 1.3" in line.toolTip()
    assert _link(line) is None
    line.set_result(found, checking=True)
    assert _words(line).startswith("looking for copies … | 1 similar photo")
    line.set_result(_result())  # of an index whose similarities have no words
    assert _words(line) == "12,480 photos in 0.00 s"
    line.show_detail(True)
    assert _words(line) == "12,480 photos in 1.9 ms | 500 compared in detail"
    assert _link(line) is not None


def test_it_says_what_each_step_took_and_how_much_was_looked_at(line: TimingLine) -> None:
    line.set_result(_result())
    assert _words(line) == "12,480 photos in 1.9 ms | 500 compared in detail"
    assert line.accessibleName().startswith("12,480 photos in 1.9 ms")
    assert "extract 0 (known) · encode 0.2 · scan 0.4 · re-rank 1.3" in line.toolTip()


def test_the_check_has_its_time(line: TimingLine) -> None:
    seconds = SearchSeconds(extract=0, encode=0.0002, scan=0.0004, rerank=0.0013, total=0.2, check=0.18)
    line.set_result(_result(checked=50, seconds=seconds))
    assert "| check 180 | 500 compared" in _words(line)
    line.set_result(_result(), checking=True)
    assert "| checking … | 500 compared" in _words(line)
    line.add_note("There was time for 31 only.")
    assert line.toolTip().endswith("There was time for 31 only.")


def test_exact_is_compared_on_demand(qtbot: QtBot, line: TimingLine) -> None:
    line.set_result(_result())
    link = _link(line)
    assert link is not None
    with qtbot.waitSignal(line.exact_wanted, timeout=2000):
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    line.set_result(_result(overlap=0.75, exact_seconds=0.038))
    assert _words(line).endswith("3 of 4 found · comparing all: 38 ms")


def test_what_is_missed_is_shown_and_hidden(line: TimingLine) -> None:
    line.set_result(_result(overlap=0.75, exact_seconds=0.038))
    link = _link(line)
    assert link is not None
    told: list[bool] = []
    line.missed_wanted.connect(told.append)
    QTest.keyClick(link, Qt.Key.Key_Return)
    assert link.text() == "hide missed photos"
    QTest.keyClick(link, Qt.Key.Key_Space)
    assert told == [True, False]
    assert link.text() == "show missed photos"


def test_where_nothing_is_missed_there_is_nothing_to_show(line: TimingLine) -> None:
    line.set_result(_result(overlap=1.0, exact_seconds=0.038))
    assert _link(line) is None


def test_an_exact_answer_says_so_and_offers_no_comparison(line: TimingLine) -> None:
    line.set_result(_result(exact=True))
    assert _words(line).endswith("all compared")
    assert "scan" not in line.toolTip()
    assert _link(line) is None


def test_in_a_narrow_window_steps_go_first_and_the_tooltip_has_all(line: TimingLine) -> None:
    line.set_result(_result(overlap=0.75, exact_seconds=0.038))
    line.resize(560, line.height())
    assert "encode" not in _words(line)
    assert "12,480 photos" in _words(line)
    assert "3 of 4 found" in _words(line)
    assert "encode 0.2" in line.toolTip()
    link = _link(line)
    assert link is not None
    assert line.rect().contains(link.geometry())


def test_a_sentence_takes_the_place_of_a_timing(line: TimingLine) -> None:
    line.set_result(_result())
    line.show_sentence("Searching …")
    assert _words(line) == "Searching …"
    assert _link(line) is None


def test_milliseconds_have_a_decimal_under_ten() -> None:
    assert [milliseconds(s) for s in (0.0019, 0.038, 2.5)] == ["1.9", "38", "2,500"]


@pytest.mark.parametrize("width", [1200, 640, 420, 340, 280])
@pytest.mark.parametrize("larger", [1.0, 1.5])
def test_what_must_be_read_goes_on_in_another_line(line: TimingLine, width: int, larger: float) -> None:
    font = line.font()
    font.setPointSizeF(larger * font.pointSizeF())
    line.setFont(font)
    line.set_result(_result(overlap=0.75, exact_seconds=0.038))
    line.resize(width, line.heightForWidth(width))
    link = _link(line)
    assert link is not None
    lines = line.lines()
    assert line.height() == HEIGHT * len(lines)
    essential = {"12,480 photos in 1.9 ms", "3 of 4 found · comparing all: 38 ms"}
    assert essential <= {words for row in lines for words in row}
    beside = sum(line.fontMetrics().horizontalAdvance(words) for words in lines[-1])
    assert link.geometry().left() > beside, "no part lies over another"
    assert link.geometry().bottom() < line.height()
    if width >= line.minimumSizeHint().width():
        assert link.geometry().right() <= width
    line.grab()


@pytest.mark.usefixtures("decoder_processes")
def test_the_window_says_it_and_searches_again(
    qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mishaps(r: Transaction, kinds: Sequence[KindRow]) -> dict[str, Extractor]:
        return {key: MishapBefore(one) for key, one in load_extractors(r, kinds).items()}

    monkeypatch.setattr("twinlens.app.search.query_descriptors.load_extractors", mishaps)
    with Library.open(libraries.copy(6, tmp_path / "a.twinlens")) as library:
        work = workspace(qtbot, library)
        try:
            with qtbot.waitSignal(work.jobs.failed, timeout=LONG) as failed:
                work.searching.take_pictures([write_scene(tmp_path / "bad.jpg", 1, ABORT, 80)])
            assert "ended unexpectedly" in str(failed.args)
            settle(qtbot, work)
            work.searching.take_pictures([write_scene(tmp_path / "good.jpg", 1, 64, 80)])
            qtbot.waitUntil(lambda: isinstance(work.searching.view.grid.rows(), ResultRows), timeout=LONG)
            settle(qtbot, work)
        finally:
            work.jobs.finish()


@pytest.mark.parametrize("kept", [{}, {"index": "Automatic"}, {"index": 1, "instead_of": ""}, {"examples": [1]}])
def test_a_damaged_search_is_not_returned_to(kept: dict[str, Any]) -> None:
    assert WindowSearch.from_json({"instead_of": "", "index": "Automatic"} | kept) is None
    assert WindowSearch.from_json(kept) is None
