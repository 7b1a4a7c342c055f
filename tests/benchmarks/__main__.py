"""``python -m tests.benchmarks [NAME...] [--quick] [--out FOLDER]``: measure, print a table, keep a dated JSON.

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
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tests.benchmarks.comparison import Comparison
from tests.benchmarks.peer import ROOT, Measured, Unmeasurable

HERE = Path(__file__).parent
PACKAGES = ("numpy", "numba", "scipy", "opencv-python-headless", "faiss-cpu", "scikit-learn")
HEADINGS = ("what", "against", "ratio", "10-90 %", "must", "stretch", "", "ours", "other")


def names() -> tuple[str, ...]:
    """Name every benchmark."""
    rest = {"__init__", "__main__", "comparison", "peer"}
    return tuple(path.stem for path in sorted(HERE.glob("*.py")) if path.stem not in rest)


def measure(comparison: Comparison) -> dict[str, Any]:
    """Let the two peers take turns; return the line of the table as JSON can hold it."""
    try:
        with Measured(comparison.ours) as ours, Measured(comparison.other) as other:
            return summary(comparison, [(ours.turn(), other.turn()) for _ in range(comparison.rounds)])
    except Unmeasurable as why:
        return {**_goals(comparison), "ratio": None, "why": str(why)}


def summary(comparison: Comparison, turns: list[tuple[dict[str, float], dict[str, float]]]) -> dict[str, Any]:
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


def _goals(comparison: Comparison) -> dict[str, Any]:
    goals: dict[str, Any] = {"what": comparison.what, "against": comparison.against, "figure": comparison.figure}
    return {**goals, "must": comparison.must, "stretch": comparison.stretch, "at_most": comparison.at_most}


def _verdict(comparison: Comparison, ratio: float) -> str:
    if comparison.reaches(ratio, comparison.stretch):
        return "stretch"
    return "must" if comparison.reaches(ratio, comparison.must) else "MISSED"


def cells(line: dict[str, Any]) -> tuple[str, ...]:
    """Write a line of the table in words."""
    sign = "<=" if line["at_most"] else ">="
    goals = (f"{sign} {line['must']:g}", f"{sign} {line['stretch']:g}")
    if line["ratio"] is None:
        return (line["what"], line["against"], "-", "", *goals, f"not measured: {line['why']}", "", "")
    spread = f"{line['ratio_10']:.2f}-{line['ratio_90']:.2f}"
    figures = (_figure(line["ours"], line["figure"]), _figure(line["other"], line["figure"]))
    return (line["what"], line["against"], f"{line['ratio']:.2f}", spread, *goals, line["verdict"], *figures)


def _figure(value: float, figure: str) -> str:
    if figure == "memory":
        return f"{value / 1e6:.0f} MB"
    if figure == "share":
        return f"{value:.4f}"
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
    from app.places import cache_folder

    folder: Path = cache_folder()
    return folder / "benchmarks"


def main(arguments: list[str]) -> int:
    """Run the benchmarks that are named, or all."""
    parser = argparse.ArgumentParser(prog="run.py bench", description="Measure Twinlens beside its yardsticks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which; all unless named: {', '.join(names())}")
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer rounds")
    parser.add_argument("--out", type=Path, help="folder for the dated JSON (default: the user's cache)")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in names()]
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(names())}")
    lines: list[dict[str, Any]] = []
    rows: list[tuple[str, ...]] = [HEADINGS]
    for name in chosen.names or names():
        for comparison in importlib.import_module(f"tests.benchmarks.{name}").comparisons(chosen.quick):
            print(f"{name}: {comparison.what} against {comparison.against}", file=sys.stderr, flush=True)
            line = {"benchmark": name, **measure(comparison)}
            lines.append(line)
            rows.append(cells(line))
    print(table(rows))
    folder: Path = chosen.out or results_folder()
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC)
    path = folder / f"{now:%Y-%m-%d-%H%M%S}.json"
    document = {"date": now.isoformat(timespec="seconds"), "quick": chosen.quick, "machine": machine(), "lines": lines}
    path.write_text(json.dumps(document, indent=1))
    print(f"Kept in {path.resolve()}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
