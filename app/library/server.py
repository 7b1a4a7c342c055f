"""A library on a server, looked at before it is opened."""

from __future__ import annotations

from core.message import Message, counted, joined
from storage.database.address import Address
from storage.database.library_errors import MissingError
from storage.database.schema import PhotographState
from storage.library.store import Store


def describe_server(address: Address) -> Message:
    """Connect to a server once and say what is there; nothing is made.

    Raises
    ------
    TwinlensError
        If it does not answer, refuses, or holds something else.
    """
    try:
        with Store.open(address) as store, store.reading() as r:
            found, writable = r.photographs.counts()[PhotographState.READY], store.writable
    except MissingError:
        return Message("{library} is empty. Opening it makes a new library there.", library=address.title)
    said = counted("{library} has {count} photo.", "{library} has {count} photos.", found, library=address.title)
    return said if writable else joined([said, Message("It can only be read.")])
