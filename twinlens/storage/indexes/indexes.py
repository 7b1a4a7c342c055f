"""The indexes of a library: each a descriptor, metric, hash method and search structure under a name."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from twinlens.core.errors import TwinlensError
from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import now
from twinlens.storage.integrity.checksums import sound


@dataclass(frozen=True)
class IndexRow:
    """One index; descriptor, metric, method and search are declarations in the words of the caller.

    It measures by a metric of its own, or by one that the library keeps, or by none.

    Attributes
    ----------
    automatic : bool
        Whether the program chose it and refits it.
    kind_id : int or None
        The kind of descriptor whose vectors it hashes; None until that is made.
    metric : str or None
        The metric that is fitted with the index.
    metric_id : int or None
        The metric that the library keeps.
    metric_name : str or None
        Its name now.
    metric_model_id : int or None
        The fitted metric, of either kind, that the index measures by; None until it is fitted.
    model_id : int or None
        The fitted encoder; None until it is fitted.
    fitted_on : int
        How many photographs the library had when it was fitted.
    position : int
        Its place in the list.
    codes_token : int
        Another number whenever its codes have changed, also by a restored backup: what was made from them is stale.
    """

    id: int
    name: str
    automatic: bool
    descriptor: str
    kind_id: int | None
    metric: str | None
    metric_id: int | None
    metric_name: str | None
    metric_model_id: int | None
    method: str
    search: str
    model_id: int | None
    fitted_on: int
    created: str
    position: int
    codes_token: int


def new_token() -> int:
    """Return a new random number, so that a restored backup brings no old one back."""
    return secrets.randbits(62)


_SELECT = """
    SELECT search_index.*, metric.name AS metric_name
    FROM search_index LEFT JOIN metric ON metric.id = search_index.metric_id
"""


class Indexes:
    """The indexes of a library, in the order of their positions.

    Parameters
    ----------
    reads : bool
        Whether the transaction only reads: then the list is read once, however often it is asked for.
    """

    def __init__(self, dialect: Dialect, reads: bool = False) -> None:
        self._dialect = dialect
        self._reads = reads
        self._all: list[IndexRow] | None = None

    def add(
        self,
        name: str,
        descriptor: str,
        method: str,
        search: str,
        metric: str | None = None,
        automatic: bool = False,
        kind_id: int | None = None,
        metric_id: int | None = None,
    ) -> IndexRow:
        """Add an index at the end of the list, not fitted yet.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        self._refuse_name(name)
        last = self._dialect.value("SELECT max(position) FROM search_index")
        values = {
            "name": name,
            "automatic": int(automatic),
            "descriptor": descriptor,
            "kind_id": kind_id,
            "metric": metric,
            "metric_id": metric_id,
            "method": method,
            "search": search,
            "fitted_on": 0,
            "created": now(),
            "position": 0 if last is None else last + 1,
            "codes_token": new_token(),
        }
        row = self.by_id(self._dialect.number("search_index", values))
        assert row is not None
        return row

    def _refuse_name(self, name: str) -> None:
        if not name.strip():
            raise TwinlensError("An index needs a name.", "Choose one that says what it finds.")
        if self.by_name(name) is not None:
            raise TwinlensError(
                "There is already an index named “{name}”.", "Choose another name, or delete that one.", name=name
            )

    def all(self) -> list[IndexRow]:
        """List every index."""
        if self._all is None or not self._reads:
            self._all = self._rows("ORDER BY search_index.position, search_index.id")
        return list(self._all)

    def automatic(self) -> int | None:
        """Return the id of the automatic index, without reading more of it."""
        found: int | None = self._dialect.value("SELECT id FROM search_index WHERE automatic <> 0")
        return found

    def names(self) -> list[str]:
        """Name every index, without reading more of it."""
        return self._dialect.column("SELECT name FROM search_index ORDER BY position")

    def by_name(self, name: str) -> IndexRow | None:
        """Find an index by its name."""
        found = self._rows("WHERE search_index.name = ?", name)
        return found[0] if found else None

    def by_id(self, index_id: int) -> IndexRow | None:
        """Find an index by its id."""
        found = self._rows("WHERE search_index.id = ?", index_id)
        return found[0] if found else None

    def _rows(self, which: str, *values: Any) -> list[IndexRow]:
        rows = (sound("search_index", row) for row in self._dialect.records(f"{_SELECT} {which}", values))
        return [IndexRow(**row | {"automatic": bool(row["automatic"])}) for row in rows]

    def rename(self, index_id: int, name: str) -> None:
        """Rename an index.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        present = self.by_id(index_id)
        if present is None or present.name != name:
            self._refuse_name(name)
        self._set(index_id, name=name)

    def describe(
        self,
        index_id: int,
        descriptor: str,
        method: str,
        search: str,
        metric: str | None = None,
        metric_id: int | None = None,
    ) -> None:
        """Change the declarations of an index; unless only the search differs, it is not fitted any more."""
        present = self.by_id(index_id)
        identity = (descriptor, method, metric, metric_id)
        if present is not None and (present.descriptor, present.method, present.metric, present.metric_id) != identity:
            self.unfit(index_id, kind_id=None)
        if present is not None and present.search != search:
            self._dialect.code_tables.drop(index_id)
        self._set(index_id, descriptor=descriptor, method=method, search=search, metric=metric, metric_id=metric_id)

    def set_metric_model(self, index_id: int, model_id: int, fitted_on: int) -> None:
        """Set the fitted metric of an index, learned from so many photographs; its codes are the caller's."""
        self._set(index_id, metric_model_id=model_id, fitted_on=fitted_on)

    def set_kind(self, index_id: int, kind_id: int | None) -> None:
        """Set the kind of descriptor that an index hashes; if it changes, the index is not fitted any more."""
        present = self.by_id(index_id)
        if present is not None and present.kind_id != kind_id:
            self.unfit(index_id, kind_id=kind_id)

    def unfit(self, index_id: int, **kind: int | None) -> None:
        """Remove all that an index has learned, and its codes; it may get another ``kind_id``, too."""
        self._dialect.code_tables.drop(index_id)
        self._dialect.execute("DELETE FROM code_segment WHERE index_id = ?", (index_id,))
        self._set(index_id, model_id=None, metric_model_id=None, fitted_on=0, codes_token=new_token(), **kind)

    def take_the_place(self, index_id: int, of: int) -> None:
        """Put an index into the place of another, under its name, also as the automatic one; the other is deleted."""
        other = self.by_id(of)
        assert other is not None
        self.delete(of)
        self._set(index_id, name=other.name, automatic=int(other.automatic), position=other.position)

    def go_before(self, index_id: int, other_id: int, called: str) -> None:
        """Make an index the automatic one, with its name and place; the former one gets its place and another name.

        Raises
        ------
        TwinlensError
            If the other's new name is empty or taken.
        """
        one, other = self.by_id(index_id), self.by_id(other_id)
        assert one is not None
        assert other is not None
        self.rename(other_id, called)
        self._set(other_id, automatic=0, position=one.position)
        self._set(index_id, name=other.name, automatic=int(other.automatic), position=other.position)

    def delete(self, index_id: int) -> None:
        """Delete an index with its codes; its models stay until they are removed as unused."""
        self._dialect.code_tables.drop(index_id)
        self._dialect.execute("DELETE FROM search_index WHERE id = ?", (index_id,))

    def _set(self, index_id: int, **values: Any) -> None:
        self._dialect.change("search_index", index_id, values)
