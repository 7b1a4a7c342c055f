"""From an older library to the present schema, whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import StaticPool, create_engine

from core.errors import TwinlensError
from storage import migrations
from storage.database import schema
from storage.integrity.integrity_check import check
from storage.library.store import Store
from storage.photographs.photograph_rows import MovedFile
from storage.sqlite import known_schema, library_file, place, schema_mending, upgrading
from storage.sqlite.driver import driver
from storage.sqlite.engine import Access, transaction
from tests.storage.making import batch, new_store

NEXT = f"{len(schema.REVISIONS) + 1:04}"

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
    (folder / "step.py").write_text(_STEP.format(revision=NEXT, last=schema.REVISIONS[-1], end=end), "utf-8")
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
    with transaction(migrated, 5.0, ("foreign_keys = OFF",)) as connection:
        migrations.upgrade(connection, schema.REVISIONS[-1])

    with closing(sqlite3.connect(tmp_path / "library.twinlens")) as made, closing(sqlite3.connect(migrated)) as older:
        assert known_schema.digest(known_schema.parts(older)) == known_schema.digest(known_schema.parts(made))


def test_every_revision_is_known_in_order() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations.HERE))
    steps = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(step.revision for step in steps)[::-1] == schema.REVISIONS


def test_a_library_of_the_previous_revision(tmp_path: Path) -> None:
    path = _library(tmp_path)
    before = _dump(path)
    kept = upgrading.upgrade(path, 5.0, NEXT, (*migrations.VERSIONS, _folder(tmp_path)))
    assert _dump(kept) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(NEXT,)]
        assert connection.execute("SELECT count(*) FROM sticker").fetchone() == (100,)
        assert connection.execute("SELECT sum(stars) FROM photograph").fetchone() == (200,)
        assert connection.execute("SELECT colour, path FROM folder").fetchall() == [("red", b"pictures")]
        # Making the table of folders anew must not have set what refers to it to nothing.
        assert connection.execute("SELECT count(folder_id) FROM photograph").fetchone() == (1,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _first_library(path: Path) -> None:
    """Make a library as the first version made it, with an index and its codes."""
    path.touch()
    with transaction(path, 5.0, ("foreign_keys = OFF",)) as connection:
        migrations.upgrade(connection, "0001")
        for statement in (
            f"PRAGMA application_id = {schema.APPLICATION_ID}",
            "INSERT INTO library VALUES ('id', 'mine')",
            "INSERT INTO model VALUES (1, 'key', 'Encoder', 'lsh', x'', '{}', '2026')",
            "INSERT INTO descriptor_kind VALUES (1, 'kind', 'colour', 8, '<f2', NULL)",
            "INSERT INTO search_index VALUES (7, 'Colours', 1, 'colour', 1, NULL, 'lsh', 'scan', 1, 3, '2026', 0, 99)",
            "INSERT INTO code_segment VALUES (1, 7, 1, 5, 5, x'0500000000000000', x'ff')",
        ):
            connection.exec_driver_sql(statement)


def test_indexes_of_the_first_version_stay_fitted(tmp_path: Path) -> None:
    path = tmp_path / "first.twinlens"
    _first_library(path)
    with Store.open(path) as opened, opened.writing() as w:
        (row,) = w.indexes.all()
        assert (row.id, row.name, row.automatic, row.kind_id, row.model_id, row.codes_token) == (
            7, "Colours", True, 1, 1, 99,
        )  # fmt: skip
        assert (row.metric, row.metric_id, row.metric_model_id, row.metric_name) == (None, None, None, None)
        assert w.codes.ids(7).tolist() == [5]
        assert w.metrics.all() == []
        w.indexes.delete(7)  # what refers to the table that was made anew follows it
        assert w.connection.exec_driver_sql("SELECT count(*) FROM code_segment").scalar() == 0


def test_photographs_of_an_older_version_lack_keypoints(tmp_path: Path) -> None:
    path = tmp_path / "older.twinlens"
    path.touch()
    with transaction(path, 5.0, ("foreign_keys = OFF",)) as connection:
        migrations.upgrade(connection, "0002")
        for statement in (
            f"PRAGMA application_id = {schema.APPLICATION_ID}",
            "INSERT INTO library VALUES ('id', 'mine')",
            "INSERT INTO volume VALUES (1, 'disk', 'Disk', NULL)",
            """INSERT INTO photograph (id, volume_id, path, size, mtime_ns, state, content_hash, added)
            VALUES (7, 1, x'61', 1, 2, 'ready', zeroblob(32), '2026'), (8, 1, x'62', 1, 2, 'pending', NULL, '2026')""",
        ):
            connection.exec_driver_sql(statement)
    with Store.open(path) as opened, opened.writing() as w:
        assert check(opened).findings == []
        assert w.keypoints.lacking(1).tolist() == [7]
        w.keypoints.put([7], 1, [b"seen"])
        w.remove([7])
        assert w.keypoints.ids(1).tolist() == []


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
        upgrading.upgrade(path, 5.0, NEXT, (*migrations.VERSIONS, _folder(tmp_path, end)))
    assert _dump(path) == before
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["library.twinlens"]
    with Store.open(path) as opened, opened.reading() as r:
        assert sum(r.photographs.counts().values()) == 100


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a library to a program that knows one revision more."""
    path = _library(tmp_path)
    for module in (library_file, place, upgrading):
        monkeypatch.setattr(module, "REVISIONS", (*schema.REVISIONS, NEXT))
    monkeypatch.setattr(migrations, "VERSIONS", (*migrations.VERSIONS, _folder(tmp_path)))
    return path


