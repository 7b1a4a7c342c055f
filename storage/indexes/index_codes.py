"""Codes: the packed hash codes of an index, and the encoder that made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, delete, func, select, update

from core.arrays import Int64Ids
from core.message import Message
from storage.database.code_tables import PackedCodes
from storage.database.dialect import of
from storage.database.schema import code_segment, search_index
from storage.indexes.indexes import new_token
from storage.indexes.segments import Segments, ascending
from storage.integrity.checksums import DamagedRowError
from storage.photographs.descriptors import Descriptors, KindRow


class StaleModelError(Exception):
    """Codes were made with an encoder that the index does not use any more; encode again with the present one."""


@dataclass(frozen=True)
class LoadedCodes:
    """All codes of an index: ``ids`` (n,) ascending, ``codes`` (n, bytes), made by the encoder ``model_id``.

    ``token`` is the index's ``codes_token`` at that moment.
    """

    ids: Int64Ids
    codes: PackedCodes
    model_id: int | None
    token: int


class IndexCodes:
    """The codes of every index of a library.

    Attributes
    ----------
    tables : CodeTables
        In which the database searches the codes of some indexes; they follow every change of codes.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._segments = Segments(connection)
        self.tables = of(connection).code_tables

    def put(self, index_id: int, model_id: int, ids: Sequence[int] | Int64Ids, codes: PackedCodes) -> None:
        """Keep the codes of a batch; those of the same photographs are replaced.

        Parameters
        ----------
        index_id : int
        model_id : int
            The encoder that made them.
        ids : Ids, (n,)
            Photographs, each once, in any order.
        codes : PackedCodes, (n, bytes)

        Raises
        ------
        StaleModelError
            If the index was fitted anew meanwhile.
        """
        present = self._index(index_id).model_id
        if present != model_id:
            raise StaleModelError(f"index {index_id} uses the model {present}, not {model_id}")
        ids, codes = ascending(ids, codes)
        if len(ids):
            self._segments.take_out(ids, index_id)
            self._segments.append(index_id, ids, codes)
            self.tables.put(index_id, ids, codes)
            self.touch(index_id)

    def replace(
        self, index_id: int, model_id: int, fitted_on: int, ids: Sequence[int] | Int64Ids, codes: PackedCodes
    ) -> None:
        """Replace the encoder of an index and all codes made with it.

        Parameters
        ----------
        index_id : int
        model_id : int
            The new encoder.
        fitted_on : int
            How many photographs the library has at this fit.
        ids : Ids, (n,)
            Photographs, each once, in any order.
        codes : PackedCodes, (n, bytes)
        """
        self._connection.execute(delete(code_segment).where(code_segment.c.index_id == index_id))
        self._segments.add(index_id, *ascending(ids, codes))
        self.tables.drop(index_id)
        self.touch(index_id, model_id=model_id, fitted_on=fitted_on)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove the codes of photographs from every index."""
        ids = np.unique(np.asarray(ids, np.int64))
        for index_id in self._segments.take_out(ids):
            self.tables.remove(index_id, ids)
            self.touch(index_id)

    def load(self, index_id: int) -> LoadedCodes:
        """Read all codes of an index, in id order.

        Raises
        ------
        DamagedRowError
            If they do not fit their checksums.
        """
        row = self._index(index_id)
        ids, codes = self._segments.read(self._segments.all(index_id))
        try:
            ids, codes = ascending(ids, codes)
        except ValueError:  # of a server, whose rows have no checksums
            raise DamagedRowError(Message("the codes of the index {id}", id=index_id)) from None
        return LoadedCodes(ids, codes, row.model_id, row.codes_token)

    def ids(self, index_id: int) -> Int64Ids:
        """Return the photographs that have a code, (n,), ascending."""
        return np.sort(self._segments.read_ids(self._segments.all(index_id)))

    def count(self, index_id: int) -> int:
        """Count the codes of an index."""
        counted = select(func.coalesce(func.sum(code_segment.c.length), 0)).where(code_segment.c.index_id == index_id)
        return int(self._connection.execute(counted).scalar_one())

    def bytes(self, index_id: int) -> int:
        """Return the bytes that the codes of an index take, with their ids."""
        taken = func.length(code_segment.c.ids) + func.length(code_segment.c.codes)
        summed = select(func.coalesce(func.sum(taken), 0)).where(code_segment.c.index_id == index_id)
        return int(self._connection.execute(summed).scalar_one())

    def lacking(self, index_id: int, kind: KindRow) -> Int64Ids:
        """Return the photographs that have a vector of the kind but no code, (n,), ascending."""
        return np.setdiff1d(Descriptors(self._connection).ids(kind), self.ids(index_id), assume_unique=True)

    def _index(self, index_id: int) -> Row[Any, Any]:
        columns = (search_index.c.model_id, search_index.c.codes_token)
        return self._connection.execute(select(*columns).where(search_index.c.id == index_id)).one()

    def clear(self, index_id: int) -> None:
        """Remove all codes of an index: they are computed anew with the next look."""
        self.tables.drop(index_id)
        self._connection.execute(delete(code_segment).where(code_segment.c.index_id == index_id))
        self.touch(index_id)

    def touch(self, index_id: int, **values: Any) -> None:
        """Record that the codes of an index have changed."""
        changed = update(search_index).where(search_index.c.id == index_id).values(codes_token=new_token(), **values)
        self._connection.execute(changed)
