"""Search structures in a library: the same answers as the scan, through every change, without a rebuild each time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.indexes.encoders import bring_indexes_up_to_date
from app.library.library import Library
from app.search.search_query import SearchOptions
from app.search.search_results import SearchResult
from app.search.searcher import Searcher
from core.message import NOTHING
from core.search import updatable_structure
from core.search.multi_index.multi_index import MultiIndex
from tests.app.made_library import histograms, make, put

METHOD = "itq:bits=40"
SEARCHES = ("scan", "grouped", "multi-index", "buckets:key_bits=6,radius=6", "permuted:lists=4,spread=100")
VECTORS = histograms(120)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    indexes = [(name, "colour:levels=1", METHOD, name) for name in SEARCHES]
    indexes.append(("finer", "colour:levels=1", METHOD, "scan:candidates=10,asymmetric=true"))
    with make(tmp_path / "made.twinlens", VECTORS[:80], indexes) as opened:
        yield opened


def hits(result: SearchResult) -> list[tuple[int, float]]:
    return [(hit.id, hit.distance) for hit in result.hits]


def test_every_structure_answers_through_additions_and_removals(library: Library) -> None:
    searcher = Searcher(library)
    for round_ in range(3):
        answers = {result.index: result for result in searcher.ask(3, SEARCHES, SearchOptions(12))}
        for name in SEARCHES:  # all that are asked here reach every code
            assert hits(answers[name]) == hits(answers["scan"]), name
        assert answers["buckets:key_bits=6,radius=6"].probed > 0
        put(library, VECTORS[80 + 10 * round_ : 90 + 10 * round_], start=80 + 10 * round_)
        with library.store.writing() as w:
            w.codes.remove([10 + round_])
        bring_indexes_up_to_date(library)
    assert searcher.search(3, "scan", SearchOptions(200)).of == 110


def test_an_asymmetric_distance_chooses_the_candidates(library: Library) -> None:
    result = Searcher(library).search(3, "finer", SearchOptions(5))
    assert result.looked_at == 10
    assert result.hits[0].id == 3


def test_what_takes_long_is_built_aside(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    build = MultiIndex.build

    def slow(self: MultiIndex, planes: np.ndarray, bits: int | None = None) -> object:
        if planes.shape[1]:
            time.sleep(0.2)
            built.append(planes.shape[1])
        return build(self, planes, bits)

    monkeypatch.setattr(MultiIndex, "build", slow)
    monkeypatch.setattr(updatable_structure, "_FEW", 5)
    searcher = Searcher(library, build_aside=True)
    first = searcher.search(3, "multi-index", SearchOptions(5))
    assert "still being built" in str(first.note)
    assert hits(first) == hits(searcher.search(3, "scan", SearchOptions(5)))
    for _ in range(100):
        later = searcher.search(3, "multi-index", SearchOptions(5))
        if not later.note:
            break
        time.sleep(0.05)
    assert later.note == NOTHING
    assert hits(later) == hits(first)
    assert built == [80]
    put(library, VECTORS[80:90], start=80)
    bring_indexes_up_to_date(library)
    after = searcher.search(3, "multi-index", SearchOptions(5))
    assert after.note == NOTHING  # what was built goes on answering
    assert hits(after) == hits(searcher.search(3, "scan", SearchOptions(5)))
    for _ in range(100):
        if built == [80, 90]:
            break
        time.sleep(0.05)
    assert built == [80, 90]
