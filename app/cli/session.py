"""What every command shares: which library, and how to speak."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.results import Result

if TYPE_CHECKING:
    from rich.console import Console


@dataclass
class Session:
    """The options that stand before or behind any command.

    Attributes
    ----------
    library : Path or None
        The library's file; None for the default one.
    as_json : bool
        One JSON document on standard output, and nothing else there.
    quiet : bool
        No progress.
    """

    library: Path | None = None
    as_json: bool = False
    quiet: bool = False


def give(session: Session, result: Result, print_for_people: Callable[[Console], None]) -> None:
    """Print a result: as JSON, or in words and tables."""
    if session.as_json:
        write_json(result.model_dump_json(indent=2))
    else:
        print_for_people(console())


def write_json(document: str) -> None:
    """Write the one JSON document, in UTF-8 whatever the terminal says."""
    sys.stdout.flush()
    sys.stdout.buffer.write(document.encode() + b"\n")
    sys.stdout.buffer.flush()


def console(stderr: bool = False) -> Console:
    """Give where to print for people: in colour on a terminal; in a pipe plain, and never cut or wrapped."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, soft_wrap=True, width=None if stream.isatty() else 10_000)


def say(session: Session, text: str) -> None:
    """Tell something that is not the answer, on standard error."""
    if not session.quiet:
        print(text, file=sys.stderr)


def fail(session: Session, sentence: str, next_step: str) -> None:
    """Say what went wrong, and what to do next."""
    if session.as_json:
        write_json(json.dumps({"error": {"sentence": sentence, "next_step": next_step}}, indent=2))
    print(f"{sentence} {next_step}".strip(), file=sys.stderr)
