"""Suspicion: what should be impossible is blamed on a library that proves to be damaged, otherwise on the program."""

from __future__ import annotations

import time

from sqlalchemy.exc import SQLAlchemyError

from core.errors import Cancelled, TwinlensError
from core.message import NOTHING, Message
from storage.database import library_errors
from storage.integrity.integrity_check import check
from storage.library.store import Store

_LONGEST_S = 20.0
"""For the check: of a library that takes longer, the program is to blame until somebody checks it."""

_IMPOSSIBLE = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, RecursionError, StopIteration,
    TypeError, ValueError, SQLAlchemyError,
)  # fmt: skip
"""What is raised where the rows of a library do not fit together."""


def damage_behind(error: BaseException, store: Store) -> TwinlensError | None:
    """Return the error that a library is damaged, where that explains another error; None where it does not."""
    if not isinstance(error, _IMPOSSIBLE):
        return None
    until = time.monotonic() + _LONGEST_S

    def patience(done: float, total: float, text: Message = NOTHING) -> None:
        if time.monotonic() > until:
            raise Cancelled

    try:
        damaged = bool(check(store, patience).findings)
    except Cancelled:
        return None
    except TwinlensError as damage:
        return damage
    except _IMPOSSIBLE:
        damaged = True
    return library_errors.damaged_throughout(store.address.shown) if damaged else None