def test_opening_brings_a_library_up_to_date(newer: Path) -> None:
    stale = upgrading.kept_copy(newer, "0001")
    stale.touch()
    with Store.open(newer) as opened, opened.reading() as r:
        assert r.connection.exec_driver_sql("SELECT count(*) FROM sticker").scalar() == 100
    assert upgrading.kept_copy(newer, NEXT).exists()
    assert not stale.exists()


def test_a_library_that_is_open_elsewhere_is_not_brought_up_to_date(
    newer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        for module in (library_file, place):
            older.setattr(module, "REVISIONS", schema.REVISIONS)
        other = Store.open(newer)
    with other, pytest.raises(TwinlensError, match="is open in another program"):
        Store.open(newer, wait_s=0.2)
    with Store.open(newer) as opened:
        assert opened.writable


def test_a_write_protected_library_is_not_brought_up_to_date(newer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = library_file.look(newer, 1.0)
    assert found is not None
    monkeypatch.setattr(library_file, "look", lambda path, wait_s: library_file.Found(Access.READ, found.revision))
    with pytest.raises(TwinlensError, match="write-protected"):
        Store.open(newer)


def test_what_each_revision_declares_is_known() -> None:
    for revision in schema.REVISIONS:
        made = create_engine("sqlite://", poolclass=StaticPool)
        with made.begin() as connection:
            migrations.upgrade(connection, revision)
            assert known_schema.is_known(driver(connection), revision), revision
            connection.exec_driver_sql("CREATE TRIGGER more AFTER INSERT ON volume BEGIN DELETE FROM volume; END")
            assert not known_schema.is_known(driver(connection), revision)


def test_a_trigger_of_an_older_library_does_not_run_while_it_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "first.twinlens"
    _first_library(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TRIGGER more AFTER UPDATE ON search_index BEGIN DELETE FROM library; END")
    before = _dump(path)
    with pytest.raises(known_schema.ForeignPartsError) as refused:
        Store.open(path)
    assert _dump(path) == before
    schema_mending.remove_foreign_parts(path, refused.value.difference, 5.0)
    with Store.open(path) as opened, opened.reading() as r:
        assert len(r.indexes.all()) == 1
