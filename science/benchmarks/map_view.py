"""The Map in the window: frames of a hundred thousand photographs, each against the time between two of a screen.

It runs without a screen on a layout that is made up, with a picture for every photograph. What a frame costs is the
time that the window's own thread computes, so that other work on the machine does not count.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from science.benchmarks.comparison import Peer, Run, SpeedComparison

if TYPE_CHECKING:
    from twinlens.app.gui.map.map_canvas import MapCanvas

FRAME_S = 0.016
ROWS, SIZES = 100_000, ((1280, 800), (2560, 1440))
DOING = {
    "wheel": "coming closer, from all to eight times as close",
    "drag": "moving, all in sight",
    "near": "moving, three times as close",
    "lasso": "drawing a lasso around half of them, counted all the time",
    "travel": "points on their way to another layout",
}
_FRAMES = 60


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield a line for everything that is done, in each size."""
    for size in SIZES[:1] if quick else SIZES:
        for doing, words in DOING.items():
            yield SpeedComparison(
                f"{ROWS:,} photographs, {size[0]} x {size[1]}: {words}, the slowest twentieth of frames",
                "16 ms",
                Peer(frames, {"doing": doing, "size": list(size)}, warm_up=False),
                Peer(limit, {}, warm_up=False),
                must=1.0,
                stretch=0.5,
                at_most=True,
                rounds=2 if quick else 4,
                seconds=12,
            )


def limit() -> Run:
    """Return the time between two frames."""
    return lambda: {"wall": FRAME_S}


def frames(doing: str, size: list[int]) -> Run:
    """Do something, frame by frame."""
    canvas = _made_canvas(size[0], size[1])
    acts: dict[str, Callable[[MapCanvas], Callable[[int], None]]] = {
        "wheel": _wheel, "drag": lambda one: _drag(one, 1), "near": lambda one: _drag(one, 3), "lasso": _lasso,
        "travel": _travel,
    }  # fmt: skip

    def run() -> dict[str, float]:
        assert canvas.found is not None
        canvas.motion.place(canvas.found.xy)
        canvas.leave_lasso()
        canvas.fit()
        _rest(canvas)
        act, times = acts[doing](canvas), []
        for number in range(_FRAMES):
            began = time.thread_time()
            act(number)
            if canvas.motion.moves:
                canvas.motion.step()
            canvas.repaint()
            times.append(time.thread_time() - began)
        return {"wall": statistics.quantiles(times, n=20)[-1]}

    run()
    return run


def _wheel(canvas: MapCanvas) -> Callable[[int], None]:
    from PySide6.QtCore import QPointF

    middle = QPointF(0.4 * canvas.width(), 0.45 * canvas.height())

    def act(number: int) -> None:
        if number % 7 == 0:
            canvas.zoom(1.28, middle)
        time.sleep(0.004)  # a wheel takes its time

    return act


def _drag(canvas: MapCanvas, closer: float) -> Callable[[int], None]:
    canvas.zoom(closer)
    _rest(canvas)
    return lambda number: canvas.pan(3, 2)


def _lasso(canvas: MapCanvas) -> Callable[[int], None]:
    from PySide6.QtCore import QPointF, Qt

    def place(number: int) -> QPointF:
        angle = 2 * math.pi * number / _FRAMES
        return QPointF((0.5 + 0.2 * math.cos(angle)) * canvas.width(), (0.5 + 0.35 * math.sin(angle)) * canvas.height())

    canvas.begin_lasso(place(0))
    return lambda number: canvas.draw_lasso(place(number), Qt.KeyboardModifier.NoModifier)


def _travel(canvas: MapCanvas) -> Callable[[int], None]:
    assert canvas.found is not None
    away = np.random.default_rng(1).normal(0, 0.05, canvas.found.xy.shape)
    canvas.motion.travel(np.clip(canvas.found.xy + away, 0, 1).astype(np.float32))
    return lambda number: time.sleep(0.004)


def _made_canvas(width: int, height: int) -> MapCanvas:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    from tests.app.gui.map.made import made_facts, made_map, serve
    from twinlens.app.gui.map.colouring import by_cluster
    from twinlens.app.gui.map.map_canvas import MapCanvas

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    canvas = MapCanvas()
    canvas.resize(width - 320, height - 160)
    serve(canvas)
    found = made_map(ROWS, clusters=60)
    canvas.show_map(found, made_facts(ROWS), by_cluster(found))
    canvas.show()
    _rest(canvas)
    return canvas


def _rest(canvas: MapCanvas) -> None:
    """Let everything arrive, with its pictures."""
    from tests.app.gui.map.made import still

    still(canvas)
