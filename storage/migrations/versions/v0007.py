"""Duplicates: what comparing found, what a person said of it, and what was moved away."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"

STATEMENTS = (
    """
        CREATE TABLE compared (
            content BLOB NOT NULL,
            version INTEGER NOT NULL,
            hash BLOB,
            checksum INTEGER,
            PRIMARY KEY (content)
        ) WITHOUT ROWID
    """,
    """
        CREATE TABLE related (
            first BLOB NOT NULL,
            second BLOB NOT NULL,
            kind TEXT NOT NULL,
            facts TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (first, second)
        ) WITHOUT ROWID
    """,
    "CREATE INDEX related_by_second ON related (second)",
    """
        CREATE TABLE not_duplicates (
            first BLOB NOT NULL,
            second BLOB NOT NULL,
            first_name TEXT NOT NULL,
            second_name TEXT NOT NULL,
            created TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (first, second)
        ) WITHOUT ROWID
    """,
    """
        CREATE TABLE keep_choice (
            photograph_id INTEGER NOT NULL,
            choice TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (photograph_id),
            CONSTRAINT known_choice CHECK (choice IN ('goes', 'stays', 'best')),
            FOREIGN KEY(photograph_id) REFERENCES photograph (id) ON DELETE CASCADE
        )
    """,
    """
        CREATE TABLE disposal (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL,
            volume_id INTEGER NOT NULL,
            path BLOB NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            content_hash BLOB NOT NULL,
            kept BLOB NOT NULL,
            kept_name TEXT NOT NULL,
            destination BLOB,
            lies_at BLOB,
            beside TEXT NOT NULL,
            known TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT NOT NULL,
            created TEXT NOT NULL,
            changed TEXT NOT NULL,
            checksum INTEGER,
            CONSTRAINT known_outcome CHECK (state IN ('planned', 'done', 'left', 'undone')),
            FOREIGN KEY(volume_id) REFERENCES volume (id)
        )
    """,
    "CREATE INDEX ix_disposal_volume_id ON disposal (volume_id)",
    "CREATE INDEX disposal_by_run ON disposal (run)",
    "CREATE INDEX disposal_by_state ON disposal (state)",
    "CREATE INDEX disposal_by_kept ON disposal (kept)",
    "CREATE INDEX disposal_by_content ON disposal (content_hash)",
)


def upgrade() -> None:
    """Make the tables."""
    for statement in STATEMENTS:
        op.execute(statement)
