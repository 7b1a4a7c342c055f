"""Migrations from an older library to the present schema, each in one transaction that is rolled back when it fails.

Each step is a file of ``versions/``, made by hand and never edited after its release; the first is the schema of
Twinlens 1.0.0. Alembic is imported here only, and this module only when a library is behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

HERE = Path(__file__).parent
VERSIONS = (HERE / "versions",)


def upgrade(connection: Connection, revision: str, versions: Sequence[Path] = VERSIONS) -> None:
    """Bring the schema to a revision, inside the connection's transaction.

    Parameters
    ----------
    connection : Connection
        In a transaction; to a file, with foreign keys switched off: a table that is made anew would take what refers
        to it along.
    versions : sequence of Path
        Folders of migrations.
    """
    config = Config()
    config.set_main_option("script_location", _quoted(HERE))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(_quoted(folder) for folder in versions))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _quoted(folder: Path) -> str:
    return str(folder).replace("%", "%%")
