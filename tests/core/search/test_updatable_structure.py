"""A structure that is updated answers as one built anew."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.search import SEARCHES
from twinlens.core.search.linear_scan import Scan
from twinlens.core.search.search_structure import Search, UpdatableStructure

BITS = 70
CODED = [cls for cls in SEARCHES if cls.uses_codes and cls.in_memory]


def codes(n: int, rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    centres = rng.random((4, BITS)) < 0.5
    return planar(pack_bits(centres[rng.integers(0, 4, n)] ^ (rng.random((n, BITS)) < 0.05)))


def later(
    ids: npt.NDArray[np.int64], planes: npt.NDArray[np.uint64], rng: np.random.Generator, size: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Remove some, change some, add some, between the others and at the end."""
    new = np.setdiff1d(rng.integers(0, 3 * size, 10), ids)
    all_ids = np.concatenate([ids, new])
    everything = np.concatenate([planes, codes(len(new), rng)], axis=1)
    order = np.argsort(all_ids)
    all_ids, everything = all_ids[order], everything[:, order]
    kept = rng.random(len(all_ids)) > 0.2
    changed = rng.random(len(all_ids)) < 0.1
    everything[0, changed] ^= np.uint64(3)
    return all_ids[kept], everything[:, kept]


@pytest.mark.parametrize("cls", CODED, ids=lambda cls: cls.key)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**20), n=st.sampled_from([0, 1, 60]), some=st.booleans())
def test_it_answers_as_a_scan_of_what_is_there_now(cls: type[Search], seed: int, n: int, some: bool) -> None:
    rng = np.random.default_rng(seed)
    ids, planes = np.sort(rng.choice(2 * n + 1, n, replace=False)).astype(np.int64), codes(n, rng)
    updated = UpdatableStructure.build(cls(), ids, planes, BITS)
    for _ in range(3):
        ids, planes = later(ids, planes, rng, n + 3)
        updated = updated.changed(ids, planes)
        np.testing.assert_array_equal(updated.codes(np.arange(len(ids))), planes)
        mask = rng.random(len(ids)) < 0.5 if some else None
        for query in range(0, len(ids), 7):
            code = np.ascontiguousarray(planes[:, query])
            for k in (1, 9, 500):
                everything = Scan().build(planes).candidates(code, 10**6, mask)
                found = updated.candidates(code, k, mask)
                if cls().exact:
                    np.testing.assert_array_equal(found.rows, everything.rows[:k])
                    np.testing.assert_array_equal(found.distances, everything.distances[:k])
                distances = dict(zip(everything.rows.tolist(), everything.distances.tolist(), strict=True))
                pairs = list(zip(found.distances.tolist(), found.rows.tolist(), strict=True))
                assert pairs == sorted(pairs)
                assert all(distances[row] == distance for distance, row in pairs)
            if mask is None or mask[query]:
                assert query in updated.candidates(code, 500, mask).rows
        again = updated.rebuilt()
        assert len(again.beside_rows) == 0
        np.testing.assert_array_equal(again.built_planes, planes)


def test_a_rebuild_pays_when_much_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.core.search.search_structure._FEW", 10)
    rng = np.random.default_rng(0)
    planes = codes(100, rng)
    updated = UpdatableStructure.build(Scan(), np.arange(80), planes[:, :80], BITS)
    assert not updated.changed(np.arange(90), planes[:, :90]).rebuild_pays
    assert updated.changed(np.arange(100), planes).rebuild_pays
    assert updated.changed(np.arange(60), planes[:, :60]).rebuild_pays
    assert not updated.changed(np.arange(100), planes).rebuilt().rebuild_pays
