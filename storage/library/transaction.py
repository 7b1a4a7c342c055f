"""One transaction: everything of a library as it is at one moment, or one batch that is kept whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import Connection, bindparam, delete

from core.arrays import Int64Ids
from storage.database.batches import runs
from storage.database.dialect import of
from storage.database.schema import photograph

if TYPE_CHECKING:
    from storage.duplicates.comparisons import Comparisons
    from storage.duplicates.disposals import Disposals
    from storage.indexes.index_codes import IndexCodes
    from storage.indexes.indexes import Indexes
    from storage.indexes.metrics import Metrics
    from storage.indexes.models import Models
    from storage.lab import Lab
    from storage.library.library_settings import LibrarySettings
    from storage.marks import Marks
    from storage.photographs.camera_notes import CameraNotes
    from storage.photographs.descriptors import Descriptors
    from storage.photographs.keypoints import KeptKeypoints
    from storage.photographs.photograph_listing import PhotographListing
    from storage.photographs.photographs import Photographs
    from storage.photographs.volumes import Folders, Volumes
    from storage.problems.passed_over_files import PassedOver
    from storage.problems.problems import Problems

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
        from storage.photographs.camera_notes import CameraNotes

        return CameraNotes(self.connection)

    @cached_property
    def problems(self) -> Problems:
        """The files that could not be read."""
        from storage.problems.problems import Problems

        return Problems(self.connection)

    @cached_property
    def passed_over(self) -> PassedOver:
        """The files that were passed over."""
        from storage.problems.passed_over_files import PassedOver

        return PassedOver(self.connection)

    @cached_property
    def descriptors(self) -> Descriptors:
        """The vectors."""
        from storage.photographs.descriptors import Descriptors

        return Descriptors(self.connection)

    @cached_property
    def keypoints(self) -> KeptKeypoints:
        """The keypoints."""
        from storage.photographs.keypoints import KeptKeypoints

        return KeptKeypoints(self.connection)

    @cached_property
    def models(self) -> Models:
        """Fitted models."""
        from storage.indexes.models import Models

        return Models(self.connection)

    @cached_property
    def metrics(self) -> Metrics:
        """The metrics."""
        from storage.indexes.metrics import Metrics

        return Metrics(self.connection)

    @cached_property
    def marks(self) -> Marks:
        """The marks."""
        from storage.marks import Marks

        return Marks(self.connection)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Comparisons of duplicates."""
        from storage.duplicates.comparisons import Comparisons

        return Comparisons(self.connection)

    @cached_property
    def disposals(self) -> Disposals:
        """The log of what was moved away."""
        from storage.duplicates.disposals import Disposals

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
        from storage.library.library_settings import LibrarySettings

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
        from storage.photographs.filters import Filter

        ids = self.photographs.matching(Filter(folders=((volume_id, under),)))
        self.remove(ids)
        self.problems.remove_in(volume_id, under)
        self.passed_over.remove_in(volume_id, under)
        self.folders.remove(volume_id, under)
        self.camera_notes.forget_absent()
        return len(ids)
