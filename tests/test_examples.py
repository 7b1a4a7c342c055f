"""Every module can be imported by itself, and the examples in its docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("app", "core", "distribution", "features", "resources", "storage", "twinlens")
# Migrations are run by Alembic, which gives them their context; the window's modules have their own test.
ELSEWHERE = ("storage/migrations", "app/gui")


def module_names() -> list[str]:
    """Name every module of the packages that can be imported here."""
    paths = [path.relative_to(ROOT) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in paths
        if not path.as_posix().startswith(ELSEWHERE) and path.name != "__main__.py"
    ]


@pytest.mark.parametrize("name", module_names())
def test_examples_are_true(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
