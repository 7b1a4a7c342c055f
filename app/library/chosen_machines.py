"""The machines that read photographs for a library, as the person chose them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.library.cluster_in_use import announced_cluster
from app.library.library import Library
from app.library.readers import Machines, ThisMachine

if TYPE_CHECKING:
    from app.library.cluster.cluster import Cluster


@contextmanager
def chosen_machines(library: Library, workers: int | None = None, cluster: Cluster | None = None) -> Iterator[Machines]:
    """Return what reads photographs: processes of this machine, or a cluster, which is in use until the block ends.

    Parameters
    ----------
    library : Library
    workers : int, optional
        Processes of this machine; by default as many as the person prefers.
    cluster : Cluster, optional
        That reads instead; not connected yet.

    Raises
    ------
    TwinlensError
        If the cluster cannot be used, or another program adds photographs to the library.
    """
    if cluster is None:
        yield ThisMachine.of(workers)
        return
    with library.store.adding("reading photos by a cluster"), cluster, announced_cluster(library, cluster.address.text):
        yield cluster
