"""Indexes that can be used here: all but those whose declarations come from a package that is not installed."""

from __future__ import annotations

import json
from collections.abc import Callable

from app.methods import catalogue
from core.declaration.declaration import Declaration
from core.errors import DeclarationError, TwinlensError
from core.message import NOTHING, Message
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction


def usable_indexes(r: Transaction) -> list[IndexRow]:
    """Return the indexes whose declarations can be read, in their order."""
    return [index for index in r.indexes.all() if not why_unusable(index)]


def why_unusable(index: IndexRow) -> Message:
    """Return why an index cannot be used with what is installed; NOTHING where it can."""
    unread = [written for read, written in _declared(index) if not _is_known(read, written)]
    if not unread:
        return NOTHING
    keys = [key for written in unread for key in _keys(written)]
    missing = [key for key in keys if not _is_known(catalogue.declaration, key)]
    return Message(
        "It needs {missing}, which comes with a package that is not installed here.", missing=missing or keys
    )


def expect_usable(index: IndexRow) -> None:
    """Refuse an index that cannot be used with what is installed.

    Raises
    ------
    TwinlensError
        Says what is missing.
    """
    if reason := why_unusable(index):
        raise TwinlensError(
            Message("The index “{name}” cannot be used. {reason}", name=index.name, reason=reason),
            Message("Install that package, or delete the index."),
        )


def declared_text(read: Callable[[str], Declaration], written: str) -> str:
    """Return the text form of a stored declaration; its key where it cannot be read."""
    return read(written).text() if _is_known(read, written) else _keys(written)[0]


def uses_codes(index: IndexRow) -> bool:
    """Return whether an index compares codes; so does one whose search structure is not known here."""
    known = _is_known(catalogue.search_structure, index.search)
    return not known or catalogue.search_structure(index.search).uses_codes


def _declared(index: IndexRow) -> list[tuple[Callable[[str], Declaration], str]]:
    metric = [] if index.metric is None else [(catalogue.metric, index.metric)]
    return [
        (catalogue.descriptor, index.descriptor),
        *metric,
        (catalogue.method, index.method),
        (catalogue.search_structure, index.search),
    ]


def _is_known(read: Callable[[str], object], written: str) -> bool:
    try:
        read(written)
    except DeclarationError:
        return False
    return True


def _keys(written: str) -> list[str]:
    """Return the key of a stored declaration, and those of the declarations within it."""

    def within(value: object) -> list[str]:
        if not isinstance(value, dict):
            return []
        own = [str(value["key"])] if "key" in value else []
        return own + [key for inner in value.values() for key in within(inner)]

    return within(json.loads(written)) if written.startswith("{") else [written.partition(":")[0]]
