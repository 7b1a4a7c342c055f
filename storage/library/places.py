"""The kinds of places that a library can lie in, chosen by its address; a server's driver is imported only for one."""

from __future__ import annotations

from storage.database.address import Address
from storage.database.place import Place


def open_place(address: Address, create: bool, wait_s: float) -> Place:
    """Open the place of a library.

    Parameters
    ----------
    address : Address
    create : bool
        Whether to make a new library where there is none.
    wait_s : float
        How long to wait for another program, here and later.
    """
    from storage.sqlite.place import SqlitePlace

    return SqlitePlace.open(address.path, create, wait_s)
