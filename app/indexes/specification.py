"""Declarations of a new index, checked before any photograph is read."""

from __future__ import annotations

from dataclasses import dataclass

from app.indexes.index_metric import ChosenMetric, choose_metric
from app.methods import catalogue
from core.hashing.hash_method import HashMethod
from core.search.search_structure import Search
from core.search.server_lists import ServerLists
from features.descriptor import Descriptor
from storage.library.transaction import Transaction


@dataclass(frozen=True)
class IndexSpecification:
    """The declarations of a new index without its metric, which depends on the library. Made by :meth:`of`.

    Examples
    --------
    >>> wanted = WantedIndex.of("colour", "itq:bits=256", "scan")
    >>> wanted.name(), wanted.name("whitening")
    ('colour · itq:bits=256', 'colour · whitening · itq:bits=256')
    >>> WantedIndex.of("colour", "itq", "exact").name()
    'colour · exact'
    """

    descriptor: Descriptor
    method: HashMethod
    search: Search

    @classmethod
    def of(cls, descriptor: str, method: str, search: str) -> IndexSpecification:
        """Read text forms.

        Raises
        ------
        DeclarationError
            If one is not valid.
        """
        return cls(catalogue.descriptor(descriptor), catalogue.method(method), catalogue.search_structure(search))

    def name(self, metric: str = "") -> str:
        """Return its default name: the declarations, with the metric if any, and the search if it is not the scan."""
        parts = [self.descriptor.text(), *([metric] if metric else [])]
        if self.search.uses_codes:
            parts.append(self.method.text())
        if self.search.text() != "scan":
            parts.append(self.search.text())
        return " · ".join(parts)

    def checked(self, r: Transaction, metric: str) -> ChosenMetric | None:
        """Refuse impossible combinations, and return the metric, if there is one.

        Parameters
        ----------
        r : Transaction
        metric : str
            Name of a metric that the library keeps, or text form of one that is fitted; empty for none.

        Raises
        ------
        TwinlensError
            If there is no such metric, metric or method can never learn from this descriptor, or the library is on no
            server that could search its codes.
        """
        if isinstance(self.search, ServerLists):
            refusal = r.codes.tables.refusal()
            if refusal is not None:
                raise refusal
        method = self.method if self.search.uses_codes else None
        if metric:
            chosen = choose_metric(r, metric)
            chosen.check(r, self.descriptor, method)
            return chosen
        if method is not None:
            method.check(self.descriptor.dimensions, self.descriptor.matrix_shape)
        return None
