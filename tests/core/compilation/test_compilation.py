"""The compiled loops come when they can, and nobody waits for them or misses them."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from twinlens.core import compilation as compilation_package
from twinlens.core.compilation import compilation
from twinlens.core.compilation.compilation import CompiledLoop
from twinlens.core.search import hamming_scan

SEARCH = """
import sys
import numpy as np
from twinlens.core.compilation import compilation
from twinlens.core.search import hamming_scan as hamming
planes = np.random.default_rng(0).integers(0, 2**64, (4, 30_000), dtype=np.uint64)
found = hamming.nearest_by_hamming(planes, planes[:, :3].T, 20)
print(found.rows.tolist())
"""


def expected() -> str:
    planes = np.random.default_rng(0).integers(0, 2**64, (4, 30_000), dtype=np.uint64)
    return f"{hamming_scan.nearest_by_hamming(planes, planes[:, :3].T, 20).rows.tolist()}\n"


def run(script: str, **environment: str) -> str:
    """Run a program of its own; return what it prints, which is all it may say."""
    ended = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )
    assert ended.stderr == ""
    assert ended.returncode == 0
    return ended.stdout


@pytest.fixture
def unprepared(monkeypatch: pytest.MonkeyPatch) -> compilation._State:
    """Begin anew, as if nothing had been prepared in this process."""
    state = compilation._State()
    monkeypatch.setattr(compilation, "_state", state)
    return state


def kept(folder: Path) -> list[Path]:
    """List what compiling left in a folder, but for the file by which processes wait for each other."""
    return [path for path in folder.iterdir() if path.suffix != ".lock"]


def test_a_small_search_imports_no_numba() -> None:
    assert run(SEARCH + "print('numba' in sys.modules)") == expected() + "False\n"


def test_plain_on_demand() -> None:
    script = (
        "from twinlens.core.compilation import compilation\ncompilation.prepare()\nprint(compilation.ready(wait=True))"
        + SEARCH
    )
    assert run(script, TWINLENS_PLAIN="1") == "False\n" + expected()


def test_without_numba() -> None:
    script = "import sys\nsys.modules['numba'] = None\n"
    script += "from pathlib import Path\nfrom twinlens.core.compilation import compilation\n"
    script += f"compilation.prepare(Path({str(ROOT / '.cache' / 'compiled')!r}))\nprint(compilation.ready(wait=True))"
    assert run(script + SEARCH) == "False\n" + expected()


def test_a_warm_cache_serves_another_program() -> None:
    script = "from pathlib import Path\nfrom twinlens.core.compilation import compilation\n"
    script += f"compilation.prepare(Path({str(ROOT / '.cache' / 'compiled')!r}))\nprint(compilation.ready(wait=True))"
    script += (
        SEARCH + "loops = [loop for one in compilation.MODULES for loop, _ in compilation.loops(one).SIGNATURES]\n"
    )
    script += "print(len(loops) > 0, sum(len(loop.stats.cache_misses) for loop in loops))"
    assert run(script) == "True\n" + expected() + "True 0\n"


def test_a_program_that_ends_before_the_compiler_has_begun_says_nothing(tmp_path: Path) -> None:
    script = "from pathlib import Path\nfrom twinlens.core import worker_process\n"
    script += "from twinlens.core.compilation import compilation\nworker_process._ending.set()\n"
    script += f"compilation.prepare(Path({str(tmp_path)!r}))\nprint(compilation.ready(wait=True))"
    assert run(script) == "False\n"


@pytest.mark.parametrize("seconds", ["0", "0.3"])
def test_a_program_that_ends_while_compiling_leaves_no_half_of_it(tmp_path: Path, seconds: str) -> None:
    script = "import time\nfrom pathlib import Path\nfrom twinlens.core.compilation import compilation\n"
    script += f"compilation.prepare(Path({str(tmp_path)!r}))" + SEARCH + f"time.sleep({seconds})"
    assert run(script) == expected()
    # Its compiler ends by itself when it notices, and what it had begun is taken for nothing.
    assert list(tmp_path.glob("loops-*")) == []


def test_nothing_is_written_beside_the_source() -> None:
    assert list((ROOT / "twinlens" / "core").rglob("*.nb?")) == []


def test_a_folder_that_cannot_be_made_is_done_without(
    tmp_path: Path, unprepared: compilation._State, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def compiled_in(folder: Path) -> Path:
        assert folder.is_dir()
        asked.append(folder)
        return folder

    monkeypatch.setattr(compilation, "_compiled_in", compiled_in)
    monkeypatch.setattr(compilation, "_load", lambda place: {})
    (tmp_path / "file").touch()
    compilation.prepare(tmp_path / "file" / "folder")
    assert compilation.ready(wait=True)
    assert not asked[0].is_relative_to(tmp_path)
    assert not asked[0].exists()


def test_plain_where_the_compiler_fails(
    tmp_path: Path, unprepared: compilation._State, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource_tracker.ensure_running()  # which would be started by the same program
    monkeypatch.setattr("multiprocessing.spawn._python_exe", os.fsencode(shutil.which("false") or ""))
    compilation.prepare(tmp_path)
    assert not compilation.ready(wait=True)
    assert not compilation.worth(1 << 40)
    assert kept(tmp_path) == []


def test_a_damaged_cache_is_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compilations = []

    def compile_elsewhere(place: Path) -> None:
        compilations.append(place)
        (place / "code").mkdir()
        (place / "code" / "nearest.nbc").write_bytes(b"machine code")

    monkeypatch.setattr(compilation, "_compile_elsewhere", compile_elsewhere)
    place = compilation._compiled_in(tmp_path)
    assert compilation._compiled_in(tmp_path) == place
    assert len(compilations) == 1
    for damage in (b"machine cod3", b"", b"machine code and more"):
        (place / "code" / "nearest.nbc").write_bytes(damage)
        assert compilation._compiled_in(tmp_path) == place
        assert (place / "code" / "nearest.nbc").read_bytes() == b"machine code"
    (place / "code" / "nearest.nbc").unlink()
    assert compilation._compiled_in(tmp_path) == place
    assert len(compilations) == 5
    assert kept(tmp_path) == [place]


def test_another_process_that_compiled_first_is_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_elsewhere(place: Path) -> None:
        (place / "nearest.nbc").write_bytes(b"ours")
        theirs = tmp_path / f"loops-{compilation._identity()}"
        theirs.mkdir()
        (theirs / "nearest.nbc").write_bytes(b"theirs")
        (theirs / compilation._SEAL).write_text(compilation._digest(theirs))

    monkeypatch.setattr(compilation, "_compile_elsewhere", compile_elsewhere)
    assert (compilation._compiled_in(tmp_path) / "nearest.nbc").read_bytes() == b"theirs"


def test_much_scanning_starts_the_compiler_once(
    tmp_path: Path, unprepared: compilation._State, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(compilation, "_make_ready", started.append)
    compilation.keep_in(tmp_path)
    half = compilation._WORK_WORTH_COMPILING // 2
    assert not compilation.worth(half)
    assert started == []
    assert not compilation.worth(half)
    assert not compilation.worth(half)
    assert not compilation.ready(wait=True)
    assert started == [tmp_path]


NAMES = st.from_regex(r"[a-z_.]+[a-z0-9_:]*", fullmatch=True)
MODULE = "twinlens.core.kernels.sum_loops"
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
    monkeypatch.setattr(compilation_package, "__path__", [*compilation_package.__path__, str(tmp_path)])
    monkeypatch.setattr(compilation, "_state", compilation._State())
    compilation.came_along.cache_clear()
    yield tmp_path
    compilation.came_along.cache_clear()
    for name in [name for name in sys.modules if name.startswith("twinlens.core.compilation.loops_")]:
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


def test_where_what_came_along_cannot_be_used_nothing_has_come_along(
    brought: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where the processor runs none of them, nor where the C library is another one."""
    (brought / "loops_x86_64_v2.py").write_text("raise ImportError('GLIBC_2.99 not found')")
    assert compilation.ready_made_loops() is None
    monkeypatch.setattr(compilation, "_runs", lambda level: False)
    assert compilation.ready_made_loops() is None


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
