"""What lies beside a copy alone is told in the window, and taken along when the person says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QPushButton
from pytestqt.qtbot import QtBot

from app.duplicates.comparison import compare_pictures
from app.gui.duplicates.disposal import PlanDialog
from app.gui.frame.workspace import Workspace
from app.library.library import Library
from tests.app.folders import added, write_scene
from tests.app.gui.looking import LONG, button, words
from tests.app.gui.working import settle, workspace
from tests.app.private_trash import LINUX, private_trash

__all__ = ["private_trash"]

MOVE, ALSO, CLEAN = "Move to the trash", "Also move 1 photo and its files…", "Move the copies to the trash…"


@pytest.fixture
def space(qtbot: QtBot, tmp_path: Path, private_trash: Path) -> Iterator[Workspace]:
    """Return a workspace that shows two equal pairs: of one, each photograph has edits of its own beside it."""
    photos = tmp_path / "photographs"
    for name, seed in (("a/1.jpg", 1), ("b/1.jpg", 1), ("a/2.jpg", 2), ("b/2.jpg", 2)):
        write_scene(photos / name, seed)
    (photos / "a" / "1.jpg.dop").write_bytes(b"Sidecar = {}")
    (photos / "b" / "1.xmp").write_bytes(b"<other/>")
    (photos / "b" / "1.jpg.pp3").write_bytes(b"[Exposure]")
    added(tmp_path / "family.twinlens", photos)
    with Library.open(tmp_path / "family.twinlens") as library:
        compare_pictures(library)
        made = workspace(qtbot, library)
        made.show_view("duplicates")
        settle(qtbot, made)
        yield made
        made.jobs.finish()


def answer(*choices: str, look: Callable[[QDialog], None] = lambda _: None) -> list[list[str]]:
    """Press a button in each list as it comes; return what each said."""
    said: list[list[str]] = []

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, PlanDialog):
            said.append(words(dialog))
            look(dialog)
            name = choices[len(said) - 1]
            next(one for one in dialog.findChildren(QPushButton) if one.text() == name).click()
        if len(said) < len(choices):
            QTimer.singleShot(20, act)

    QTimer.singleShot(20, act)
    return said


def page_words(space: Workspace) -> list[str]:
    return words(space.views.part("duplicates").view)


def test_a_copy_is_held_and_the_list_says_why(qtbot: QtBot, space: Workspace, tmp_path: Path) -> None:
    assert "2 groups, 1 copy to remove" in page_words(space)
    said = answer("Cancel")
    button(space.views.part("duplicates").view, CLEAN).click()
    qtbot.waitUntil(lambda: bool(said), timeout=LONG)
    (told,) = said
    assert told[0].startswith("1 photo moves to the trash (")
    assert any("1.jpg.dop, which has edits, has no equal beside the photo that is kept." in one for one in told)
    settle(qtbot, space)


@LINUX
def test_what_lies_beside_it_is_taken_along_and_comes_back(
    qtbot: QtBot, space: Workspace, tmp_path: Path, private_trash: Path
) -> None:
    photos = tmp_path / "photographs"
    before = {path: path.read_bytes() for path in photos.rglob("*.*")}
    said = answer(ALSO, MOVE)
    button(space.views.part("duplicates").view, CLEAN).click()
    qtbot.waitUntil(lambda: len(said) == 2 and not space.adding.busy(), timeout=LONG)
    assert said[1][0].startswith("2 photos move to the trash (")
    assert "1 file beside them moves to the photo that is kept: 1.jpg.dop" in " ".join(said[1])
    assert {path for path in before if not path.exists()} == {
        photos / name for name in ("a/1.jpg", "a/1.jpg.dop", "b/2.jpg")
    }
    assert (photos / "b" / "1.jpg.dop").read_bytes() == b"Sidecar = {}"
    space.undoing.undo()
    qtbot.waitUntil(lambda: not space.adding.busy() and all(path.exists() for path in before), timeout=LONG)
    assert {path: path.read_bytes() for path in photos.rglob("*.*")} == before
    settle(qtbot, space)
