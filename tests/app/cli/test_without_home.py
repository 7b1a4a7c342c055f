"""Where there is no home folder that can be written, whatever needs none works, and the rest says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app.machine import app_folders
from tests.app.cli.test_commands import ROOT, run
from tests.app.library_fixture import Libraries

_EVERY_HELP = """
from app.cli.main import main, twinlens
from app.cli.main import every_command

for ctx in every_command(twinlens, "twinlens"):
    words = ctx.command_path.split()[1:]
    try:
        main([*words, "--help"])
    except SystemExit as ended:
        assert ended.code == 0, words
"""
_PLACES = (app_folders.DATA_VARIABLE, app_folders.CACHE_VARIABLE)
_OF_PLATFORM = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


def test_every_help_needs_no_home() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in (*_PLACES, *_OF_PLATFORM)}
    environment |= {"HOME": os.devnull, "TMPDIR": __file__}
    done = subprocess.run(
        [sys.executable, "-c", _EVERY_HELP], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Example: twinlens") > 40


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the home folder be a file, and the environment name no other."""
    for name in (*_PLACES, *_OF_PLATFORM):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", os.devnull)


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("variable", ["HOME", *_OF_PLATFORM, *_PLACES])
def test_a_library_that_is_named_is_read_whatever_the_folders_are(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, __file__)
    code, out, err = run(capfdbinary, "--library", str(libraries.of(5)), "search", "#1", "-k", "2")
    assert code == 0, err
    assert "0000.jpg" in out


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("line", ["add tests", "status", "demo", "desktop install", "search #1"])
def test_what_would_be_written_there_is_refused_in_one_sentence(
    capfdbinary: pytest.CaptureFixture[bytes], line: str
) -> None:
    code, out, err = run(capfdbinary, *line.split())
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("line", ["add ~nobody-at-all/a", "bench ~nobody-at-all/x.npy", "search ~nobody-at-all/a.jpg"])
def test_the_home_of_nobody_is_a_folder_that_is_not_there(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, line: str
) -> None:
    code, _, err = run(capfdbinary, *line.split(), "--library", str(libraries.of(5)))
    assert (code, err.count("\n")) == (2, 1)
