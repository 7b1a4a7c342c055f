"""A checksum of each row; those of older libraries come later (`storage.integrity.checksum_protection`)."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

TABLES = (
    "library",
    "setting",
    "volume",
    "folder",
    "photograph",
    "problem",
    "passed_over",
    "model",
    "array",
    "descriptor_kind",
    "descriptor",
    "keypoints",
    "metric",
    "search_index",
    "mark",
    "lab_run",
    "lab_step",
    "code_segment",
)


def upgrade() -> None:
    """Add the column, which changes no row."""
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER")
