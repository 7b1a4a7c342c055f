"""The window under watch while it works: a timer of 16 ms, the gaps between its ticks, and the lines that hold it up.

All work is done in a library of a thousand pictures.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from twinlens.app.gui.frame.main_window import MainWindow


_SIZE = (1440, 900)
_EVERY_MS = 40  # a hand that drags


@dataclass(frozen=True)
class WindowWork:
    """One thing to do.

    Attributes
    ----------
    ready : function of MainWindow
        Shows the view in which it is done.
    least_s : float
        Is watched at least so long.
    """

    words: str
    ready: Callable[[MainWindow], object]
    begin: Callable[[MainWindow], object]
    least_s: float = 1.0


def shown(library: Path) -> MainWindow:
    """Show the window as the program does, and wait until nothing runs."""
    from twinlens.app.gui.frame.main_window import MainWindow
    from twinlens.app.gui.look.style_sheet import apply_theme

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
    return not frame.busy() and not frame.workspace.work.busy()


def _learn(frame: MainWindow) -> None:
    frame.workspace.learning.learn()


def _many_marks(frame: MainWindow) -> None:
    """Mark every pair of the first 200 photographs, and show them in Learn."""
    from twinlens.app.marks.marks import mark_pairs

    opened = frame.workspace.opened
    assert opened is not None
    mark_pairs(opened.library, list(combinations(range(1, 201), 2)), True)
    frame.workspace.show_view("learn")


def _mark(frame: MainWindow) -> None:
    """Mark pairs by keys, and scroll through all that are marked."""
    view = frame.workspace.learning.view
    view.pair.pictures.setFocus()
    for number, key in enumerate([Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_A] * 8):
        QTimer.singleShot(number * _EVERY_MS, frame, lambda key=key: QTest.keyClick(view.pair.pictures, key))
    bar = view.marks.list.verticalScrollBar()
    for number in range(50):
        QTimer.singleShot(
            (24 + number) * _EVERY_MS, bar, lambda number=number: bar.setValue(bar.maximum() * number // 49)
        )


def _compare(frame: MainWindow) -> None:
    from twinlens.app.compare.columns import ComparisonColumn

    frame.workspace.comparing.take_pictures([100])
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
    from twinlens.app.bench.experiment import Experiment

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
    from twinlens.app.gui.lab.experiment_list import ADVICE

    page = _page(frame, "lab")
    page.choose([ADVICE])
    return page.advice


def _advise(frame: MainWindow) -> None:
    _advice(frame).go()


INDEX = "Colours"
DOINGS = {
    "learn": WindowWork("learning from marks", lambda frame: frame.workspace.show_view("learn"), _learn),
    "marks": WindowWork("pairs marked by keys, and 20,000 marks scrolled", _many_marks, _mark, 4.0),
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

EVERY_MS = 16
LATE_S = 0.05
PATIENCE_S = 240.0


@dataclass(frozen=True)
class Ticks:
    """The gaps between two ticks.

    Attributes
    ----------
    worst, hundredth : float
        The longest, and that which one in a hundred is longer than, in ms.
    late : int
        Of more than 50 ms.
    busy : float
        The longest that the window's own thread worked between two, in ms of processor time: other work of the machine
        does not count.
    ended : bool
        What was waited for came to its end.
    """

    worst: float
    hundredth: float
    late: int
    busy: float
    count: int
    seconds: float
    ended: bool = True

    def values(self) -> dict[str, float]:
        """Return them for a file."""
        return asdict(self)


def watch(
    begin: Callable[[], object], done: Callable[[], bool], least_s: float = 0.0, ticked: Callable[[], object] = int
) -> Ticks:
    """Begin something with the timer running, and watch it until it is done, and at least so long; tell each tick."""
    loop, clock, looking = QEventLoop(), QTimer(), QTimer()
    times: list[float] = []
    worked: list[float] = []
    clock.setTimerType(Qt.TimerType.PreciseTimer)
    clock.timeout.connect(lambda: times.append(time.perf_counter()))
    clock.timeout.connect(lambda: worked.append(time.thread_time()))
    clock.timeout.connect(ticked)
    started = time.perf_counter()
    ended: list[bool] = []

    def look() -> None:
        now = time.perf_counter() - started
        if now > PATIENCE_S or (now > least_s and done()):
            ended.append(now <= PATIENCE_S)
            loop.quit()

    looking.timeout.connect(look)
    looking.setInterval(100)
    clock.start(EVERY_MS)
    looking.start()
    QTimer.singleShot(5 * EVERY_MS, begin)
    loop.exec()
    clock.stop()
    looking.stop()
    gaps = np.array([after - before for before, after in pairwise(times)])
    return Ticks(
        worst=round(1e3 * float(gaps.max()), 1),
        hundredth=round(1e3 * float(np.quantile(gaps, 0.99)), 1),
        late=int((gaps > LATE_S).sum()),
        busy=round(1e3 * max(after - before for before, after in pairwise(worked)), 1),
        count=len(gaps),
        seconds=round(times[-1] - times[0], 1),
        ended=ended == [True],
    )


def settle(done: Callable[[], bool], quiet_s: float = 0.6) -> None:
    """Let the window do what it has to, until nothing is under way for a while."""
    since: list[float] = []

    def look() -> bool:
        if not done():
            since.clear()
        elif not since:
            since.append(time.perf_counter())
        return bool(since) and time.perf_counter() - since[0] > quiet_s

    watch(lambda: None, look)


_EVERY_S = 0.01
_LATE_S = 0.05
_LINES = 8
_HERE = str(Path(__file__).parent)


class HoldingUp:
    """Looks from another thread, and keeps what the window's own thread did when it had worked longest between ticks.

    Its processor time counts, where the system tells it of another thread: then a busy machine finds nothing.
    """

    def __init__(self) -> None:
        self._window = threading.get_ident()
        self._clock = _clock_of(self._window)
        self._ticked = self._clock()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._seen: dict[str, float] = {}

    def tick(self) -> None:
        """Say that the window lives."""
        self._ticked = self._clock()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ends.set()
        self._thread.join()

    def worst(self, count: int = 3) -> list[str]:
        """Return what was seen when the longest were overdue: how long, and the innermost lines."""
        longest = sorted(self._seen.items(), key=lambda one: -one[1])[:count]
        return [f"{1e3 * late:.0f} ms\n{lines}" for lines, late in longest]

    def _look(self) -> None:
        while not self._ends.wait(_EVERY_S):
            late = self._clock() - self._ticked
            frame = sys._current_frames().get(self._window) if late > _LATE_S else None
            if frame is not None:
                stack = [line for line in traceback.format_stack(frame) if _HERE not in line and "<frozen" not in line]
                lines = "".join(stack[-_LINES:]) or "  in Qt itself, or waiting for a processor\n"
                self._seen[lines] = max(late, self._seen.get(lines, 0.0))


def _clock_of(thread: int) -> Callable[[], float]:
    """Return the processor time of a thread in seconds; the time of day if the system has none."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.perf_counter
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


