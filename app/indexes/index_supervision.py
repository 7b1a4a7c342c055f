"""Supervision out of a library: the marks or folders of its photographs, from which supervised hash methods learn."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

import numpy as np

from app.marks.marked_pairs import pairs_for
from core.arrays import Int64Ids, Int64Labels
from core.hashing.hash_method import HashMethod, SupervisedMethod
from core.hashing.supervision import Supervision
from core.metrics.metric import MetricPairs
from storage.database.dialect import pieces
from storage.library.store import Transaction
from storage.photographs.descriptors import KindRow


def folder_labels(r: Transaction, ids: Int64Ids) -> Int64Labels:
    """Return the number of the folder that each photograph is in, (n,) -> (n,)."""
    folders: dict[tuple[int, bytes], int] = {}
    number = {
        row.id: folders.setdefault((row.volume_id, os.path.dirname(row.path)), len(folders))
        for some in pieces(ids.tolist())
        for row in r.photographs.by_id(some)
    }
    return np.array([number.get(one, -1) for one in ids.tolist()], np.int64)


@dataclass(frozen=True, eq=False)
class KnownPhotographs:
    """Photographs to learn from, and what is known of them. Made by :meth:`of`.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    digest : bytes
        Of what is known.
    """

    ids: Int64Ids
    supervision: Supervision
    digest: bytes

    @classmethod
    def of(cls, r: Transaction, method: HashMethod, kind: KindRow, drawn: Int64Ids) -> KnownPhotographs:
        """Find what is known of a sample and, of marks, all photographs that have one.

        Parameters
        ----------
        kind : KindRow
            Photographs without a vector of it are left out.
        drawn : ndarray of int64
            The sample, ascending.
        """
        assert isinstance(method, SupervisedMethod)
        if method.labels == "folders":
            supervision = Supervision.of_labels(folder_labels(r, drawn))
            return cls(drawn, supervision, hashlib.sha256(supervision.labels.tobytes()).digest())
        marked = pairs_for(r, kind)
        ids = np.union1d(drawn, marked.ids)
        pairs = MetricPairs(np.searchsorted(ids, marked.ids)[marked.rows].reshape(-1, 2), marked.similar)
        _, contents = r.photographs.contents(marked.ids)
        judged = b"".join(contents) + marked.rows.tobytes() + marked.similar.tobytes()
        return cls(ids, Supervision.of_pairs(pairs, len(ids)), hashlib.sha256(judged).digest())
