"""The menu of earlier and of saved searches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from app.gui.jobs import Jobs
from app.gui.opened import Opened
from app.gui.outside import on_button
from app.gui.search_control import SearchControl
from app.gui.search_view import SearchView
from core.progress import Progress

if TYPE_CHECKING:
    from app.asking import Question

_SHOWN = 15


class HistoryMenu(QObject):
    """Shows earlier searches with their pictures; a saved one has a name."""

    failed = Signal(str)

    def __init__(self, searching: SearchControl, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._searching = searching
        self._jobs = jobs
        self._window = window
        self._opened: Opened | None = None

    def take(self, opened: Opened) -> None:
        """Show the searches of this library from now on."""
        self._opened = opened

    def show(self, view: SearchView) -> None:
        """Show the menu."""
        opened = self._opened
        if opened is None:
            return

        def work(_: Progress) -> tuple[list[Any], list[Any]]:
            from app.remembered import history, saved_searches

            saved = [(name, value, _pictured(opened, value)) for name, value in saved_searches(opened.library).items()]
            past = history(opened.library)[:_SHOWN]
            return saved, [(_named(opened, value), value, _pictured(opened, value)) for value in past]

        self._jobs.start("history", work, lambda told: self._show(view, told[0], told[1]))

    def _show(self, view: SearchView, saved: list[Any], past: list[Any]) -> None:
        menu = QMenu(self._window)
        save = menu.addAction(self.tr("Save this search…"), self._on_save)
        save.setEnabled(self._searching.question is not None)
        forget = menu.addMenu(self.tr("Forget a saved search"))
        forget.setEnabled(bool(saved))
        for name, _, _ in saved:
            forget.addAction(on_button(name), partial(self._on_forget, name))
        for heading, some in ((self.tr("Saved"), saved), (self.tr("Earlier"), past)):
            if some:
                menu.addSection(heading)
            for name, value, jpeg in some:
                pixmap = QPixmap()
                pixmap.loadFromData(jpeg)
                menu.addAction(QIcon(pixmap), on_button(name), partial(self._ask, value))
        view.show_menu(menu)

    def _ask(self, value: dict[str, Any]) -> None:
        from app.asking import Question
        from core.errors import TwinlensError

        try:
            question: Question = Question.from_json(value)
        except TwinlensError as error:
            self.failed.emit(f"{error.sentence} {error.next_step}")
            return
        self._searching.ask(question, str(value.get("index") or "") or None)

    def _on_save(self) -> None:
        opened, question = self._opened, self._searching.question
        if opened is None or question is None:
            return
        name, agreed = QInputDialog.getText(self._window, self.tr("Save this search"), self.tr("Name"))
        if not agreed or not name.strip():
            return
        value = question.to_json() | {"index": self._searching.index}

        def work(_: Progress) -> None:
            from app.remembered import save_search

            save_search(opened.library, name.strip(), value)

        self._jobs.start("save search", work, lambda _: None)

    def _on_forget(self, name: str) -> None:
        opened = self._opened
        if opened is None:
            return

        def work(_: Progress) -> None:
            from app.remembered import forget_search

            forget_search(opened.library, name)

        self._jobs.start("save search", work, lambda _: None)


def _named(opened: Opened, value: dict[str, Any]) -> str:
    """Name an earlier search by its pictures and its index."""
    from app.viewing import example

    names = [example(opened.library, _picture(one))[0] for one in value.get("examples", [])[:2]]
    more = len(value.get("examples", [])) - len(names)
    names = [
        QCoreApplication.translate("ColourExamples", "Palette") if "palette" in one else name
        for one, name in zip(value.get("examples", []), names, strict=False)
    ]
    return f"{', '.join(names)}{f' +{more}' if more > 0 else ''} · {value.get('index', '')}"


def _pictured(opened: Opened, value: dict[str, Any]) -> bytes:
    from app.viewing import example

    examples = value.get("examples", [])
    return example(opened.library, _picture(examples[0]))[1] if examples else b""


def _picture(example: dict[str, Any]) -> Any:
    from pathlib import Path

    if "palette" in example:
        from app.asking import read_palette

        return read_palette(str(example["palette"]))
    picture = example.get("picture", "")
    return picture if isinstance(picture, int) else Path(str(picture))
