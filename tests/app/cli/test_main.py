"""The command line as a program: help in the spoken language, no home folder, and its end by a signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import ModuleType

import click
import pytest

from tests.app.cli.test_commands import ROOT, run
from tests.app.folders import Libraries
from twinlens import start
from twinlens.app.cli.main import TranslatedGroup, TranslatedHelp, help_templates
from twinlens.app.cli.terminal_text import typed_command
from twinlens.app.language import texts
from twinlens.app.machine import app_folders
from twinlens.core.message import English


class Shouting(English):
    """Every template in capitals."""

    def find(self, template: str) -> str:
        return template.upper().replace("{VALUE}", "{value}").replace("{COMMAND}", "{command}")


@click.group(cls=TranslatedGroup, epilog="Example: twinlens things show")
def things() -> None:
    """Look after things."""


@things.command(cls=TranslatedHelp, epilog="Example: it\nExample: it --often 4")
@click.option("--often", default=3, show_default=True, type=click.IntRange(1, 9), help="How often.")
@click.option("--name", required=True, help="Such as {16,64}.")
def show(often: int, name: str) -> None:
    """Show a thing. It stays
    where it is.

    Nothing else happens.
    """


@pytest.fixture
def _shouting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts._Present, "language", Shouting())


def _help(command: click.Command) -> str:
    return command.get_help(click.Context(command, info_name="it", terminal_width=100))


@pytest.mark.usefixtures("_shouting")
def test_all_of_it_is_translated() -> None:
    assert _help(things).splitlines() == [
        "USAGE: it [OPTIONS] COMMAND [ARGS]...",
        "",
        "  LOOK AFTER THINGS.",
        "",
        "OPTIONS:",
        "  --help  SHOW THIS MESSAGE AND EXIT.",
        "",
        "COMMANDS:",
        "  show  SHOW A THING.",
        "",
        "  EXAMPLE: twinlens things show",
    ]
    inner = _help(show)
    assert "SHOW A THING. IT STAYS WHERE IT IS." in inner
    assert "HOW OFTEN.  [DEFAULT: 3; 1<=x<=9]" in inner
    assert "SUCH AS {16,64}.  [REQUIRED]" in inner
    assert inner.endswith("  EXAMPLE: it\n\n  EXAMPLE: it --often 4")


def test_its_templates_are_gathered() -> None:
    found = list(help_templates(things))
    for text in ("Look after things.", "Show a thing. It stays where it is.", "Nothing else happens.", "How often."):
        assert text in found
    assert not any("Example" in text for text in found)


_EVERY_HELP = """
from twinlens.app.cli.main import main, twinlens
from twinlens.app.cli.main import every_command

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


SIGNALS = pytest.mark.skipif(sys.platform == "win32", reason="needs signals to another process")
_GUARD_S = 120  # against a hang alone

_COMMAND = """
import os, sys, time
from twinlens.app.cli import main
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.session import Session


def query():
    import sqlite3

    endless = "WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers) SELECT max(x) FROM numbers"
    sqlite3.connect(":memory:").execute(endless).fetchone()


def steps(progress):
    while True:
        progress(0, 0)
        time.sleep(0.01)


def deaf(progress):
    while True:
        try:
            steps(progress)
        except BaseException:
            pass


def begun():
    if "child" in sys.argv:
        from twinlens.core.worker_process import LightProcess

        LightProcess(target=time.sleep, args=(600,)).start()
    os.write(1, b"begun")


def command(arguments):
    if "before" in arguments:
        begun()
        query()
    with long_work(Session(quiet=True)) as progress:
        begun()
        if "query" in arguments:
            query()
        if "steps" in arguments:
            steps(progress)
        if "deaf" in arguments:
            deaf(progress)
        if "partly" in arguments:
            try:
                steps(progress)
            except main.Cancelled:
                os.write(1, b" told")
    if "ending" in arguments:
        import atexit
        atexit.register(query)
        query()
    return 0


main.twinlens.main = lambda arguments, **_: command(arguments)
main.main()
"""


def _begin(*words: str) -> subprocess.Popen[bytes]:
    """Start a command, and wait until its work has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", _COMMAND, *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert os.read(process.stdout.fileno(), 5) == b"begun"
    return process


def _end(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    try:
        out, err = process.communicate(timeout=_GUARD_S)
    finally:
        process.kill()
    assert b"Traceback" not in err
    return out, err


@SIGNALS
@pytest.mark.parametrize(
    ("where", "number"),
    [("before", signal.SIGINT), ("query", signal.SIGINT), ("query", signal.SIGTERM), ("steps", signal.SIGINT)],
)
def test_one_signal_ends_a_command(where: str, number: signal.Signals) -> None:
    process = _begin(where)
    process.send_signal(number)
    _end(process)
    assert process.returncode == 130


@SIGNALS
def test_a_second_signal_ends_what_does_not_listen() -> None:
    process = _begin("deaf")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    assert _end(process)[1].endswith(b"Stopped.\n")
    assert process.returncode == 130


@SIGNALS
def test_what_is_long_in_ending_is_ended() -> None:
    process = _begin("partly", "ending")
    process.send_signal(signal.SIGINT)
    out, err = _end(process)
    assert out == b" told"
    assert err.endswith(b"Stopped.\n")
    assert process.returncode == 130


@SIGNALS
def test_a_command_that_tells_what_it_did_so_far_was_interrupted_all_the_same() -> None:
    process = _begin("partly")
    process.send_signal(signal.SIGINT)
    assert _end(process)[0] == b" told"
    assert process.returncode == 130


@SIGNALS
def test_processes_that_a_command_started_end_with_it() -> None:
    process = _begin("child", "query")
    process.send_signal(signal.SIGINT)
    _end(process)  # which waits until no process holds the outputs open
    assert process.returncode == 130


def test_a_window_whose_libraries_the_system_lacks_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "_end_quietly", lambda: None)  # the handler of Ctrl-C stays that of the tests
    monkeypatch.setitem(sys.modules, "twinlens.app.gui.frame.start", ModuleType("start"))  # nothing can be taken of it
    with pytest.raises(SystemExit) as ended:
        start.window()
    assert ended.value.code == 2
    assert "sudo apt install libqt6gui6" in capsys.readouterr().err


def test_a_command_to_type_has_spaces_in_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/a folder/twinlens", "demo"])
    assert typed_command("add", "~/Pictures") == '"/a folder/twinlens" add ~/Pictures'
    monkeypatch.setattr(sys, "argv", ["twinlens", "demo"])
    assert typed_command("--library", "/my photos/a.twinlens") == 'twinlens --library "/my photos/a.twinlens"'
