"""A person's notes on photographs, the statements of files beside them, and albums."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables, empty."""
    op.create_table(
        "own_note",
        sa.Column("content", sa.LargeBinary, primary_key=True),
        sa.Column("fields", TEXT, nullable=False),
        sa.Column("changed", TEXT, nullable=False),
        sa.Column("checksum", NUMBER),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sidecar_note",
        sa.Column("photograph_id", NUMBER, sa.ForeignKey("photograph.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("stamp", TEXT, nullable=False),
        sa.Column("fields", TEXT, nullable=False),
        sa.Column("checksum", NUMBER),
    )
    op.create_table(
        "album",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("name", TEXT, nullable=False, unique=True),
        sa.Column("search", TEXT),
        sa.Column("created", TEXT, nullable=False),
        sa.Column("checksum", NUMBER),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "album_photograph",
        sa.Column("album_id", NUMBER, sa.ForeignKey("album.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("content", sa.LargeBinary, primary_key=True),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("created", TEXT, nullable=False),
        sa.Column("checksum", NUMBER),
        sqlite_with_rowid=False,
    )
    op.create_index("album_photograph_by_content", "album_photograph", ["content"])
