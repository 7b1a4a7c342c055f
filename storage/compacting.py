"""Giving the space of what was removed back to the disk."""

from __future__ import annotations

from contextlib import closing

from storage import failures
from storage.copying import refuse_without_space
from storage.engine import Access, connect
from storage.store import Store


def compact(store: Store) -> None:
    """Write the file anew without the space that is free inside it; readers go on meanwhile.

    Raises
    ------
    TwinlensError
        If another writes, or the disk has no space for a copy.
    """
    refuse_without_space(store.path, store.path)
    alone, sentences = store.alone("giving space back"), failures.in_sentences(store.path)
    with alone, sentences, closing(connect(store.path, Access.WRITE, store.wait_s)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
