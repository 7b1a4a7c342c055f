"""Capacity of this machine for reading photographs: the number of processes, the memory of each, and the pace.

By default there is a process for each core, and each has a share of the machine's memory. The library remembers how
fast each machine read and learned, and estimates are made from that. Nothing large is imported here.
"""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

from twinlens.app.machine import preferences
from twinlens.core.systems import system

if TYPE_CHECKING:
    from twinlens.app.library.workers.decoding_tasks import WorkerLimits
    from twinlens.storage.library.store import Transaction


_PACE = "reading pace"  # the settings that remember it
_FITTING = "fitting pace"
_MACHINES = 50  # whose pace is remembered
_MEASURED = 50  # photographs, at least, for a pace: with fewer the start of the processes weighs too much
_CORE_SECONDS = 0.13  # for a photograph of twelve megapixels, where none was measured
_FITTING_SECONDS = 0.002  # for a photograph that an index learns from, where none was measured
_THUMBNAIL_BYTES = 12_000
_KEYPOINTS_BYTES = 5_500  # those of three photographs fill a page of the library
_DIMENSIONS = 1_500  # of a photograph's vectors in a new library, roughly


def usual_workers() -> int:
    """Return the number of processes that read: the preferred one, or one a core."""
    preferred = preferences.load().workers
    return system.processors() if isinstance(preferred, str) else preferred


def preferred_limits(workers: int) -> WorkerLimits:
    """Return the limits of time and memory for one photograph, for a number of processes."""
    from twinlens.app.library.workers.decoding_tasks import WorkerLimits

    return WorkerLimits(memory_bytes=preferred_allowance(workers))


def preferred_allowance(workers: int) -> int:
    """Return the bytes of memory that each of a number of processes may take."""
    preferred = preferences.load().worker_memory
    return usual_allowance(workers) if isinstance(preferred, str) else preferred << 20


_SHARE = 0.75  # of the memory, for all processes that read together; they rarely hold large pictures at the same time
_LEAST, _MOST = 256 << 20, 2048 << 20


def usual_allowance(workers: int, machine_bytes: int | None = None) -> int:
    """Return the bytes that each process may take where nothing else is preferred.

    Parameters
    ----------
    machine_bytes : int, optional
        The machine's memory; by default that of this machine.

    Examples
    --------
    >>> usual_allowance(8, 8 << 30) >> 20, usual_allowance(2, 64 << 30) >> 20, usual_allowance(4, 1 << 30) >> 20
    (768, 2048, 256)
    """
    machine = system.memory_bytes() if machine_bytes is None else machine_bytes
    return min(max(int(machine * _SHARE) // max(workers, 1), _LEAST), _MOST)


def reading_cost(r: Transaction, photographs: int, workers: int) -> tuple[float, float]:
    """Estimate what reading photographs will cost.

    Parameters
    ----------
    r : Transaction
        Of the library: it remembers how long its photographs took the last time that many were read.

    Returns
    -------
    seconds, bytes : float
        Bytes in the library and in the cache of thumbnails.
    """
    dimensions = sum(kind.dimensions for kind in r.descriptors.kinds()) or _DIMENSIONS
    # More processes than cores read no faster.
    seconds = photographs * _remembered(r, _PACE, "core_seconds", _CORE_SECONDS) / min(workers, system.processors())
    return seconds, photographs * (_THUMBNAIL_BYTES + _KEYPOINTS_BYTES + 2.0 * dimensions)


def _remembered(r: Transaction, name: str, what: str, otherwise: float) -> float:
    """Return the number of this machine, else the latest of any machine."""
    known, machines = _known(r, name)
    return float(machines.get(platform.node()) or known.get(what) or otherwise)


def _known(r: Transaction, name: str) -> tuple[dict[str, Any], dict[str, float]]:
    """Return a setting as it is kept, and its numbers by machine, the oldest first."""
    found = r.settings.get(name)
    known = found if isinstance(found, dict) else {}
    return known, dict(known.get("machines", ()))


def fitting_seconds(r: Transaction, photographs: float) -> float:
    """Estimate how long indexes take to learn from so many photographs, counted once for each index."""
    return photographs * _remembered(r, _FITTING, "seconds", _FITTING_SECONDS)


def remember_pace(w: Transaction, photographs: int, seconds: float, workers: int) -> None:
    """Remember how long reading took on this machine, if there were enough photographs."""
    if photographs >= _MEASURED:
        _remember(w, _PACE, "core_seconds", seconds * workers / photographs)


def _remember(w: Transaction, name: str, what: str, value: float) -> None:
    """Remember a number of this machine, and as the latest of any machine, with which a new machine begins."""
    _, machines = _known(w, name)
    machines.pop(platform.node(), None)
    newest = list(machines.items())[1 - _MACHINES :]
    w.settings.put(name, {what: value, "machines": [*newest, (platform.node(), value)]})


def remember_fitting_pace(w: Transaction, photographs: float, seconds: float) -> None:
    """Remember how long learning took on this machine, if there were enough photographs."""
    if photographs >= _MEASURED:
        _remember(w, _FITTING, "seconds", seconds / photographs)


def rough_duration(seconds: float) -> str:
    """Write a span of time for people.

    Examples
    --------
    >>> rough_duration(0.2), rough_duration(100), rough_duration(3600), rough_duration(36_000)
    ('1 second', '100 seconds', '60 minutes', '10 hours')
    """
    if seconds >= 7200:
        return f"{seconds / 3600:,.0f} hours"
    if seconds >= 120:
        return f"{seconds / 60:,.0f} minutes"
    whole = max(1, round(seconds))
    return "1 second" if whole == 1 else f"{whole} seconds"
