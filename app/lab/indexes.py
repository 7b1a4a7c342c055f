"""The library's indexes, by which a row of an experiment is told that it is one of them, or can become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.indexes.indexes import NewIndex
from app.lab.sheet import BETWEEN, RowIndex
from app.methods import catalogue
from core.message import NOTHING, Message, joined, verbatim


@dataclass(frozen=True)
class LibraryIndexes:
    """Indexes of a library.

    Attributes
    ----------
    names : mapping of str to str
        Their names by their text forms.
    in_use : str
        Name of the one that is searched with.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    in_use: str = ""

    def descriptor(self, name: str) -> str:
        """Return the descriptor of an index in text form; empty where there is no such index."""
        return next((text.partition(BETWEEN)[0] for text, one in self.names.items() if one == name), "")

    def row(self, wanted: NewIndex, method: str, base: str = "") -> RowIndex:
        """Return what makes an index of a row.

        Parameters
        ----------
        wanted : NewIndex
        method : str
            Hash method in text form; empty of exact search.
        base : str
            Name of the index whose vectors were measured; by default any with the same descriptor.
        """
        parts = (wanted.descriptor, wanted.metric, method, wanted.search)
        of = f"{wanted.descriptor}{BETWEEN}"
        found = next((name for text, name in self.names.items() if text.startswith(of)), "")
        return RowIndex(
            wanted,
            name=_proposed(wanted, method),
            text=BETWEEN.join(filter(None, parts)),
            base=base if base in self.names.values() else found,
            method=method,
        )

    def note(self, index: RowIndex | None, proposed: bool = False) -> Message:
        """Return whether a row is proposed, and whether the library has it, under which name."""
        name = "" if index is None else self.names.get(index.text, "")
        has = Message("in use") if name == self.in_use else Message("“{name}”", name=name)
        return joined([Message("proposed") if proposed else NOTHING, has if name else NOTHING], BETWEEN)


def _proposed(wanted: NewIndex, method: str) -> Message:
    """Return a name for a new index: what it compares, its method, and its bits."""
    made = catalogue.method(method) if method else None
    how = Message("Exact") if made is None else verbatim(f"{made.key} {made.bits}")
    described = Message(catalogue.descriptor(wanted.descriptor).plain_name)
    return joined([described, verbatim(wanted.metric), how], BETWEEN)
