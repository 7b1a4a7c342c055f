"""Metrics that a library keeps: given from a file or learned, several side by side, each under a name.

A metric is never changed but for its name, so what an index measures by cannot change beneath it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select, update

from core.errors import Remedy, TwinlensError
from core.message import Message, counted
from storage.database.schema import metric, search_index
from storage.database.timestamps import now
from storage.integrity.checksums import sound


@dataclass(frozen=True)
class MetricRow:
    """One metric; descriptor and declaration are in the words of the caller.

    Attributes
    ----------
    descriptor : str
        Whose vectors it measures.
    declaration : str or None
        What it was learned by; None where it was given.
    note : str
        Where it comes from, for people.
    model_id : int
        The fitted metric.
    created : str
        UTC.
    """

    id: int
    name: str
    descriptor: str
    declaration: str | None
    note: str
    model_id: int
    created: str


class Metrics:
    """The metrics of a library, in the order in which they came."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(
        self, name: str, descriptor: str, model_id: int, declaration: str | None = None, note: str = ""
    ) -> MetricRow:
        """Keep a metric under a name.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        self._refuse_name(name)
        values = {
            "name": name,
            "descriptor": descriptor,
            "declaration": declaration,
            "note": note,
            "model_id": model_id,
            "created": now(),
        }
        made = self._connection.execute(insert(metric).values(**values).returning(metric))
        return MetricRow(**sound(metric, made.one()))

    def _refuse_name(self, name: str) -> None:
        if not name.strip():
            raise TwinlensError(Message("A metric needs a name."), Message("Choose one that says where it comes from."))
        if self.by_name(name) is not None:
            raise TwinlensError(
                Message("There is already a metric named “{name}”.", name=name),
                Message("Choose another name, or delete that one."),
            )

    def all(self) -> list[MetricRow]:
        """List every metric."""
        return self._rows(select(metric).order_by(metric.c.id))

    def by_name(self, name: str) -> MetricRow | None:
        """Find a metric by its name."""
        found = self._rows(select(metric).where(metric.c.name == name))
        return found[0] if found else None

    def by_id(self, metric_id: int) -> MetricRow:
        """Return the metric of an id, which must exist."""
        (found,) = self._rows(select(metric).where(metric.c.id == metric_id))
        return found

    def _rows(self, statement: Select[Any]) -> list[MetricRow]:
        return [MetricRow(**sound(metric, row)) for row in self._connection.execute(statement)]

    def users(self, metric_id: int) -> list[str]:
        """Name the indexes that measure by a metric."""
        named = select(search_index.c.name).where(search_index.c.metric_id == metric_id)
        return list(self._connection.execute(named.order_by(search_index.c.position)).scalars())

    def rename(self, metric_id: int, name: str) -> None:
        """Rename a metric; the indexes that measure by it continue to do so.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        if self.by_id(metric_id).name != name:
            self._refuse_name(name)
        self._connection.execute(update(metric).where(metric.c.id == metric_id).values(name=name))

    def delete(self, metric_id: int) -> None:
        """Delete a metric; its model stays until it is removed as unused.

        Raises
        ------
        TwinlensError
            If an index measures by it; names those that do.
        """
        users = self.users(metric_id)
        if users:
            named = ", ".join(f"“{name}”" for name in users)
            name = self.by_id(metric_id).name
            raise TwinlensError(
                counted(
                    "The metric “{name}” cannot be deleted: the index {named} measures by it.",
                    "The metric “{name}” cannot be deleted: the indexes {named} measure by it.",
                    len(users),
                    name=name,
                    named=named,
                ),
                Remedy("delete metric with indexes", {"name": name}),
            )
        self._connection.execute(delete(metric).where(metric.c.id == metric_id))
