"""Session, options and output that all commands share: the library, the form of the output, filters.

Options are files to be written (with ``--overwrite``) .
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twinlens.app.cli import terminal_text
from twinlens.app.cli.terminal_text import tell
from twinlens.app.language.texts import text
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.results import Result
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files.untrusted_input import expanded, whole
from twinlens.storage.database.address import Address, without_passwords

if TYPE_CHECKING:
    from rich.console import Console


@dataclass
class Session:
    """The options that stand before or behind any command.

    Attributes
    ----------
    library : Address or None
        None for the default one.
    as_json : bool
        One JSON document on standard output, and nothing else there.
    quiet : bool
        No progress.
    path_end : str
        Ends each path, where a command prints nothing but the paths of photographs; empty where it prints all.
    is_output_file : bool
        Whether standard output takes a file that the person named so, and nothing else.
    """

    library: Address | None = None
    as_json: bool = False
    quiet: bool = False
    path_end: str = ""
    is_output_file: bool = False


def give(session: Session, result: Result, print_for_people: Callable[[Console], None]) -> None:
    """Print a result: as JSON, or in words and tables."""
    if session.as_json:
        write_json(_json(result))
    elif session.path_end:
        paths = dict.fromkeys(result.photograph_paths())
        write_bytes(b"".join(os.fsencode(f"{one}{session.path_end}") for one in paths))
    elif not session.is_output_file:
        print_for_people(console())


def _json(result: Result) -> str:
    try:
        return result.model_dump_json(indent=2)
    except ValueError:  # a name that is no text, where it was not shown as one
        return type(result).model_validate(_each_text(result.model_dump(), whole)).model_dump_json(indent=2)


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a document with a function applied to each text."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: _each_text(one, change) for name, one in value.items()}
    return [_each_text(one, change) for one in value] if isinstance(value, list | tuple) else value


def write_json(document: str) -> None:
    """Write the one JSON document, in UTF-8 whatever the terminal says."""
    write_bytes(document.encode() + b"\n")


def write_bytes(content: bytes) -> None:
    """Write on standard output what programs read."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def console(stderr: bool = False) -> Console:
    """Return the console for people: in colour on a terminal; in a pipe plain, and never cut or wrapped."""
    from twinlens.app.cli.tables import Terminal

    stream = sys.stderr if stderr else sys.stdout
    return Terminal(stderr=stderr, highlight=False, soft_wrap=True, width=None if stream.isatty() else 10_000)


def names_photographs(function: Any) -> Any:
    """Add the options ``--paths`` and ``-0`` to a command whose result names photographs."""
    for option in (
        click.option("-0", "--null", is_flag=True, help="Print paths alone, each ended by a zero byte, for xargs -0."),
        click.option("--paths", is_flag=True, help="Print paths alone, one a line."),
    ):
        function = option(function)
    return function


def say(session: Session, text: str) -> None:
    """Print a sentence that is not the result, on standard error."""
    if not session.quiet:
        tell(text)


def fail(session: Session, error: TwinlensError) -> None:
    """Print an error and its next step; in JSON in English, with template and values beside it."""
    if session.as_json:
        document: dict[str, Any] = {
            "sentence": whole(str(error.message)),
            "next_step": whole(str(error.advice)),
            "message": error.message.as_data(),
        }
        if isinstance(error.next_step, Remedy):
            document["next_step"] = terminal_text.remedy_command(error.next_step, in_english=True)
            document["remedy"] = {"name": error.next_step.name, "values": error.next_step.values}
        with contextlib.suppress(OSError):
            write_json(json.dumps({"error": _each_text(document, without_passwords)}, indent=2))
    tell(text(error))


_STANDARD_OUTPUT = Path("/dev/stdout")


class _Output(click.ParamType[OutputFile]):
    """Takes a path, - for standard output, and gives an :class:`twinlens.app.machine.output_file.OutputFile`."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> OutputFile:
        if isinstance(value, OutputFile):
            return value
        return OutputFile(_STANDARD_OUTPUT if value == "-" else expanded(Path(value)))


OUTPUT = _Output()


def index_names(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the indexes of the library whose names begin so, for the completion of a shell; none without a library."""
    from twinlens.app.indexes.indexes import list_indexes
    from twinlens.app.library.library import Library

    named = next((one.params["library"] for one in (ctx, ctx.find_root()) if one.params.get("library")), None)
    with contextlib.suppress(TwinlensError), Library.open(named) as library:
        return [one.name for one in list_indexes(library).indexes if one.name.startswith(incomplete)]
    return []


class _Picture(click.Path):
    """Takes the path of a picture, or the id of a photograph of the library, such as #12, and gives it as a number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        is_id = isinstance(value, str) and value.startswith("#") and value[1:].isdecimal()
        return int(value[1:]) if is_id else super().convert(value, param, ctx)


PICTURE = _Picture(readable=False, path_type=Path, allow_dash=True)
_LISTED = frozenset(b"\0\t\n\r")


def with_standard_input(pictures: Iterable[Path | int]) -> list[Path | int | bytes]:
    """Return pictures with what ``-`` stands for: a list of paths on standard input, or the bytes of one picture there.

    A line or a zero byte ends each path.

    Raises
    ------
    TwinlensError
        If nothing comes there.
    """
    found: list[Path | int | bytes] = []
    for one in pictures:
        if one != Path("-"):
            found.append(one)
            continue
        given = sys.stdin.buffer.read()
        if not given.strip(b"\0\t\n\r "):
            raise TwinlensError("Nothing came on standard input.", "Pipe a picture or paths of pictures into it.")
        if any(byte < 32 and byte not in _LISTED for byte in given[:_HEAD]):
            found.append(given)
        else:
            end = b"\0" if b"\0" in given else b"\n"
            found += [Path(os.fsdecode(path)) for path in given.split(end) if path.strip()]
    return found


_HEAD = 512  # bytes, in which every picture has one that no path has
_overwrite = click.option("--overwrite", is_flag=True, help="Replace a file that is there; photos never.")


def add_overwrite(command: click.Command) -> None:
    """Add the option ``--overwrite`` to a command that writes a file."""
    if any(one.type is OUTPUT for one in command.params):
        _overwrite(command)


def settle_outputs(parameters: dict[str, Any], session: Session) -> None:
    """Take ``--overwrite`` out of a command's parameters and into its outputs, which learn of the library, too."""
    overwrite = parameters.pop("overwrite", False)
    for name, value in parameters.items():
        if isinstance(value, OutputFile):
            protects = partial(_is_protected, session.library)
            parameters[name] = replace(value, overwrite=overwrite, is_protected=protects)
            session.is_output_file |= value.path == _STANDARD_OUTPUT


def _is_protected(library: Address | None, path: Path, picture: bool) -> bool:
    from twinlens.app.library.library import protected_by

    return protected_by(library)(path, picture)
