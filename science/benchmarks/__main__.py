"""``python -m science.benchmarks [NAME...] [--quick] [--out FOLDER]``: measure, print a table, keep a dated JSON.

Every module here with a function ``comparisons(quick)`` is a benchmark and goes by its own name. BENCHMARKS.md shows
how to read what is printed.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import importlib.util
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from science.benchmarks.comparison import PeerFailure, SpeedComparison, Unmeasurable
from science.benchmarks.peer import ROOT, Measured
from twinlens.app.machine.remaining_time import time_left

HERE = Path(__file__).parent
PACKAGES = ("numpy", "numba", "scipy", "opencv-python-headless", "faiss-cpu", "scikit-learn")
PATIENCE, LEAST_PATIENCE_S = 5.0, 300.0
"""A line is ended when it takes so many times as long as it should, and at least so long."""

LONG_S = 600.0
"""Longer lines are measured where their benchmark is named, and left out where all are."""

_TRUSTED_S = 60.0  # of measuring, before the pace of this machine counts for half
HEADINGS = ("what", "against", "ratio", "10-90 %", "must", "stretch", "", "ours", "other", "others' cores")


def names() -> tuple[str, ...]:
    """Name every benchmark."""
    rest = {"__init__", "__main__", "comparison", "peer"}
    stems = [path.stem for path in sorted(HERE.glob("*.py"))]
    return tuple(stem for stem in stems if stem not in rest and not stem.startswith("test_"))


def measure(together: Sequence[SpeedComparison]) -> list[dict[str, Any]]:
    """Let two peers take turns; return the lines of the table that have these peers, as JSON can hold them."""
    first = together[0]
    began, busy = time.monotonic(), _others_s()
    until = began + max(LEAST_PATIENCE_S, PATIENCE * first.seconds)
    turns: list[tuple[dict[str, float], dict[str, float]]] = []
    why, failed = "", False
    try:
        with Measured(first.ours, until) as ours, Measured(first.other, until) as other:
            # What is late is ended in the middle of a turn; the turns before it count.
            while len(turns) < first.rounds and time.monotonic() < until:
                turns.append((ours.turn(), other.turn()))
    except Unmeasurable as error:
        late = time.monotonic() >= until
        why, failed = str(error), isinstance(error, PeerFailure) and not (late and turns)
    took = time.monotonic() - began
    others = None if busy is None else max(0.0, ((_others_s() or 0.0) - busy) / took)
    spent: dict[str, Any] = {"seconds": round(took, 1), "others": None if others is None else round(others, 2)}
    if failed:
        spent["failed"] = True
    elif turns:
        return [{**summary(one, turns), **spent} for one in together]
    return [{**_goals(one), "ratio": None, "why": why, **spent} for one in together]


def _others_s() -> float | None:
    """Return the processor time that was used by none of ours, in seconds; None where psutil is missing."""
    try:
        import psutil
    except ImportError:
        return None
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0)
    own = os.times()
    # Time in a guest is counted twice.
    used = sum(times) - idle - getattr(times, "guest", 0.0) - getattr(times, "guest_nice", 0.0)
    return float(used - own.user - own.system - own.children_user - own.children_system)


def summary(comparison: SpeedComparison, turns: list[tuple[dict[str, float], dict[str, float]]]) -> dict[str, Any]:
    """Put the figures of all turns, (ours, other), into one line."""
    pairs = [(ours[comparison.figure], other[comparison.figure]) for ours, other in turns]
    mine, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = comparison.ratio(mine, theirs)
    spread = sorted(comparison.ratio(*pair) for pair in pairs)
    tail = len(spread) // 10
    return {
        **_goals(comparison),
        "ratio": ratio,
        "ratio_10": spread[tail],
        "ratio_90": spread[-1 - tail],
        "verdict": _verdict(comparison, ratio),
        "ours": mine,
        "other": theirs,
        "rounds": len(turns),
    }


def _goals(comparison: SpeedComparison) -> dict[str, Any]:
    goals: dict[str, Any] = {"what": comparison.what, "against": comparison.against, "figure": comparison.figure}
    return {**goals, "must": comparison.must, "stretch": comparison.stretch, "at_most": comparison.at_most}


def _verdict(comparison: SpeedComparison, ratio: float) -> str:
    if comparison.reaches(ratio, comparison.stretch):
        return "stretch"
    return "must" if comparison.reaches(ratio, comparison.must) else "MISSED"


def cells(line: dict[str, Any]) -> tuple[str, ...]:
    """Write a line of the table in words."""
    sign = "<=" if line["at_most"] else ">="
    goals = (f"{sign} {line['must']:g}", f"{sign} {line['stretch']:g}")
    busy = "" if line["others"] is None else f"{line['others']:.1f}"
    if line["ratio"] is None:
        verdict = f"{'FAILED' if line.get('failed') else 'not measured'}: {line['why']}"
        return (line["what"], line["against"], "-", "", *goals, verdict, "", "", busy)
    spread = f"{_ratio(line['ratio_10'])}-{_ratio(line['ratio_90'])}"
    figures = (_figure(line["ours"], line["figure"]), _figure(line["other"], line["figure"]))
    return (line["what"], line["against"], _ratio(line["ratio"]), spread, *goals, line["verdict"], *figures, busy)


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 or value == 0 else f"{value:.2g}"


def _figure(value: float, figure: str) -> str:
    if figure == "memory":
        return f"{value / 1e6:.0f} MB"
    if figure in ("share", "worst"):
        return f"{value:.4f}"
    if figure == "codes":
        return f"{value:,.0f}"
    if figure == "rate":
        return f"{value:.1f}/s"
    unit = " cpu" if figure == "cpu" else ""
    return f"{value:.2f} s{unit}" if value >= 1 else f"{value * 1e3:.2f} ms{unit}"


def table(rows: list[tuple[str, ...]]) -> str:
    """Align columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def machine() -> dict[str, Any]:
    """Describe what it was measured on."""
    versions: dict[str, str] = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return {"processor": _processor(), "processors": os.cpu_count(), "system": platform.system(), "versions": versions}


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.exists():
        return platform.processor()
    lines = dict(line.split(":", 1) for line in cpuinfo.read_text().splitlines() if ":" in line)
    fields = {name.strip(): value.strip() for name, value in lines.items()}
    known = [word for word in fields.get("flags", "").split() if word in {"avx2", "avx512f", "avx512_vpopcntdq"}]
    return " ".join([fields.get("model name", platform.machine()), *known])


