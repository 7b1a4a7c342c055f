"""The tables of a library at the newest revision.

A new library is made from these tables at once; an older one is brought here by :mod:`twinlens.storage.migrations`. A
test proves that both ways end in the same schema.

Whatever a method learned or made lies here under keys, as text, numbers and arrays. Columns hold the same values in
every database (:mod:`twinlens.storage.database.values`). The tables are needed where a library is made, checked, copied
and brought up to date; what is read and written every day is SQL, and imports none of this.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ColumnElement,
    Dialect,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    TypeDecorator,
    UniqueConstraint,
    column,
    func,
    select,
    table,
)

from twinlens.storage.database.values import PhotographState, clean


def _numbered(name: str) -> Column[int]:
    """Return the column of a table's ids, each the next after the largest that is there.

    So SQLite gives them by itself. A server's sequences would leave gaps, so it is said for both.
    """
    id_: ColumnElement[int] = column("id")
    following = select(func.coalesce(func.max(id_), 0) + 1).select_from(table(name))
    return Column("id", Integer, primary_key=True, autoincrement=False, default=following.scalar_subquery())


def _remembered() -> Column[int]:
    """Return a column of ids that `Dialect.give` gives, none of them twice."""
    return Column("id", Integer, primary_key=True, autoincrement=False)


metadata = MetaData()


class _Text(TypeDecorator[str]):
    impl = sqlalchemy.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return clean(value)


Text = _Text().with_variant(_Text(collation="C"), "postgresql")
"""Text without NUL, which a camera may write and a server refuses; ordered by its bytes, on every machine."""

library = Table(
    "library",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
setting = Table(
    "setting",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
)
Integer = BigInteger().with_variant(sqlalchemy.Integer(), "sqlite")
"""A whole number of 64 bits."""

volume = Table(
    "volume",
    metadata,
    _numbered("volume"),
    Column("identity", Text, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("mount_point", LargeBinary),
)
folder = Table(
    "folder",
    metadata,
    _numbered("folder"),
    Column("volume_id", ForeignKey("volume.id"), nullable=False),
    Column("path", LargeBinary, nullable=False),
    Column("excludes", Text, nullable=False),  # JSON list of patterns
    Column("added", Text, nullable=False),
    UniqueConstraint("volume_id", "path"),
)
photograph = Table(
    "photograph",
    metadata,
    _remembered(),
    Column("volume_id", ForeignKey("volume.id"), nullable=False),
    Column("path", LargeBinary, nullable=False),
    Column("folder_id", ForeignKey("folder.id", ondelete="SET NULL")),
    Column("size", Integer, nullable=False),
    Column("mtime_ns", Integer, nullable=False),
    Column("content_hash", LargeBinary),
    Column("state", Text, nullable=False),
    Column("format", Text),
    Column("width", Integer),
    Column("height", Integer),
    Column("orientation", Integer),
    Column("taken", Text),
    Column("camera", Text),
    Column("added", Text, nullable=False),
    UniqueConstraint("volume_id", "path"),
    CheckConstraint(f"state IN ({', '.join(repr(str(state)) for state in PhotographState)})", name="known_state"),
    Index("photograph_by_size", "size"),
    Index("photograph_by_state", "state").ddl_if(dialect="sqlite"),  # holds the ids, too
    Index("photograph_by_state", "state", "id").ddl_if(dialect="postgresql"),
    sqlite_autoincrement=True,  # an id is never given twice, not even after its photograph was forgotten
)

# Without what is not known yet, so that registering a large folder does not fill them.
photograph_by_hash, photograph_by_taken = (
    Index(f"photograph_by_{name}", one, sqlite_where=one.is_not(None))
    for name, one in (("hash", photograph.c.content_hash), ("taken", photograph.c.taken))
)
problem = Table(
    "problem",
    metadata,
    _numbered("problem"),
    Column("volume_id", ForeignKey("volume.id"), nullable=False),
    Column("path", LargeBinary, nullable=False),
    Column("size", Integer),
    Column("mtime_ns", Integer),
    Column("photograph_id", ForeignKey("photograph.id", ondelete="CASCADE"), index=True),
    Column("reason", Text, nullable=False),
    Column("next_step", Text, nullable=False),
    Column("since", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("ignored", Integer, nullable=False),
    UniqueConstraint("volume_id", "path"),
)
passed_over = Table(
    "passed_over",
    metadata,
    Column("volume_id", ForeignKey("volume.id"), primary_key=True),
    Column("path", LargeBinary, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("mtime_ns", Integer, nullable=False),
    sqlite_with_rowid=False,
)
model = Table(
    "model",
    metadata,
    _numbered("model"),
    Column("key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("sample_digest", LargeBinary, nullable=False),
    Column("numbers", Text, nullable=False),  # JSON
    Column("created", Text, nullable=False),
)
array = Table(
    "array",
    metadata,
    _numbered("array"),
    Column("model_id", ForeignKey("model.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("dtype", Text, nullable=False),
    Column("shape", Text, nullable=False),  # JSON
    Column("data", LargeBinary, nullable=False),
    UniqueConstraint("model_id", "name"),
)
descriptor_kind = Table(
    "descriptor_kind",
    metadata,
    _numbered("descriptor_kind"),
    Column("key", Text, nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("dimensions", Integer, nullable=False),
    Column("dtype", Text, nullable=False),
    Column("model_id", ForeignKey("model.id"), index=True),
)
descriptor = Table(
    "descriptor",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # kind << 40 | photograph
    Column("vector", LargeBinary, nullable=False),
)


# The rows hold the vectors, so that walking the ids alone would read the whole table; this index holds ids only.
Index("descriptor_ids", descriptor.c.id).ddl_if(dialect="sqlite")


keypoints = Table(
    "keypoints",
    metadata,
    Column("photograph_id", ForeignKey("photograph.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),  # of what made them
    Column("data", LargeBinary, nullable=False),
)

# Holds the ids too, as the one above.
keypoints_by_version = Index("keypoints_by_version", keypoints.c.version)

# Several side by side, each under its name and never changed: one that was learned anew is another row, and going back
# is an index that refers to the earlier one.
metric = Table(
    "metric",
    metadata,
    _numbered("metric"),
    Column("name", Text, nullable=False, unique=True),
    Column("descriptor", Text, nullable=False),
    Column("declaration", Text),  # none where it was not learned here
    Column("note", Text, nullable=False),
    Column("model_id", ForeignKey("model.id"), nullable=False, index=True),
    Column("created", Text, nullable=False),
)
search_index = Table(
    "search_index",
    metadata,
    _numbered("search_index"),
    Column("name", Text, nullable=False, unique=True),
    Column("automatic", Integer, nullable=False),
    Column("descriptor", Text, nullable=False),
    Column("kind_id", ForeignKey("descriptor_kind.id"), index=True),
    Column("metric", Text),  # one that is fitted with the index
    Column("metric_id", ForeignKey("metric.id"), index=True),  # or one that the library keeps
    Column("metric_model_id", ForeignKey("model.id"), index=True),  # either of them, as the index uses it
    Column("method", Text, nullable=False),
    Column("search", Text, nullable=False),
    Column("model_id", ForeignKey("model.id"), index=True),
    Column("fitted_on", Integer, nullable=False),
    Column("created", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("codes_token", Integer, nullable=False),  # another one whenever the codes have changed
)

# Of contents, not of photographs: a judgement outlives moved, forgotten and re-added files.
mark = Table(
    "mark",
    metadata,
    _remembered(),
    Column("first", LargeBinary, nullable=False),  # content hashes, the smaller one first
    Column("second", LargeBinary, nullable=False),
    Column("first_name", Text, nullable=False),  # where they lay then, for people
    Column("second_name", Text, nullable=False),
    Column("similar", Integer, nullable=False),
    Column("origin", Text, nullable=False),
    Column("created", Text, nullable=False),
    UniqueConstraint("first", "second", "similar"),
    CheckConstraint("length(first) = 32 AND length(second) = 32 AND first < second", name="two_contents"),
    CheckConstraint("similar IN (0, 1)", name="known_judgement").ddl_if(dialect="sqlite"),
    CheckConstraint('"similar" IN (0, 1)', name="known_judgement").ddl_if(dialect="postgresql"),  # a word of its own
    Index("mark_by_second", "second"),
    sqlite_autoincrement=True,  # the id of one that was removed stays free for it to come back
)

# Runs of the Lab. Steps stand on their own, under a key of all that decides what they measure: runs which ask the same
# share them, and a list of keys says what a run needs.
lab_run = Table(
    "lab_run",
    metadata,
    _remembered(),
    Column("name", Text, nullable=False, unique=True),
    Column("plan", Text, nullable=False),  # TOML
    Column("steps", Text, nullable=False),  # JSON list, in the order of the plan
    Column("created", Text, nullable=False),
    sqlite_autoincrement=True,  # the id of one that was removed stays free for it to come back
)
lab_step = Table(
    "lab_step",
    metadata,
    Column("key", Text, primary_key=True),
    Column("data", Text, nullable=False),  # JSON, of what it was measured on
    Column("figures", Text, nullable=False),  # JSON
    Column("seconds", Float, nullable=False),
    Column("versions", Text, nullable=False),  # JSON
    Column("created", Text, nullable=False),
    sqlite_with_rowid=False,
)

# What is known of pairs of contents, found by comparing: it outlives moved files, as marks do.
compared = Table(
    "compared",
    metadata,
    Column("content", LargeBinary, primary_key=True),
    Column("version", Integer, nullable=False),  # of what compared it with all others here
    Column("hash", LargeBinary),  # of its thumbnail; none of a blank one
    sqlite_with_rowid=False,
)
related = Table(
    "related",
    metadata,
    Column("first", LargeBinary, primary_key=True),  # content hashes, the smaller one first
    Column("second", LargeBinary, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("facts", Text, nullable=False),  # JSON
    Index("related_by_second", "second"),
    sqlite_with_rowid=False,
)

# What cameras say of a content beside its date; no row where it was last read before this was kept.
camera_note = Table(
    "camera_note",
    metadata,
    Column("content", LargeBinary, primary_key=True),
    Column("place", Text, nullable=False),  # latitude and longitude in degrees; empty where not said
    Column("subsecond", Text, nullable=False),  # digits of the fraction of the second; empty where not said
    sqlite_with_rowid=False,
)

# What else the file of a content says and holds; no row where it was last read before this was kept.
file_metadata = Table(
    "file_metadata",
    metadata,
    Column("content", LargeBinary, primary_key=True),
    Column("said", Text, nullable=False),  # JSON
    sqlite_with_rowid=False,
)

# What a person notes in Twinlens, over what the file says; it outlives moved files, as marks do.
own_note = Table(
    "own_note",
    metadata,
    Column("content", LargeBinary, primary_key=True),
    Column("fields", Text, nullable=False),  # JSON, of what the person has changed alone
    Column("changed", Text, nullable=False),
    sqlite_with_rowid=False,
)

# What files beside a photograph's say of it: of photographs, since copies may have others, or none.
sidecar_note = Table(
    "sidecar_note",
    metadata,
    Column("photograph_id", ForeignKey("photograph.id", ondelete="CASCADE"), primary_key=True),
    Column("stamp", Text, nullable=False),  # of the files when they were read, in the words of the caller
    Column("fields", Text, nullable=False),  # JSON
)
album = Table(
    "album",
    metadata,
    _remembered(),
    Column("name", Text, nullable=False, unique=True),
    Column("search", Text),  # JSON of what it finds anew each time; none where a person chose its photographs
    Column("created", Text, nullable=False),
    sqlite_autoincrement=True,  # the id of one that was removed stays free for it to come back
)
album_photograph = Table(
    "album_photograph",
    metadata,
    Column("album_id", ForeignKey("album.id", ondelete="CASCADE"), primary_key=True),
    Column("content", LargeBinary, primary_key=True),
    Column("name", Text, nullable=False),  # where it lay then, for people
    Column("created", Text, nullable=False),
    Index("album_photograph_by_content", "content"),
    sqlite_with_rowid=False,
)

# How far the nearest of a content lie, by the index that compared it: what comes later may lie nearer.
reach = Table(
    "reach",
    metadata,
    Column("content", LargeBinary, primary_key=True),
    Column("space", Text, nullable=False),  # of what distances, in the words of the caller
    Column("distance", Float, nullable=False),
    Column("crowded", Integer, nullable=False),  # more lie near than are compared
    sqlite_with_rowid=False,
)
not_duplicates = Table(
    "not_duplicates",
    metadata,
    Column("first", LargeBinary, primary_key=True),
    Column("second", LargeBinary, primary_key=True),
    Column("first_name", Text, nullable=False),  # where they lay then, for people
    Column("second_name", Text, nullable=False),
    Column("created", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Of photographs, since identical files have one content.
keep_choice = Table(
    "keep_choice",
    metadata,
    Column("photograph_id", ForeignKey("photograph.id", ondelete="CASCADE"), primary_key=True),
    Column("choice", Text, nullable=False),
    CheckConstraint("choice IN ('goes', 'stays', 'best')", name="known_choice"),
)

# Everything that was ever moved away: the plan before, and what became of it.
disposal = Table(
    "disposal",
    metadata,
    _remembered(),
    Column("run", Integer, nullable=False),
    Column("volume_id", ForeignKey("volume.id"), nullable=False, index=True),
    Column("path", LargeBinary, nullable=False),
    Column("size", Integer, nullable=False),
    Column("mtime_ns", Integer, nullable=False),
    Column("content_hash", LargeBinary, nullable=False),
    Column("kept", LargeBinary, nullable=False),  # content of what was kept in its place
    Column("kept_name", Text, nullable=False),
    Column("destination", LargeBinary),  # a folder; none for the trash
    Column("lies_at", LargeBinary),  # where the file lies now
    Column("beside", Text, nullable=False),  # JSON: files that went with it
    Column("known", Text, nullable=False),  # JSON: what the library knew
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),  # JSON of a message; empty where there is none
    Column("created", Text, nullable=False),
    Column("changed", Text, nullable=False),
    CheckConstraint("state IN ('planned', 'done', 'left', 'undone')", name="known_outcome"),
    Index("disposal_by_run", "run"),
    Index("disposal_by_state", "state"),
    Index("disposal_by_kept", "kept"),
    Index("disposal_by_content", "content_hash"),
    sqlite_autoincrement=True,
)
code_segment = Table(
    "code_segment",
    metadata,
    _numbered("code_segment"),
    Column("index_id", ForeignKey("search_index.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("length", Integer, nullable=False),
    Column("first", Integer, nullable=False),  # smallest and largest photograph id in it
    Column("last", Integer, nullable=False),
    Column("ids", LargeBinary, nullable=False),  # little-endian int64, ascending
    Column("codes", LargeBinary, nullable=False),
)


# Of all other values of a row, whose place in the table is before it; none on a server.
for _table in metadata.tables.values():
    _table.append_column(Column("checksum", Integer))


# As Alembic makes it, so that a new library needs no Alembic.
alembic_version = Table(
    "alembic_version",
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


TABLES: tuple[Table, ...] = tuple(one for one in metadata.sorted_tables if one is not alembic_version)
"""The tables whose rows have a checksum."""

GIVEN = tuple(one for one in TABLES if one.dialect_options["sqlite"]["autoincrement"])
"""Of these, the tables whose ids are never given twice."""


def facts(table: Table) -> list[Column[Any]]:
    """List the columns of a table without the checksum."""
    return [column for column in table.columns if column.name != "checksum"]
