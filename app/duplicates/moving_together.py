"""Files that are moved together: all of them, or none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from app.machine import moving, trash
from core.errors import TwinlensError


def put_all(sources: Sequence[bytes], targets: Sequence[bytes | None]) -> list[bytes | None]:
    """Move files away, one after the other; where one cannot be moved, those before it come back.

    Parameters
    ----------
    sources : sequence of bytes
        Full paths.
    targets : sequence of bytes or None
        The full path that each gets; None for the trash.

    Returns
    -------
    list of bytes or None
        Where each lies now, where the system tells.

    Raises
    ------
    FileExistsError
        If something has the name of a target by now.
    TwinlensError
        If one cannot be moved.
    """
    done: list[tuple[bytes | None, bytes]] = []
    try:
        for source, target in zip(sources, targets, strict=True):
            done.append((_put(source, target), source))
    except BaseException:
        for (lies_at, path), target in zip(reversed(done), reversed(targets[: len(done)]), strict=True):
            put_back([(lies_at, path)], target)
        raise
    return [lies_at for lies_at, _ in done]


def _put(source: bytes, target: bytes | None) -> bytes | None:
    if target is None:
        return trash.put(source)
    try:
        moving.move(source, target)
    except FileExistsError:
        raise
    except OSError as error:
        raise moving.why_not(error, os.path.dirname(target)) from error
    return target


def bring_back(lies_at: bytes, path: bytes, destination: bytes | None) -> None:
    """Bring a file back from the folder that it was moved to, or from the trash.

    Raises
    ------
    TwinlensError
        If something has its place by now, or the system does not permit it.
    """
    if destination is None:
        trash.restore(lies_at, path)
    else:
        moving.bring_back(lies_at, path)


def put_back(moved: Sequence[tuple[bytes | None, bytes]], destination: bytes | None) -> None:
    """Bring files back of which nobody was told; one that cannot come is found when the log is settled.

    Parameters
    ----------
    moved : sequence of (bytes or None, bytes)
        Where each lies, and where it was.
    destination : bytes or None
        None if they lie in the trash.
    """
    for lies_at, path in moved:
        if lies_at is not None:
            with contextlib.suppress(TwinlensError):
                bring_back(lies_at, path, destination)
