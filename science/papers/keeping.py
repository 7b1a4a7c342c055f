"""What is measured is kept at once, step by step, under a key of all that decides it: a run that ends goes on there."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.declaration.declaration import Declaration
from core.kernels import KERNELS
from core.methods import METHODS
from core.metrics import METRICS
from core.search import SEARCHES

VERSION = 1
"""Raised when a step would give other figures although its key is the same."""


class Steps:
    """Steps, each a file of JSON.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """Return a step; None where it was not measured, or its file is damaged."""
        try:
            found = json.loads(self._file(key).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, key: str, step: dict[str, Any]) -> None:
        """Keep a step; whoever is ended in the midst of it leaves what was there."""
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(step) + "\n", "utf-8")
        new.replace(file)

    def forget(self, key: str) -> None:
        """Measure a step anew the next time."""
        self._file(key).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def key_of(*about: Any) -> str:
    """Make a key of what JSON can hold."""
    text = json.dumps([VERSION, *about], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def code_of(source: str) -> str:
    """Return Python source without comments, layout, docstrings and imports, which change nothing that it does."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [one for one in node.body if not _is_text(one)] or [ast.Pass()]
    return ast.unparse(tree)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def versions_of_declarations() -> dict[str, int]:
    """Return the versions that were raised of all that may be declared: where one is, studies are measured anew."""
    families: tuple[tuple[str, Sequence[type[Declaration]]], ...] = (
        ("method", METHODS),
        ("kernel", KERNELS),
        ("metric", METRICS),
        ("search", SEARCHES),
    )
    return {f"{family} {one.key}": one.version for family, options in families for one in options if one.version > 1}
