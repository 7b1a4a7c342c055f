"""That a vocabulary is due is brought up quietly; what is agreed to is done, and what is put off is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.indexes.index_results import IndexSuggestion
from app.library.library import Library
from app.machine.preferences import Preferences, keep
from app.vocabulary.learned_vocabularies import VocabularyListResult
from core.message import Message, verbatim
from core.progress import Progress
from tests.app.gui.looking import LONG, words

DUE = IndexSuggestion("learn", "", verbatim("A vocabulary of its own may find copies better."), 60.0)
BETTER = IndexSuggestion("decide", "1", verbatim("It finds more copies."), 60.0)


class Steps:
    """What is due, step by step, and what was done."""

    def __init__(self) -> None:
        self.due: list[IndexSuggestion | None] = [DUE]
        self.done: list[str] = []

    def notice(self, _: Library) -> IndexSuggestion | None:
        return self.due[0]

    def learn(self, _: Library, progress: Progress) -> VocabularyListResult:
        progress(0, 1, Message("Learning"))
        self.done.append("learned")
        self.due[0] = BETTER
        return VocabularyListResult(vocabularies=[])

    def keep(self, _: Library, name: str, progress: Progress) -> VocabularyListResult:
        progress(0, 1, Message("Reading"))
        self.done.append(f"kept {name}")
        self.due[0] = None
        return VocabularyListResult(vocabularies=[])


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    steps = Steps()
    monkeypatch.setattr("app.vocabulary.vocabularies.vocabulary_suggestion", steps.notice)
    monkeypatch.setattr("app.vocabulary.vocabularies.learn_vocabulary", steps.learn)
    monkeypatch.setattr("app.vocabulary.vocabularies.keep_vocabulary", steps.keep)
    return steps


@pytest.fixture
def frame(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: Steps) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    frame = MainWindow(tmp_path / "a.twinlens")
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    yield frame
    frame.close()


def asks(frame: MainWindow, one: IndexSuggestion) -> bool:
    return frame.workspace.suggestion.isVisible() and str(one.sentence) in words(frame.workspace.suggestion)


def button(frame: MainWindow, text: str) -> QPushButton:
    return next(one for one in frame.workspace.suggestion.findChildren(QPushButton) if one.text() == text)


def test_it_is_learned_then_kept(qtbot: QtBot, frame: MainWindow, steps: Steps) -> None:
    qtbot.waitUntil(lambda: asks(frame, DUE), timeout=LONG)
    assert not any(one.hasFocus() for one in (button(frame, "Learn"), button(frame, "Not now")))
    button(frame, "Learn").click()
    qtbot.waitUntil(lambda: asks(frame, BETTER), timeout=LONG)
    assert steps.done == ["learned"]
    button(frame, "Keep").click()
    qtbot.waitUntil(lambda: steps.done == ["learned", "kept 1"] and not frame.workspace.adding.busy(), timeout=LONG)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert not frame.workspace.suggestion.isVisible()


def test_what_is_put_off_is_not_asked_again(qtbot: QtBot, frame: MainWindow, steps: Steps) -> None:
    qtbot.waitUntil(lambda: asks(frame, DUE), timeout=LONG)
    button(frame, "Not now").click()
    assert not frame.workspace.suggestion.isVisible()
    frame.workspace.suggesting.look()
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert not frame.workspace.suggestion.isVisible()
    assert steps.done == []
    steps.due[0] = BETTER  # another thing is
    frame.workspace.suggesting.look()
    qtbot.waitUntil(lambda: asks(frame, BETTER), timeout=LONG)
