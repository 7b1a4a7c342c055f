"""Which pairs are offered for marking: useful ones, none twice, none that says nothing; the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from app.learn.learning import LearningSettings, propose_metric
from app.learn.next_pairs import NextPairSettings, offer_pairs
from app.library.library import Library
from app.marks.marks import mark_pairs
from core.errors import Cancelled, TwinlensError
from core.learning.marks_wanted import marks_wanted
from tests.app.folders import added, ids_by_name, write_scenes
from tests.app.learn.test_before_after import explicit, proposed
from tests.app.made_library import FEW_BITS, SIZE, make

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
    pairs = [(one.first_id, one.second_id) for one in offer_pairs(library, NextPairSettings(count=count), INDEX).pairs]
    for kind in (True, False):
        mark_pairs(library, [pair for pair in pairs if alike(*pair) == kind], kind)
    return pairs


def test_without_marks_pairs_of_both_kinds_come_first(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(120), (FEW_BITS,)) as library:
        result = offer_pairs(library, NextPairSettings(count=12), INDEX)
        assert len(result.pairs) == 12
        kinds = [alike(one.first_id, one.second_id) for one in result.pairs]
        assert 2 <= sum(kinds) <= 10
        assert {one.why for one in result.pairs} == {"first"}
        begin = ("To begin with", "Twinlens thinks")
        assert all(str(one.reason).startswith(begin) and one.learned_distance is None for one in result.pairs)
        photographs = [i for one in result.pairs for i in (one.first_id, one.second_id)]
        assert len(photographs) == len(set(photographs))
        assert result.pairs == offer_pairs(library, NextPairSettings(count=12), INDEX).pairs
        assert result.pairs != offer_pairs(library, NextPairSettings(count=12, seed=1), INDEX).pairs


def test_what_is_marked_skipped_or_the_same_is_not_offered(tmp_path: Path) -> None:
    x = grouped(12)
    x[6:9] = x[0:3]  # the same picture in another file
    x[11] = 0
    with make(tmp_path / "a.twinlens", x, (FEW_BITS,)) as library:
        everything = {(i, j) for i in range(1, 12) for j in range(i + 1, 12)} - {(1, 7), (2, 8), (3, 9)}
        seen: set[tuple[int, int]] = set()
        while found := offer_pairs(library, NextPairSettings(skipped=[(j, i) for i, j in sorted(seen)]), INDEX).pairs:
            pairs = {(one.first_id, one.second_id) for one in found}
            assert not pairs & seen
            seen |= pairs
        assert seen <= everything
        assert len(seen) > len(everything) / 2
        some = sorted(seen)[:20]
        mark_pairs(library, some, True)
        again = {(one.first_id, one.second_id) for one in offer_pairs(library, NextPairSettings(count=50), INDEX).pairs}
        assert again
        assert not again & set(some)
        assert not offer_pairs(library, NextPairSettings(skipped=everything), INDEX).pairs


def test_pairs_on_which_metrics_disagree_come_with_the_reason(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(90), (FEW_BITS,)) as library:
        answered(library, 10)
        answered(library, 10)
        metric = explicit(3)
        result = offer_pairs(library, NextPairSettings(count=15), INDEX, proposed(library, metric))
        assert {"disagree", "unsure"} >= {one.why for one in result.pairs}
        assert "disagree" in {one.why for one in result.pairs}
        for one in result.pairs:
            assert one.learned_distance is not None
            if "by what was learned they are near" in str(one.reason):
                assert one.learned_distance < one.distance * 2
        assert [one.usefulness for one in result.pairs] == sorted(
            (one.usefulness for one in result.pairs), reverse=True
        )


def test_the_kind_that_is_lacking_is_asked_for(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(120), (FEW_BITS,)) as library:
        mark_pairs(library, [(i, i + GROUPS) for i in range(1, 12)], True)
        similar_only = offer_pairs(library, NextPairSettings(count=12), INDEX).pairs
        assert sum(not alike(one.first_id, one.second_id) for one in similar_only) >= 4
        assert all(one.why == "unsure" for one in similar_only)


def test_learning_never_asks_for_fewer_marks_than_were_asked_for_before(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(60), (FEW_BITS,)) as library:
        for first, last in ((1, 3), (3, 7), (7, 14)):
            mark_pairs(library, [(i, i + 20) for i in range(first, last)], first != 3)
            learned = propose_metric(library, LearningSettings(index=INDEX, anyway=True)).result
            assert learned.sure or marks_wanted(learned.pairs) <= learned.more <= 100


def test_two_files_of_the_same_picture_are_not_asked_about(tmp_path: Path) -> None:
    """Neither where the content differs, smaller and as a PNG, nor where one is a part of the other."""
    files = write_scenes(tmp_path / "photographs", 6)
    for number, file in enumerate(files[:3]):
        with Image.open(file) as picture:
            picture.resize((240, 180)).save(file.with_name(f"small{number}.png"))
            picture.crop((0, 0, 260, 200)).save(file.with_name(f"part{number}.jpg"), quality=90)
    path = tmp_path / "a.twinlens"
    added(path, tmp_path / "photographs")
    names = {photograph: name for name, photograph in ids_by_name(path).items()}

    def shows(photograph: int) -> str:
        return names[photograph].removeprefix("small").removeprefix("part").removeprefix("000")[0]

    with Library.open(path) as library:
        seen: set[tuple[int, int]] = set()
        while found := offer_pairs(library, NextPairSettings(skipped=seen)).pairs:
            seen |= {(one.first_id, one.second_id) for one in found}
    assert len(seen) > 10
    assert not [(names[one], names[other]) for one, other in seen if shows(one) == shows(other)]


def test_a_library_with_nothing_to_offer_and_other_names_get_a_sentence(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(1), (FEW_BITS,)) as library:
        result = offer_pairs(library, index=INDEX)
        assert (result.pairs, result.considered) == ([], 0)
        with pytest.raises(TwinlensError, match="no index “Other”"):
            offer_pairs(library, index="Other")
        with pytest.raises(TwinlensError, match="no metric “Other”"):
            offer_pairs(library, index=INDEX, learned="Other")


def test_looking_for_pairs_can_be_cancelled(tmp_path: Path) -> None:
    def progress(done: float, total: float, text: object) -> None:
        if done > 0.6 * total:
            raise Cancelled

    with make(tmp_path / "a.twinlens", grouped(30), (FEW_BITS,)) as library, pytest.raises(Cancelled):
        offer_pairs(library, index=INDEX, progress=progress)
