"""Which pairs are offered for marking: useful ones, none twice, none that says nothing; the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.learning import propose
from app.library import Library
from app.marks import mark
from app.offering import ENOUGH, offer
from core.errors import Cancelled, TwinlensError
from tests.app.made_library import FEW_BITS, SIZE, make
from tests.app.test_learning_before_after import explicit, proposed

INDEX = FEW_BITS[0]
GROUPS = 6


def grouped(n: int, seed: int = 0) -> npt.NDArray[np.float32]:
    """Make colours up of groups whose photographs are alike; photograph i is of group i % GROUPS."""
    rng = np.random.default_rng(seed)
    middles = rng.random((GROUPS, SIZE)) ** 6
    made = middles[np.arange(n) % GROUPS] + 0.3 * rng.random((n, SIZE)) ** 6
    return np.asarray(made / made.sum(axis=1, keepdims=True), np.float32)


def alike(one: int, other: int) -> bool:
    return one % GROUPS == other % GROUPS


def answered(library: Library, count: int) -> list[tuple[int, int]]:
    """Mark what is offered, by group."""
    pairs = [(one.first_id, one.second_id) for one in offer(library, INDEX, count=count).pairs]
    for kind in (True, False):
        mark(library, [pair for pair in pairs if alike(*pair) == kind], kind)
    return pairs


def test_without_marks_pairs_of_both_kinds_come_first(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(120), (FEW_BITS,)) as library:
        result = offer(library, INDEX, count=12)
        assert len(result.pairs) == 12
        kinds = [alike(one.first_id, one.second_id) for one in result.pairs]
        assert 2 <= sum(kinds) <= 10
        assert {one.why for one in result.pairs} == {"first"}
        assert all(one.reason.startswith("To begin with") and one.learned_distance is None for one in result.pairs)
        photographs = [i for one in result.pairs for i in (one.first_id, one.second_id)]
        assert len(photographs) == len(set(photographs))
        assert result.more == ENOUGH
        assert result.sentence == f"{ENOUGH} more would help most."
        assert result.pairs == offer(library, INDEX, count=12).pairs
        assert result.pairs != offer(library, INDEX, count=12, seed=1).pairs


def test_what_is_marked_skipped_or_the_same_is_not_offered(tmp_path: Path) -> None:
    x = grouped(12)
    x[6:9] = x[0:3]  # the same picture in another file
    x[11] = 0
    with make(tmp_path / "a.twinlens", x, (FEW_BITS,)) as library:
        everything = {(i, j) for i in range(1, 12) for j in range(i + 1, 12)} - {(1, 7), (2, 8), (3, 9)}
        seen: set[tuple[int, int]] = set()
        while found := offer(library, INDEX, skipped=[(j, i) for i, j in sorted(seen)]).pairs:
            pairs = {(one.first_id, one.second_id) for one in found}
            assert not pairs & seen
            seen |= pairs
        assert seen <= everything
        assert len(seen) > len(everything) / 2
        some = sorted(seen)[:20]
        mark(library, some, True)
        again = {(one.first_id, one.second_id) for one in offer(library, INDEX, count=50).pairs}
        assert again
        assert not again & set(some)
        assert offer(library, INDEX, skipped=everything).sentence == "There are no pairs left to ask about."


def test_pairs_on_which_metrics_disagree_come_with_the_reason(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(90), (FEW_BITS,)) as library:
        answered(library, 10)
        answered(library, 10)
        metric = explicit(3)
        result = offer(library, INDEX, proposed(library, metric), count=15)
        assert {"disagree", "unsure"} >= {one.why for one in result.pairs}
        assert "disagree" in {one.why for one in result.pairs}
        for one in result.pairs:
            assert one.learned_distance is not None
            if "by what was learned they are near" in one.reason:
                assert one.learned_distance < one.distance * 2
        assert [one.usefulness for one in result.pairs] == sorted(
            (one.usefulness for one in result.pairs), reverse=True
        )


def test_the_kind_that_is_lacking_is_asked_for(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(120), (FEW_BITS,)) as library:
        mark(library, [(i, i + GROUPS) for i in range(1, 12)], True)
        similar_only = offer(library, INDEX, count=12).pairs
        assert sum(not alike(one.first_id, one.second_id) for one in similar_only) >= 4
        assert all(one.why == "unsure" for one in similar_only)


def test_how_many_more_would_help_is_what_learning_says(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(60), (FEW_BITS,)) as library:
        mark(library, [(i, i + 20) for i in range(1, 12)], True)
        mark(library, [(i, i + 20) for i in range(12, 22)], False)
        proposal = propose(library, index=INDEX)
        assert not proposal.result.sure
        assert offer(library, INDEX, proposal).more == proposal.result.more > 0


def test_a_library_with_nothing_to_offer_and_other_names_get_a_sentence(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(1), (FEW_BITS,)) as library:
        result = offer(library, INDEX)
        assert (result.pairs, result.considered) == ([], 0)
        with pytest.raises(TwinlensError, match="no index “Other”"):
            offer(library, "Other")
        with pytest.raises(TwinlensError, match="no metric “Other”"):
            offer(library, INDEX, "Other")


def test_looking_for_pairs_can_be_cancelled(tmp_path: Path) -> None:
    def progress(done: float, total: float, text: str) -> None:
        if done > 0.6 * total:
            raise Cancelled

    with make(tmp_path / "a.twinlens", grouped(30), (FEW_BITS,)) as library, pytest.raises(Cancelled):
        offer(library, INDEX, progress=progress)
