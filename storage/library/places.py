"""The kinds of places that a library can lie in, chosen by its address; a server's driver is imported only for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from core.errors import TwinlensError
from core.message import Message
from storage.database.address import Address
from storage.database.filling import Filling
from storage.database.place import Place
from storage.sqlite.place import SqlitePlace


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
    if address.is_file:
        return SqlitePlace.open(address.path, create, wait_s)
    with _driver(address):
        from storage.postgres.place import PostgresPlace
    return PostgresPlace.open(address, create, wait_s)


def filled_server(
    address: Address, purpose: str, wait_s: float, replace: bool = False
) -> AbstractContextManager[Filling]:
    """Return a library on a server to be filled; see :func:`storage.postgres.filling.filled`."""
    with _driver(address):
        from storage.postgres.filling import filled
    return filled(address, purpose, wait_s, replace)


def server_holds_library(address: Address) -> bool:
    """Return whether there is a library on a server; see :func:`storage.postgres.filling.holds_library`."""
    with _driver(address):
        from storage.postgres.filling import holds_library
    return holds_library(address)


@contextmanager
def _driver(address: Address) -> Iterator[None]:
    """Say what is missing where the driver of a server cannot be imported inside the block."""
    try:
        yield
    except ImportError as error:
        raise TwinlensError(
            Message("The library {path} lies on a server, for which the driver is missing.", path=address.shown),
            Message("Install it: pip install 'psycopg[binary]'"),
        ) from error
