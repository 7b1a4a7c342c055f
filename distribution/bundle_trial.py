"""Trial of a bundle: the same photographs give the same answers as from the sources.

``python -m distribution.bundle_trial PROGRAM FOLDER`` adds a folder of photographs to a new library with the program of
the sources and with that of a bundle, searches with some of them, and holds the documents against each other; times
alone may differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_TIMES = ("seconds", "exact_seconds")
_QUERIES = 12
_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


def main() -> None:
    """Compare the program that the command line names with that of the sources."""
    parser = argparse.ArgumentParser(prog="python -m distribution.bundle_trial", description="Try a bundle.")
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path, help="of photographs")
    given = parser.parse_args()
    sources = Path(sys.executable).with_name("twinlens")
    expected, found = (answers(program, given.folder) for program in (sources, given.program))
    differing = [query for query in expected if expected[query] != found[query]]
    if differing:
        raise SystemExit(f"The answers differ for {', '.join(differing)}.")
    print(f"The same answers to {len(expected)} searches.")


def answers(program: Path, folder: Path) -> dict[str, Any]:
    """Search with some photographs of a folder, in a library of all of them, and return the documents without times."""
    queries = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS)
    some = queries[:: max(1, len(queries) // _QUERIES)]
    with tempfile.TemporaryDirectory(prefix="twinlens-trial-") as home:
        environment = {**os.environ, "TWINLENS_DATA": f"{home}/data", "TWINLENS_CACHE": f"{home}/cache"}

        def told(*arguments: str) -> str:
            asked = [str(program), *arguments]
            done = subprocess.run(asked, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            return done.stdout

        told("add", str(folder), "--quiet")
        return {str(query): without_times(json.loads(told("search", str(query), "--json"))) for query in some}


def without_times(value: Any) -> Any:
    """Return a document without what the clock decides."""
    if isinstance(value, dict):
        return {name: without_times(one) for name, one in value.items() if name not in _TIMES}
    return [without_times(one) for one in value] if isinstance(value, list) else value


if __name__ == "__main__":
    main()
