"""Comparing in a process of its own, where it takes long: the window goes on as if nothing ran."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.library.library import Library
from app.machine.separate_process import run_in_process
from core.progress import Progress, silent

WORTH_IT = 100
"""New pictures from which on another process is started: that takes as long as comparing so many."""


@dataclass(frozen=True)
class _Compare:
    def __call__(self, library: Library, progress: Progress, tell: Callable[[Any], None], /) -> int:
        from app.duplicates.comparing import compare_pictures

        return compare_pictures(library, progress=progress)


def compare_in_process(library: Library, progress: Progress = silent, worth_it: int = WORTH_IT) -> int:
    """Compare what is new in a library with everything, in a process of its own if there is much.

    Parameters
    ----------
    library : Library
    progress : Progress
        May raise ``Cancelled``: that ends the process at once, and what was found is kept.
    worth_it : int
        New pictures from which on another process does it.

    Returns
    -------
    int
        How many pictures were new.

    Raises
    ------
    TwinlensError
        If the process ends by itself.
    Cancelled
        If progress says so.
    """
    from app.duplicates.comparing import compare_pictures, waiting_pictures

    if waiting_pictures(library) < worth_it:
        return compare_pictures(library, progress=progress)
    compared: int = run_in_process(library.address, _Compare(), progress)
    return compared
