"""The question for a file: asked again where a photograph would be replaced, or a name that the dialog did not show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.gui.look.save_dialog import ask_for_output
from app.library.library import Library
from app.machine.output_file import ONLY_COPY, OutputFile
from tests.app.folders import added, write_scene

KINDS = "Table (*.csv);;JSON (*.json)"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    added(tmp_path / "library.twinlens", write_scene(tmp_path / "photographs" / "a.jpg", 1).parent)
    with Library.open(tmp_path / "library.twinlens") as opened:
        yield opened


def asked(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, library: Library, *answers: Path | str
) -> tuple[OutputFile | None, list[str], list[str]]:
    """Answer one question after another; give the file, what was proposed, and what was told."""
    left, proposed, told = list(answers), list[str](), list[str]()

    def answer(_parent: QWidget, _heading: str, name: str, _kinds: str) -> tuple[str, str]:
        proposed.append(name)
        return str(left.pop(0)), ""

    parent = QWidget()
    qtbot.addWidget(parent)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    monkeypatch.setattr(QMessageBox, "warning", lambda _parent, _heading, words: told.append(words))
    return ask_for_output(parent, "Save as", "list.csv", KINDS, library), proposed, told


def test_what_belongs_to_photographs_is_never_replaced(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, library: Library, tmp_path: Path
) -> None:
    photograph = tmp_path / "photographs" / "a.jpg"
    (tmp_path / "link.csv").symlink_to(photograph)
    (tmp_path / "other.csv").hardlink_to(photograph)
    beside = photograph.with_name("a.jpg.json")
    beside.write_text("{}")
    before = photograph.read_bytes()
    names = (tmp_path / "link.csv", tmp_path / "other.csv", beside, tmp_path / "new.csv")
    file, proposed, told = asked(qtbot, monkeypatch, library, *names)
    assert file is not None
    assert (file.path, proposed) == (tmp_path / "new.csv", ["list.csv", *map(str, names[:3])])
    assert ["never replaced" in one for one in told] == [True] * 3
    assert (photograph.read_bytes(), beside.read_text()) == (before, "{}")


def test_what_the_dialog_asked_for_is_replaced_and_another_name_is_asked_for(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, library: Library, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("mine")
    file, proposed, told = asked(qtbot, monkeypatch, library, tmp_path / "mine", mine)
    assert (proposed, told) == (["list.csv", str(mine)], [])
    assert file is not None
    file.write("new", ONLY_COPY)
    assert mine.read_text() == "new"
    file, _, _ = asked(qtbot, monkeypatch, library, tmp_path / "v1.2")
    assert file is not None
    assert file.path == tmp_path / "v1.2.csv"
    assert asked(qtbot, monkeypatch, library, "")[0] is None
