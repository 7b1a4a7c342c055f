"""From a library of 1.0.0 or later to the present schema, whole or not at all; an older one is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import StaticPool, create_engine

from tests.postgres import Server
from tests.storage.making import batch, new_store
from twinlens.core.errors import TwinlensError
from twinlens.storage import migrations
from twinlens.storage.database import values
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library import backup
from twinlens.storage.library.store import Store
from twinlens.storage.photographs.photographs import MovedFile
from twinlens.storage.sqlite import known_schema, library_file, place
from twinlens.storage.sqlite.alchemy import driver
from twinlens.storage.sqlite.engine import Access, transaction

NEXT = f"{int(values.REVISIONS[-1]) + 1:04}"
HERE = Path(__file__).parent

_STEP = '''
"""A step that tests make."""
from alembic import op
import sqlalchemy as sa

revision = "{revision}"
down_revision = "{last}"


def upgrade() -> None:
    op.create_table("sticker", sa.Column("id", sa.Integer, primary_key=True), sa.Column("one", sa.Integer))
    op.execute("INSERT INTO sticker (one) SELECT id FROM photograph")
    op.add_column("photograph", sa.Column("stars", sa.Integer))
    op.execute("UPDATE photograph SET stars = id % 5, camera = 'none'")
    with op.batch_alter_table("folder") as folder:
        folder.add_column(sa.Column("colour", sa.Text, server_default="red"))
        folder.alter_column("excludes", nullable=True)
    op.execute("DELETE FROM descriptor WHERE id % 2")
{end}
'''


def _folder(tmp_path: Path, end: str = "") -> Path:
    folder = tmp_path / "100% versions"
    folder.mkdir()
    (folder / "step.py").write_text(_STEP.format(revision=NEXT, last=values.REVISIONS[-1], end=end), "utf-8")
    return folder


def _library(tmp_path: Path) -> Path:
    with new_store(tmp_path) as made, made.writing() as w:
        batch(w, 0, 100)
        folder = w.folders.add(1, b"pictures", ["*.tmp"])
        w.photographs.move([MovedFile(1, 1, folder, b"pictures/moved.jpg", 1, 2)])
    return tmp_path / "library.twinlens"


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump(), str(connection.execute("PRAGMA application_id").fetchone())]


def test_migrations_end_in_the_schema_of_a_new_library(tmp_path: Path) -> None:
    new_store(tmp_path).close()
    migrated = tmp_path / "migrated.twinlens"
    migrated.touch()
    with transaction(migrated, 5.0, ("foreign_keys = OFF",)) as begun:
        migrations.upgrade(begun.connection, values.REVISIONS[-1])

    with closing(sqlite3.connect(tmp_path / "library.twinlens")) as made, closing(sqlite3.connect(migrated)) as older:
        assert known_schema.digest(known_schema.parts(older)) == known_schema.digest(known_schema.parts(made))


def _of_1_0_0(tmp_path: Path) -> Path:
    """Make a library as 1.0.0 has written it, with three photographs."""
    path = tmp_path / "first.twinlens"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / "library_1_0_0.sql").read_text("utf-8"))
    return path


def _read(opened: Store) -> None:
    """Read what 1.0.0 has written, and change it."""
    assert check(opened).findings == []
    with opened.writing() as w:
        (row,) = w.indexes.all()
        assert (row.name, row.kind_id, row.model_id) == ("Colours", 1, 1)
        assert w.codes.load(row.id).ids.tolist() == [1, 2, 3]
        assert w.models.arrays(1)["hyperplanes"].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        assert w.photographs.by_id([2])[0].path == b"pictures/00001.jpg"
        assert w.keypoints.lacking(1).tolist() == [2, 3]
        assert w.settings.all() == {"pace": [1, 2]}
        assert [run.name for run in w.lab.all()] == ["first"]
        batch(w, 5, 9)
        w.remove([1])
    assert check(opened).findings == []


def test_a_library_of_1_0_0_opens(tmp_path: Path) -> None:
    path = _of_1_0_0(tmp_path)
    with Store.open(path) as opened:
        _read(opened)
    kept = library_file.kept_copy(path, values.REVISIONS[-1])
    assert {one.name for one in tmp_path.iterdir()} == {path.name, kept.name}


def test_a_backup_of_1_0_0_is_restored(tmp_path: Path) -> None:
    path = tmp_path / "restored.twinlens"
    backup.restore(path, _of_1_0_0(tmp_path))
    with Store.open(path) as opened:
        _read(opened)


def test_a_library_of_1_0_0_on_a_server_opens(tmp_path: Path, empty_database: str, postgres: Server) -> None:
    postgres.execute((HERE / "server_1_0_0.sql").read_text("utf-8"), empty_database)
    with Store.open(empty_database) as opened:
        assert opened.id == "01f2cffd62f444b7905e7303cd946f33"
    backup.restore(empty_database, _of_1_0_0(tmp_path))
    with Store.open(empty_database) as opened:
        _read(opened)


OLDER = "made before Twinlens 1.0"


def _older(tmp_path: Path) -> Path:
    """Make a library as versions before 1.0 did: their tables were others."""
    path = tmp_path / "older.twinlens"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / "library_1_0_0.sql").read_text("utf-8"))
        connection.executescript("DROP TABLE reach; UPDATE alembic_version SET version_num = '0008';")
    return path


def _refused(address: Path | str, create: bool) -> None:
    with pytest.raises(TwinlensError, match=OLDER) as refused:
        Store.open(address, create=create)
    assert str(refused.value.next_step).startswith("The photos are where they were: add their folders")


@pytest.mark.parametrize("create", [False, True])
def test_a_library_from_before_1_0_is_refused_as_it_is(tmp_path: Path, create: bool) -> None:
    path = _older(tmp_path)
    before = path.read_bytes()
    _refused(path, create)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["older.twinlens"]


def test_a_library_on_a_server_from_before_1_0_is_refused(empty_database: str, postgres: Server) -> None:
    postgres.execute((HERE / "server_1_0_0.sql").read_text("utf-8"), empty_database)
    postgres.execute("DROP TABLE reach; UPDATE alembic_version SET version_num = '0008'", empty_database)
    for create in (False, True):
        _refused(empty_database, create)


def test_a_backup_from_before_1_0_is_refused_and_replaced_by_a_newer_one(tmp_path: Path) -> None:
    older, first = _older(tmp_path), _of_1_0_0(tmp_path)
    with pytest.raises(TwinlensError, match=OLDER):
        backup.restore(first, older)
    before = older.read_bytes()
    kept = backup.restore(older, first)
    assert kept is not None
    assert kept.read_bytes() == before
    with Store.open(older) as opened:
        _read(opened)


def test_every_revision_is_known_in_order() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations.HERE))
    steps = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(step.revision for step in steps)[::-1] == values.REVISIONS


def test_a_library_of_the_previous_revision(tmp_path: Path) -> None:
    path = _library(tmp_path)
    before = _dump(path)
    kept = library_file.upgrade(path, 5.0, NEXT, (*migrations.VERSIONS, _folder(tmp_path)))
    assert _dump(kept) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(NEXT,)]
        assert connection.execute("SELECT count(*) FROM sticker").fetchone() == (100,)
        assert connection.execute("SELECT sum(stars) FROM photograph").fetchone() == (200,)
        assert connection.execute("SELECT colour, path FROM folder").fetchall() == [("red", b"pictures")]
        # Making the table of folders anew must not have set what refers to it to nothing.
        assert connection.execute("SELECT count(folder_id) FROM photograph").fetchone() == (1,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize(
    ("end", "error"),
    [
        ("    raise RuntimeError('half way')", RuntimeError),
        ("    op.execute('SELEKT 1')", Exception),
        ("    op.execute('UPDATE photograph SET volume_id = 99 WHERE id = 7')", TwinlensError),
    ],
)
def test_a_step_that_fails_half_way_leaves_the_library_as_it_was(
    tmp_path: Path, end: str, error: type[Exception]
) -> None:
    path = _library(tmp_path)
    before = _dump(path)
    with pytest.raises(error):
        library_file.upgrade(path, 5.0, NEXT, (*migrations.VERSIONS, _folder(tmp_path, end)))
    assert _dump(path) == before
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["library.twinlens"]
    with Store.open(path) as opened, opened.reading() as r:
        assert sum(r.photographs.counts().values()) == 100


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a library to a program that knows one revision more."""
    path = _library(tmp_path)
    for module in (library_file, place, library_file):
        monkeypatch.setattr(module, "REVISIONS", (*values.REVISIONS, NEXT))
    monkeypatch.setattr(migrations, "VERSIONS", (*migrations.VERSIONS, _folder(tmp_path)))
    return path


