"""Libraries that a cluster makes, beside those that this machine makes of the same folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.app.folders import write_scenes
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.cluster.address import ClusterAddress
from twinlens.app.library.cluster.cluster import Cluster
from twinlens.app.library.ingest.adding import Adding, add, rescan
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import AddResult
from twinlens.core.progress import Progress, silent
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.storage.photographs.photograph_listing import Filter


def everything(library: Library) -> list[object]:
    """Return all that a library knows of its photographs."""
    with library.store.reading() as r:
        ids = r.photographs.matching(Filter())
        codes = [r.codes.load(index.id) for index in r.indexes.all()]
        rows = r.photographs.by_id(ids)
        return [
            [(row.id, row.path, row.state, row.content_hash, row.width, row.taken) for row in rows],
            [[block.tobytes() for block in r.descriptors.read(kind, ids)] for kind in r.descriptors.kinds()],
            r.keypoints.read(ids, KEYPOINTS_VERSION),
            [(one.ids.tolist(), one.codes.tobytes()) for one in codes],
            [(one.path, one.photograph_id, str(one.reason)) for one in r.problems.all()],
            list(r.passed_over.all()),
            [library.thumbnails.get(row.content_hash) for row in rows if row.content_hash],
        ]


class Family:
    """A library and its folder, beside another library of the same folder that nothing has disturbed."""

    def __init__(self, empty: Path, place: Path, photographs: int) -> None:
        self._empty = empty
        self._place = place
        self.folder = place / "photographs"
        write_scenes(self.folder, photographs)
        self.path = self._copy("disturbed")
        self._undisturbed = self._copy("undisturbed")

    def _copy(self, name: str) -> Path:
        (self._place / name).mkdir()
        return Path(shutil.copy(self._empty, self._place / name / "family.twinlens"))

    def added(self, address: ClusterAddress, progress: Progress = silent) -> AddResult:
        with Library.open(self.path) as library:
            return add(library, [self.folder], Adding(cluster=Cluster(address)), progress)

    def rescanned(self, address: ClusterAddress | None = None) -> AddResult:
        with Library.open(self.path) as library:
            return rescan(library, workers=1, cluster=None if address is None else Cluster(address))

    def same(self, *indexes: NewIndex) -> bool:
        """Return whether the library is as one that this machine has made, undisturbed, with more indexes."""
        with Library.open(self._undisturbed) as library:
            add(library, [self.folder], Adding(workers=1))
            for index in indexes:
                create_index(library, index, workers=1)
            undisturbed = everything(library)
        with Library.open(self.path) as library:
            return everything(library) == undisturbed
