"""Text for the terminal: text from outside is printed, never obeyed, and a remedy is the command that carries it out.

A file name may hold escape sequences that repaint the screen, line breaks that forge a line, characters that change the
direction of writing, or markup of rich.
"""

from __future__ import annotations

import contextlib
import logging
import shlex
import sys
from contextvars import ContextVar

from twinlens.app.language.texts import text
from twinlens.core.errors import Remedy
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import Message
from twinlens.storage.database.address import without_passwords


def tell(text: str) -> None:
    """Print one line on standard error."""
    with contextlib.suppress(OSError):  # a full disk, or a reader that has gone
        print(plain(without_passwords(text)), file=sys.stderr, flush=True)


class PlainLogHandler(logging.Handler):
    """A log handler that prints warnings on standard error in plain text."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record."""
        tell(record.getMessage())


COMMANDS = {
    "add folder": "twinlens add FOLDER",
    "rescan": "twinlens rescan",
    "retry": "twinlens problems --retry",
    "show folders": "twinlens status",
    "show problems": "twinlens problems",
    "choose index": "twinlens index list",
    "create index": "twinlens index create --descriptor {descriptor}",
    "list indexes": "twinlens index list",
    "list methods": "twinlens methods {key}",
    "list metrics": "twinlens metrics list",
    "list runs": "twinlens lab list",
    "resume run": "twinlens lab resume {name}",
    "measure photographs": "twinlens lab run",
    "export run": "twinlens lab export RUN FILE --vectors",
    "mark pairs": "twinlens mark PICTURE PICTURE --similar",
    "list marks": "twinlens marks list",
    "delete metric with indexes": "twinlens metrics delete {name} --with-indexes",
    "learn metric": "twinlens learn",
    "fit vocabulary": "twinlens vocabulary learn",
    "list vocabularies": "twinlens vocabulary list",
    "repair library": "twinlens check --repair",
    "restore backup": "twinlens restore FILE",
    "choose another library": "twinlens --library FILE",
    "connect disk": "twinlens rescan",
    "allow more memory": "twinlens",
    "show help": "twinlens --help",
}
"""By the names of remedies; values of the remedy stand in braces, and what it does not name is left out."""


named_library: ContextVar[str] = ContextVar("named_library", default="")
"""The library that the command names, without its password: advice names it, too, or would mean the usual one."""


def typed_command(*words: str) -> str:
    """Return a command of this program as it can be typed: by the path that it was called by, spaces in quotes."""
    from subprocess import list2cmdline  # here, since few commands name another

    return list2cmdline([sys.argv[0], *words])


def remedy_command(remedy: Remedy, in_english: bool = False) -> str:
    """Return the command of a remedy, as a sentence."""
    words: list[str] = []
    for word in COMMANDS[remedy.name].split():
        name = word.strip("{}")
        if name == word:
            words.append(word)
        elif name in remedy.values:
            words.append(shlex.quote(remedy.values[name]))
        elif words[-1].startswith("--"):
            words.pop()
    if named_library.get() and not {"--library", "methods", "--help"} & set(words) and len(words) > 1:
        words += ["--library", shlex.quote(named_library.get())]
    command = " ".join(words)
    message = Message("Run `{command}`.", command=command)
    if remedy.name == "connect disk":
        message = Message("Connect the disk, then run `{command}`.", command=command)
    elif remedy.name == "allow more memory":
        message = Message("Allow more memory in the settings of the window (`{command}`).", command=command)
    return str(message) if in_english else text(message)
