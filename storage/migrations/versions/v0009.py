"""How far the nearest of each compared content lie."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table; it is filled with the next comparing."""
    op.execute(
        """
        CREATE TABLE reach (
            content BLOB NOT NULL,
            space TEXT NOT NULL,
            distance FLOAT NOT NULL,
            crowded INTEGER NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (content)
        ) WITHOUT ROWID
        """
    )
