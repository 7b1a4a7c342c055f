"""The columns of a comparison: indexes of the library, and what would be if one had other parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from app.indexes.index_metric import metric_text
from app.indexes.index_names import find_index, text_of
from app.indexes.specification import WantedIndex
from app.library.library import AUTOMATIC
from app.methods import catalogue
from core.declaration import Declaration
from core.errors import DeclarationError, TwinlensError
from core.hash_method import HashMethod
from core.message import Message
from storage.indexes import IndexRow
from storage.transaction import Transaction

MOST = 6
"""Columns that a person can still hold side by side."""

_BETWEEN = re.compile(r"\s*[·|]\s*")
_DEFAULT = 4


@dataclass(frozen=True)
class Column:
    """One column, as it is wished for.

    Attributes
    ----------
    index : str
        Name of an index of the library.
    method, search : str
        Text forms that take the place of its own; empty for its own.
    metric : str or None
        Name or text form of a metric in place of its own; empty for none at all; None for its own.

    Examples
    --------
    >>> column = Column("Colours", method="klsh:rank=16")
    >>> column.changed, Column.from_json(column.to_json()) == column
    (True, True)
    """

    index: str = AUTOMATIC
    method: str = ""
    search: str = ""
    metric: str | None = None

    @property
    def changed(self) -> bool:
        """Whether anything stands in the place of the index's own."""
        return bool(self.method or self.search) or self.metric is not None

    def to_json(self) -> dict[str, Any]:
        """Write it as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Read back what :meth:`to_json` gave."""
        return cls(**values)


def read_column(r: Transaction, text: str, of: str = AUTOMATIC) -> Column:
    """Read what a person writes: the name of an index, or declarations with ``·`` or ``|`` between them.

    Parameters
    ----------
    r : Transaction
    text : str
        ``klsh:rank=16``, ``itq · buckets``, ``colour · lsh:bits=64``: method, search structure and metric in any order.
        With a descriptor, an index of that one is changed.
    of : str
        The index that is changed, where no descriptor is named.

    Raises
    ------
    TwinlensError
        If a part is neither, or there is no index with such vectors.
    """
    known = {index.name for index in r.indexes.all()}
    if text in known or text == AUTOMATIC:
        return Column(text)
    column = Column(of)
    for words in _BETWEEN.split(text.strip()):
        family = _family(words)
        if family == "descriptor":
            column = replace(column, index=_index_of(r, words))
        elif family in ("method", "search"):
            column = replace(column, **{family: words})
        elif family == "metric" or any(row.name == words for row in r.metrics.all()):
            column = replace(column, metric=words)
        else:
            raise DeclarationError(
                Message("“{words}” is no index, hash method, search structure or metric.", words=words),
                Message("See `twinlens index list` and `twinlens methods`."),
            )
    return column


def _family(words: str) -> str:
    name = re.split(r"[:(]", words, maxsplit=1)[0].strip()
    for family in ("method", "search", "descriptor", "metric"):
        if any(option.key == name for option in catalogue.FAMILIES[family]()):
            return family
    return ""


def _index_of(r: Transaction, text: str) -> str:
    wanted = catalogue.descriptor(text)
    for index in r.indexes.all():
        if catalogue.descriptor(index.descriptor) == wanted:
            return index.name
    raise TwinlensError(
        Message("No index of the library has the vectors of {wanted}.", wanted=wanted.text()),
        Message("Make one with `twinlens index create {wanted}`.", wanted=wanted.text()),
    )


def wanted_row(r: Transaction, column: Column) -> IndexRow:
    """Return index that a column is, or the row of one that is not kept: id 0, not fitted, named by what it changes.

    Raises
    ------
    TwinlensError
        If there is no such index, or what stands in the place of its own has no meaning or can never be.
    """
    own = find_index(r, column.index)
    if not column.changed:
        return own
    method = catalogue.method(column.method or own.method)
    search = catalogue.search_structure(column.search or own.search)
    metric = metric_text(own) if column.metric is None else column.metric
    descriptor = catalogue.descriptor(own.descriptor)
    chosen = WantedIndex(descriptor, method, search).checked(r, metric)
    row = replace(
        own,
        method=catalogue.written(method),
        search=catalogue.written(search),
        metric=None if chosen is None else chosen.written,
        metric_id=None if chosen is None else chosen.metric_id,
        metric_name=None if chosen is None or chosen.kept is None else chosen.kept.name,
    )
    if is_same(row, own):
        return own
    made = replace(row, id=0, automatic=False, model_id=None, metric_model_id=None, fitted_on=0)
    return replace(made, name=_name(own, made, search.uses_codes))


