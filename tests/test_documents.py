"""Documents: every link leads somewhere, and every command and option that they show is one."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import shlex
from pathlib import Path

import click
import pytest

import run
from tests.markdown import dead_links, quoted, shown_commands
from twinlens.app.cli import window
from twinlens.app.cli.main import Command, every_command, examples, twinlens

ROOT = Path(__file__).resolve().parent.parent
GUIDE = sorted((ROOT / "twinlens" / "resources" / "guide").glob("*/*.md"))
DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))
README = ROOT / "README.md"
FOR_DEVELOPERS = [ROOT / name for name in ("CONTRIBUTING.md", "ARCHITECTURE.md", "PAPERS.md", "BENCHMARKS.md")]
OF_OTHERS = {"--format", "--open", "--with"}
"""Options of pg_dump, of ``run.py guide`` and of ``uv tool install``."""


def told(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("file", [README, *FOR_DEVELOPERS, *DOCUMENTS], ids=told)
def test_every_link_leads_somewhere(file: Path) -> None:
    assert dead_links(file) == []


@pytest.fixture
def _nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Command, "invoke", lambda command, ctx: None)
    monkeypatch.setattr(window, "open_window", lambda *_: None)


@pytest.mark.usefixtures("_nothing_runs")
@pytest.mark.parametrize("file", [README, *DOCUMENTS, *GUIDE], ids=told)
def test_every_command_is_one(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    names = set(twinlens.list_commands(click.Context(twinlens)))
    for line in shown_commands(text, "twinlens"):
        twinlens.main(shlex.split(line, comments=True)[1:], standalone_mode=False)
    for words in (shlex.split(one, comments=True) for one in quoted(text) if "'" not in one):
        words = words[1:] if words[:1] == ["twinlens"] else words  # noqa: PLW2901
        if len(words) > 1 and words[0] in names:
            with contextlib.suppress(click.MissingParameter, click.BadOptionUsage):  # of what is only named
                twinlens.main(words, standalone_mode=False)


@pytest.mark.usefixtures("_nothing_runs")
def test_every_example_of_the_reference_is_a_command() -> None:
    for ctx in every_command(twinlens, "twinlens"):
        for example in examples(ctx.command):
            twinlens.main(shlex.split(example)[1:], standalone_mode=False)


@pytest.mark.parametrize("file", [README, *DOCUMENTS, *GUIDE], ids=told)
def test_every_option_is_one(file: Path) -> None:
    taken = [one for ctx in every_command(twinlens, "twinlens") for one in ctx.command.get_params(ctx)]
    options = {name for one in taken for name in (*one.opts, *one.secondary_opts)}
    named = {name for one in quoted(file.read_text(encoding="utf-8")) for name in re.findall(r"(?<!\S)--[a-z-]+", one)}
    assert named <= options | OF_OTHERS


@pytest.mark.parametrize("file", [README, *FOR_DEVELOPERS], ids=told)
def test_everything_that_run_and_python_are_asked_for_is_there(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert set(re.findall(r"python3 run\.py ([a-z]+)", text)) <= set(run.COMMANDS)
    for module in re.findall(r"python -m ([\w.]+)", text):
        assert importlib.util.find_spec(module) is not None, module
