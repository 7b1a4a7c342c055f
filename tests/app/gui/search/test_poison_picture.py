"""A picture on which describing crashes costs a sentence in the window, which goes on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.gui.search.search_results import ResultRows
from app.indexes.fitted_models import load_extractors
from app.library.library import Library
from app.library.workers import decoders
from features.descriptor import Extractor
from storage.library.store import Transaction
from storage.photographs.descriptors import KindRow
from tests.app.extractors import ABORT, MishapBefore
from tests.app.folders import write_scene
from tests.app.gui.looking import LONG
from tests.app.gui.working import settle, workspace
from tests.app.library_fixture import Libraries


def test_the_window_says_it_and_searches_again(
    qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mishaps(r: Transaction, kinds: Sequence[KindRow]) -> dict[str, Extractor]:
        return {key: MishapBefore(one) for key, one in load_extractors(r, kinds).items()}

    monkeypatch.setattr("app.search.query_descriptors.load_extractors", mishaps)
    decoders.end()
    with Library.open(libraries.copy(6, tmp_path / "a.twinlens")) as library:
        work = workspace(qtbot, library)
        try:
            with qtbot.waitSignal(work.jobs.failed, timeout=LONG) as failed:
                work.search_with([write_scene(tmp_path / "bad.jpg", 1, ABORT, 80)])
            assert "ended unexpectedly" in str(failed.args)
            settle(qtbot, work)
            work.search_with([write_scene(tmp_path / "good.jpg", 1, 64, 80)])
            qtbot.waitUntil(lambda: isinstance(work.searching.view.grid.rows(), ResultRows), timeout=LONG)
            settle(qtbot, work)
        finally:
            work.jobs.finish()
            decoders.end()
