"""Columns of an evaluation: an index, a descriptor measured exactly, or the yardstick, each with what decides it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any, Literal

from app.indexes.index_names import text_of
from app.indexes.loaded_index import LoadedIndex
from app.indexes.usable import usable_indexes
from app.methods import catalogue
from app.search.scope import Moment
from app.search.searcher import Searcher
from core.errors import Remedy, TwinlensError
from core.exact_search.measure import Measure
from core.message import Message
from features.keypoints import kept_keypoints
from storage.database.schema import PhotographState
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow
from storage.photographs.filters import Filter

PROGRAM = version("twinlens")
"""Another version of the program may answer otherwise, and is asked again."""


@dataclass(frozen=True, eq=False)
class EvaluationColumn:
    """A column of an evaluation: an index, a descriptor or a yardstick.

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


class LibraryDigests:
    """Digests of the photographs of a library at one moment, each computed once for all columns.

    Parameters
    ----------
    r : Transaction
    """

    def __init__(self, r: Transaction) -> None:
        self._r = r

    @cached_property
    def ready(self) -> str:
        """Digest of the photographs that can be found."""
        return self._of(self._r.photographs.matching(Filter(states=(PhotographState.READY,))))

    @cached_property
    def with_keypoints(self) -> str:
        """Digest of the photographs with keypoints."""
        return self._of(self._r.keypoints.ids(kept_keypoints.KEYPOINTS_VERSION))

    def described(self, kind: KindRow) -> str:
        """Return the digest of the photographs with vectors of a kind."""
        return self._of(self._r.descriptors.ids(kind))

    def _of(self, ids: Sequence[int] | Any) -> str:
        there, contents = self._r.photographs.contents(ids)
        return hashlib.sha256(there.astype("<i8").tobytes() + b"".join(contents)).hexdigest()


def index_columns(
    searcher: Searcher,
    moment: Moment,
    contents: LibraryDigests,
    names: Sequence[str],
    depth: int | None,
    check: bool | None,
) -> tuple[list[EvaluationColumn], list[Message]]:
    """Return the columns of the named indexes, else of all that can answer, with a note on each other that cannot.

    Raises
    ------
    TwinlensError
        If a named one is not there or cannot answer, or none can.
    """
    found, notes = [], []
    for name in dict.fromkeys(names or [row.name for row in usable_indexes(moment.r)]):
        try:
            found.append(evaluation_column(contents, searcher.index(moment, name), depth, check))
        except TwinlensError as error:
            if names:
                raise
            notes.append(error.whole)
    if not found:
        raise TwinlensError(Message("No index has photos yet."), Remedy("add folder"))
    return found, notes


def evaluation_column(
    contents: LibraryDigests, index: LoadedIndex, depth: int | None, check: bool | None, descriptor: str = ""
) -> EvaluationColumn:
    """Return the column of an index, or, under the name of its descriptor, of exact search by its vectors."""
    row, exact = index.row, bool(descriptor)
    measure = index.measure.kernel.identity() if isinstance(index.measure, Measure) else index.measure.pack().digest()
    known = [
        "exact" if exact else [catalogue.method(row.method).identity(), index.search.identity(), row.codes_token],
        index.descriptor.identity(), index.kind.key, str(measure), check,
        contents.described(index.kind), contents.ready, "" if check is False else contents.with_keypoints,
    ]  # fmt: skip
    text = f"{descriptor}, exactly" if exact else text_of(row)
    kind: Literal["index", "descriptor"] = "descriptor" if exact else "index"
    return EvaluationColumn(descriptor or row.name, text, kind, json_digest(known), row, depth, check)


def json_digest(values: Iterable[Any]) -> str:
    """Return a digest of what JSON takes."""
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()
