"""Errors of a whole library that mean the same wherever it lies; each names it as people are shown its address."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import Remedy, TwinlensError
from core.message import Message


class MissingError(TwinlensError):
    """There is no library yet where one is to be opened."""


def missing(library: str, exists: bool = False) -> MissingError:
    """Return the error that there is no library; ``exists`` where there is a place for one, with nothing in it."""
    return MissingError(
        Message("The library {path} is empty.", path=library)
        if exists
        else Message("There is no library {path}.", path=library),
        Remedy("add folder"),
    )


def foreign(library: str) -> TwinlensError:
    """Return the error that something else lies there."""
    return TwinlensError(
        Message("{path} is not a Twinlens library.", path=library),
        Remedy("choose another library"),
    )


def unknown_revision(library: str, older: bool) -> TwinlensError:
    """Return the error that a library is of a revision that this program does not know: of one before 1.0, or newer."""
    if older:
        return TwinlensError(
            Message("The library {path} was made before Twinlens 1.0, and this version cannot read it.", path=library),
            Message(
                "The photos are where they were: add their folders to a new library"
                " (`twinlens --library FILE add FOLDER`)."
            ),
        )
    return TwinlensError(
        Message("The library {path} was written by a newer Twinlens.", path=library),
        Message("Install the newest version, or name another library."),
    )


def older_and_open(library: str) -> TwinlensError:
    """Return the error that a library cannot be brought up to date while another program has it open."""
    return TwinlensError(
        Message("The library {path} is of an older Twinlens and is open in another program.", path=library),
        Message("Close that one first."),
    )


def damaged(library: str) -> TwinlensError:
    """Return the error that a library is damaged."""
    return TwinlensError(Message("The library {path} is damaged.", path=library), Remedy("restore backup"))


def damaged_throughout(library: str) -> TwinlensError:
    """Return the error that a library is damaged in ways that its check tells."""
    return TwinlensError(Message("The library {path} is damaged.", path=library), Remedy("repair library"))


def foreign_parts(library: str, names: Sequence[str]) -> Message:
    """Return the sentence that a library declares what no Twinlens declares."""
    return Message(
        "The library {path} has parts that are not of Twinlens and could change it: {parts}.", path=library, parts=names
    )


def other_tables(library: str, names: Sequence[str]) -> TwinlensError:
    """Return the error that a library has other tables than Twinlens makes."""
    return TwinlensError(
        Message(
            "The library {path} is damaged: its tables are not those of Twinlens ({tables}).",
            path=library,
            tables=names,
        ),
        Remedy("restore backup"),
    )


def damaged_row(library: str, what: Message) -> TwinlensError:
    """Return the error that one row of a library is damaged."""
    return TwinlensError(
        Message("The library {path} is damaged in {what}.", path=library, what=what), Remedy("repair library")
    )


def busy(library: str, holder: str = "") -> TwinlensError:
    """Return the error that another program holds the library."""
    return TwinlensError(
        Message("The library {path} is locked by {value}.", path=library, value=holder or "another program"),
        Message("Wait until it is done, or close it, then try again."),
    )


def being_added_to(library: str, holder: str = "") -> TwinlensError:
    """Return the error that another program adds photographs."""
    return TwinlensError(
        Message(
            "Photos are being added to the library {path} by {holder}.",
            path=library,
            holder=holder or "another program",
        ),
        Message("Wait until that is done, or stop it: what it has added is kept."),
    )
