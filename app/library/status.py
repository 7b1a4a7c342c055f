"""The status of a library: its folders, photographs, problems and indexes, counted."""

from __future__ import annotations

from app.indexes.indexes import index_statuses
from app.library import volumes
from app.library.cluster_in_use import cluster_in_use
from app.library.library import Library
from app.library.results import FolderStatus, StatusResult
from app.results import shown
from features.keypoints.kept_keypoints import KEYPOINTS_VERSION
from storage.database.schema import PhotographState
from storage.library.library_sizes import sizes


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
