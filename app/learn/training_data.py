"""Training data of a metric: photographs of judged pairs, their vectors, and other photographs beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.indexes.index_measure import IndexMeasure
from app.library.library import Library
from app.marks.marked_pairs import MarkedPairs, named_pairs, pairs_for
from app.marks.pair_file import NamedPair
from core.arrays import Float32Vectors
from core.errors import Remedy, TwinlensError
from core.message import Message, counted, joined
from core.metrics.constraints import TellingPairs
from core.metrics.metric import MetricPairs
from storage.library.transaction import Transaction

BACKGROUND = 2_000
"""Photographs drawn from the library, that bounds and spread are found from."""


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Training data of a metric. Made by :meth:`of`.

    Attributes
    ----------
    ids : ndarray of int64, (c,)
        The photographs in pairs, ascending.
    table : ndarray of float32, (c + b, d)
        Their vectors, then those of others.
    pairs : Pairs
        Of rows of the table, each once, similar ones first.
    left_out : list of Message
        A sentence for each pair, or kind of pairs, that does not count.
    contradicted : int
        Pairs that were judged both ways.
    marks : bool
        Whether they are the library's own marks.
    """

    ids: npt.NDArray[np.int64]
    table: Float32Vectors
    pairs: MetricPairs
    left_out: list[Message]
    contradicted: int
    marks: bool

    @property
    def x(self) -> Float32Vectors:
        """The vectors of the photographs in pairs."""
        return self.table[: len(self.ids)]

    @property
    def background(self) -> Float32Vectors:
        """The vectors of the others."""
        return self.table[len(self.ids) :]

    @classmethod
    def of(
        cls, library: Library, r: Transaction, index: IndexMeasure, named: Sequence[NamedPair] | None, seed: int
    ) -> TrainingData:
        """Find the photographs of the pairs, and draw others.

        Parameters
        ----------
        library : Library
        r : Transaction
        index : IndexMeasure
            Whose vectors are read.
        named : sequence of NamedPair or None
            None for the library's own marks.
        seed : int
            Of the draw.

        Raises
        ------
        TwinlensError
            If there are no marks, or no pair can be learned from.
        """
        pairs = own_marks(r, index) if named is None else named_pairs(library, r, named)
        vectors, present = r.descriptors.read(index.kind, pairs.ids)
        x = vectors.astype(np.float32)
        left_out = pairs.left_out + [
            Message(
                "This index has not described photo {photograph:d} yet. Look for changes first.",
                photograph=photograph,
            )
            for photograph in pairs.ids[~present].tolist()
        ]
        telling = TellingPairs.of(MetricPairs(pairs.rows, pairs.similar), np.asarray(~x.any(axis=1)))
        if telling.left_out():
            left_out.append(telling.left_out())
        others = np.setdiff1d(r.descriptors.ids(index.kind), pairs.ids, assume_unique=True)
        rng = np.random.default_rng(seed)
        drawn = np.sort(rng.choice(others, min(BACKGROUND, len(others)), replace=False))
        more, _ = r.descriptors.read(index.kind, drawn)
        background = more.astype(np.float32)
        table = np.concatenate([x, background[background.any(axis=1)]])
        contradicted = pairs.contradicted + telling.contradicted
        return cls(pairs.ids, table, telling.pairs, left_out, contradicted, named is None)


def own_marks(r: Transaction, index: IndexMeasure) -> MarkedPairs:
    """Return the library's own marks.

    Raises
    ------
    TwinlensError
        If there are none, or none of them can be used.
    """
    count = r.marks.count()
    if not count:
        raise TwinlensError(
            Message("The library has no marks yet."),
            Remedy("mark pairs"),
        )
    pairs = pairs_for(r, index.kind)
    if not len(pairs.rows):
        raise TwinlensError(
            joined(
                [
                    counted(
                        "The library's {count} mark cannot be used.",
                        "None of the library's {count} marks can be used.",
                        count,
                    ),
                    *pairs.left_out,
                ]
            ),
            Remedy("list marks"),
        )
    return pairs
