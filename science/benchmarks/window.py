"""The window measured against the limits within which a program feels immediate.

It runs without a screen, on synthetic libraries. Times of short work are the least of several, since other work on the
machine only ever adds to them; the worst tick means something on an idle machine only.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import psutil

from science.benchmarks.adding import make_photographs
from science.benchmarks.comparison import Peer, Run, SpeedComparison, Unmeasurable
from science.benchmarks.peer import ROOT
from twinlens.storage.sqlite.thumbnails import Thumbnails

if TYPE_CHECKING:
    from twinlens.app.gui.frame.main_window import MainWindow

ROWS, QUICK_ROWS = (100_000, 500_000), (100_000,)
FILES, QUICK_FILES = 500, 120
MEASURED, QUICK_MEASURED = 5_000, 1_000
START_S = 1.0
TICK_S = 0.05
MEMORY = {100_000: 400e6, 500_000: 600e6}
INDEX = ("Made up", "colour:levels=1", "lsh:bits=256", "scan")
_START = """
import sys, time
from twinlens.app.gui.frame import start
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from twinlens.storage.database.address import Address
def tell():
    shown = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
    if not shown:
        QTimer.singleShot(0, tell)
        return
    shown[0].repaint()
    print(time.time(), flush=True)
    QApplication.closeAllWindows()
application = QApplication(["twinlens"])
QTimer.singleShot(0, tell)
start.show_window(Address.of(sys.argv[1]))
"""
"""The program as a person starts it, but for telling when its window was painted, and closing it."""

_PATIENCE_S = 120.0
_TIMES = 9
_SCREENS = 500  # at which scrolling to the end stops on its way

LIMITS: tuple[tuple[str, str, float], ...] = (
    ("open", "from the start of opening until the photographs stand there", 3.0),
    ("scroll", "a frame of scrolling", 0.016),
    ("resize", "the window made wider or narrower", 0.1),
    ("select", "select all", 0.05),
    ("filter", "typed words until what fits stands there, by folder", 0.5),
    ("menu", "what can be done with all, for the menu", 0.1),
    ("folders", "the tree of folders made anew", 0.05),
    ("first search", "the first search, from Enter until the results stand there", 1.0),
    ("search", "a later search, from Enter until the results stand there", 0.25),
)
"""Actions in a library of many rows: key, words, and the seconds that each may take."""


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines: start, ticks while photographs are added, what is done among many rows, and memory."""
    rounds = 3 if quick else 5
    yield _line("start until the window shows", "1 s", start, {}, START_S, rounds)
    files = QUICK_FILES if quick else FILES
    what = f"worst tick of a 16-ms timer while all cores read {files:,} photographs"
    yield _line(what, "50 ms", worst_tick, {"files": files}, TICK_S, 2 if quick else 3, 30 if quick else 120)
    measured = QUICK_MEASURED if quick else MEASURED
    what = f"worst tick of a 16-ms timer while all cores measure methods on {measured:,} photographs"
    yield _line(what, "50 ms", worst_tick_of_lab, {"rows": measured}, TICK_S, 2 if quick else 3, 30)
    for rows in QUICK_ROWS if quick else ROWS:
        for doing, words, seconds in LIMITS:
            arguments = {"rows": rows, "doing": doing}
            takes = rows / 10_000 + (rows / 3_000 if doing == "open" else 0)  # the first makes the library
            yield _line(f"{rows:,} rows: {words}", f"{seconds * 1e3:,.0f} ms", among, arguments, seconds, rounds, takes)
        yield SpeedComparison(
            f"{rows:,} rows: memory of the program, scrolled to the end by folder",
            f"{MEMORY[rows] / 1e6:.0f} MB",
            Peer(memory, {"rows": rows}, warm_up=False),
            Peer(limit, {"figure": "memory", "value": MEMORY[rows]}, warm_up=False),
            must=1.0,
            stretch=0.75,
            figure="memory",
            at_most=True,
            rounds=1,
            seconds=25,
        )


def _line(
    what: str,
    against: str,
    make: Callable[..., Run],
    arguments: dict[str, object],
    seconds: float,
    rounds: int,
    takes: float = 10.0,
) -> SpeedComparison:
    ours = Peer(make, arguments, warm_up=False)
    other = Peer(limit, {"figure": "wall", "value": seconds}, warm_up=False)
    return SpeedComparison(what, against, ours, other, 1.0, 0.5, at_most=True, rounds=rounds, seconds=takes)


def limit(figure: str, value: float) -> Run:
    """Return a limit."""
    return lambda: {figure: value}


# ---- what is measured ------------------------------------------------------------------------------------------------


