"""One transaction: everything of a library as it is at one moment, or one batch that is kept whole or not at all.

The settings of a library are JSON values under names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, bindparam, delete, select

from core.arrays import Int64Ids
from storage.database.dialect import of, runs
from storage.database.schema import photograph, setting
from storage.integrity.checksums import from_json, sound

if TYPE_CHECKING:
    from storage.comparisons import Comparisons
    from storage.disposals import Disposals
    from storage.indexes.index_codes import IndexCodes
    from storage.indexes.indexes import Indexes
    from storage.indexes.models import Metrics, Models
    from storage.lab import Lab
    from storage.marks import Marks
    from storage.photographs.descriptors import Descriptors, KeptKeypoints
    from storage.photographs.photograph_listing import PhotographListing
    from storage.photographs.photographs import CameraNotes, Photographs
    from storage.photographs.problems import PassedOver, Problems
    from storage.photographs.volumes import Folders, Volumes


_REMOVE = delete(photograph).where(photograph.c.id.between(bindparam(None), bindparam(None)))


class Transaction:
    """The parts of a library within one transaction, each made, and its module imported, when it is first asked for.

    Made by :meth:`storage.library.store.Store.reading` and :meth:`storage.library.store.Store.writing`; its parts, and
    what they stream, are good until the end of that block.

    Parameters
    ----------
    connection : Connection
    reads : bool
        Whether it only reads, so that what was read once stays as it is.
    """

    def __init__(self, connection: Connection, reads: bool = False) -> None:
        self.connection = connection
        self._reads = reads

    @cached_property
    def volumes(self) -> Volumes:
        """The disks and shares."""
        from storage.photographs.volumes import Volumes

        return Volumes(self.connection)

    @cached_property
    def folders(self) -> Folders:
        """The folders that were added."""
        from storage.photographs.volumes import Folders

        return Folders(self.connection)

    @cached_property
    def photographs(self) -> Photographs:
        """The photographs."""
        from storage.photographs.photographs import Photographs

        return Photographs(self.connection)

    @cached_property
    def listing(self) -> PhotographListing:
        """The photographs as they are listed."""
        from storage.photographs.photograph_listing import PhotographListing

        return PhotographListing(self.connection)

    @cached_property
    def camera_notes(self) -> CameraNotes:
        """Notes of cameras about contents, beside date and model."""
        from storage.photographs.photographs import CameraNotes

        return CameraNotes(self.connection)

    @cached_property
    def problems(self) -> Problems:
        """The files that could not be read."""
        from storage.photographs.problems import Problems

        return Problems(self.connection)

    @cached_property
    def passed_over(self) -> PassedOver:
        """The files that were passed over."""
        from storage.photographs.problems import PassedOver

        return PassedOver(self.connection)

    @cached_property
    def descriptors(self) -> Descriptors:
        """The vectors."""
        from storage.photographs.descriptors import Descriptors

        return Descriptors(self.connection)

    @cached_property
    def keypoints(self) -> KeptKeypoints:
        """The keypoints."""
        from storage.photographs.descriptors import KeptKeypoints

        return KeptKeypoints(self.connection)

    @cached_property
    def models(self) -> Models:
        """Fitted models."""
        from storage.indexes.models import Models

        return Models(self.connection)

    @cached_property
    def metrics(self) -> Metrics:
        """The metrics."""
        from storage.indexes.models import Metrics

        return Metrics(self.connection)

    @cached_property
    def marks(self) -> Marks:
        """The marks."""
        from storage.marks import Marks

        return Marks(self.connection)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Comparisons of duplicates."""
        from storage.comparisons import Comparisons

        return Comparisons(self.connection)

    @cached_property
    def disposals(self) -> Disposals:
        """The log of what was moved away."""
        from storage.disposals import Disposals

        return Disposals(self.connection)

    @cached_property
    def lab(self) -> Lab:
        """Measurements of the Lab."""
        from storage.lab import Lab

        return Lab(self.connection)

    @cached_property
    def indexes(self) -> Indexes:
        """The indexes."""
        from storage.indexes.indexes import Indexes

        return Indexes(self.connection, self._reads)

    @cached_property
    def codes(self) -> IndexCodes:
        """The codes."""
        from storage.indexes.index_codes import IndexCodes

        return IndexCodes(self.connection)

    @cached_property
    def settings(self) -> LibrarySettings:
        """The settings of the library."""
        return LibrarySettings(self.connection)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove photographs with their descriptors, keypoints, codes and problems; their ids are never given again."""
        if len(ids):
            self.codes.remove(ids)
            self.descriptors.remove(ids)
            of(self.connection).many(_REMOVE, runs(ids))

    def forget(self, volume_id: int, under: bytes) -> int:
        """Remove everything that is known of a folder, at any depth.

        Returns
        -------
        int
            How many photographs that were.
        """
        from storage.photographs.photograph_listing import Filter

        ids = self.photographs.matching(Filter(folders=((volume_id, under),)))
        self.remove(ids)
        self.problems.remove_in(volume_id, under)
        self.passed_over.remove_in(volume_id, under)
        self.folders.remove(volume_id, under)
        self.camera_notes.forget_absent()
        return len(ids)


class LibrarySettings:
    """The settings that go with a library, not with a machine."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a setting's JSON value."""
        row = self._connection.execute(select(setting).where(setting.c.name == name)).first()
        return default if row is None else _value(row)

    def put(self, name: str, value: Any) -> None:
        """Keep a setting; the value is anything that JSON can hold."""
        written = json.dumps(value, sort_keys=True)
        statement = self._dialect.insert(setting).values(name=name, value=written)
        self._connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": written}))

    def remove(self, name: str) -> None:
        """Go back to the default."""
        self._connection.execute(delete(setting).where(setting.c.name == name))

    def all(self) -> dict[str, Any]:
        """Return every setting that was kept."""
        rows = self._connection.execute(select(setting).order_by(setting.c.name))
        return {row.name: _value(row) for row in rows}


def _value(row: Row[Any, Any]) -> Any:
    """Return the JSON value of a setting; a damaged one is no setting to go by."""
    return from_json(sound(setting, row)["value"], setting, row)
