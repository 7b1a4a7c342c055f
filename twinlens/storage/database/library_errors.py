"""Errors of a whole library that mean the same wherever it lies; each names it as people are shown its address."""

from __future__ import annotations

from collections.abc import Sequence

from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message


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
    """Return the error that something other than a library lies at an address."""
    return TwinlensError("{path} is not a Twinlens library.", Remedy("choose another library"), path=library)


def unknown_revision(library: str, older: bool) -> TwinlensError:
    """Return the error that a library is of a revision that this program does not know: of one before 1.0, or newer."""
    if older:
        return TwinlensError(
            "The library {path} was made before Twinlens 1.0, and this version cannot read it.",
            "The photos are where they were: add their folders to a new library"
            " (`twinlens --library FILE add FOLDER`).",
            path=library,
        )
    return TwinlensError(
        "The library {path} was written by a newer Twinlens.",
        "Install the newest version, or name another library.",
        path=library,
    )


def older_and_open(library: str) -> TwinlensError:
    """Return the error that a library cannot be brought up to date while another program has it open."""
    return TwinlensError(
        "The library {path} is of an older Twinlens and is open in another program.",
        "Close that one first.",
        path=library,
    )


def damaged(library: str) -> TwinlensError:
    """Return the error that a library is damaged."""
    return TwinlensError("The library {path} is damaged.", Remedy("restore backup"), path=library)


def damaged_throughout(library: str) -> TwinlensError:
    """Return the error that a library is damaged in ways that its check tells."""
    return TwinlensError("The library {path} is damaged.", Remedy("repair library"), path=library)


def foreign_parts(library: str, names: Sequence[str]) -> Message:
    """Return the sentence that a library declares what no Twinlens declares."""
    return Message(
        "The library {path} has parts that are not of Twinlens and could change it: {parts}.", path=library, parts=names
    )


def other_tables(library: str, names: Sequence[str]) -> TwinlensError:
    """Return the error that a library has other tables than Twinlens makes."""
    return TwinlensError(
        "The library {path} is damaged: its tables are not those of Twinlens ({tables}).",
        Remedy("restore backup"),
        path=library,
        tables=names,
    )


def damaged_row(library: str, what: Message) -> TwinlensError:
    """Return the error that one row of a library is damaged."""
    return TwinlensError("The library {path} is damaged in {what}.", Remedy("repair library"), path=library, what=what)


def busy(library: str, holder: str = "") -> TwinlensError:
    """Return the error that another program holds the library."""
    return TwinlensError(
        "The library {path} is locked by {value}.",
        "Wait until it is done, or close it, then try again.",
        path=library,
        value=holder or "another program",
    )


def at_work(library: str, holder: str = "") -> TwinlensError:
    """Return the error that another program works in the library: adds, moves or repairs photographs."""
    return TwinlensError(
        "The library {path} is being worked on by {holder}.",
        "Wait until that is done, or stop it: what it has done so far is kept.",
        path=library,
        holder=holder or "another program",
    )
