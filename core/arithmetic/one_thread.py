"""Matrix products in one thread: what is small is no faster in two, and many times slower where others compute.

A product in two threads waits for the slower of them. Where another program has one of the processors, as while
photographs are being added, that is a wait of some ten milliseconds for a product of one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_lock = threading.Lock()


class _Inside:
    """Who is inside, and how many threads there are otherwise."""

    count = 0
    threads = 1


@contextmanager
def one_thread() -> Iterator[None]:
    """Let matrix products of the whole process use one thread meanwhile; may be nested, and used in several threads.

    The last that leaves sets the number back, to the largest there was before.

    Examples
    --------
    >>> with one_thread():
    ...     product = 2 * 3
    """
    with _lock:
        if _Inside.count == 0:
            _Inside.threads = max(_Inside.threads, *(library.get_num_threads() or 1 for library in _libraries()), 1)
            _set(1)
        _Inside.count += 1
    try:
        yield
    finally:
        with _lock:
            _Inside.count -= 1
            if _Inside.count == 0:
                _set(_Inside.threads)


@cache
def _libraries() -> list[Any]:
    """Find the libraries that multiply: numpy's, which is loaded; looking for others again would take longer."""
    from threadpoolctl import ThreadpoolController

    return [library for library in ThreadpoolController().lib_controllers if library.user_api == "blas"]


def _set(threads: int) -> None:
    for library in _libraries():
        library.set_num_threads(threads)
        # The thread that sets it is the only one that may, until it says that another may: the last may be another.
        let_go = getattr(library, "clear_controlling_thread", None)
        if let_go is not None:
            let_go()