def is_same(one: IndexRow, other: IndexRow) -> bool:
    """Return whether two rows declare the same thing, search structure and all."""
    return learns_alike(one, other) and catalogue.search_structure(one.search) == catalogue.search_structure(
        other.search
    )


def learns_alike(one: IndexRow, other: IndexRow) -> bool:
    """Return whether two rows hash the same vectors in the same way, whatever structure finds the codes."""
    same = (one.descriptor, one.metric, one.metric_id) == (other.descriptor, other.metric, other.metric_id)
    return same and catalogue.method(one.method) == catalogue.method(other.method)


def _name(own: IndexRow, made: IndexRow, uses_codes: bool) -> str:
    """Name what is not kept by what differs from the index that it began as."""
    differs = []
    method, search = catalogue.method(made.method), catalogue.search_structure(made.search)
    if (made.metric, made.metric_id) != (own.metric, own.metric_id):
        differs.append(metric_text(made) or "no metric")
    if uses_codes and method != catalogue.method(own.method):
        differs.append(_shortly(method))
    before = catalogue.search_structure(own.search)
    if search != before:
        differs.append(_shortly(search, named=type(search) is not type(before)))
    learned = len(differs) > (search != before)
    return " · ".join(differs if learned else [own.name, *differs])


def _shortly(made: Declaration, named: bool = True) -> str:
    """Write a declaration for a heading: ``Kernelized LSH · rank 16 · 256 bits``."""
    values = [(about.name, getattr(made, about.name), about.default) for about in made.parameters()]
    told = [_value(name, value) for name, value, default in values if value != default and name != "bits"]
    bits = [f"{made.bits:,} bits"] if isinstance(made, HashMethod) else []
    return " · ".join([*([made.title] if named or not told else []), *told, *bits])


def _value(name: str, value: object) -> str:
    """Write a value in a few words: what is a declaration itself says what it is of."""
    if isinstance(value, Declaration):
        return value.text()
    plain = name.replace("_", " ")
    return plain if value is True else f"no {plain}" if value is False else f"{plain} {value}"


def default_columns(r: Transaction, index: str = AUTOMATIC) -> list[Column]:
    """Return what is worth seeing first: an index, exact search by its measure, and one or two others of the library.

    Parameters
    ----------
    r : Transaction
    index : str
        The one that answers where none is named.
    """
    first = find_index(r, index)
    columns = [Column(first.name)]
    if catalogue.search_structure(first.search).uses_codes:
        columns.append(Column(first.name, search="exact"))
    others = [row for row in r.indexes.all() if row.id != first.id and row.kind_id is not None]
    others.sort(key=lambda row: row.descriptor != first.descriptor)  # those that can be compared number by number first
    return [*columns, *(Column(row.name) for row in others)][:_DEFAULT]


def proposals(r: Transaction, index: str, present: Sequence[Column] = ()) -> list[Column]:
    """Return changes to an index from which something is learned: fewer bits, no learning, another structure.

    Parameters
    ----------
    r : Transaction
    index : str
    present : sequence of Column
        Those that are seen already.
    """
    own = find_index(r, index)
    method = catalogue.method(own.method)
    texts = [method.model_copy(update={"bits": bits}).text() for bits in (max(8, method.bits // 4), 2 * method.bits)]
    texts += [text for text in (f"lsh:bits={method.bits}", f"itq:bits={method.bits}") if text != method.text()]
    if any(about.name == "rank" for about in method.parameters()):
        texts = [method.model_copy(update={"rank": rank}).text() for rank in (16, 64)] + texts
    offered = [Column(own.name, method=text) for text in texts]
    offered += [Column(own.name, search=text) for text in ("exact", "scan:candidates=1", "buckets")]
    shown = {_told(r, column) for column in present} | {text_of(own), ""}
    found = []
    for column in offered:
        told = _told(r, column)
        if told not in shown:
            shown.add(told)
            found.append(column)
    return found


def _told(r: Transaction, column: Column) -> str:
    """Write what a column is; empty where it cannot be, as where a method cannot learn from such vectors."""
    try:
        return text_of(wanted_row(r, column))
    except TwinlensError:
        return ""


def heading_of(r: Transaction, column: Column) -> str:
    """Name a column as it will be headed, before it is made."""
    return wanted_row(r, column).name


__all__ = [
    "MOST",
    "Column",
    "default_columns",
    "heading_of",
    "is_same",
    "learns_alike",
    "proposals",
    "read_column",
    "wanted_row",
]
