"""Judgements of pairs of contents: similar or different."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = (
    """
        CREATE TABLE mark (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            first BLOB NOT NULL,
            second BLOB NOT NULL,
            first_name TEXT NOT NULL,
            second_name TEXT NOT NULL,
            similar INTEGER NOT NULL,
            origin TEXT NOT NULL,
            created TEXT NOT NULL,
            UNIQUE (first, second, similar),
            CONSTRAINT two_contents CHECK (length(first) = 32 AND length(second) = 32 AND first < second),
            CONSTRAINT known_judgement CHECK (similar IN (0, 1))
        )
    """,
    "CREATE INDEX mark_by_second ON mark (second)",
)


def upgrade() -> None:
    """Make the table of marks."""
    for statement in STATEMENTS:
        op.execute(statement)
