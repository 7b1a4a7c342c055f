"""Tests of the options that commands have by what requests declare."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click
import pytest
from click.testing import CliRunner

from twinlens.app.cli.requests import takes
from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class ListRequest(Request):
    """A request to list something."""

    key = "list"

    count: int = parameter(20, ge=1, option="-k", help="Number of lines.")
    most: int = parameter(0, ge=1, help="Largest number.")
    bits: tuple[int, ...] = parameter((), separated=True, metavar="NUMBERS", help="Bits.")
    names: tuple[str, ...] = parameter((), option="--name", metavar="NAME", help="Names.")
    order: Literal["up", "down"] = parameter("up", help="Order.")
    check: bool | None = parameter(None, help="Check.")
    quick: bool = parameter(False, help="Quick.")
    least_bytes: int = parameter(0, ge=1, unit="B", metavar="SIZE", help="Size.")
    folder: Path | None = parameter(None, help="Folder.")
    known: int = 0


LAST = ("--least-bytes", "--folder", "--help")


def run(*words: str, parts: tuple[Any, ...] = (), **attributes: Any) -> tuple[ListRequest | None, str]:
    """Return the request that a command gets, and what it prints."""
    got: list[ListRequest] = []

    @click.command()
    @takes("request", ListRequest, *parts, **attributes)
    def command(request: ListRequest, **_others: Any) -> None:
        got.append(request)

    done = CliRunner().invoke(command, words)
    return (got[0] if got else None), done.output


def test_a_command_gets_what_was_said() -> None:
    words = ("-k 3 --bits 16,32 --name a --name b --order down --no-check --quick --least-bytes 2kB", "--folder x")
    made, _ = run(*" ".join(words).split(" "))
    assert made == ListRequest(
        count=3,
        bits=(16, 32),
        names=("a", "b"),
        order="down",
        check=False,
        quick=True,
        least_bytes=2_000,
        folder=Path("x"),
    )
    assert made.model_fields_set == set(ListRequest.model_fields) - {"most", "known"}
    nothing, _ = run()
    assert nothing == ListRequest()
    assert not nothing.model_fields_set


def test_the_help_tells_limits_and_defaults_but_none_that_says_no_value() -> None:
    _, text = run("--help")
    lines = {line.split()[0]: line for line in text.splitlines() if line.strip().startswith("-")}
    assert "[default: 20; x>=1]" in lines["-k"]
    assert "default" not in lines["--most"]
    assert "[default: up]" in lines["--order"]
    assert "--known" not in text
    assert list(lines) == ["-k", "--most", "--bits", "--name", "--order", "--check", "--quick", *LAST]
    _, text = run("--help", parts=("order", "most"), without=("count", "bits"), show_defaults=False, most="At most.")
    lines = {line.split()[0]: line for line in text.splitlines() if line.strip().startswith("-")}
    assert list(lines) == ["--order", "--most", "--name", "--check", "--quick", *LAST], "none is left out silently"
    assert "default" not in lines["--order"]
    assert "At most." in lines["--most"]


def test_other_options_stand_between_them() -> None:
    made, text = run("--help", parts=("order", click.option("--between", help="Between."), "quick"))
    assert made is None
    assert text.index("--order") < text.index("--between") < text.index("--quick") < text.index("--most")
    made, _ = run("--quick", "--between", "x", parts=("order", click.option("--between"), "quick"))
    assert made == ListRequest(quick=True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-k", "0"), "not in the range"),
        (("--bits", "16,x"), "--bits takes numbers separated by commas"),
        (("--least-bytes", "many"), "is not a size"),
        (("--order", "left"), "is not one of"),
    ],
)
def test_what_cannot_be_read_is_told(words: tuple[str, ...], told: str) -> None:
    made, text = run(*words)
    assert made is None
    assert told in " ".join(text.split())
