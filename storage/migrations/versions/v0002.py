"""Metrics that a library keeps, and indexes that measure by one."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

# SQLite cannot add a reference beside the others: the table of indexes is made anew.
STATEMENTS = (
    """
        CREATE TABLE metric (
            id INTEGER NOT NULL,
            name TEXT NOT NULL,
            descriptor TEXT NOT NULL,
            declaration TEXT,
            note TEXT NOT NULL,
            model_id INTEGER NOT NULL,
            created TEXT NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (name),
            FOREIGN KEY(model_id) REFERENCES model (id)
        )
    """,
    "CREATE INDEX ix_metric_model_id ON metric (model_id)",
    """
        CREATE TABLE search_index_0002 (
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
            PRIMARY KEY (id),
            UNIQUE (name),
            FOREIGN KEY(kind_id) REFERENCES descriptor_kind (id),
            FOREIGN KEY(metric_id) REFERENCES metric (id),
            FOREIGN KEY(metric_model_id) REFERENCES model (id),
            FOREIGN KEY(model_id) REFERENCES model (id)
        )
    """,
    """
        INSERT INTO search_index_0002 (
            id, name, automatic, descriptor, kind_id, metric, method, search, model_id, fitted_on, created, position,
            codes_token
        )
        SELECT
            id, name, automatic, descriptor, kind_id, metric, method, search, model_id, fitted_on, created, position,
            codes_token
        FROM search_index
    """,
    "DROP TABLE search_index",
    "ALTER TABLE search_index_0002 RENAME TO search_index",
    "CREATE INDEX ix_search_index_kind_id ON search_index (kind_id)",
    "CREATE INDEX ix_search_index_metric_id ON search_index (metric_id)",
    "CREATE INDEX ix_search_index_metric_model_id ON search_index (metric_model_id)",
    "CREATE INDEX ix_search_index_model_id ON search_index (model_id)",
)


def upgrade() -> None:
    """Make the table of metrics, and let indexes refer to them."""
    for statement in STATEMENTS:
        op.execute(statement)
