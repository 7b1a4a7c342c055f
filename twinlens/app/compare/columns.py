"""The columns of a comparison: indexes of the library and temporary ones with other parameters.

Also the columns that are offered: other indexes of the library, and instructive changes of an index (:func:`offers`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from twinlens.app.indexes.fitted_models import usable_indexes
from twinlens.app.indexes.index_specification import IndexSpecification, metric_text
from twinlens.app.indexes.indexes import find_index, text_of, text_parts
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.methods import catalogue
from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import DeclarationError, Remedy, TwinlensError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import Message, counted, joined, verbatim
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction

MOST = 6
"""Largest number of columns."""

_BETWEEN = re.compile(r"\s*[·|]\s*")
_DEFAULT = 4


@dataclass(frozen=True)
class ComparisonColumn:
    """Declaration of one column.

    Attributes
    ----------
    index : str
        Name of an index of the library.
    method, search : str
        Text forms that replace those of the index; empty for its own.
    metric : str or None
        Name or text form of a metric that replaces that of the index; empty for none; None for its own.

    Examples
    --------
    >>> column = ComparisonColumn("Colours", method="klsh:rank=16")
    >>> column.changed, ComparisonColumn.from_json(column.to_json()) == column
    (True, True)
    """

    index: str = AUTOMATIC
    method: str = ""
    search: str = ""
    metric: str | None = None

    @property
    def changed(self) -> bool:
        """Return whether the column differs from the index."""
        return bool(self.method or self.search) or self.metric is not None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Read the values that :meth:`to_json` returned."""
        return cls(**values)


def read_column(r: Transaction, text: str, of: str = AUTOMATIC) -> ComparisonColumn:
    """Read a column as a person writes it: the name of an index, or declarations separated by ``·`` or ``|``.

    Parameters
    ----------
    text : str
        ``klsh:rank=16``, ``itq · buckets``, ``colour · lsh:bits=64``: method, search structure and metric in any order.
        With a descriptor, the index of that descriptor is changed.
    of : str
        The index that is changed, where no descriptor is named.

    Raises
    ------
    TwinlensError
        If a part is none of these, or there is no index with such vectors.
    """
    known = {index.name for index in r.indexes.all()}
    if text in known or text == AUTOMATIC:
        return ComparisonColumn(text)
    column = ComparisonColumn(of)
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
                "“{words}” is not an index, hash method, search structure or metric.",
                Remedy("list methods"),
                words=words,
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
    for index in usable_indexes(r):
        if catalogue.descriptor(index.descriptor) == wanted:
            return index.name
    raise TwinlensError(
        "The library has no index of {wanted}.",
        Remedy("create index", {"descriptor": wanted.text()}),
        wanted=wanted.text(),
    )


def column_row(r: Transaction, column: ComparisonColumn) -> IndexRow:
    """Return the index of a column; for a changed one, an unfitted row with id 0, named by its changes.

    Raises
    ------
    TwinlensError
        If there is no such index, or a change is not valid or impossible.
    """
    own = find_index(r, column.index)
    if not column.changed:
        return own
    method = catalogue.method(column.method or own.method)
    search = catalogue.search_structure(column.search or own.search)
    metric = metric_text(own) if column.metric is None else column.metric
    descriptor = catalogue.descriptor(own.descriptor)
    chosen = IndexSpecification(descriptor, method, search).checked(r, metric)
    row = replace(
        own,
        method=catalogue.written_declaration(method),
        search=catalogue.written_declaration(search),
        metric=None if chosen is None else chosen.written,
        metric_id=None if chosen is None else chosen.metric_id,
        metric_name=None if chosen is None or chosen.kept is None else chosen.kept.name,
    )
    if is_same(row, own):
        return own
    made = replace(row, id=0, automatic=False, model_id=None, metric_model_id=None, fitted_on=0)
    return replace(made, name=str(_name(own, made)))


def _name(own: IndexRow, made: IndexRow) -> Message:
    """Name a temporary index by its differences from the index that it began as."""
    differs = []
    method, search = catalogue.method(made.method), catalogue.search_structure(made.search)
    if (made.metric, made.metric_id) != (own.metric, own.metric_id):
        differs.append(verbatim(metric_text(made)) or Message("no metric"))
    if search.uses_codes and method != catalogue.method(own.method):
        differs.append(_shortly(method))
    before = catalogue.search_structure(own.search)
    if search != before:
        differs.append(_shortly(search, named=type(search) is not type(before)))
    learned = len(differs) > (search != before)
    return joined(differs if learned else [verbatim(own.name), *differs], " · ")


def _shortly(made: Declaration, named: bool = True) -> Message:
    """Write a declaration for a heading: ``Kernelized LSH · rank 16 · 256 bits``."""
    values = [(about.name, getattr(made, about.name), about.default) for about in made.parameters()]
    changed = [_value(name, value) for name, value, default in values if value != default and name != "bits"]
    bits = [counted("{count} bit", "{count} bits", made.bits)] if isinstance(made, HashMethod) else []
    return joined([*([Message(made.title)] if named or not changed else []), *changed, *bits], " · ")


