"""Every module can be imported by itself, and the examples in its docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("tools", "twinlens")
# Migrations are run by Alembic, which gives them their context; the window's modules have their own test.
ELSEWHERE = ("twinlens/storage/migrations", "twinlens/app/gui")


def module_names() -> list[str]:
    """Name every module of the packages that can be imported here."""
    paths = [path.relative_to(ROOT) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in paths
        if not path.as_posix().startswith(ELSEWHERE) and path.name != "__main__.py" and is_for_this_system(path)
    ]


def is_for_this_system(path: Path) -> bool:
    """Return whether a module runs here; one that is for some systems alone says so for mypy, too."""
    said = re.search(r'^assert sys\.platform ([!=]=) "(\w+)"$', (ROOT / path).read_text("utf-8"), re.MULTILINE)
    return said is None or (sys.platform == said[2]) == (said[1] == "==")


@pytest.mark.parametrize("name", module_names())
def test_examples_are_true(name: str) -> None:
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for examples in doctest.DocTestFinder().find(module):
        if examples.examples:  # running none of them takes as long: each time all known source files are looked at
            runner.run(examples)
    assert runner.summarize().failed == 0
