"""Columns of an evaluation: an index, a descriptor measured exactly, or the yardstick, each with what decides it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.indexes.index_names import text_of
from app.indexes.loaded_index import LoadedIndex
from app.methods import catalogue
from app.search.scope import Moment
from core.exact_search.measure import Measure
from features.keypoints import kept_keypoints
from storage.database.schema import State
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction
from storage.photographs.filters import Filter

VERSION = 1
"""Version of what a search answers; a new one asks every question again."""


@dataclass(frozen=True, eq=False)
class Column:
    """What answers the questions.

    Attributes
    ----------
    name, text : str
    kind : str
    known : str
        Digest of everything that decides its answers, besides the question.
    row : IndexRow, optional
        The index to ask; None for the yardstick.
    depth : int, optional
        Results that are looked through; None for all.
    check : bool, optional
        Whether results are checked point by point; None as a search does.
    """

    name: str
    text: str
    kind: Literal["index", "descriptor", "yardstick"]
    known: str
    row: IndexRow | None = None
    depth: int | None = None
    check: bool | None = None


def index_column(
    moment: Moment, index: LoadedIndex, name: str = "", depth: int | None = None, check: bool | None = None
) -> Column:
    """Return the column of an index, or, under a descriptor's name, of exact search by its vectors."""
    r, row, exact = moment.r, index.row, bool(name)
    measure = index.measure.kernel.identity() if isinstance(index.measure, Measure) else index.measure.pack().digest()
    known = [
        "exact" if exact else [catalogue.method(row.method).identity(), index.search.identity(), row.codes_token],
        index.descriptor.identity(), index.kind.key, str(measure), check,
        _photographs(r, r.descriptors.ids(index.kind)), ready_photographs(r),
        "" if check is False else _photographs(r, r.keypoints.ids(kept_keypoints.VERSION)),
    ]  # fmt: skip
    text = f"{name}, exactly" if exact else text_of(row)
    kind: Literal["index", "descriptor"] = "descriptor" if exact else "index"
    return Column(name or row.name, text, kind, digest_of(known), row, depth, check)


def ready_photographs(r: Transaction) -> str:
    """Return a digest of the photographs that can be found."""
    return _photographs(r, r.photographs.matching(Filter(states=(State.READY,))))


def _photographs(r: Transaction, ids: Sequence[int] | Any) -> str:
    there, contents = r.photographs.contents(ids)
    return hashlib.sha256(there.astype("<i8").tobytes() + b"".join(contents)).hexdigest()


def digest_of(values: Iterable[Any]) -> str:
    """Return a digest of what JSON takes."""
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()
