"""The first schema."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

STATEMENTS = (
    """
        CREATE TABLE descriptor (
            id INTEGER NOT NULL,
            vector BLOB NOT NULL,
            PRIMARY KEY (id)
        )
    """,
    "CREATE INDEX descriptor_ids ON descriptor (id)",
    """
        CREATE TABLE library (
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (name)
        )
    """,
    """
        CREATE TABLE model (
            id INTEGER NOT NULL,
            "key" TEXT NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            sample_digest BLOB NOT NULL,
            numbers TEXT NOT NULL,
            created TEXT NOT NULL,
            PRIMARY KEY (id),
            UNIQUE ("key")
        )
    """,
    """
        CREATE TABLE setting (
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (name)
        )
    """,
    """
        CREATE TABLE volume (
            id INTEGER NOT NULL,
            identity TEXT NOT NULL,
            label TEXT NOT NULL,
            mount_point BLOB,
            PRIMARY KEY (id),
            UNIQUE (identity)
        )
    """,
    """
        CREATE TABLE array (
            id INTEGER NOT NULL,
            model_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            dtype TEXT NOT NULL,
            shape TEXT NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (model_id, name),
            FOREIGN KEY(model_id) REFERENCES model (id) ON DELETE CASCADE
        )
    """,
    """
        CREATE TABLE descriptor_kind (
            id INTEGER NOT NULL,
            "key" TEXT NOT NULL,
            text TEXT NOT NULL,
            dimensions INTEGER NOT NULL,
            dtype TEXT NOT NULL,
            model_id INTEGER,
            PRIMARY KEY (id),
            UNIQUE ("key"),
            FOREIGN KEY(model_id) REFERENCES model (id)
        )
    """,
    "CREATE INDEX ix_descriptor_kind_model_id ON descriptor_kind (model_id)",
    """
        CREATE TABLE folder (
            id INTEGER NOT NULL,
            volume_id INTEGER NOT NULL,
            path BLOB NOT NULL,
            excludes TEXT NOT NULL,
            added TEXT NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (volume_id, path),
            FOREIGN KEY(volume_id) REFERENCES volume (id)
        )
    """,
    """
        CREATE TABLE passed_over (
            volume_id INTEGER NOT NULL,
            path BLOB NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            PRIMARY KEY (volume_id, path),
            FOREIGN KEY(volume_id) REFERENCES volume (id)
        )
        WITHOUT ROWID
    """,
    """
        CREATE TABLE photograph (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            volume_id INTEGER NOT NULL,
            path BLOB NOT NULL,
            folder_id INTEGER,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            content_hash BLOB,
            state TEXT NOT NULL,
            format TEXT,
            width INTEGER,
            height INTEGER,
            orientation INTEGER,
            taken TEXT,
            camera TEXT,
            added TEXT NOT NULL,
            UNIQUE (volume_id, path),
            CONSTRAINT known_state CHECK (state IN ('pending', 'ready', 'unreadable', 'missing')),
            FOREIGN KEY(volume_id) REFERENCES volume (id),
            FOREIGN KEY(folder_id) REFERENCES folder (id) ON DELETE SET NULL
        )
    """,
    "CREATE INDEX photograph_by_hash ON photograph (content_hash) WHERE content_hash IS NOT NULL",
    "CREATE INDEX photograph_by_size ON photograph (size)",
    "CREATE INDEX photograph_by_state ON photograph (state)",
    "CREATE INDEX photograph_by_taken ON photograph (taken) WHERE taken IS NOT NULL",
    """
        CREATE TABLE search_index (
            id INTEGER NOT NULL,
            name TEXT NOT NULL,
            automatic INTEGER NOT NULL,
            descriptor TEXT NOT NULL,
            kind_id INTEGER,
            metric TEXT,
            method TEXT NOT NULL,
            search TEXT NOT NULL,
            model_id INTEGER,
            fitted_on INTEGER NOT NULL,
            created TEXT NOT NULL,
            position INTEGER NOT NULL,
            codes_token INTEGER NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (name),
            FOREIGN KEY(kind_id) REFERENCES descriptor_kind (id),
            FOREIGN KEY(model_id) REFERENCES model (id)
        )
    """,
    "CREATE INDEX ix_search_index_kind_id ON search_index (kind_id)",
    "CREATE INDEX ix_search_index_model_id ON search_index (model_id)",
    """
        CREATE TABLE code_segment (
            id INTEGER NOT NULL,
            index_id INTEGER NOT NULL,
            length INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            ids BLOB NOT NULL,
            codes BLOB NOT NULL,
            PRIMARY KEY (id),
            FOREIGN KEY(index_id) REFERENCES search_index (id) ON DELETE CASCADE
        )
    """,
    "CREATE INDEX ix_code_segment_index_id ON code_segment (index_id)",
    """
        CREATE TABLE problem (
            id INTEGER NOT NULL,
            volume_id INTEGER NOT NULL,
            path BLOB NOT NULL,
            size INTEGER,
            mtime_ns INTEGER,
            photograph_id INTEGER,
            reason TEXT NOT NULL,
            next_step TEXT NOT NULL,
            since TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            ignored INTEGER NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (volume_id, path),
            FOREIGN KEY(volume_id) REFERENCES volume (id),
            FOREIGN KEY(photograph_id) REFERENCES photograph (id) ON DELETE CASCADE
        )
    """,
    "CREATE INDEX ix_problem_photograph_id ON problem (photograph_id)",
)


def upgrade() -> None:
    """Make every table."""
    for statement in STATEMENTS:
        op.execute(statement)
