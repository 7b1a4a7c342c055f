"""Nodes of Dask in this process: a worker, and for ``local:4`` a scheduler beside it that no other process can reach.

They listen for what the cluster's certificates or its network protect, and for nothing else: Dask's web pages have
neither. A local scheduler does not listen at all, since its only worker and client are in the same process: this
machine's other users cannot have it run anything.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from app.library.cluster.address import imported
from app.library.cluster.machine import CORES

CLOSE_S = 5
_HERE = {"protocol": "inproc://", "dashboard": False}


def worker_class() -> type[Any]:
    """Return the class of Dask workers, without web pages."""
    return _without_pages(imported().Worker)


def _without_pages(node: type[Any]) -> type[Any]:
    return type(node.__name__, (node,), {"start_http_server": lambda *_, **__: None})


@contextmanager
def worker_options(processes: int) -> Iterator[dict[str, Any]]:
    """Yield the options of a Dask worker that has so many processes read, with a folder until the block ends."""
    with tempfile.TemporaryDirectory(prefix="twinlens-", ignore_cleanup_errors=True) as folder:
        yield {
            "nthreads": 1,
            "resources": {CORES: processes},
            "memory_limit": None,
            "dashboard": False,
            "local_directory": folder,
            "silence_logs": logging.CRITICAL,
        }


@contextmanager
def local_cluster(processes: int) -> Iterator[Any]:
    """Run a scheduler and one worker in this process, which has so many processes read, until the block ends.

    Returns
    -------
    distributed.SpecCluster
    """
    distributed = imported()
    from distributed.comm import inproc

    inproc.global_manager._ip = "127.0.0.1"  # else Dask asks by which address others would reach this machine
    with worker_options(processes) as options:
        made = distributed.SpecCluster(
            scheduler={
                "cls": _without_pages(distributed.Scheduler),
                "options": {**_HERE, "local_directory": options["local_directory"]},
            },
            workers={0: {"cls": worker_class(), "options": {**options, **_HERE}}},
            silence_logs=logging.CRITICAL,
        )
        try:
            yield made
        finally:
            with suppress(OSError, TimeoutError, RuntimeError):
                made.close(timeout=CLOSE_S)
