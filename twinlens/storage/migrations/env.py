"""Runs the migrations on the connection that :func:`twinlens.storage.migrations.upgrade` gives."""

from __future__ import annotations

from alembic import context

from twinlens.storage.database.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite can; the connection's own BEGIN covers the changes of the schema
    render_as_batch=True,
)


context.run_migrations()
