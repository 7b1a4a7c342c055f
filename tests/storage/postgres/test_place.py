"""A library on a server: what lies there, rights, plans of statements, and failures said in sentences."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from tests.postgres import Server
from tests.storage.making import batch, files, finished, index, other_program, plans, read, register
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.storage import migrations
from twinlens.storage.database import values
from twinlens.storage.database.address import Address
from twinlens.storage.database.schema import photograph
from twinlens.storage.database.values import PhotographState
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.library_sizes import sizes
from twinlens.storage.library.store import Store
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.storage.photographs.photographs import ChangedFile, MovedFile, NewFile
from twinlens.storage.photographs.problems import NewProblem
from twinlens.storage.postgres import library_schema, place
from twinlens.storage.postgres.connections import holder, name
from twinlens.storage.postgres.failures import in_sentences, translated

SECRET = "verysecret"


def _refused(address: str, create: bool = False) -> TwinlensError:
    with pytest.raises(TwinlensError) as refused:
        Store.open(address, create=create, wait_s=0.2)
    assert refused.value.next_step
    assert SECRET not in str(refused.value)
    return refused.value


def _with_options(address: str, options: str) -> str:
    return f"{address}&options={options.replace(' ', '%20').replace('=', '%3D')}"


def _as(address: str, login: str) -> str:
    """Return the address for another login."""
    return re.sub("//postgres:?@", f"//{login}@", address)


def test_a_library_is_made_in_an_empty_database_when_said(empty_database: str) -> None:
    assert str(_refused(empty_database).message).startswith("There is no library")
    with Store.open(empty_database, create=True) as made, Store.open(empty_database) as again:
        assert made.id == again.id
        assert made.writable
        assert made.place.login == "postgres"
        with made.writing() as w:
            batch(w, 0, 40)
            index(w)
        assert check(again).findings == []
        measured = sizes(again)
        assert measured.free == 0
        assert 0 < measured.descriptors + measured.codes < measured.file


def test_two_programs_may_make_the_same_library(empty_database: str) -> None:
    ids: list[str] = []

    def make() -> None:
        with Store.open(empty_database, create=True) as store:
            ids.append(store.id)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 4
    assert len(set(ids)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE bookmark (title text)",
        "CREATE VIEW one AS SELECT 1",
        "CREATE TABLE library (x int); CREATE TABLE photograph (x int); CREATE TABLE alembic_version (x int)",
    ],
)
def test_what_is_no_library_is_left_as_it_is(empty_database: str, postgres: Server, statement: str) -> None:
    postgres.execute(statement, empty_database)
    tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
    before = postgres.execute(tables, empty_database)
    for create in (False, True):
        assert "is not a Twinlens library" in str(_refused(empty_database, create).message)
    assert postgres.execute(tables, empty_database) == before


def test_a_newer_library(empty_database: str, postgres: Server) -> None:
    Store.open(empty_database, create=True).close()
    postgres.execute("UPDATE alembic_version SET version_num = '9999'", empty_database)
    assert "newer Twinlens" in str(_refused(empty_database, create=True).message)


def test_an_older_program_beside_an_upgraded_library_is_told_so(empty_database: str, postgres: Server) -> None:
    """Also when it has the library open: its next connection sees the revision."""
    with Store.open(empty_database, create=True) as store:
        postgres.execute("UPDATE alembic_version SET version_num = '9999'", empty_database)
        with pytest.raises(TwinlensError, match="newer Twinlens"), store.writing() as w:
            register(w, files(0, 1))


def test_a_schema_that_is_not_there(empty_database: str) -> None:
    refused = _refused(_with_options(empty_database, "-csearch_path=none"), create=True)
    assert "has no schema" in str(refused.message)


def test_libraries_of_one_database_do_not_meet(empty_database: str, postgres: Server) -> None:
    for path in ("one", "two"):
        postgres.execute(f"CREATE SCHEMA {path}", empty_database)
    first, second = (_with_options(empty_database, f"-csearch_path={path}") for path in ("one", "two"))
    with Store.open(first, create=True) as one, Store.open(second, create=True) as two:
        assert one.id != two.id
        with one.adding(), two.adding(), one.writing() as w, two.writing() as v:
            register(w, files(0, 3))
            register(v, files(0, 5))
        with one.reading() as r, two.reading() as s:
            assert (sum(r.photographs.counts().values()), sum(s.photographs.counts().values())) == (3, 5)
        assert sizes(one).file < 2 * sizes(two).file


@pytest.fixture
def reader(empty_database: str, postgres: Server) -> str:
    """Return the address of a library for a login that may only read."""
    Store.open(empty_database, create=True).close()
    for statement in (
        f"DROP ROLE IF EXISTS visitor; CREATE ROLE visitor LOGIN PASSWORD '{SECRET}'",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO visitor",
    ):
        postgres.execute(statement, empty_database)
    return _as(empty_database, f"visitor:{SECRET}")


def test_a_login_that_may_only_read(reader: str, empty_database: str, postgres: Server) -> None:
    with Store.open(reader) as store:
        assert not store.writable
        assert store.place.login == "visitor"
        with store.reading() as r:
            assert r.photographs.by_id([1]) == []
        store.compact()
        version = store.data_version()
        with pytest.raises(TwinlensError, match="can only be read"), store.writing():
            pass
        with pytest.raises(TwinlensError, match="can only be read"), store.adding():
            pass
        assert store.data_version() == version
        assert SECRET not in repr(store.address) + str(store.address)
    postgres.execute("DROP OWNED BY visitor", empty_database)
    assert "does not permit" in str(_refused(reader).message)
    postgres.execute("DROP ROLE visitor")


def test_a_server_that_only_reads(empty_database: str) -> None:
    Store.open(empty_database, create=True).close()
    with Store.open(_with_options(empty_database, "-cdefault_transaction_read_only=on")) as store:
        assert not store.writable


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("/test_", "/none_"), "has no database"),
        (lambda text: _as(text, f"nobody:{SECRET}"), "refuses the login"),
        (lambda text: f"postgresql://postgres:{SECRET}@127.0.0.1:1/photos", "There is no connection"),
        (lambda text: f"{text}&colour=blue", "does not know"),
        (lambda text: f"{text}&connect_timeout=long", "does not know"),
    ],
)
def test_what_keeps_a_program_out_is_said(empty_database: str, change: Callable[[str], str], words: str) -> None:
    assert words in str(_refused(change(empty_database)).message)


def test_a_schema_in_which_nothing_may_be_made(empty_database: str, postgres: Server) -> None:
    postgres.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN", empty_database)
    guest = _as(empty_database, "guest")
    assert "can only be read" in str(_refused(guest, create=True).message)
    postgres.execute("DROP ROLE guest")


def test_without_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [module for module in sys.modules if module.startswith("twinlens.storage.postgres")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    refused = _refused(f"postgresql://anna:{SECRET}@archive/photos")
    assert "psycopg[binary]" in str(refused.advice)


def _database(address: str) -> str:
    return address.split("/")[3].split("?", maxsplit=1)[0]


def _end_connections(postgres: Server, address: str) -> None:
    database = address.split("/")[3].split("?", maxsplit=1)[0]
    postgres.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")


def test_a_connection_that_is_lost_is_said_and_the_next_one_works(empty_database: str, postgres: Server) -> None:
    with Store.open(empty_database, create=True) as store:
        with store.writing() as w:
            batch(w, 0, 10)
        version = store.data_version()
        _end_connections(postgres, empty_database)
        assert store.data_version() == version
        with pytest.raises(TwinlensError, match="There is no connection") as lost:
            _write_half(store, lambda: _end_connections(postgres, empty_database))
        assert "do the same again" in str(lost.value.advice)
        with store.writing() as w:
            assert batch(w, 10, 20).tolist() == list(range(11, 21))
        with Store.open(empty_database) as other, pytest.raises(TwinlensError, match="locked by"):
            _held_open_by(store, other)


def _write_half(store: Store, interrupt: Callable[[], None]) -> None:
    with store.writing() as w:
        batch(w, 10, 20)
        interrupt()
        batch(w, 20, 30)


def _held_open_by(store: Store, other: Store) -> None:
    """Meet the lock of a program that was connected anew."""
    with store.writing(), other.writing(wait_s=0.1):
        pass


def test_a_library_that_was_dropped_is_not_the_one_that_was_opened(empty_database: str, postgres: Server) -> None:
    with Store.open(empty_database, create=True) as store:
        before = store.place.identity()
        assert before == store.place.identity() != None  # noqa: E711
        postgres.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public", empty_database)
        assert store.place.identity() is None
        with pytest.raises(TwinlensError, match="is damaged"):
            store.data_version()
        with Store.open(empty_database, create=True):
            assert store.place.identity() not in (before, None)


def test_what_writes_nothing_changes_no_version(empty_database: str) -> None:
    with Store.open(empty_database, create=True) as store:
        before = store.data_version()
        with store.writing() as w:
            w.photographs.counts()
        with store.reading() as r:
            r.photographs.counts()
        assert store.data_version() == before
        for number in range(3):
            with store.writing() as w:
                register(w, files(number, number + 1))
        assert store.data_version() == before + 3


_HOLDER = """
import sys, time
from twinlens.storage.library.store import Store
store = Store.open(sys.argv[1])
with store.adding("adding photos"), store.writing("adding photos") as w:
    print("inside", flush=True)
    time.sleep(600)
