"""One transaction: everything of a library as it is at one moment, or one batch that is kept whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from storage.batches import Ids, runs
from storage.codes import Codes
from storage.descriptors import Descriptors
from storage.filters import Filter
from storage.indexes import Indexes
from storage.keypoints import Keypoints
from storage.lab import Lab
from storage.listing import Listing
from storage.marks import Marks
from storage.metrics import Metrics
from storage.models import Models
from storage.passed_over import PassedOver
from storage.photographs import Photographs
from storage.problems import Problems
from storage.settings import Settings
from storage.volumes import Folders, Volumes


class Transaction:
    """The parts of a library within one transaction.

    Made by :meth:`storage.store.Store.reading` and :meth:`storage.store.Store.writing`; its parts, and what they
    stream, are good until the end of that block.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.volumes = Volumes(connection)
        self.folders = Folders(connection)
        self.photographs = Photographs(connection)
        self.listing = Listing(connection)
        self.problems = Problems(connection)
        self.passed_over = PassedOver(connection)
        self.descriptors = Descriptors(connection)
        self.keypoints = Keypoints(connection)
        self.models = Models(connection)
        self.metrics = Metrics(connection)
        self.marks = Marks(connection)
        self.lab = Lab(connection)
        self.indexes = Indexes(connection)
        self.codes = Codes(connection)
        self.settings = Settings(connection)

    def remove(self, ids: Sequence[int] | Ids) -> None:
        """Remove photographs with their descriptors, keypoints, codes and problems; their ids are never given again."""
        if len(ids):
            self.codes.remove(ids)
            self.descriptors.remove(ids)
            self.connection.exec_driver_sql("DELETE FROM photograph WHERE id BETWEEN ? AND ?", runs(ids))

    def forget(self, volume_id: int, under: bytes) -> int:
        """Remove everything that is known of a folder, at any depth.

        Returns
        -------
        int
            How many photographs that were.
        """
        ids = self.photographs.matching(Filter(folders=((volume_id, under),)))
        self.remove(ids)
        self.problems.remove_in(volume_id, under)
        self.passed_over.remove_in(volume_id, under)
        self.folders.remove(volume_id, under)
        return len(ids)
