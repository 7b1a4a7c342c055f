"""The cluster that reads photographs for a library now, as every program is told that has the library open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from app.library.library import Library
from app.library.results import ClusterStatus
from core.errors import TwinlensError
from storage.library.transaction import Transaction

_CLUSTER_SETTING = "cluster"


@contextmanager
def announced_cluster(library: Library, address: str) -> Iterator[None]:
    """Tell the address of a cluster as long as the block lasts, in which this program alone adds photographs.

    It is kept with who uses it, so that what a kill leaves tells nothing.
    """
    with library.store.writing("telling which cluster reads") as w:
        w.settings.put(_CLUSTER_SETTING, {"address": address, "by": library.store.adding_by()})
    try:
        yield
    finally:
        with suppress(TwinlensError), library.store.writing("telling that no cluster reads") as w:
            w.settings.remove(_CLUSTER_SETTING)


def cluster_in_use(library: Library, r: Transaction) -> ClusterStatus | None:
    """Return the cluster that reads for a library now, by this program or another; None where none does."""
    kept = r.settings.get(_CLUSTER_SETTING)
    if not isinstance(kept, dict):
        return None
    by = library.store.adding_by()
    return ClusterStatus(address=kept["address"], by=by) if by and by == kept["by"] else None