def _value(name: str, value: Any) -> Message:
    """Write a parameter's value in a few words; a declaration by its text form."""
    if isinstance(value, Declaration):
        return verbatim(value.text())
    plain = Message(name.replace("_", " "))
    if isinstance(value, bool):
        return plain if value else Message("no {what}", what=plain)
    return Message("{what} {value}", what=plain, value=value)


def is_same(one: IndexRow, other: IndexRow) -> bool:
    """Return whether two rows declare the same index."""
    return learns_alike(one, other) and catalogue.search_structure(one.search) == catalogue.search_structure(
        other.search
    )


def learns_alike(one: IndexRow, other: IndexRow) -> bool:
    """Return whether two rows hash the same vectors in the same way; search structures may differ."""
    same = (one.descriptor, one.metric, one.metric_id) == (other.descriptor, other.metric, other.metric_id)
    return same and catalogue.method(one.method) == catalogue.method(other.method)


def default_columns(r: Transaction, index: str = AUTOMATIC) -> list[ComparisonColumn]:
    """Return the columns to begin with: an index, exact search by its measure, and up to two others.

    Parameters
    ----------
    index : str
        The default index.
    """
    first = find_index(r, index)
    columns = [ComparisonColumn(first.name)]
    if catalogue.search_structure(first.search).uses_codes:
        columns.append(ComparisonColumn(first.name, search="exact"))
    others = [row for row in usable_indexes(r) if row.id != first.id and row.kind_id is not None]
    others.sort(key=lambda row: row.descriptor != first.descriptor)  # the same descriptor first
    return [*columns, *(ComparisonColumn(row.name) for row in others)][:_DEFAULT]


def proposed_columns(r: Transaction, index: str, present: Sequence[ComparisonColumn] = ()) -> list[ComparisonColumn]:
    """Return instructive changes to an index: fewer bits, no learning, another structure.

    Parameters
    ----------
    present : sequence of ComparisonColumn
        Columns already shown.
    """
    own = find_index(r, index)
    method = catalogue.method(own.method)
    texts = [method.model_copy(update={"bits": bits}).text() for bits in (max(8, method.bits // 4), 2 * method.bits)]
    texts += [text for text in (f"lsh:bits={method.bits}", f"itq:bits={method.bits}") if text != method.text()]
    if any(about.name == "rank" for about in method.parameters()):
        texts = [method.model_copy(update={"rank": rank}).text() for rank in (16, 64)] + texts
    offered = [ComparisonColumn(own.name, method=text) for text in texts]
    offered += [ComparisonColumn(own.name, search=text) for text in ("exact", "scan:candidates=1", "buckets")]
    shown = {_text_of(r, column) for column in present} | {text_of(own), ""}
    found = []
    for column in offered:
        text = _text_of(r, column)
        if text not in shown:
            shown.add(text)
            found.append(column)
    return found


def _text_of(r: Transaction, column: ComparisonColumn) -> str:
    """Return the text of a column; empty if it cannot be made."""
    try:
        return text_of(column_row(r, column))
    except TwinlensError:
        return ""


def title_of(r: Transaction, column: ComparisonColumn) -> Message:
    """Return the name of a column, in the words of a language."""
    own, made = find_index(r, column.index), column_row(r, column)
    return verbatim(own.name) if made.id == own.id else _name(own, made)


@dataclass(frozen=True)
class ColumnOffer:
    """A column that can be added: its title, and the parts of its index in text form, the descriptor first."""

    column: ComparisonColumn
    title: Message
    parts: Sequence[str]


@dataclass(frozen=True)
class ChangeableIndex:
    """An index that can be changed: its name, and the text forms of its method and search structure."""

    name: str
    method: str
    search: str


@dataclass(frozen=True)
class ColumnOffers:
    """The columns that can be added.

    Attributes
    ----------
    kept, worth : list of ColumnOffer
        Indexes of the library that are not columns yet, and instructive changes of one.
    bases : list of ChangeableIndex
        The indexes that can be changed.
    base : str
        The index that is changed unless another is chosen.
    """

    kept: list[ColumnOffer]
    worth: list[ColumnOffer]
    bases: list[ChangeableIndex]
    base: str


def offers(
    library: Library, present: Sequence[ComparisonColumn], default: str, without: Collection[str] = ()
) -> ColumnOffers:
    """Return the columns that can be added to the present ones; changes are to the first of these, or to ``default``.

    Parameters
    ----------
    without : collection of str
        Names of indexes that are not offered.
    """
    with library.store.reading() as r:
        rows = [row for row in usable_indexes(r) if row.kind_id is not None and row.name not in without]
        names = {row.name for row in rows}
        there = [one for one in present if one.index in names]
        base = find_index(r, there[0].index if there else default).name
        return ColumnOffers(
            kept=[_offer(r, one) for one in (ComparisonColumn(row.name) for row in rows) if one not in present],
            worth=[_offer(r, one) for one in proposed_columns(r, base, there)],
            bases=[
                ChangeableIndex(
                    row.name, catalogue.method(row.method).text(), catalogue.search_structure(row.search).text()
                )
                for row in rows
            ],
            base=base,
        )


def _offer(r: Transaction, column: ComparisonColumn) -> ColumnOffer:
    return ColumnOffer(column, title_of(r, column), text_parts(column_row(r, column)))
