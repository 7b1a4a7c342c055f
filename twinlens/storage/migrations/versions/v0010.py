"""The metadata of each content: what people say of it in its file, and what the file holds beside its first picture."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"

_FILE = """
    CREATE TABLE file_metadata (
        content BLOB NOT NULL,
        said TEXT NOT NULL,
        checksum INTEGER,
        PRIMARY KEY (content)
    )
        WITHOUT ROWID
"""
_SERVER = """
    CREATE TABLE file_metadata (
        content BYTEA NOT NULL,
        said TEXT COLLATE "C" NOT NULL,
        checksum BIGINT,
        PRIMARY KEY (content)
    )
"""


def upgrade() -> None:
    """Make the table, empty: what is not in it is not known."""
    op.execute(_SERVER if op.get_bind().dialect.name == "postgresql" else _FILE)
