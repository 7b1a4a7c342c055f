"""Look-alikes before and after a metric: the same as measuring and sorting everything, however they are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.indexes.loaded_index import index_measure
from app.learn.before_after import BeforeAfter
from app.learn.learn_results import LearnResult
from app.learn.learning import Proposal
from app.library.library import Library
from app.marks.marks import mark_pairs
from core.errors import TwinlensError
from core.kernels.dot_product_kernels import Linear
from core.kernels.histogram_kernels import ChiSquare, Hellinger
from core.kernels.kernel import Kernel
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric
from core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from storage.photographs.photographs import ReadFile
from tests.app.made_library import EXACTLY, FEW_BITS, SIZE, histograms, make, put

INDEX = FEW_BITS[0]
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
