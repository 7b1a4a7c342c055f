"""Counts what the house is like, and holds its budgets: ``python -m tools.house``; ``run.py check`` runs it.

The budgets are ends: how many files one search runs through, that no imports lead back, and that one name of a class
stands for one thing. The means are shown and held by nobody: they tell where to look.
"""

from __future__ import annotations

import ast
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_EXECUTED = {"command": 90, "window": 110}
"""Files whose functions one search may execute, from the command line and in a window that is open."""


def main() -> int:
    """Print all counts; 1 if a budget is exceeded."""
    modules = sources()
    broken = 0
    graph = imports(modules)
    circle = find_circle(graph)
    twice = {name: where for name, where in classes(modules).items() if len(where) > 1}
    for title, wrong in (
        ("circles of imports", [" -> ".join(circle)] if circle else []),
        ("names of classes that stand for two things", [f"{name}: {', '.join(at)}" for name, at in twice.items()]),
    ):
        broken += bool(wrong)
        print(f"{title}: {len(wrong)}", *(f"  {one}" for one in wrong), sep="\n")
    for way, count in executed().items():
        broken += count > MOST_EXECUTED[way]
        print(f"files that one search executes ({way}): {count}, at most {MOST_EXECUTED[way]}")
    for text in means(modules, graph):
        print(text)
    return int(broken > 0)


def sources() -> dict[str, ast.Module]:
    """Return every module of the program, by its dotted name."""
    paths = sorted((ROOT / "twinlens").rglob("*.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return {name: ast.parse(path.read_bytes()) for name, path in zip(names, paths, strict=True)}


def imports(sources: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Return what each module imports of the program, wherever the import stands, for types alone too."""
    found = {}
    for name, tree in sources.items():
        wanted = set()
        for node in statements(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                whole = [f"{node.module}.{one.name}" for one in node.names]
                wanted |= {one if one in sources else node.module for one in whole}
            elif isinstance(node, ast.Import):
                wanted |= {one.name for one in node.names}
        found[name] = (wanted & sources.keys()) - {name}
    return found


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Return every statement, within others too, without looking through expressions, which are most of a module."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            left += getattr(node, name, ())


def find_circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return modules of which each imports the next, the last being the first again; empty where there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def classes(sources: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Return the modules that define each public class."""
    found = defaultdict(list)
    for name, tree in sources.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(name)
    return dict(found)


def executed() -> dict[str, int]:
    """Return how many files one search executes, over a library of a few pictures, by its way."""
    with tempfile.TemporaryDirectory(prefix="house-") as place:
        home = Path(place)
        _draw_pictures(home / "photos")
        environment = {
            **os.environ,
            "HOME": place,
            "TWINLENS_DATA": str(home / "data"),
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": "offscreen",
            "TWINLENS_PLAIN": "1",  # compiling, which goes on meanwhile, is no part of a search
        }

        def run(*words: str) -> str:
            done = subprocess.run(
                [sys.executable, "-m", *words], cwd=home, env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise SystemExit(done.stderr)
            return done.stdout

        run("twinlens.app.cli", "add", "photos", "--library", "few.twinlens", "-q")
        ways = MOST_EXECUTED if _has_qt() else [way for way in MOST_EXECUTED if way != "window"]
        return {
            way: len(run("tools.equality", "executed", way, "few.twinlens", "photos/0.png").splitlines())
            for way in ways
        }


def _has_qt() -> bool:
    """Return whether a window can be opened here, if only off the screen: Qt asks for libraries of the system."""
    done = subprocess.run([sys.executable, "-c", "import PySide6.QtWidgets"], capture_output=True, check=False)
    if done.returncode:
        print("a search in the window is not counted: Qt lacks libraries of the system here")
    return done.returncode == 0


def _draw_pictures(folder: Path) -> None:
    import numpy as np
    from PIL import Image

    folder.mkdir()
    random = np.random.default_rng(3)
    for number in range(6):
        coarse = Image.fromarray(random.integers(0, 256, (9, 12, 3), np.uint8))
        coarse.resize((480, 360), Image.Resampling.BICUBIC).save(folder / f"{number}.png")


def means(sources: Mapping[str, ast.Module], graph: Mapping[str, set[str]]) -> Iterator[str]:
    """Return what tells where to look."""
    importers = Counter(one for found in graph.values() for one in found)
    lines = {name: max((node.end_lineno or 0 for node in tree.body), default=0) for name, tree in sources.items()}
    filled = [count for count in lines.values() if count > 1]
    folders = Counter(name.rpartition(".")[0] for name in sources)
    yield f"files: {len(sources)}, with {statistics.median(filled):.0f} lines in the middle"
    yield f"files that one other imports: {sum(count == 1 for count in importers.values())}"
    yield f"files of a folder in the middle: {statistics.median(folders.values()):.0f}"
    largest = sorted(lines, key=lambda one: -lines[one])[:5]
    yield f"largest files: {', '.join(f'{name} {lines[name]}' for name in largest)}"


if __name__ == "__main__":
    sys.exit(main())