"""


def test_who_is_killed_holds_nothing(empty_database: str) -> None:
    with Store.open(empty_database, create=True, wait_s=20) as store:
        program = other_program(_HOLDER, empty_database)
        assert program.stdout is not None
        assert program.stdout.readline() == "inside\n"
        told = f"process {program.pid} on .* \\(adding photos since"
        with pytest.raises(TwinlensError, match=told), store.writing(wait_s=0.05):
            pass
        with pytest.raises(TwinlensError, match=told), store.adding():
            pass
        program.kill()
        program.communicate()
        with store.adding(wait_s=20), store.writing() as w:
            register(w, files(0, 1))


_OPENER = """
import re
import sys
from twinlens.storage.library.store import Store
with Store.open(sys.argv[1]) as store:
    print("open", flush=True)
    sys.stdin.readline()
"""

_STEP = '''
"""A step that tests make."""
from alembic import op
import sqlalchemy as sa

revision = "{revision}"
down_revision = "{last}"


def upgrade() -> None:
    op.add_column("photograph", sa.Column("stars", sa.Integer))
{end}
'''


@pytest.mark.parametrize("end", ["", "    raise RuntimeError('half way')"])
def test_a_library_is_brought_up_to_date_alone_and_whole(
    empty_database: str, postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    Store.open(empty_database, create=True).close()
    last = values.REVISIONS[-1]
    following = f"{int(last) + 1:04}"
    (tmp_path / "step.py").write_text(_STEP.format(revision=following, last=last, end=end), "utf-8")
    program = other_program(_OPENER, empty_database)
    assert program.stdout is not None
    assert program.stdout.readline() == "open\n"
    for module in (library_schema, place):
        monkeypatch.setattr(module, "REVISIONS", (*values.REVISIONS, following))
    monkeypatch.setattr(migrations, "VERSIONS", (*migrations.VERSIONS, tmp_path))
    assert "is open in another program" in str(_refused(empty_database).message)
    program.stdin.write("\n")  # type: ignore[union-attr]
    finished(program)
    stars = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'stars'"
    if end:
        with pytest.raises(RuntimeError):
            Store.open(empty_database)
        assert postgres.execute(stars, empty_database) == [(0,)]
        assert postgres.execute("SELECT version_num FROM alembic_version", empty_database) == [(last,)]
        return
    with Store.open(empty_database) as one, Store.open(empty_database) as other:
        assert one.id == other.id
    assert postgres.execute(stars, empty_database) == [(1,)]


_FUNCTION = "CREATE FUNCTION evil({}) RETURNS {} IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN {}; END $$"


@pytest.mark.parametrize(
    ("statements", "named"),
    [
        (
            (
                _FUNCTION.format("", "trigger", "DELETE FROM mark; RETURN NEW"),
                "CREATE TRIGGER emptying AFTER INSERT ON photograph EXECUTE FUNCTION evil()",
            ),
            "photograph (emptying)",
        ),
        (("CREATE RULE nothing AS ON DELETE TO mark DO INSTEAD NOTHING",), "mark (nothing)"),
        (("ALTER TABLE setting RENAME TO hidden", "CREATE VIEW setting AS SELECT * FROM hidden"), "setting (no table)"),
        (
            ("ALTER TABLE alembic_version RENAME TO h", "CREATE VIEW alembic_version AS SELECT * FROM h"),
            "alembic_version",
        ),
        (("ALTER TABLE setting ALTER value SET DEFAULT 'a'",), "setting (default)"),
        (("ALTER TABLE setting ADD more text GENERATED ALWAYS AS (value || value) STORED",), "setting (default)"),
        (("CREATE INDEX upper_name ON setting (upper(name))",), "setting (index)"),
        (
            (
                _FUNCTION.format("a text", "boolean", "RETURN true"),
                "CREATE INDEX few ON setting (name) WHERE evil(name)",
            ),
            "setting (index)",
        ),
        (("ALTER TABLE setting ADD CONSTRAINT known CHECK (length(value) < 9000)",), "setting (known)"),
        (
            (
                _FUNCTION.format("a text", "boolean", "RETURN true"),
                "ALTER TABLE photograph DROP CONSTRAINT known_state",
                "ALTER TABLE photograph ADD CONSTRAINT known_state CHECK (evil(state))",
            ),
            "photograph (known_state)",
        ),
        (("CREATE POLICY mine ON mark USING (true)",), "mark (mine)"),
    ],
)
def test_what_would_run_in_the_name_of_whoever_opens_a_library_is_refused(
    empty_database: str, postgres: Server, statements: tuple[str, ...], named: str
) -> None:
    Store.open(empty_database, create=True).close()
    for statement in statements:
        postgres.execute(statement, empty_database)
    message = str(_refused(empty_database).message)
    assert "parts that are not of Twinlens" in message
    assert named in message


def test_other_tables_of_a_schema_may_have_triggers(empty_database: str, postgres: Server) -> None:
    Store.open(empty_database, create=True).close()
    postgres.execute("CREATE TABLE wine (id serial PRIMARY KEY, name text CHECK (name <> ''))", empty_database)
    Store.open(empty_database).close()


def test_the_server_knows_how_to_notice_a_host_that_vanished(empty_database: str) -> None:
    """Keepalives are settings of both sides; on a socket of one machine the server has none."""
    with Store.open(empty_database, create=True) as store, store.reading() as r:
        driver: Any = r.connection.connection.driver_connection
        given = driver.info.get_parameters()
        idle, interval, count = (int(given[f"keepalives_{name}"]) for name in ("idle", "interval", "count"))
        assert idle + interval * count <= 60
        assert int(given["tcp_user_timeout"]) <= 60_000
        assert driver.info.parameter_status("TimeZone") == "UTC"
        checks = r.connection.exec_driver_sql("SHOW client_connection_check_interval").scalar_one()
        assert checks == "10s"
        name = r.connection.exec_driver_sql("SHOW application_name").scalar_one()
        assert name.startswith("twinlens ")


def test_closing_leaves_no_connection(empty_database: str, postgres: Server) -> None:
    with Store.open(empty_database, create=True) as store, store.adding(), store.writing() as w:
        register(w, files(0, 1))
    left = f"SELECT pid FROM pg_stat_activity WHERE datname = '{_database(empty_database)}'"
    until = time.monotonic() + 20
    while postgres.execute(left) and time.monotonic() < until:
        time.sleep(0.02)  # the server takes its time
    assert postgres.execute(left) == []


ADDRESS = Address.of("postgresql://anna:verysecret@archive/photos")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("08006", "no connection"),
        ("08001", "no connection"),
        ("57P01", "no connection"),
        ("57P02", "no connection"),
        ("57P03", "no connection"),
        ("55P03", "is locked"),
        ("53100", "is full"),
        ("53300", "no more connections"),
        ("42501", "does not permit"),
        ("25006", "can only be read"),
        ("28000", "refuses the login"),
        ("28P01", "refuses the login"),
        ("3D000", "no database"),
        ("XX001", "is damaged"),
        ("XX002", "is damaged"),
        ("57014", "stopped a statement"),
        ("58030", "failed to read or write"),
    ],
)
def test_each_class_has_its_sentence(code: str, words: str) -> None:
    raised = psycopg.errors.lookup(code)("something")
    for error in (raised, OperationalError("SELECT 1", {}, raised)):
        told = translated(ADDRESS, error)
        assert told is not None
        assert words in str(told.message)
        assert told.next_step
        assert "postgresql://anna@archive/photos" in str(told.message)
        assert "verysecret" not in str(told)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            'connection failed: connection to server at "::1" failed: FATAL:  password authentication failed',
            "refuses the login",
        ),
        ("connection failed: fe_sendauth: no password supplied", "refuses the login"),
        ('connection failed: FATAL:  no pg_hba.conf entry for host "1.2.3.4"', "refuses the login"),
        ('connection failed: FATAL:  database "photos" does not exist', "no database"),
        ("connection failed: FATAL:  sorry, too many clients already", "no more connections"),
        ("connection failed: FATAL:  the database system is starting up", "no connection"),
        (
            "server closed the connection unexpectedly\n\tThis probably means the server terminated",
            "no connection",
        ),
    ],
)
def test_what_a_server_says_in_words(said: str, words: str) -> None:
    told = translated(ADDRESS, psycopg.OperationalError(said))
    assert told is not None
    assert words in str(told.message)
    assert "\n" not in str(told.message)


@pytest.mark.parametrize("code", ["42601", "42703", "23505", "22003"])
def test_faults_of_the_program_are_left_alone(code: str) -> None:
    error = psycopg.errors.lookup(code)
    with pytest.raises(error), in_sentences(ADDRESS):
        raise error("something")
    with pytest.raises(TwinlensError), in_sentences(ADDRESS):
        raise psycopg.errors.DiskFull("something")


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "Zs"]), min_size=1, max_size=30))
def test_a_name_fits_and_says_who_it_is(purpose: str) -> None:
    made = name(purpose.strip() or "x")
    assert len(made.encode()) <= 63
    assert holder(made).startswith("process ")
    assert (purpose.strip() or "x") in holder(made)


def test_other_programs_are_named_as_they_are() -> None:
    assert holder("psql") == "psql"


COUNT = 4000
_LARGE = ("photograph", "descriptor", "keypoints", "problem", "passed_over")


def test_no_large_table_is_read_whole(postgres: Server) -> None:
    address = postgres.empty_library()
    with Store.open(address) as store:
        with store.writing() as w:
            ids = batch(w, 0, COUNT).tolist()
            kind, _, _ = index(w)
            w.keypoints.put(ids, 1, [b"some"] * COUNT)
            w.passed_over.add(1, files(COUNT, 2 * COUNT))
            w.problems.add([NewProblem(1, file.path, Message("Broken.")) for file in files(2 * COUNT, 3 * COUNT)])
            w.connection.execute(
                update(photograph).where(photograph.c.id % 100 == 0).values(state=PhotographState.PENDING.value)
            )
        postgres.execute("VACUUM ANALYZE", address)
        with store.writing() as w:
            some = [ids[7], ids[3000]]
            with plans(w, "EXPLAIN") as found:
                w.photographs.by_id(some)
                w.photographs.by_path(1, files(5, 6)[0].path)
                w.photographs.by_hash(read(5).content_hash, read(9).content_hash)
                w.photographs.contents_by_size([1001, 1002], 3)
                w.photographs.in_state(PhotographState.PENDING, after=2000, limit=10)
                list(w.photographs.known(1, b"elsewhere"))
                w.photographs.matching(Filter(states=(PhotographState.PENDING, PhotographState.MISSING)))
                w.descriptors.read(kind, some)
                w.keypoints.read(some, 1)
                w.keypoints.ids(2)
                w.problems.under(1, b"elsewhere")
                list(w.passed_over.known(1, b"elsewhere"))
                register(w, [NewFile(b"elsewhere/1.jpg", 1, 2)])
                w.photographs.mark_changed([ChangedFile(ids[7], 1, 2)])
                w.photographs.record([read(ids[7])])
                w.photographs.move([MovedFile(ids[7], 1, None, b"elsewhere/2.jpg", 1, 2)])
                w.photographs.mark_missing(some)
                w.problems.add([NewProblem(1, b"elsewhere/3.jpg", Message("Broken."), photograph_id=ids[9])])
                w.problems.clear(1, [b"elsewhere/3.jpg"])
                w.passed_over.remove(1, [b"elsewhere/1.jpg"])
                w.keypoints.remove(some)
                w.remove(some)
    read_whole = [plan for plan in found if any(f"Seq Scan on {table} " in plan for table in _LARGE)]
    assert read_whole == [], "\n".join(read_whole)
    assert len(found) > 24
