"""The tables that a library on a server has beside those of every library."""

from __future__ import annotations

from sqlalchemy import DDL, Column, LargeBinary, MetaData, Table, event
from sqlalchemy.schema import ExecutableDDLElement

from storage.database.column_types import Integer, Text
from storage.database.schema import (
    array,
    code_segment,
    descriptor,
    keypoints,
    keypoints_by_version,
    photograph,
    photograph_by_hash,
    photograph_by_taken,
)

server_metadata = MetaData()

# What SQLite keeps in sqlite_sequence. A sequence of the server would leave gaps, since it is not rolled back.
given = Table(
    "given",
    server_metadata,
    Column("name", Text, primary_key=True),  # of a table whose ids are never given twice
    Column("last", Integer, nullable=False),
)

# Behind the cache of each machine; see :mod:`storage.postgres.thumbnails`.
thumbnail = Table(
    "thumbnail",
    server_metadata,
    Column("content_hash", LargeBinary, primary_key=True),
    Column("jpeg", LargeBinary, nullable=False),
)

# Said here, since naming an option of the server among the tables of all imports what talks to a server.
photograph_by_hash.dialect_kwargs["postgresql_where"] = photograph.c.content_hash.is_not(None)
photograph_by_taken.dialect_kwargs["postgresql_where"] = photograph.c.taken.is_not(None)
keypoints_by_version.dialect_kwargs["postgresql_include"] = ["photograph_id"]

# Numbers that no packing makes smaller.
for _column in (
    descriptor.c.vector,
    keypoints.c.data,
    array.c.data,
    code_segment.c.ids,
    code_segment.c.codes,
    thumbnail.c.jpeg,
):
    _stored: ExecutableDDLElement = DDL(  # type: ignore[no-untyped-call]
        f'ALTER TABLE "{_column.table.name}" ALTER "{_column.name}" SET STORAGE EXTERNAL'
    )
    event.listen(_column.table, "after_create", _stored.execute_if(dialect="postgresql"))
