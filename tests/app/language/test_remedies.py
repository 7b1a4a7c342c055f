"""Remedies: each that is raised anywhere has its command on the command line; no message names a command itself."""

from __future__ import annotations

import ast
import json

import pytest

from app.cli import terminal_text
from app.cli.session import Session, fail
from core.errors import Remedy, TwinlensError
from tests.app.language.test_translations import calls


def raised() -> set[str]:
    """Find the names of all remedies in the sources."""
    named = (
        call.args[0] for _, call in calls("Remedy") if isinstance(call.func, ast.Name) and call.func.id == "Remedy"
    )
    return {str(name.value) for name in named if isinstance(name, ast.Constant)}


def test_every_remedy_has_a_command() -> None:
    assert raised() <= set(terminal_text.COMMANDS)


@pytest.mark.parametrize("name", sorted(terminal_text.COMMANDS))
def test_a_command_is_a_sentence_with_and_without_values(name: str) -> None:
    bare = terminal_text.remedy_command(Remedy(name))
    full = terminal_text.remedy_command(Remedy(name, {"descriptor": "a b", "key": "itq", "name": "x"}))
    for words in (bare, full):
        assert words.endswith(".")
        assert "{" not in words
        assert "--descriptor`" not in words


def test_an_error_in_json_has_its_remedy(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    error = TwinlensError("{n} are missing.", Remedy("create index", {"descriptor": "colour"}), n=2)
    fail(Session(as_json=True), error)
    out, err = capsysbinary.readouterr()
    document = json.loads(out)["error"]
    assert document["sentence"] == "2 are missing."
    assert document["next_step"] == "Run `twinlens index create --descriptor colour`."
    assert document["message"] == {"template": "{n} are missing.", "values": {"n": 2}}
    assert document["remedy"] == {"name": "create index", "values": {"descriptor": "colour"}}
    assert b"2 are missing." in err
