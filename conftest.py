"""Conditions of all tests: no screen, no folder of the user, no deadline; and a word where no window can be tested."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

# One thread of BLAS each, or processes wait for cores; before anything imports numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

import twinlens.app.gui  # noqa: F401 (says how PySide makes its classes, before pytest-qt imports it)
from run import WINDOW_TESTS, missing_libraries
from twinlens.core.compilation import compilation

ROOT = Path(__file__).resolve().parent

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # many tests start another Python, which finds what one has compiled
sys.dont_write_bytecode = False

gc.disable()  # until all tests are imported: next to nothing of that is garbage

# Set while this file is imported, so that no test module and no process started by a test sees the user's folders.
PRIVATE_FOLDERS = Path(tempfile.mkdtemp(prefix="twinlens-tests-"))
os.environ["TWINLENS_CACHE"] = str(PRIVATE_FOLDERS / "cache")
os.environ["TWINLENS_DATA"] = str(PRIVATE_FOLDERS / "data")


COMPILED = ROOT / ".cache" / "compiled"


def share_compiled_loops() -> None:
    """Let every process of tests find the loops that one has compiled, in this run or an earlier one."""
    COMPILED.mkdir(mode=0o700, parents=True, exist_ok=True)
    (PRIVATE_FOLDERS / "cache").mkdir(mode=0o700)
    with contextlib.suppress(OSError):  # where no links can be made, each compiles its own
        (PRIVATE_FOLDERS / "cache" / "compiled").symlink_to(COMPILED, target_is_directory=True)
    compilation.keep_in(COMPILED)  # or much work of a test would have them compiled for its process alone


share_compiled_loops()

# Fewer examples than usual, of others at every run; `--hypothesis-profile thorough` asks with many.
for profile, examples in (("twinlens", 50), ("thorough", 500)):
    settings.register_profile(
        profile, deadline=None, max_examples=examples, derandomize="CI" in os.environ, print_blob=True
    )
settings.load_profile("twinlens")


def why_no_window() -> str:
    """Return why Qt cannot open a window here; empty where it can."""
    package = importlib.util.find_spec("PySide6")
    if package is None or package.origin is None:
        return "PySide6 is not installed"
    missing = missing_libraries(Path(package.origin).parent)
    return f"the system lacks {', '.join(missing)} (see the advice of run.py)" if missing else ""


WHY_NO_WINDOW = why_no_window()


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Take pytest-qt out where Qt does not start: it would end the whole run."""
    if WHY_NO_WINDOW and pluginmanager.has_plugin("pytest-qt"):
        pluginmanager.unregister(name="pytest-qt")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Let no test leave another language spoken."""
    yield
    texts = sys.modules.get("twinlens.app.language.texts")
    if texts is not None:
        texts.set_language("en")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the loops beside the tests where processes share them, before any waits for that."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        compilation.prepare()


def pytest_collection_finish() -> None:
    """Look for no garbage among what was there before the first test, and seldom: as the command line does."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, *gc.get_threshold()[1:])
    gc.enable()


def pytest_unconfigure() -> None:
    """Remove the private folders."""
    shutil.rmtree(PRIVATE_FOLDERS, ignore_errors=True)


class SkippedFolder(pytest.Directory):
    """A folder of tests that is reported as skipped, with the reason, without being imported."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Skip."""
        pytest.skip(f"no window can be tested here: {WHY_NO_WINDOW}")


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Skip the tests of the window, and no others, where there can be none."""
    if WHY_NO_WINDOW and path == ROOT / WINDOW_TESTS:
        folder: pytest.Collector = SkippedFolder.from_parent(parent, path=path)
        return folder
    return None
