"""Libraries of both kinds: a SQLite file, and a database of a PostgreSQL server.

A test that asks for ``new_store`` runs on both. Of one kind alone are

- library, migrations, integrity: a file, its locks, journal, copies, upgrades and checksums;
- photographs/test_thumbnails.py: a cache of each machine, in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

from storage.library.store import Store
from tests.postgres import Server, ServerStore, postgres
from tests.storage import making

__all__ = ["postgres"]

NewStore = Callable[[Path], Store]
"""Makes an empty library, in a folder where it is a file."""


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def new_store(request: pytest.FixtureRequest) -> NewStore:
    """Make empty libraries of one kind, then of the other."""
    if request.param == "sqlite":
        return making.new_store
    server: Server = request.getfixturevalue("postgres")
    return lambda folder: cast(Store, ServerStore(server.empty_library()))


@pytest.fixture(autouse=True)
def _tidy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Drop the databases of a test."""
    kind = request.node.callspec.params.get("new_store") if "new_store" in request.fixturenames else ""
    server = request.getfixturevalue("postgres") if kind == "postgres" else None
    yield
    if server is not None:
        server.tidy()
