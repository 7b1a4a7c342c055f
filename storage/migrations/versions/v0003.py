"""Keypoints of photographs; those of an older library are made when it is looked through again."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"

STATEMENTS = (
    """
        CREATE TABLE keypoints (
            photograph_id INTEGER NOT NULL,
            version INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (photograph_id),
            FOREIGN KEY(photograph_id) REFERENCES photograph (id) ON DELETE CASCADE
        )
    """,
    "CREATE INDEX keypoints_by_version ON keypoints (version)",
)


def upgrade() -> None:
    """Make the table of keypoints."""
    for statement in STATEMENTS:
        op.execute(statement)
