"""Pairs offered for marking are useful and never twice; look-alikes before and after a metric are those of sorting."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from tests.app.folders import added, ids_by_name, write_scenes
from tests.app.made_library import EXACTLY, FEW_BITS, SIZE, histograms, make, put
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.learn.before_after import BeforeAfter
from twinlens.app.learn.learn_results import LearnResult
from twinlens.app.learn.learning import Proposal, propose_metric
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.learn.next_pairs import NextPairSettings, offer_pairs
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import ChiSquare, Hellinger
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.learning import marks_wanted
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.storage.photographs.photographs import ReadFile

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
        begin = ("These look",)
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


NOTHING = LearnResult(
    index=INDEX, descriptor="colour:levels=1", pairs=0, similar=0, different=0, advice="", better=0, worse=0, of=0,
    apart=True, more=0, tried=[], metric=None, learned_by=None, left_out=[], seconds=0,
)  # fmt: skip


def proposed(library: Library, metric: FittedMetric, index: str = INDEX) -> Proposal:
    """Propose any metric, as if it had been learned."""
    with library.store.reading() as r:
        measured = index_measure(r, index)
    return Proposal(NOTHING, metric, measured, measured.row.descriptor, None, np.empty(0, np.int64))


def explicit(seed: int = 0) -> ExplicitMetric:
    return ExplicitMetric.of(np.diag(np.random.default_rng(seed).random(SIZE) * 3)[: SIZE // 2], spread=0.7)


def implicit() -> ImplicitMetric:
    rng = np.random.default_rng(1)
    return ImplicitMetric.of(rng.random((6, SIZE)) / 5, rng.standard_normal((6, 6)) / 5, spread=1.3)


def of_kernel(kernel: Kernel) -> KernelMetric:
    x = histograms(40, seed=4)
    return KernelMetric.of_weights(kernel, x[:8], np.eye(8), sample=x).fitted_to(x)


def some(n: int = 150) -> npt.NDArray[np.float32]:
    """Make colours up, some photographs equal and some without anything to compare."""
    x = histograms(n)
    x[10:14] = x[3]
    x[20:23] = 0
    return x


def slowly(library: Library, proposal: Proposal, photograph: int) -> list[list[tuple[int, int, float]]]:
    """Rank by measuring everything: (id, place in the other order, distance), the photograph itself first."""
    assert proposal.metric is not None
    with library.store.reading() as r:
        ids = r.descriptors.ids(proposal.index.kind)
        x = r.descriptors.read(proposal.index.kind, ids)[0].astype(np.float32)
    query = x[ids == photograph][0]
    measured = [one.distances(query, x) for one in (proposal.index.measure, proposal.metric)]
    orders = [np.lexsort((ids, d, ids != photograph)) for d in measured]
    places = [np.argsort(order) + 1 for order in orders]
    return [
        [(int(ids[row]), int(other[row]), float(d[row])) for row in order]
        for order, other, d in zip(orders, places[::-1], measured, strict=True)
    ]


@pytest.mark.parametrize("room", [10**9, 0], ids=["kept", "read"])
@pytest.mark.parametrize("ranking", ["distance", "kernel"])
@pytest.mark.parametrize(
    "metric",
    [explicit(), implicit(), *map(of_kernel, (Hellinger(), Linear(), ChiSquare()))],
    ids=["explicit", "implicit", "of Hellinger", "of linear", "of chi-square"],
)
def test_both_lists_are_those_of_measuring_everything(
    tmp_path: Path, metric: FittedMetric, ranking: str, room: int
) -> None:
    with make(tmp_path / "a.twinlens", some(), (FEW_BITS,)) as library:
        proposal = proposed(library, replace(metric, ranking=ranking))
        asked = BeforeAfter(library, proposal, room=room)
        for photograph in (1, 4, 12, 22):
            result = asked.ask(photograph, k=40)
            for listed, expected in zip(
                (result.before, result.after), slowly(library, proposal, photograph), strict=True
            ):
                assert [(one.id, one.other_rank, one.distance) for one in listed] == expected[:40]
                assert [one.rank for one in listed] == list(range(1, 41))
                assert listed[0].query
            assert result.of == 150
            assert result.moved_up == len({one.id for one in result.after} - {one.id for one in result.before})


@pytest.mark.parametrize("metric", [explicit(), of_kernel(ChiSquare())], ids=["explicit", "of chi-square"])
def test_what_has_come_changed_or_gone_is_noticed(tmp_path: Path, metric: FittedMetric) -> None:
    with make(tmp_path / "a.twinlens", some(60), (FEW_BITS,)) as library:
        proposal = proposed(library, metric)
        asked = BeforeAfter(library, proposal)
        asked.prepare()
        put(library, histograms(12, seed=7), start=60)
        with library.store.writing() as w:
            w.descriptors.remove([5, 6])
            w.descriptors.put(proposal.index.kind, [9], histograms(1, seed=9))
            w.photographs.record([ReadFile(9, b"9" * 32, "JPEG", 640, 480, 1, None, None)])
        result = asked.ask(3, k=70)
        for listed, expected in zip((result.before, result.after), slowly(library, proposal, 3), strict=True):
            assert [(one.id, one.other_rank, one.distance) for one in listed] == expected
        assert result.of == 70


def test_marks_are_flagged_and_measured(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", some(60), (FEW_BITS, EXACTLY)) as library:
        mark_pairs(library, [(1, 2), (1, 3)], True)
        mark_pairs(library, [(1, 4), (3, 1), (5, 6)], False)
        proposal = proposed(library, explicit())
        asked = BeforeAfter(library, proposal)
        assert asked.best_query() == 1
        found = {one.id: one.judged for one in asked.ask(1, k=60).after}
        assert {one: word for one, word in found.items() if word} == {2: "similar", 3: "contradicted", 4: "different"}
        (one, other, none) = asked.distances([(1, 2), (2, 1), (1, 999)])
        assert (one.before, one.after) == (other.before, other.after)
        whole = {at.id: (at.distance, at.other_distance) for at in asked.ask(1, k=60).before}
        assert (one.before, one.after) == pytest.approx(whole[2], abs=1e-9)
        assert (none.before, none.after, none.comparable) == (None, None, None)
        assert one.after is not None
        assert other.comparable == one.comparable


def test_distances_of_marks_are_told_alike_whether_a_metric_shrinks_or_stretches_all(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", some(60), (FEW_BITS, EXACTLY)) as library:
        plain = proposed(library, explicit())
        metrics = [ExplicitMetric.of(np.eye(SIZE) * scale) for scale in (1 / 7, 3)]
        asked = [BeforeAfter(library, replace(plain, metric=metric)) for metric in metrics]
        (short,), (long,) = (one.distances([(1, 2)]) for one in asked)
        assert short.before == long.before
        assert short.after is not None
        assert long.after == pytest.approx(21 * short.after, rel=1e-4)
        assert short.comparable == pytest.approx(long.comparable, rel=1e-4)


def test_what_cannot_be_shown_gets_a_sentence(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", some(40), (FEW_BITS,)) as library:
        with pytest.raises(TwinlensError, match="no photo 999"):
            BeforeAfter(library, proposed(library, explicit())).ask(999)
        with pytest.raises(TwinlensError, match="no metric “Mine”"):
            BeforeAfter(library, "Mine")
        with pytest.raises(TwinlensError, match="Nothing was learned"):
            BeforeAfter(library, replace(proposed(library, explicit()), metric=None))
        assert BeforeAfter(library, proposed(library, explicit())).best_query() is None
