"""Loops that came along compiled are found, the best ones taken, and called only with what they were compiled for."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.compilation
from core.compilation import compilation
from core.compilation.compilation import CompiledLoop

NAMES = st.from_regex(r"[a-z_.]+[a-z0-9_:]*", fullmatch=True)
MODULE = "core.kernels.sum_loops"
STAND_IN = f"""
globals()["{MODULE} sums int64 float32:2 float64:1:written"] = lambda kind, x, out: ("32", kind)
globals()["{MODULE} sums int64 float64:2 float64:1:written"] = lambda kind, x, out: ("64", kind)
globals()["{MODULE} level"] = lambda: __name__.rpartition("_")[2]
"""
"""An extension module as the bundle brings one, in Python."""


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Lay out a folder for such modules, and forget afterwards that there was one."""
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(core.compilation, "__path__", [*core.compilation.__path__, str(tmp_path)])
    monkeypatch.setattr(compilation, "_state", compilation._State())
    compilation.came_along.cache_clear()
    yield tmp_path
    compilation.came_along.cache_clear()
    for name in [name for name in sys.modules if name.startswith("core.compilation.loops_")]:
        del sys.modules[name]


@given(NAMES, NAMES, st.lists(NAMES))
def test_a_name_is_read_as_it_was_written(module: str, name: str, types: list[str]) -> None:
    loop = CompiledLoop(module, name, tuple(types))
    assert CompiledLoop.of(loop.text()) == loop


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("wanted", "argument", "taken"),
    [
        ("float32:2", np.zeros((2, 3), np.float32), True),
        ("float32:2", read_only(np.zeros((2, 3), np.float32)), True),
        ("float32:2", np.zeros((2, 3)), False),
        ("float32:2", np.zeros(3, np.float32), False),
        ("float32:2", np.zeros((3, 2), np.float32).T, False),
        ("float32:2", [[0.0]], False),
        ("float32:1:written", np.zeros(3, np.float32), True),
        ("float32:1:written", read_only(np.zeros(3, np.float32)), False),
        ("float64:0", np.float64(1), True),
        ("int64", 3, True),
        ("int64", np.int64(3), True),
    ],
)
def test_what_a_loop_takes(wanted: str, argument: object, taken: bool) -> None:
    loop = CompiledLoop("module", "loop", (wanted,))
    assert loop.takes((argument,)) == taken
    assert not loop.takes(())
    assert not loop.takes((argument, argument))


@pytest.mark.usefixtures("brought")
def test_here_none_came_along() -> None:
    assert not compilation.came_along()
    assert compilation.ready_made_loops() is None


def test_the_version_for_the_types_is_called(brought: Path) -> None:
    (brought / "loops_x86_64_v2.py").write_text(STAND_IN)
    found = compilation.ready_made_loops()
    assert found is not None
    out = np.zeros(1)
    assert found[MODULE].sums(7, np.zeros((1, 1), np.float32), out) == ("32", 7)
    assert found[MODULE].sums(7, np.zeros((1, 1)), out) == ("64", 7)
    with pytest.raises(TypeError, match="sums is not compiled"):
        found[MODULE].sums(7, np.zeros((1, 1), np.int32), out)


@pytest.mark.parametrize(("runs", "taken"), [({"v2"}, "v2"), ({"v2", "v3"}, "v3"), ({"v2", "v3", "v4"}, "v3")])
def test_the_best_that_the_processor_runs_is_taken(
    brought: Path, monkeypatch: pytest.MonkeyPatch, runs: set[str], taken: str
) -> None:
    monkeypatch.setattr(compilation, "_runs", lambda level: level.rpartition("-")[2] in runs)
    for level in ("v2", "v3"):
        (brought / f"loops_x86_64_{level}.py").write_text(STAND_IN)
    found = compilation.ready_made_loops()
    assert found is not None
    assert found[MODULE].level() == taken


def test_they_answer_from_the_first_call(brought: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (brought / "loops_x86_64_v2.py").write_text(STAND_IN)
    monkeypatch.setenv("TWINLENS_PLAIN", "1")
    assert not compilation.worth(1)
    monkeypatch.delenv("TWINLENS_PLAIN")
    assert compilation.worth(1)
    assert compilation.ready()
    assert compilation.loops(MODULE).level() == "v2"
