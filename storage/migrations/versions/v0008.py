"""What cameras say of a photograph beside its date: where it was taken, and the fraction of the second."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table; it is filled as photographs are read."""
    op.execute(
        """
        CREATE TABLE camera_note (
            content BLOB NOT NULL,
            place TEXT NOT NULL,
            subsecond TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (content)
        ) WITHOUT ROWID
        """
    )