def results_folder() -> Path:
    """Say where results are kept unless ``--out`` says otherwise: in the user's cache."""
    from twinlens.app.machine.app_folders import cache_folder

    folder: Path = cache_folder()
    return folder / "benchmarks"


def planned(wanted: Sequence[str], quick: bool) -> tuple[list[tuple[str, list[SpeedComparison]]], list[dict[str, Any]]]:
    """List what is measured together, with the benchmark's name, each line once; and a line for what is not measured.

    Nothing wanted means everything but what takes longer than `LONG_S`.
    """
    plan: list[tuple[str, list[SpeedComparison]]] = []
    left_out = []
    for name in wanted or names():
        try:
            comparisons = list(importlib.import_module(f"science.benchmarks.{name}").comparisons(quick))
        except ImportError as error:
            goals = {"against": "", "figure": "", "must": 0.0, "stretch": 0.0, "at_most": True}
            left_out.append({"benchmark": name, "what": name, **goals, **_unmeasured(str(error))})
            continue
        for comparison in comparisons:
            if any(comparison in together for _, together in plan):
                continue  # the same line of another benchmark
            if comparison.seconds > LONG_S and not wanted:
                why = f"takes {comparison.seconds / 60:.0f} minutes: `bench {name}` measures it"
                left_out.append({"benchmark": name, **_goals(comparison), **_unmeasured(why)})
            elif plan and plan[-1][0] == name and plan[-1][1][-1].is_measured_with(comparison):
                plan[-1][1].append(comparison)
            else:
                plan.append((name, [comparison]))
    return plan, left_out


def _unmeasured(why: str) -> dict[str, Any]:
    return {"ratio": None, "why": why, "others": None}


def run(plan: Sequence[tuple[str, list[SpeedComparison]]], keep: Callable[[list[dict[str, Any]]], None]) -> None:
    """Measure line after line, keep each at once, and tell how long it takes still."""
    whole = sum(together[0].seconds for _, together in plan)
    began, done = time.monotonic(), 0.0
    for number, (name, together) in enumerate(plan, 1):
        gone = time.monotonic() - began
        # What is done so far says how fast this machine is, the more the more is done.
        pace = (gone + _TRUSTED_S) / (done + _TRUSTED_S)
        left = time_left(pace * (whole - done))
        for comparison in together:
            told = f"{name}: {comparison.what} against {comparison.against}"
            print(f"[{number}/{len(plan)}, about {left} left] {told}", file=sys.stderr, flush=True)
        keep([{"benchmark": name, **line} for line in measure(together)])
        done += together[0].seconds


def compile_loops() -> None:
    """Have the loops compiled, if they can be, before anybody's time counts."""
    from twinlens.core.compilation import compilation

    print("Compiling loops, unless they are", file=sys.stderr, flush=True)
    compilation.prepare(ROOT / ".cache" / "compiled")
    compilation.ready(wait=True)


def main(arguments: list[str]) -> int:
    """Run the benchmarks that are named, or all; return 1 if a line fails, whatever its ratio would have been."""
    parser = argparse.ArgumentParser(prog="run.py bench", description="Measure Twinlens beside its yardsticks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which, of {', '.join(names())}; all unless named")
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer rounds")
    parser.add_argument("--out", type=Path, help="folder for the dated JSON (default: the user's cache)")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in names()]
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(names())}")
    plan, lines = planned(chosen.names, chosen.quick)
    folder: Path = chosen.out or results_folder()
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC)
    path = folder / f"{now:%Y-%m-%d-%H%M%S}.json"
    document = {"date": now.isoformat(timespec="seconds"), "quick": chosen.quick, "machine": machine(), "lines": lines}

    def keep(more: list[dict[str, Any]]) -> None:
        lines.extend(more)
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps(document, indent=1))
        unfinished.replace(path)  # whoever ends this keeps all that was measured

    keep([])
    try:
        compile_loops()
        run(plan, keep)
    except KeyboardInterrupt:
        print("Stopped; what was measured is kept.", file=sys.stderr)
        return 130
    finally:
        print(table([HEADINGS, *(cells(line) for line in lines)]))
        print(f"Kept in {path.resolve()}", file=sys.stderr)
    failed = [line["what"] for line in lines if line.get("failed")]
    if failed:
        print("\n".join(["Failed:", *failed]), file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
