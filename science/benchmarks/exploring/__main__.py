"""Time of coarse and exact figures in the explorer, and how evenly the window ticks meanwhile.

``python -m science.benchmarks.exploring LIBRARY [--index NAME] [--photographs N] [--method KEY]... [--ticks]``
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinlens.app.lab.explore.explorer import Explorer
    from twinlens.app.lab.explore.knobs import KnobSetting

_MOVES = 6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=Path)
    parser.add_argument("--index", default="Colours")
    parser.add_argument("--photographs", type=int, default=1_000)
    parser.add_argument("--method", action="append", help="only these, by their keys")
    parser.add_argument("--ticks", action="store_true")
    given = parser.parse_args()
    if given.ticks:
        ticks(given.library, given.index, given.photographs)
    else:
        latencies(given.library, given.index, given.photographs, given.method or ())


def latencies(file: Path, index: str, photographs: int, only: Sequence[str] = ()) -> None:
    """Move every slider of every method to some stops, first nearly, then, to one of them, exactly."""
    from twinlens.app.lab.explore.explorer import Explorer
    from twinlens.app.lab.explore.sample import SampleSettings, load_material
    from twinlens.app.library.library import Library
    from twinlens.core.compilation import compilation
    from twinlens.core.methods import METHODS

    compilation.ready(wait=True)
    with Library.open(file) as library:
        material = load_material(library, index, SampleSettings(photographs))
        print(f"{material.index}: {len(material.ids):,} photographs, {material.images.shape[1]:,} dimensions")
        print(f"{'method':14} {'parameter':22} {'coarse ms: median':>18} {'worst':>7} {'exact ms':>9}")
        for method in [one for one in METHODS if not only or one.key in only]:
            explorer = Explorer(material)
            begun = explorer.begin(method.key, "scan:candidates=20")
            if explorer.why_not(begun):
                print(f"{method.key:14} not of these vectors")
                continue
            took = [_timed(lambda: explorer.coarse(begun, 0)), _timed(lambda: explorer.exact(begun, 0))]  # noqa: B023
            print(f"{method.key:14} {'(at first)':22} {took[0]:18.0f} {took[0]:7.0f} {took[1]:9.0f}")
            _of_method(explorer, begun)


def _of_method(explorer: Explorer, begun: KnobSetting) -> None:
    from twinlens.app.lab.explore.explorer import stopped
    from twinlens.core.errors import TwinlensError

    for knob in explorer.knobs(begun):
        if not knob.slides or knob.why_not:
            continue
        coarse: list[float] = []
        exact: list[float] = []
        last = len(knob.stops) - 1
        for turn in range(1, _MOVES):
            made = stopped(begun, knob, knob.stops[last * turn // _MOVES])
            if made is None or explorer.known(made) is not None:
                continue
            try:
                coarse.append(_timed(lambda: explorer.coarse(made, 0)))  # noqa: B023
                if not exact:
                    exact.append(_timed(lambda: explorer.exact(made, 0)))  # noqa: B023
            except TwinlensError:
                continue
        if coarse and exact:
            middle = statistics.median(coarse)
            path = knob.path.removeprefix("method.")
            print(f"{begun.method.key:14} {path:22} {middle:18.0f} {max(coarse):7.0f} {exact[0]:9.0f}", flush=True)


def _timed(work: Any) -> float:
    began = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - began)


def ticks(file: Path, index: str, photographs: int) -> None:
    """Drag sliders for some seconds while a timer of 16 ms ticks, and sit still for as long before."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtTest import QTest

    from tools.portrait import open_window, settle
    from twinlens.app.gui.lab.lab_controller import LabControl

    frame = open_window(file, "light")
    frame.resize(1280, 800)
    frame.workspace.show_view("lab")
    lab = frame.workspace.views.part("lab")
    assert isinstance(lab, LabControl)
    lab.lines.turn()
    part: Any = lab.lines.knobs
    settle(frame)
    part._open(index=index, photographs=photographs)
    settle(frame)
    part.choose_method("klsh")
    settle(frame)
    gaps: list[float] = []
    busy: list[float] = []
    before, spent = [time.perf_counter()], [time.thread_time()]

    def tick() -> None:
        now, own = time.perf_counter(), time.thread_time()
        gaps.append(1e3 * (now - before[0]))
        busy.append(1e3 * (own - spent[0]))
        before[0], spent[0] = now, own

    timer = QTimer(frame)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(tick)
    timer.start(16)

    def forget() -> None:
        gaps.clear()
        busy.clear()
        before[0], spent[0] = time.perf_counter(), time.thread_time()

    def told(what: str) -> None:
        some = sorted(gaps)
        late = sum(1 for gap in some if gap > 50)
        print(f"{what:28} {len(some):5} ticks, 99 % within {some[int(0.99 * len(some)) - 1]:.0f} ms, "
              f"worst {some[-1]:.0f} ms, {late} above 50 ms; of these its own work took at most {max(busy):.0f} ms",
              flush=True)  # fmt: skip
        forget()

    QTest.qWait(4_000)
    told("at rest")
    readings: list[float] = []
    for path in ("method.rank", "method.bits", "search.candidates", "method.landmarks", "method.scale"):
        row = part.view.panel.rows().get(path)
        if row is None or row.knob.why_not:
            continue
        slider = row.slider
        began, seen, shown = time.perf_counter(), id(part._reading), 0
        while time.perf_counter() - began < 4:
            share = abs(((time.perf_counter() - began) / 1.3) % 2 - 1)
            slider._move(round(share * (slider._stops - 1)))
            QTest.qWait(8)
            if id(part._reading) != seen:
                seen, shown = id(part._reading), shown + 1
        readings.append(shown / 4)
        told(f"dragging {path}")
        print(f"{'':28} {shown / 4:.1f} readings a second")
        settle(frame)
        forget()
    frame.close()


if __name__ == "__main__":
    main()
