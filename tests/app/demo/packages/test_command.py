"""Programs that are run: what they print, how they end, and that they end when they shall."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from app.demo.package_sources import CommandOutcome, run
from core.errors import Cancelled


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_output_errors_and_code_come_back(tmp_path: Path) -> None:
    outcome = run(
        python("import sys; print('täxt'.encode().decode()[0]); print('no', file=sys.stderr); sys.exit(3)"),
        tmp_path,
        lambda: None,
    )
    assert (outcome.code, outcome.output.split(), outcome.errors.split()) == (3, ["t"], ["no"])


def test_it_runs_in_the_folder_and_keeps_its_temporary_files_there(tmp_path: Path) -> None:
    outcome = run(
        python("import os, tempfile; print(os.getcwd()); print(tempfile.gettempdir())"), tmp_path, lambda: None
    )
    assert [Path(line).resolve() for line in outcome.output.splitlines()] == [tmp_path.resolve()] * 2


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="/proc, which tells whether a process runs, is missing"
)
def test_it_ends_with_what_it_started_when_the_watch_raises(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, pathlib\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "pathlib.Path('started').write_text(str(child.pid))\n"
        "child.wait()\n"
    )

    def watch() -> None:
        if (tmp_path / "started").exists() and (tmp_path / "started").read_text():
            raise Cancelled

    with pytest.raises(Cancelled):
        run(python(code), tmp_path, watch)
    child = int((tmp_path / "started").read_text())
    for _ in range(3000):  # it was told to end, and gets the time for it
        if not _runs(child):
            return
        time.sleep(0.01)
    pytest.fail("what the program had started runs on")


def _runs(process: int) -> bool:
    """Look whether a process runs; one that has ended and is not yet collected does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def test_program_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run(["there-is-no-such-program"], tmp_path, lambda: None)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (
            CommandOutcome(100, "Err:1 x", "W: Failed to fetch y\nE: Unable to locate package z."),
            "Unable to locate package z",
        ),
        (CommandOutcome(0, "Err:1 x", "W: Failed to fetch y  No network"), "Failed to fetch y  No network"),
        (CommandOutcome(1, "", "WARNING: w\nERROR: No matching distribution\n"), "No matching distribution"),
        (CommandOutcome(1, "", "python: No module named pip\n"), "python: No module named pip"),
        (CommandOutcome(9, "", ""), "it ended with code 9"),
    ],
)
def test_reason_is_the_plainest_line(outcome: CommandOutcome, reason: str) -> None:
    assert outcome.reason() == reason
