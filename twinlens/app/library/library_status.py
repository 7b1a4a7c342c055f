"""The status of a library: what it holds, counted; in full, or as the window shows it at once."""

from __future__ import annotations

from typing import NamedTuple

from twinlens.app.indexes.indexes import index_statuses
from twinlens.app.library import volumes
from twinlens.app.library.library import Library, cluster_in_use
from twinlens.app.library.library_results import ClusterStatus, FolderStatus, StatusResult
from twinlens.core.files.untrusted_input import shown
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.library_sizes import sizes


def library_status(library: Library) -> StatusResult:
    """Count what a library holds."""
    with library.store.reading() as r:
        counts = r.photographs.counts()
        known = library.volumes(r)
        folders = [
            FolderStatus(
                path=shown(volumes.locate(known[row.volume_id], row.path)),
                photographs=r.photographs.count_under(row.volume_id, row.path, PhotographState.READY),
                present=volumes.is_present(known[row.volume_id]),
                excludes=list(row.excludes),
            )
            for row in r.folders.all()
        ]
        problems, passed_over = r.problems.count(), r.passed_over.count()
        statuses = index_statuses(r)
        to_prepare = len(r.keypoints.lacking(KEYPOINTS_VERSION))
        cluster = cluster_in_use(library, r)
    return StatusResult(
        library=library.address.shown,
        server=None if library.address.is_file else library.address.server,
        cluster=cluster,
        writable=library.store.writable,
        photographs=counts[PhotographState.READY],
        pending=counts[PhotographState.PENDING],
        to_prepare=to_prepare,
        problems=problems,
        missing=counts[PhotographState.MISSING],
        passed_over=passed_over,
        folders=folders,
        indexes=statuses,
        bytes=sizes(library.store).file,
        bytes_thumbnails=library.thumbnails.bytes(),
    )


class LibraryCounts(NamedTuple):
    """Counts of a library.

    Attributes
    ----------
    listed : int
        Photographs that a listing of all has.
    problems : int
        Those that are not set aside.
    pending : int
        Photographs that are still to be read.
    to_prepare : int
        Photographs that can be searched, but not compared point by point yet.
    cluster : ClusterStatus or None
        The cluster that reads photographs now.
    """

    listed: int
    problems: int
    pending: int
    to_prepare: int
    cluster: ClusterStatus | None = None


def counts(library: Library) -> LibraryCounts:
    """Count the photographs and problems of a library, and the photographs still to be read or prepared."""
    with library.store.reading() as r:
        return LibraryCounts(
            r.listing.count(),
            r.problems.count(),
            r.photographs.counts()[PhotographState.PENDING],
            len(r.keypoints.lacking(KEYPOINTS_VERSION)),
            cluster_in_use(library, r),
        )


def has_folders(library: Library) -> bool:
    """Return whether any folder was added."""
    with library.store.reading() as r:
        return bool(r.folders.all())
