"""A search of a library on a server sends few statements, whatever the size of the library."""

from __future__ import annotations

import pytest

from app.search.search_query import SearchOptions
from app.search.search_space import Filters
from app.search.searcher import Searcher
from storage.database.address import Address
from storage.indexes import index_codes
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make
from tests.postgres import Server, postgres
from tests.statements import counted

__all__ = ["postgres"]

MOST = 20
_ASKED = [
    SearchOptions(20),
    SearchOptions(2000),
    SearchOptions(20, exact=True),
    SearchOptions(20, compare_exact=True),
    SearchOptions(20, filters=Filters(since="2005", camera="camera 1", orientation="landscape")),
]


def test_the_statements_of_a_search_do_not_grow(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_codes, "FULL", 16)  # so many codes in a segment
    sent: list[list[int]] = []
    for size in (150, 1500):
        address = Address.of(postgres.database())
        numbers = []
        with make(address, histograms(size), (FEW_BITS, LEARNED, EXACTLY)) as library:
            for name, *_ in (FEW_BITS, LEARNED, EXACTLY):
                searcher = Searcher(library)
                for wanted in (*_ASKED, *_ASKED):  # the first search loads the codes
                    with counted() as statements:
                        searcher.search(7, name, wanted)
                    numbers.append(len(statements))
        sent.append(numbers)
    few, many = sent
    assert max(many) <= MOST
    assert many == few
