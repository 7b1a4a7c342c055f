"""The worst tick of a 16-ms timer in the window while it learns, compares, measures, explores and makes maps.

``python -m science.benchmarks.ticks [NAME...] [--photographs 1000] [--rounds 2] [--why] [--out FILE.json]``

Each line stands in a process of its own. Beside it is the same timer at rest, in the same view of the same window just
before: what other work the machine has comes over both. A tick is late after 50 ms. "busy" is the longest that the
window's own thread worked between two ticks, in processor time; with ``--why`` the lines at which it stood after 50 ms
of that are printed, too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from science.benchmarks.peer import ROOT
from science.benchmarks.ticks.watched_window import PHOTOGRAPHS, own_folders, prepare

_REST_S = 3.0
_PATIENCE_S = 900.0


def main() -> None:
    """Measure what is named, or everything, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m science.benchmarks.ticks")
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to do; by default everything")
    parser.add_argument("--photographs", type=int, default=PHOTOGRAPHS)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--why", action="store_true", help="print what held the window up")
    parser.add_argument("--out", type=Path, help="write the figures there, too")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(json.dumps(measure(given.names[0], given.one)), flush=True)
        return
    from science.benchmarks.ticks.watched_window import DOINGS

    unknown = [name for name in given.names if name not in DOINGS]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(DOINGS)}")
    prepare(given.photographs)
    heading = (
        f"{'':<10}{'':<56}{'worst':>8}{'1 in 100':>10}{'late':>6}{'busy':>8}{'of':>7}{'s':>7}"
        f"   at rest: {'worst':>6}{'late':>6}"
    )
    print(heading, flush=True)
    lines = []
    for name in given.names or DOINGS:
        for _ in range(given.rounds):
            found = _aside(name, given.photographs)
            lines.append({"name": name, **found})
            print(_line(name, DOINGS[name].words, found), flush=True)
            if given.why:
                print("\n".join(found.get("why", ())), flush=True)
    if given.out is not None:
        given.out.write_text(json.dumps(lines, indent=2) + "\n")


def measure(name: str, library: Path) -> dict[str, Any]:
    """Show the window, watch it at rest, and watch it while it does something."""
    own_folders(library)
    from science.benchmarks.ticks.watched_window import DOINGS, HoldingUp, quiet, settle, shown, watch

    doing = DOINGS[name]
    frame = shown(library)
    doing.ready(frame)
    settle(lambda: quiet(frame))
    rest = watch(lambda: None, lambda: True, _REST_S)
    with HoldingUp() as holding_up:
        work = watch(lambda: doing.begin(frame), lambda: quiet(frame), doing.least_s, holding_up.tick)
    frame.close()
    return {"work": work.values(), "rest": rest.values(), "why": holding_up.worst()}


def _aside(name: str, photographs: int) -> dict[str, Any]:
    library = prepare(photographs)
    command = [sys.executable, "-m", "science.benchmarks.ticks", name, "--one", str(library)]
    try:
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        return {"fault": f"it did not come to an end in {_PATIENCE_S:.0f} s"}
    finally:
        shutil.rmtree(library.parent, ignore_errors=True)
    try:
        found: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return {"fault": (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]}
    return found


def _line(name: str, words: str, found: dict[str, Any]) -> str:
    if "fault" in found:
        return f"{name:<10}{words:<56}  {found['fault']}"
    work, rest = found["work"], found["rest"]
    note = "" if work["ended"] else "   (did not come to an end)"
    return (
        f"{name:<10}{words:<56}{work['worst']:>8.1f}{work['hundredth']:>10.1f}{work['late']:>6}"
        f"{work['busy']:>8.1f}{work['count']:>7}"
        f"{work['seconds']:>7.1f}            {rest['worst']:>6.1f}{rest['late']:>6}{note}"
    )


if __name__ == "__main__":
    main()