PHOTOGRAPHS = 1_000


def prepare(photographs: int) -> Path:
    """Make the library once, and give a fresh copy of it with folders of its own for data and cache."""
    made = Path(tempfile.gettempdir()) / f"twinlens-ticks-{photographs}"
    if not (made / "done").exists():
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        _make(made, photographs)
        (made / "done").touch()
    place = Path(tempfile.mkdtemp(prefix="twinlens-ticks-run-"))
    return Path(shutil.copy(made / "made.twinlens", place / "made.twinlens"))


def own_folders(library: Path) -> None:
    """Keep data away from the person's, and the window from a screen; what was compiled stays."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["TWINLENS_DATA"] = str(library.parent / "data")
    from twinlens.app.machine import preferences

    preferences.keep(preferences.load().model_copy(update={"rescan_on_start": False}))


def _make(place: Path, photographs: int) -> None:
    from tools.portrait_library import mark_some, put_free, put_many
    from twinlens.app.demo.photographs import fetch_photographs
    from twinlens.app.library.ingest.adding import add
    from twinlens.app.library.library import Library

    os.environ["TWINLENS_DATA"] = str(place / "data")
    found = fetch_photographs()
    put_free(found, place / "Pictures")
    put_many(found, place / "Pictures", photographs)
    with Library.open(place / "made.twinlens", create=True) as library:
        add(library, [place / "Pictures"])
        mark_some(library)