def start() -> Run:
    """Start the program until its window is painted; the first start, which fills the system's caches, is not told."""
    place = _own_folders()

    def run() -> dict[str, float]:
        began = time.time()
        command = [sys.executable, "-c", _START, str(place / "new.twinlens")]
        shown = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return {"wall": float(shown) - began}

    run()
    return run


def worst_tick(files: int) -> Run:
    """Add photographs in the window, and give the longest time between two ticks of a 16-ms timer."""
    place, folder = _own_folders(), make_photographs(files, 2)

    def run() -> dict[str, float]:
        from PySide6.QtCore import Qt, QTimer

        shutil.rmtree(place, ignore_errors=True)
        frame = _shown(place / "new.twinlens")
        times: list[float] = []
        clock = QTimer(frame)
        clock.setTimerType(Qt.TimerType.PreciseTimer)
        clock.timeout.connect(lambda: times.append(time.perf_counter()))
        frame.workspace.adding.asks.connect(frame.workspace.adding.agree)
        ended: list[bool] = []
        frame.workspace.work.changed.connect(lambda: ended.append(True))
        clock.start(16)
        frame.workspace.adding.add([folder])
        _wait(lambda: bool(ended))
        clock.stop()
        frame.close()
        return {"wall": max(after - before for before, after in pairwise(times))}

    return run


def worst_tick_of_lab(rows: int) -> Run:
    """Measure a plan of the Lab in the window, and give the longest time between two ticks of a 16-ms timer."""
    path = _copy_of_library(rows)

    def run() -> dict[str, float]:
        from PySide6.QtCore import Qt, QTimer

        from twinlens.app.bench.experiment import Experiment
        from twinlens.app.gui.lab.lab_controller import LabControl

        frame = _listed(path)
        frame.workspace.show_view("lab")
        part = frame.workspace.views.part("lab")
        assert isinstance(part, LabControl)
        _wait(lambda: not frame.busy())
        times: list[float] = []
        clock = QTimer(frame)
        clock.setTimerType(Qt.TimerType.PreciseTimer)
        clock.timeout.connect(lambda: times.append(time.perf_counter()))
        clock.start(16)
        seed = time.time_ns() % 1_000_000  # what was measured in another round is not measured again
        methods = ("lsh:bits={16,64,256}", "klsh:bits=64,kernel=hellinger,landmarks=300,rank={16,64}", "itq:bits=64")
        part.runs.start(
            Experiment(index=INDEX[0], methods=methods, search=("scan",), seeds=(seed, seed + 1)), str(seed)
        )
        _wait(lambda: not part.runs.going.works() and not frame.busy() and not part.follows())
        clock.stop()
        frame.close()
        return {"wall": max(after - before for before, after in pairwise(times))}

    return run


def among(rows: int, doing: str) -> Run:
    """Do something in the window of a large library."""
    path = _copy_of_library(rows)
    if doing in ("open", "first search"):
        return lambda: {"wall": (_opening if doing == "open" else _first_search)(path)}
    frame = _listed(path)
    acts: dict[str, Callable[[], object]] = {
        "scroll": lambda: _scroll(frame),
        "resize": lambda: _resize(frame),
        "select": lambda: _select_all(frame),
        "filter": lambda: _filter(frame),
        "menu": lambda: _menu(frame),
        "folders": lambda: _fill_tree(frame),
        "search": lambda: _search(frame),
    }
    act = acts[doing]
    act()
    return lambda: {"wall": min(_seconds(act) for _ in range(_TIMES))}


