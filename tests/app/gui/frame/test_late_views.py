"""Parts that are made when they are first shown: once, told of the library, and remembered also when not made."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.gui.frame.frame import Frame
from app.gui.frame.import_ahead import import_ahead
from app.gui.frame.late_views import LateViews
from app.gui.frame.opened import Opened, open_library
from core.errors import Cancelled


class Part:
    def __init__(self) -> None:
        self.view = QWidget()
        self.told: list[str] = []

    def take(self, opened: Opened) -> None:
        self.told.append(f"take {opened.state.get('one', '')}".strip())

    def focus(self) -> None:
        self.told.append("focus")

    def refresh(self) -> None:
        self.told.append("refresh")

    def state(self) -> dict[str, Any]:
        return {"made": True}


def opened(path: Path, state: dict[str, object]) -> Opened:
    return Opened(open_library(path).library, state)


def test_a_part_is_made_once_and_when_it_is_wanted(qtbot: QtBot, tmp_path: Path) -> None:
    late = LateViews()
    made: list[Part] = []
    late.add("one", lambda: made.append(Part()) or made[-1])  # type: ignore[func-returns-value]
    library = opened(tmp_path / "a.twinlens", {"one": "kept"})
    late.take(library)
    assert late.state() == {"one": "kept"}
    assert not made
    assert late.part("one") is late.part("one")
    assert len(made) == 1
    assert made[0].told == ["take kept"]
    assert late.state() == {"one": {"made": True}}
    assert late.part("two") is None
    library.library.close()


def test_what_is_not_seen_looks_again_when_it_is(qtbot: QtBot, tmp_path: Path) -> None:
    late = LateViews()
    part = Part()
    qtbot.addWidget(part.view)
    late.add("one", lambda: part)
    late.part("one")
    late.refresh()
    assert part.told == []
    late.part("one")
    late.part("one")
    assert part.told == ["refresh"]
    part.view.show()
    late.refresh()
    assert part.told == ["refresh", "refresh"]


def test_the_lab_is_made_when_it_is_shown(qtbot: QtBot, tmp_path: Path) -> None:
    frame = Frame(tmp_path / "a.twinlens")
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=20_000):
        frame.show()
    frame.show_view("lab")
    assert frame.view() == "lab"
    assert frame.late.part("lab") is frame.late.part("lab")
    frame.finish()


def test_what_is_imported_ahead_is_there_and_can_be_stopped() -> None:
    import_ahead(lambda *_: None)
    assert "app.gui.lab.lab_view" in sys.modules

    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        import_ahead(stop)


def test_what_waits_for_an_undo_does_not_reach_the_next_library(qtbot: QtBot, tmp_path: Path) -> None:
    frame = Frame(tmp_path / "a.twinlens")
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=20_000):
        frame.show()
    done: list[str] = []
    frame.undoing.offer("Gone.", lambda: done.append("undone"), lambda: done.append("settled"))
    with qtbot.waitSignal(frame.opened, timeout=20_000):
        frame.open(tmp_path / "b.twinlens")
    assert not frame.undoing.waits()
    frame.undoing.undo()
    frame.undoing.settle()
    assert done == []
    frame.finish()
