"""The status of a library: what it holds, counted."""

from __future__ import annotations

from twinlens.app.indexes.indexes import index_statuses
from twinlens.app.library import volumes
from twinlens.app.library.library import Library, cluster_in_use
from twinlens.app.library.library_results import FolderStatus, StatusResult
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