def memory(rows: int) -> Run:
    """Scroll to the end, with thumbnails all the way, and give what the program holds then."""
    path = _copy_of_library(rows)

    def run() -> dict[str, float]:
        frame = _listed(path)
        _filter(frame)
        bar = frame.workspace.browsing.view.grid.verticalScrollBar()
        for screen in range(_SCREENS + 1):
            bar.setValue(bar.maximum() * screen // _SCREENS)
            _pause(0.03)
        held = float(psutil.Process().memory_full_info().uss)
        frame.close()
        return {"memory": held}

    return run


def _opening(path: Path) -> float:
    began = time.perf_counter()
    frame = _listed(path, quiet=False)
    took = time.perf_counter() - began
    frame.close()
    return took


def _first_search(path: Path) -> float:
    frame = _listed(path)
    took = _seconds(lambda: _search(frame))
    frame.close()
    return took


def _scroll(frame: MainWindow) -> None:
    bar = frame.workspace.browsing.view.grid.verticalScrollBar()
    bar.setValue((bar.value() + 120) % bar.maximum())
    _events()


def _resize(frame: MainWindow) -> None:
    frame.resize(1480 if frame.width() < 1400 else 1280, 860)
    _events()


def _select_all(frame: MainWindow) -> None:
    frame.workspace.browsing.view.grid.clear_selection()
    frame.workspace.browsing.view.grid.select_all()
    _events()


def _menu(frame: MainWindow) -> None:
    if frame.workspace.browsing.view.grid.selection.count < frame.workspace.browsing.view.grid.rows().count:
        frame.workspace.browsing.view.grid.select_all()
    from tests.app.gui.looking import menu_commands

    menu_commands(frame, frame.workspace.current(), frame.workspace.chosen())


def _fill_tree(frame: MainWindow) -> None:
    side = frame.workspace.side
    nodes, total = side._model._nodes, side._model._total
    side.show_folders([], 0)
    side.show_folders(list(nodes), total)
    _events()


def _filter(frame: MainWindow) -> None:
    grid = frame.workspace.browsing.view.grid
    before = grid.rows()
    frame.workspace.browsing.view.set_words("" if frame.workspace.browsing.view.words() else "camera 1")
    frame.workspace.browsing.order_by("folder")
    _wait(lambda: grid.rows() is not before)


def _search(frame: MainWindow) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    frame.workspace.show_view("library")
    grid, found = frame.workspace.browsing.view.grid, frame.workspace.searching.view.grid
    before = found.rows()
    QTest.keyClick(grid, Qt.Key.Key_Right)
    QTest.keyClick(grid, Qt.Key.Key_Return)
    _wait(lambda: found.rows() is not before and found.rows().count > 0)


# ---- the window ------------------------------------------------------------------------------------------------------


def _own_folders() -> Path:
    """Keep data and cache away from the person's, and the window from a screen; give a folder for libraries."""
    place = Path(tempfile.mkdtemp(prefix="twinlens-benchmark-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["TWINLENS_DATA"], os.environ["TWINLENS_CACHE"] = str(place / "data"), str(place / "cache")
    from twinlens.app.machine import preferences

    # The photographs of made-up libraries were never there: looking for them would not end.
    preferences.keep(preferences.load().model_copy(update={"rescan_on_start": False}))
    return place / "libraries"


def _shown(path: Path) -> MainWindow:
    """Show the window of a library as the program does, and wait until it is open."""
    from PySide6.QtWidgets import QApplication

    from twinlens.app.gui.frame.main_window import MainWindow
    from twinlens.app.gui.look.style_sheet import apply_theme

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application)
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = MainWindow(path)
    frame.show()
    _wait(frame.is_open)
    return frame


def _listed(path: Path, quiet: bool = True) -> MainWindow:
    """Show the window until the photographs stand there, and, where it is to be quiet, nothing runs any more."""
    frame = _shown(path)
    opened = frame.workspace.opened
    assert opened is not None
    opened.library.thumbnails = MadeUp(opened.library.thumbnails.path)
    frame.workspace.searching.choose_index(INDEX[0])
    _wait(lambda: frame.workspace.browsing.view.grid.rows().count > 0)
    _events()
    if quiet:
        _pause(1.0)
        _wait(lambda: not frame.busy())
    return frame


def _events() -> None:
    from PySide6.QtWidgets import QApplication

    QApplication.processEvents()


def _wait(done: Callable[[], bool]) -> None:
    """Let the window work until something is done."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, looking = QEventLoop(), QTimer()
    until = time.perf_counter() + _PATIENCE_S

    def look() -> None:
        if done() or time.perf_counter() > until:
            loop.quit()

    looking.timeout.connect(look)
    looking.start(1)
    loop.exec()
    looking.stop()
    if time.perf_counter() > until:  # not asked again: what is done may begin anew
        raise Unmeasurable(f"the window did not come to an end in {_PATIENCE_S:.0f} s")


def _pause(seconds: float) -> None:
    until = time.perf_counter() + seconds
    _wait(lambda: time.perf_counter() > until)


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


# ---- libraries of photographs that were never taken ------------------------------------------------------------------


class MadeUp(Thumbnails):
    """A few pictures in turn, for any photograph."""

    def get_many(self, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return a picture for each."""
        return {one: _PICTURES[sum(one) % len(_PICTURES)] for one in content_hashes}


def _picture(seed: int) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (12, 16, 3), np.uint8)
    written = cv2.imencode(".jpg", cv2.resize(pixels, (256, 192), interpolation=cv2.INTER_CUBIC))[1]
    return written.tobytes()


_PICTURES = [_picture(seed) for seed in range(32)]


def _copy_of_library(rows: int) -> Path:
    """Copy the library of so many rows, which is made once and kept for later runs."""
    from tests.app.made_library import make_large

    folder = Path(tempfile.gettempdir()) / f"twinlens-benchmark-rows-{rows}"
    place = _own_folders()
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make_large(folder / "made.twinlens", rows, INDEX)
        (folder / "done").touch()
    place.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(folder / "made.twinlens", place / "made.twinlens"))
