"""Settings of a library: JSON values under names."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from storage.database.dialect import of
from storage.database.schema import setting
from storage.integrity.checksums import from_json, sound


class LibrarySettings:
    """The settings that go with a library, not with a machine."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a setting's JSON value."""
        row = self._connection.execute(select(setting).where(setting.c.name == name)).first()
        return default if row is None else _value(row)

    def put(self, name: str, value: Any) -> None:
        """Keep a setting; the value is anything that JSON can hold."""
        written = json.dumps(value, sort_keys=True)
        statement = self._dialect.insert(setting).values(name=name, value=written)
        self._connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": written}))

    def remove(self, name: str) -> None:
        """Go back to the default."""
        self._connection.execute(delete(setting).where(setting.c.name == name))

    def all(self) -> dict[str, Any]:
        """Return every setting that was kept."""
        rows = self._connection.execute(select(setting).order_by(setting.c.name))
        return {row.name: _value(row) for row in rows}


def _value(row: Row[Any, Any]) -> Any:
    """Return the JSON value of a setting; a damaged one is no setting to go by."""
    return from_json(sound(setting, row)["value"], setting, row)
