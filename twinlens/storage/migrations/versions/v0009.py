"""The schema of a library file as Twinlens 1.0.0 makes it; a server's library begins with it."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = None

STATEMENTS = (
    """
        CREATE TABLE library (
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (name)
        )
    """,
    """
        CREATE TABLE setting (
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (name)
        )
    """,
    """
        CREATE TABLE volume (
            id INTEGER NOT NULL,
            identity TEXT NOT NULL,
            label TEXT NOT NULL,
            mount_point BLOB,
            checksum INTEGER,
            PRIMARY KEY (id),
            UNIQUE (identity)
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
            checksum INTEGER,
            PRIMARY KEY (id),
            UNIQUE ("key")
        )
    """,
    """
        CREATE TABLE descriptor (
            id INTEGER NOT NULL,
            vector BLOB NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (id)
        )
    """,
    "CREATE INDEX descriptor_ids ON descriptor (id)",
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
            checksum INTEGER,
            UNIQUE (first, second, similar),
            CONSTRAINT two_contents CHECK (length(first) = 32 AND length(second) = 32 AND first < second),
            CONSTRAINT known_judgement CHECK (similar IN (0, 1))
        )
    """,
    "CREATE INDEX mark_by_second ON mark (second)",
    """
        CREATE TABLE lab_run (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            "plan" TEXT NOT NULL,
            steps TEXT NOT NULL,
            created TEXT NOT NULL,
            checksum INTEGER,
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
            checksum INTEGER,
            PRIMARY KEY ("key")
        )
            WITHOUT ROWID
    """,
    """
        CREATE TABLE compared (
            content BLOB NOT NULL,
            version INTEGER NOT NULL,
            hash BLOB,
            checksum INTEGER,
            PRIMARY KEY (content)
        )
            WITHOUT ROWID
    """,
    """
        CREATE TABLE related (
            first BLOB NOT NULL,
            second BLOB NOT NULL,
            kind TEXT NOT NULL,
            facts TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (first, second)
        )
            WITHOUT ROWID
    """,
    "CREATE INDEX related_by_second ON related (second)",
    """
        CREATE TABLE camera_note (
            content BLOB NOT NULL,
            place TEXT NOT NULL,
            subsecond TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (content)
        )
            WITHOUT ROWID
    """,
    """
        CREATE TABLE reach (
            content BLOB NOT NULL,
            space TEXT NOT NULL,
            distance FLOAT NOT NULL,
            crowded INTEGER NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (content)
        )
            WITHOUT ROWID
    """,
    """
        CREATE TABLE not_duplicates (
            first BLOB NOT NULL,
            second BLOB NOT NULL,
            first_name TEXT NOT NULL,
            second_name TEXT NOT NULL,
            created TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (first, second)
        )
            WITHOUT ROWID
    """,
    """
        CREATE TABLE folder (
            id INTEGER NOT NULL,
            volume_id INTEGER NOT NULL,
            path BLOB NOT NULL,
            excludes TEXT NOT NULL,
            added TEXT NOT NULL,
            checksum INTEGER,
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
            checksum INTEGER,
            PRIMARY KEY (volume_id, path),
            FOREIGN KEY(volume_id) REFERENCES volume (id)
        )
            WITHOUT ROWID
    """,
    """
        CREATE TABLE array (
            id INTEGER NOT NULL,
            model_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            dtype TEXT NOT NULL,
            shape TEXT NOT NULL,
            data BLOB NOT NULL,
            checksum INTEGER,
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
            checksum INTEGER,
            PRIMARY KEY (id),
            UNIQUE ("key"),
            FOREIGN KEY(model_id) REFERENCES model (id)
        )
    """,
    "CREATE INDEX ix_descriptor_kind_model_id ON descriptor_kind (model_id)",
    """
        CREATE TABLE metric (
            id INTEGER NOT NULL,
            name TEXT NOT NULL,
            descriptor TEXT NOT NULL,
            declaration TEXT,
            note TEXT NOT NULL,
            model_id INTEGER NOT NULL,
            created TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (id),
            UNIQUE (name),
            FOREIGN KEY(model_id) REFERENCES model (id)
        )
    """,
    "CREATE INDEX ix_metric_model_id ON metric (model_id)",
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
    "CREATE INDEX disposal_by_state ON disposal (state)",
    "CREATE INDEX disposal_by_kept ON disposal (kept)",
    "CREATE INDEX disposal_by_content ON disposal (content_hash)",
    "CREATE INDEX ix_disposal_volume_id ON disposal (volume_id)",
    "CREATE INDEX disposal_by_run ON disposal (run)",
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
            checksum INTEGER,
            UNIQUE (volume_id, path),
            CONSTRAINT known_state CHECK (state IN ('pending', 'ready', 'unreadable', 'missing')),
            FOREIGN KEY(volume_id) REFERENCES volume (id),
            FOREIGN KEY(folder_id) REFERENCES folder (id) ON DELETE SET NULL
        )
    """,
    "CREATE INDEX photograph_by_taken ON photograph (taken) WHERE taken IS NOT NULL",
    "CREATE INDEX photograph_by_state ON photograph (state)",
    "CREATE INDEX photograph_by_hash ON photograph (content_hash) WHERE content_hash IS NOT NULL",
    "CREATE INDEX photograph_by_size ON photograph (size)",
    """
        CREATE TABLE search_index (
            id INTEGER NOT NULL,
            name TEXT NOT NULL,
            automatic INTEGER NOT NULL,
            descriptor TEXT NOT NULL,
            kind_id INTEGER,
            metric TEXT,
            metric_id INTEGER,
            metric_model_id INTEGER,
            method TEXT NOT NULL,
            search TEXT NOT NULL,
            model_id INTEGER,
            fitted_on INTEGER NOT NULL,
            created TEXT NOT NULL,
            position INTEGER NOT NULL,
            codes_token INTEGER NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (id),
            UNIQUE (name),
            FOREIGN KEY(kind_id) REFERENCES descriptor_kind (id),
            FOREIGN KEY(metric_id) REFERENCES metric (id),
            FOREIGN KEY(metric_model_id) REFERENCES model (id),
            FOREIGN KEY(model_id) REFERENCES model (id)
        )
    """,
    "CREATE INDEX ix_search_index_model_id ON search_index (model_id)",
    "CREATE INDEX ix_search_index_kind_id ON search_index (kind_id)",
    "CREATE INDEX ix_search_index_metric_model_id ON search_index (metric_model_id)",
    "CREATE INDEX ix_search_index_metric_id ON search_index (metric_id)",
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
            checksum INTEGER,
            PRIMARY KEY (id),
            UNIQUE (volume_id, path),
            FOREIGN KEY(volume_id) REFERENCES volume (id),
            FOREIGN KEY(photograph_id) REFERENCES photograph (id) ON DELETE CASCADE
        )
    """,
    "CREATE INDEX ix_problem_photograph_id ON problem (photograph_id)",
    """
        CREATE TABLE keypoints (
            photograph_id INTEGER NOT NULL,
            version INTEGER NOT NULL,
            data BLOB NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (photograph_id),
            FOREIGN KEY(photograph_id) REFERENCES photograph (id) ON DELETE CASCADE
        )
    """,
    "CREATE INDEX keypoints_by_version ON keypoints (version)",
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
        CREATE TABLE code_segment (
            id INTEGER NOT NULL,
            index_id INTEGER NOT NULL,
            length INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            ids BLOB NOT NULL,
            codes BLOB NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (id),
            FOREIGN KEY(index_id) REFERENCES search_index (id) ON DELETE CASCADE
        )
    """,
    "CREATE INDEX ix_code_segment_index_id ON code_segment (index_id)",
)


def upgrade() -> None:
    """Make every table."""
    for statement in STATEMENTS:
        op.execute(statement)
