"""No circle of imports: whoever reads a module can read first what it knows, and never comes back to it.

Imports for types alone and imports inside functions count as all others do: they show who knows whom, too.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def modules(package: Path) -> dict[str, ast.Module]:
    """Read the modules of a package, by their names."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements inside something; expressions, which are most of a module, import nothing."""
    for one in ast.iter_child_nodes(within):
        if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case):
            yield one
            yield from statements(one)


def imported(module: ast.Module, known: Container[str]) -> Iterator[str]:
    """Name what a module imports anywhere; ``from a import b`` is the module a.b if there is one, else a."""
    for node in statements(module):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "imports are absolute"
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                yield whole if whole in known else node.module


def circle(package: Path) -> list[str]:
    """Find a circle among the modules of a package, each importing the one before it; empty where there is none."""
    known = modules(package)
    graph = {name: known.keys() & set(imported(module, known)) - {name} for name, module in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("package", ["app", "core", "features", "storage"])
def test_no_module_imports_itself_by_way_of_others(package: str) -> None:
    assert circle(ROOT / package) == []


def test_types_and_functions_can_close_a_circle(tmp_path: Path) -> None:
    package = tmp_path / "shapes"
    package.mkdir()
    for name, text in {
        "__init__": "",
        "edge": "from shapes.vertex import Vertex\n",
        "face": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shapes import edge\n",
        "vertex": "",
    }.items():
        (package / f"{name}.py").write_text(text)
    assert circle(package) == []
    (package / "vertex.py").write_text("def faces():\n    import shapes.face\n")
    assert sorted(set(circle(package))) == ["shapes.edge", "shapes.face", "shapes.vertex"]