def test_opening_brings_a_library_up_to_date(newer: Path) -> None:
    stale = library_file.kept_copy(newer, values.REVISIONS[0])
    stale.touch()
    with Store.open(newer) as opened, opened.reading() as r:
        assert r.connection.exec_driver_sql("SELECT count(*) FROM sticker").scalar() == 100
    assert library_file.kept_copy(newer, NEXT).exists()
    assert not stale.exists()


def test_a_copy_of_before_stays_where_an_older_library_took_the_place(newer: Path) -> None:
    before = newer.read_bytes()
    Store.open(newer).close()
    first = library_file.kept_copy(newer, NEXT)
    kept = first.read_bytes()
    newer.write_bytes(before)
    for name in (f"{newer.name}-wal", f"{newer.name}-shm"):
        newer.with_name(name).unlink(missing_ok=True)
    Store.open(newer).close()
    assert first.read_bytes() == kept
    assert library_file.kept_copy(newer, NEXT, 2).exists()


def test_a_library_that_is_open_elsewhere_is_not_brought_up_to_date(
    newer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        for module in (library_file, place):
            older.setattr(module, "REVISIONS", values.REVISIONS)
        other = Store.open(newer)
    with other, pytest.raises(TwinlensError, match="is open in another program"):
        Store.open(newer, wait_s=0.2)
    with Store.open(newer) as opened:
        assert opened.writable


def test_a_write_protected_library_is_not_brought_up_to_date(newer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = library_file.look(newer, 1.0)
    assert found is not None
    monkeypatch.setattr(library_file, "look", lambda path, wait_s: library_file.FoundFile(Access.READ, found.revision))
    with pytest.raises(TwinlensError, match="write-protected"):
        Store.open(newer)


def test_a_trigger_does_not_run_while_a_library_is_brought_up_to_date(
    newer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("CREATE TRIGGER more AFTER UPDATE ON photograph BEGIN DELETE FROM library; END")
    before = _dump(newer)
    with pytest.raises(known_schema.ForeignPartsError) as refused:
        Store.open(newer)
    assert _dump(newer) == before
    library_file.remove_foreign_parts(newer, refused.value.difference, 5.0)
    with Store.open(newer) as opened, opened.reading() as r:
        assert sum(r.photographs.counts().values()) == 100


def test_what_each_revision_declares_is_known() -> None:
    for revision in values.REVISIONS:
        made = create_engine("sqlite://", poolclass=StaticPool)
        with made.begin() as connection:
            migrations.upgrade(connection, revision)
            assert known_schema.is_known(driver(connection), revision), revision
            connection.exec_driver_sql("CREATE TRIGGER more AFTER INSERT ON volume BEGIN DELETE FROM volume; END")
            assert not known_schema.is_known(driver(connection), revision)
        made.dispose()
