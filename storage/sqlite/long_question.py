"""A question to a file that SQLite answers in one long step, such as whether its pages are sound: it can be stopped.

SQLite 3.40 and earlier cannot be interrupted within such a step. So a thread asks, and who waits for it may go: the
thread is told to stop, ends as soon as SQLite lets it, and holds nothing but a connection of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import TypeVar

from storage.sqlite.engine import Access, connect

_LOOK_S = 0.1
Answer = TypeVar("Answer")


def ask(
    path: Path,
    access: Access,
    wait_s: float,
    question: Callable[[sqlite3.Connection], Answer],
    look: Callable[[], object],
) -> Answer:
    """Ask on a connection of its own, in little memory, and wait for the answer.

    Parameters
    ----------
    path : Path
    access : Access
    wait_s : float
        How long a statement waits for another program's lock.
    question : callable
    look : callable
        Called every tenth of a second; raises :class:`core.errors.Cancelled` to stop.
    """
    look()
    connection = connect(path, access, wait_s)
    answer: Future[Answer] = Future()

    def work() -> None:
        try:
            with closing(connection):
                connection.execute("PRAGMA mmap_size = 0")  # all of it would count as the program's memory
                answer.set_result(question(connection))
        except BaseException as error:  # noqa: BLE001 (raised where it is waited for)
            answer.set_exception(error)

    # A daemon: the end of the program does not wait for it.
    Thread(target=work, name="long question", daemon=True).start()
    try:
        while not wait([answer], _LOOK_S).done:
            look()
    except BaseException:
        with suppress(sqlite3.ProgrammingError):  # it has just been answered
            connection.interrupt()
        raise
    return answer.result()
