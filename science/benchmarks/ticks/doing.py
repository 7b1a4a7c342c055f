"""What is done in the window while its ticks are watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from science.benchmarks.ticks.library import INDEX
from science.benchmarks.ticks.watching import settle

if TYPE_CHECKING:
    from app.gui.frame.frame import MainWindow

_SIZE = (1440, 900)
_EVERY_MS = 40  # a hand that drags


@dataclass(frozen=True)
class WindowWork:
    """One thing to do.

    Attributes
    ----------
    words : str
    ready : function of Frame
        Shows the view in which it is done.
    begin : function of Frame
    least_s : float
        Is watched at least so long.
    """

    words: str
    ready: Callable[[MainWindow], object]
    begin: Callable[[MainWindow], object]
    least_s: float = 1.0


def shown(library: Path) -> MainWindow:
    """Show the window as the program does, and wait until nothing runs."""
    from app.gui.frame.frame import MainWindow
    from app.gui.look.appearance import apply_theme

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application)
    frame = MainWindow(library)
    frame.resize(*_SIZE)
    frame.show()
    settle(frame.is_open)
    frame.workspace.searching.choose_index(INDEX)
    settle(lambda: quiet(frame))
    return frame


def quiet(frame: MainWindow) -> bool:
    """Return whether nothing is under way."""
    return not frame.busy() and not frame.workspace.adding.busy()


def _learn(frame: MainWindow) -> None:
    frame.workspace.learning.view.learn_wanted.emit()


def _compare(frame: MainWindow) -> None:
    from app.compare.columns import ComparisonColumn

    frame.workspace.comparing.ask_pictures([100])
    for method in ("klsh:bits=256,rank=32,kernel=chi-square", "itq:bits=64"):
        frame.workspace.comparing.add(ComparisonColumn(INDEX, method=method, search="scan:candidates=1"))


def _walk_columns(frame: MainWindow) -> None:
    """Walk by keys and by the pointer from picture to picture, which lights each in every column; ask on the way."""
    board = frame.workspace.comparing.view.board
    board.setFocus()
    keys = [*[Qt.Key.Key_Right] * 12, Qt.Key.Key_Return, *[Qt.Key.Key_Down] * 3, Qt.Key.Key_M, Qt.Key.Key_N]
    for number, key in enumerate(keys):
        QTimer.singleShot(number * _EVERY_MS, board, lambda key=key: QTest.keyClick(board, key))
    for number in range(50):
        place = QPoint(40 + 24 * number, 60 + 5 * number)
        QTimer.singleShot(
            len(keys) * _EVERY_MS + number * _EVERY_MS,
            board,
            lambda place=place: QTest.mouseMove(board.viewport(), place),
        )


def _page(frame: MainWindow, name: str) -> Any:
    frame.workspace.show_view(name)
    return frame.workspace.views.part(name)


def _lab_run(frame: MainWindow) -> None:
    """Measure with both cores: kernels, ranks and bits, several times each."""
    from app.bench.experiment import Experiment

    plan = Experiment(
        question="What does the rank do?",
        index=INDEX,
        methods=("klsh:bits=256,rank={8,32,128},kernel=chi-square", "lsh:bits={64,256}"),
        search=("scan:candidates=50", "buckets:candidates=50"),
        seeds=(0, 1),
        query_count=200,
        name="ticks",
    )
    _page(frame, "lab").runs.start(plan, "ticks")


def _measured(frame: MainWindow) -> None:
    """Show a run that is measured."""
    _lab_run(frame)


def _lay_theory(frame: MainWindow) -> None:
    _page(frame, "lab").view.sheet.layers.press()


def _another_line(frame: MainWindow) -> None:
    sheet = _page(frame, "lab").view.sheet
    sheet.table.go_to(sheet.shown.rows[-1].key)


def _knobs(frame: MainWindow) -> None:
    _page(frame, "lab").lines.turn()


def _drag(frame: MainWindow) -> None:
    """Drag the slider of the explorer from one end to the other and back."""
    rows = _page(frame, "lab").lines.knobs.view.panel.rows()
    row = next((rows[path] for path in ("method.rank", "method.bits") if path in rows), None)
    assert row is not None, "the explorer has no slider"
    slider = row.slider
    steps = 60
    at = [abs(1 - 2 * step / steps) for step in range(steps + 1)]

    def place(share: float) -> QPoint:
        return QPointF(8 + share * (slider.width() - 16), slider.height() / 2).toPoint()

    left = Qt.MouseButton.LeftButton
    QTest.mousePress(slider, left, pos=place(at[0]))
    for step, share in enumerate(at, 1):
        QTimer.singleShot(step * _EVERY_MS, slider, lambda share=share: QTest.mouseMove(slider, place(share)))
    QTimer.singleShot((steps + 2) * _EVERY_MS, slider, lambda: QTest.mouseRelease(slider, left, pos=place(at[-1])))


def _map_anew(frame: MainWindow) -> None:
    part: Any = frame.workspace.views.part("map")
    part.view.anew_wanted.emit()


def _advice(frame: MainWindow) -> Any:
    from app.gui.lab.experiment_list import ADVICE

    page = _page(frame, "lab")
    page.choose([ADVICE])
    return page.advice


def _advise(frame: MainWindow) -> None:
    _advice(frame).go()


DOINGS = {
    "learn": WindowWork("learning from marks", lambda frame: frame.workspace.show_view("learn"), _learn),
    "compare": WindowWork("one photograph asked of columns, two of which are made", lambda _: None, _compare),
    "columns": WindowWork("pictures lit in every column, by keys and pointer", _compare, _walk_columns, 4.0),
    "lab": WindowWork("a run of the Lab", lambda frame: _page(frame, "lab"), _lab_run),
    "theory": WindowWork("theory laid over a curve", _measured, _lay_theory),
    "line": WindowWork("what a line of the table finds", _measured, _another_line),
    "advice": WindowWork("an index looked for within the time given", _advice, _advise),
    "drag": WindowWork(
        "the explorer's slider dragged to and fro", lambda frame: _page(frame, "lab").lines.turn(), _drag, 4.0
    ),
    "map": WindowWork("a map made anew", lambda frame: frame.workspace.show_view("map"), _map_anew),
    "open lab": WindowWork(
        "the Lab shown for the first time", lambda _: None, lambda frame: frame.workspace.show_view("lab")
    ),
    "open map": WindowWork(
        "the map shown for the first time", lambda _: None, lambda frame: frame.workspace.show_view("map")
    ),
}
"""By name."""
