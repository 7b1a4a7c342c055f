"""Runs of the Lab and the steps that were measured for them."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

STATEMENTS = (
    """
        CREATE TABLE lab_run (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            plan TEXT NOT NULL,
            steps TEXT NOT NULL,
            created TEXT NOT NULL,
            UNIQUE (name)
        )
    """,
    """
        CREATE TABLE lab_step (
            "key" TEXT NOT NULL,
            data TEXT NOT NULL,
            figures TEXT NOT NULL,
            seconds FLOAT NOT NULL,
            versions TEXT NOT NULL,
            created TEXT NOT NULL,
            PRIMARY KEY ("key")
        ) WITHOUT ROWID
    """,
)


def upgrade() -> None:
    """Make the tables of the Lab."""
    for statement in STATEMENTS:
        op.execute(statement)
