"""Libraries of both kinds: a SQLite file, and a database of a PostgreSQL server.

A test that asks for ``new_store`` runs on both. Of one kind alone are

- sqlite, migrations, integrity/test_flipped_bits.py, and the backups of library/test_backup.py: a file, its locks,
  journal, upgrades and checksums, and the cache of each machine, which is a file of its own;
- postgres: what a server alone can do, refuse or lose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.postgres import Server, postgres
from tests.storage import making
from twinlens.storage.library.store import Store

__all__ = ["postgres"]

NewStore = Callable[[Path], Store]
"""Makes an empty library, in a folder where it is a file."""


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def new_store(request: pytest.FixtureRequest) -> NewStore:
    """Make empty libraries of one kind, then of the other."""
    if request.param == "sqlite":
        return making.new_store
    server: Server = request.getfixturevalue("postgres")
    return lambda folder: Store.open(server.empty_library(), wait_s=5.0)


@pytest.fixture
def empty_database(postgres: Server) -> Iterator[str]:
    """Make a database with nothing in it, and return its address."""
    yield postgres.database()
    postgres.tidy()


@pytest.fixture(autouse=True)
def _tidy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Drop the databases of a test."""
    kind = request.node.callspec.params.get("new_store") if "new_store" in request.fixturenames else ""
    server = request.getfixturevalue("postgres") if kind == "postgres" else None
    yield
    if server is not None:
        server.tidy()
