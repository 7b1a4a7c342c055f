"""Wait for compiled loops, without which times would be those of plain NumPy."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

from twinlens.app.machine import app_folders
from twinlens.core.compilation import compilation
from twinlens.core.message import Message
from twinlens.core.progress import Progress

_LOOK_S = 0.2

T = TypeVar("T")


def compile_first(progress: Progress) -> None:
    """Compile the loops, or wait until they are compiled."""
    compilation.prepare(app_folders.compiled_cache_folder())
    run_in_thread(lambda: compilation.ready(wait=True), progress, Message("Compiling loops"))


def run_in_thread(work: Callable[[], T], progress: Progress, text: Message) -> T:
    """Run work that cannot be interrupted in a thread, and raise if the person cancels meanwhile."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 (whoever waits for it raises it)
            done.set_exception(error)

    Thread(target=run, name="bench", daemon=True).start()
    while not done.done():
        progress(0.0, 1.0, text)
        wait([done], _LOOK_S)
    return done.result()
