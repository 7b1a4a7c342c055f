"""The man page twinlens(1) and the shells' completions, made from the commands themselves.

``twinlens desktop install`` puts them where shells and man look, the bundle brings them, and
``python -m twinlens.app.cli.man_page FILE`` writes the man page.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from unittest import mock

from click.shell_completion import get_completion_class

from twinlens.app.cli.main import every_command, examples, option_rows, paragraphs, twinlens
from twinlens.app.machine import app_folders, faults
from twinlens.app.machine.desktop_entry import put, take_away

_COMPLETIONS = {
    "bash": "bash-completion/completions/twinlens",
    "zsh": "zsh/vendor-completions/_twinlens",
    "fish": "fish/vendor_completions.d/twinlens.fish",
}


_PAGE = "man/man1/twinlens.1"


def write_system_files(share: Path) -> list[str]:
    """Write the man page and the completions below a folder ``share``, and return their names.

    Raises
    ------
    TwinlensError
        If a file cannot be written.
    """
    files = {_PAGE: man_page()}
    files |= {place: completion(shell) for shell, place in _COMPLETIONS.items()}
    for place, text in files.items():
        put(share / place, text.encode())
    return [str(share / place) for place in files]


def remove_system_files(share: Path) -> list[str]:
    """Remove what :func:`write_system_files` writes, and return the names of what was there.

    Raises
    ------
    TwinlensError
        If a file cannot be removed.
    """
    return [str(share / place) for place in (_PAGE, *_COMPLETIONS.values()) if take_away(share / place)]


def completion(shell: str) -> str:
    """Return the completion script of a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    asked = kind(twinlens, {}, "twinlens", "_TWINLENS_COMPLETE")
    return asked.source_template % asked.source_vars()


_WITHOUT_COMMAND = "Without a command it opens the window; its guide opens with F1."
_EXIT_CODES = (
    ("0", "Done."),
    ("1", "A fault of the program, which is written to its log."),
    ("2", "You or the computer can mend it: a message and a next step are printed."),
    ("130", "Stopped by the user."),
)
_VARIABLES = (
    (app_folders.DATA_VARIABLE, "The folder of libraries, preferences and logs, instead of the usual one."),
    (app_folders.CACHE_VARIABLE, "The folder of everything that can be made again, instead of the usual one."),
    ("TWINLENS_WEIGHTS", "The file of the network's weights, where their package is not installed."),
    ("TWINLENS_PLAIN", "With 1, inner loops are not compiled: everything is computed by NumPy alone, and slower."),
    (
        "LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
        "The language of all texts, English or German, where the preferences name none.",
    ),
    (
        "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME",
        "The places of settings, data, caches and logs.",
    ),
    ("NO_COLOR", "If set, tables and messages have no colours."),
    (
        "PGPASSWORD, PGPASSFILE, PGSERVICEFILE",
        "As with other clients of PostgreSQL, for a library in a database of a server.",
    ),
)
_SIGNS = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "^": "\\(ha", "~": "\\(ti"}
"""Signs that roff would take for a request, or set as others."""


def man_page() -> str:
    """Write the page."""
    first, *others = every_command(twinlens, "twinlens")
    shared = option_rows(first)
    about = paragraphs(twinlens)[0].split(". ")[0]
    lines = [
        f'.TH TWINLENS 1 "" "Twinlens {escaped(version("twinlens"))}" "User Commands"',
        ".SH NAME",
        f"twinlens \\- {escaped(about[0].lower() + about[1:])}",
        ".SH SYNOPSIS",
        f"\\fBtwinlens\\fR {escaped(' '.join(twinlens.collect_usage_pieces(first)))}",
        ".SH DESCRIPTION",
        *_paragraphs([*paragraphs(twinlens), _WITHOUT_COMMAND]),
        ".SH OPTIONS",
        "These stand before or behind any command, except",
        "\\fB\\-\\-version\\fR.",
        *_definitions(shared),
        ".SH COMMANDS",
    ]
    for ctx in others:
        usage = " ".join(ctx.command.collect_usage_pieces(ctx))
        lines += [f".SS {escaped(ctx.command_path)} {escaped(usage)}", *_paragraphs(paragraphs(ctx.command))]
        lines += _definitions(row for row in option_rows(ctx) if row not in shared)
        lines += _example(examples(ctx.command))
    lines += [".SH EXAMPLES", *_example(examples(twinlens))]
    lines += [".SH EXIT STATUS", *_definitions(_EXIT_CODES)]
    lines += [".SH ENVIRONMENT", *_definitions(_VARIABLES)]
    lines += [".SH FILES", *_definitions(_files())]
    return "\n".join(lines) + "\n"


def _files() -> list[tuple[str, str]]:
    """Return the places of the program's files without environment variables."""
    with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, {"HOME": home}, clear=True):
        found = [
            (app_folders.default_library(), "The library, where --library names none."),
            (app_folders.preferences_file(), "What is chosen in the settings."),
            (faults.log_file(), "The log of faults."),
            (app_folders.compiled_cache_folder(), "Compiled loops; may be deleted at any time."),
            (app_folders.demo_folder(), "Photos and library of the demo; may be deleted at any time."),
        ]
        return [(app_folders.home_relative(str(path)), words) for path, words in found]


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (".PP", escaped(text))


def _definitions(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for term, words in rows:
        yield from (".TP", f"\\fB{escaped(term)}\\fR", escaped(" ".join(words.split())))


def _example(commands: Iterable[str]) -> Iterator[str]:
    yield from (".PP", ".EX", *(f"    {escaped(command)}" for command in commands), ".EE")


def escaped(text: str) -> str:
    """Escape a text for roff; text in backquotes is bold."""
    signs = (_SIGNS.get(sign, sign) if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in text)
    written = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", "".join(signs))
    return f"\\&{written}" if written.startswith(".") else written


def main() -> None:
    """Write the man page into the file of the command line."""
    parser = argparse.ArgumentParser(prog="python -m twinlens.app.cli.man_page", description="Write twinlens(1).")
    parser.add_argument("file", type=Path)
    file: Path = parser.parse_args().file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(man_page().encode("ascii"))


if __name__ == "__main__":
    main()
