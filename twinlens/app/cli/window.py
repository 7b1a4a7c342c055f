"""The start of the window from the command line, where there is a screen."""

from __future__ import annotations

import importlib.util

import click

from twinlens.app.cli.session import Session, say
from twinlens.app.cli.terminal_text import typed_command
from twinlens.app.language.texts import _
from twinlens.core.errors import TwinlensError
from twinlens.core.systems import system
from twinlens.storage.database.address import Address


def open_window(session: Session, help_text: str) -> None:
    """Open the window; without a screen, show the commands of the command line."""
    if not system.has_screen():
        click.echo(help_text)
        say(session, _("There is no screen for the window here. These commands need none."))
        return
    _start(session.library)


def _start(library: Address | None) -> None:
    if importlib.util.find_spec("PySide6") is None:
        raise TwinlensError(
            "The window needs PySide6, which is not installed.", "Install it with `pip install PySide6-Essentials`."
        )
    try:
        from twinlens.app.gui.frame.start import show_window
    except ImportError as error:
        raise lacking(error) from error
    raise SystemExit(show_window(library))


def lacking(error: ImportError) -> TwinlensError:
    """Return the error for a window that cannot be imported, since the system lacks a library that Qt needs."""
    return TwinlensError(
        "The window cannot open: {reason}.",
        "Install what Qt needs of the system, on Debian and its kin by "
        "`sudo apt install libqt6gui6 libgl1 libxcb-cursor0`. The command line needs none of it.",
        reason=str(error),
    )


def open_where_there_is_a_screen(session: Session, library: Address) -> None:
    """Open the window, or print that there is no screen."""
    if system.has_screen():
        _start(library)
    else:
        command = typed_command("--library", library.shown)
        say(session, _("There is no screen here. With one, this opens the window: {command}", command=command))
