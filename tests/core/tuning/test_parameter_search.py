"""The search for good parameters: its budget, its queries, and what it advises."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.evaluation.measurement import DataFacts, StepMemory, StepStore, Timing, measure_plan
from twinlens.core.evaluation.measures import by_count
from twinlens.core.evaluation.method_evaluation import evaluate_method, evaluate_ranking
from twinlens.core.evaluation.plan import CodeStep, HeldOutSplits, LoadedTask, MeasurementPlan, NamedMetric
from twinlens.core.evaluation.tables import Tables
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.kernels.dot_product_kernels import Polynomial
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import NOTHING
from twinlens.core.methods import METHODS
from twinlens.core.methods.itq import Itq
from twinlens.core.methods.klsh import Klsh
from twinlens.core.methods.lsh import Lsh
from twinlens.core.progress import Progress, silent
from twinlens.core.search.linear_scan import Scan
from twinlens.core.tuning.attempts import Attempts, Budget, SecondsBudget, TrialsBudget
from twinlens.core.tuning.parameter_search import (
    SPLITS,
    VALUES,
    WIDTHS,
    Tuning,
    choose_declaration,
    drawn_candidates,
    judged_figure,
    stages,
    tune,
)
from twinlens.testing.declarations import training_data


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


Recall = Callable[[HashMethod, int], float]


@dataclass(frozen=True, eq=False)
class Made(MeasurementPlan):
    """A split whose measurement takes cost seconds for each thousand items, and has the recall that is said."""

    items: int = 0
    recall: Recall = lambda method, items: 0.0
    clock: Clock | None = None
    cost: float = 0.0
    parts: int = 10

    def load(self, progress: Progress = silent) -> LoadedTask:
        return cast(LoadedTask, self)

    facts = DataFacts("made", 0, 1, 50, "l2")
    exact = 0.0

    def figures(self, steps: Sequence[CodeStep], progress: Progress) -> Iterator[Figures]:
        (step,) = steps
        method = step.method
        assert isinstance(method, HashMethod)
        assert self.items != 3_950 or step.search == Scan(), "of the last stage all figures are wanted"
        for number in range(self.parts):
            progress(number, self.parts, NOTHING)
            if self.clock is not None:
                self.clock.now += self.cost * self.items / 1_000 / self.parts
        value = self.recall(method, self.items)
        recalls = {"recall@1": value / 2, "recall@10": value, "recall@100": 1.0}
        times = {"fit": 0.1, "encode": 0.1, "encode_query": 0.001, "search": 0.001 * method.bits}
        sizes = {"bytes model": 100, "bytes codes": method.bits // 8 * self.items}
        yield Figures({**recalls, **{f"seconds {name}": value for name, value in times.items()}, **sizes})


class MadeSplits(HeldOutSplits):
    """Splits of so many items that are not there."""

    def __init__(
        self, recall: Recall, clock: Clock | None = None, cost: float = 0.0, parts: int = 10, most: int = 3_950
    ) -> None:
        super().__init__(np.zeros((50, 1)), "l2")
        self._made, self._most = (recall, clock, cost, parts), most

    @property
    def most(self) -> int:
        return self._most

    def plan(self, split: int, size: int) -> MeasurementPlan:
        if (split, size) not in self._plans:
            there = np.array([[split, size]])
            self._plans[split, size] = Made(Tables("made", there, there), (), (), (0,), "l2", 1, 100, False,
                                            NamedMetric(), False, size, *self._made)  # fmt: skip
        return self._plans[split, size]


def ranks(bits: tuple[int, ...] = (64, 128)) -> Iterator[HashMethod]:
    """Return candidates without end, which differ in seed and bits."""
    return (Lsh(bits=bits[seed % len(bits)], seed=seed) for seed in range(1, 10_000))


def by_seed(method: HashMethod, items: int) -> float:
    """Have recall grow with the bits and be best at seed 7."""
    return 0.5 + 0.001 * method.bits - 0.01 * min(abs(method.seed - 7), 20)


def searched(
    budget: Budget, splits: HeldOutSplits, store: StepStore | None = None, progress: Progress = silent
) -> Tuning:
    return tune([Lsh(bits=64), Lsh(bits=128)], ranks(), splits, Attempts(budget, store or StepMemory(), progress))


# ---- queries that are held out ---------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(st.integers(50, 400), st.integers(1, 300), st.integers(0, 9), st.integers(0, 4))
def test_queries_are_neither_searched_nor_learned_from(n: int, queries: int, seed: int, split: int) -> None:
    splits = HeldOutSplits(np.arange(n, dtype=np.float32)[:, None], "l2", queries, seed)
    asked, found = splits.rows(split, splits.most)
    assert not np.intersect1d(asked, found).size
    assert len(asked) + len(found) == n
    assert len(asked) == min(queries, n // 5)
    task = splits.task(split, splits.most)
    assert not np.isin(task.queries, task.base).any()
    assert task.own is None
    fewer = splits.rows(split, splits.most // 2)
    np.testing.assert_array_equal(fewer[0], asked)
    assert np.isin(fewer[1], found).all()
    assert not np.array_equal(splits.rows(split + 1, splits.most)[0], asked) or len(asked) < 3


def test_figures_are_those_of_bench_on_the_tables_of_a_split() -> None:
    splits, method = HeldOutSplits(training_data(900, 12), "l2", 60), Itq(bits=8)
    tuning = tune([method], iter(()), splits, Attempts(TrialsBudget(30), StepMemory()))
    assert {(trial.items, trial.split) for trial in tuning.trials} == {(840, split) for split in range(SPLITS)}
    for trial in tuning.trials:
        assert trial.figures is not None
        asked, found = splits.rows(trial.split, trial.items)
        tables = Tables("another name", splits.x[found], splits.x[asked])
        (expected,) = measure_plan(
            MeasurementPlan(tables, [method], [Scan()], truth="l2"), StepMemory(), Timing(silent)
        ).values()
        assert by_count(trial.figures.values, "recall@") == by_count(expected.figures.values, "recall@")
        assert trial.figures.values["map"] == expected.figures.values["map"]
        if trial.is_final:
            assert by_count(trial.figures.values, "overlap@") == by_count(expected.figures.values, "overlap@")
            assert trial.figures.values["looked_at"] == expected.figures.values["looked_at"]


# ---- the budget ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [5.0, 30.0, 100.0])
@pytest.mark.parametrize("cost", [0.1, 1.0, 7.0])
def test_the_time_is_kept(seconds: float, cost: float) -> None:
    clock = Clock()
    tuning = searched(SecondsBudget(seconds, clock), MadeSplits(by_seed, clock, cost))
    # What goes on when the time ends is given up at its next step.
    assert clock.now <= seconds + cost * 3.95 / 10
    choice = choose_declaration(tuning, 50)
    if cost * 1.316 < seconds:
        assert choice is not None
    if seconds == 100 and cost == 0.1:
        assert tuning.is_complete


def test_what_cannot_end_in_time_is_not_begun() -> None:
    clock = Clock()
    # Nothing tells the time while it runs: only the estimate can keep it.
    tuning = searched(SecondsBudget(90.0, clock), MadeSplits(by_seed, clock, 2.0, parts=1))
    assert clock.now <= 90
    assert max(trial.items for trial in tuning.trials) == 3_950
    finals = [trial for trial in tuning.trials if trial.is_final]
    assert {trial.method for trial in finals if trial.split == 0} >= {Lsh(bits=64), Lsh(bits=128)}


def test_where_more_items_cost_too_much_more_candidates_are_tried() -> None:
    clock = Clock()
    # A trial takes 11 s on the first stage, 33 s on the second, and 100 s on the last: two need 45 % of the time.
    tuning = searched(SecondsBudget(50.0, clock), MadeSplits(by_seed, clock, 1.0, most=99_980))
    assert 30 < clock.now <= 50 + 11.2 / 10
    assert {trial.items for trial in tuning.trials} == {11_108}
    assert len(tuning.trials) >= 3
    assert choose_declaration(tuning, 20) is not None


def test_a_number_of_trials_repeats_exactly() -> None:
    runs = [searched(TrialsBudget(60), MadeSplits(by_seed)).trials for _ in range(2)]
    assert len(runs[0]) <= 60
    assert [(one.method, one.split, one.items) for one in runs[0]] == [
        (one.method, one.split, one.items) for one in runs[1]
    ]
    assert len(searched(TrialsBudget(1), MadeSplits(by_seed)).trials) == 1


def test_what_was_stopped_goes_on_where_it_was() -> None:
    store, clock, calls = StepMemory(), Clock(), itertools.count()

    def stop(done: float, total: float, text: object = "") -> None:
        if next(calls) == 100:
            raise Cancelled

    splits = MadeSplits(by_seed, clock, 1.0)
    first = searched(TrialsBudget(60), splits, store, stop)
    assert first.cancelled
    spent = clock.now
    again = searched(TrialsBudget(60), splits, store)
    whole = Clock()
    assert again == replace(searched(TrialsBudget(60), MadeSplits(by_seed, whole, 1.0)), trials=again.trials)
    told = [(one.method, one.split, one.items, judged_figure(one.figures or Figures())) for one in again.trials]
    assert [one[:3] for one in told][: len(first.trials)] == [(o.method, o.split, o.items) for o in first.trials]
    assert whole.now - 1e-6 <= clock.now <= whole.now + 3.95, "at most the step that was stopped is done again"
    assert clock.now > spent > 0
    kept = clock.now
    searched(TrialsBudget(60), splits, store)
    assert clock.now == kept, "what is kept costs nothing"


def test_everything_is_complete_where_the_budget_suffices() -> None:
    tuning = searched(TrialsBudget(200), MadeSplits(by_seed))
    assert tuning.is_complete
    finals = {trial.method for trial in tuning.trials if trial.is_final}
    for method in finals:
        assert sorted(one.split for one in tuning.trials if one.is_final and one.method == method) == [*range(SPLITS)]


@pytest.mark.parametrize("most", [40, 499, 1_499, 1_500, 4_499, 4_500, 50_000])
def test_stages_grow_to_everything(most: int) -> None:
    found = stages(most)
    assert [stage.items for stage in found] == sorted(stage.items for stage in found)
    assert found[-1].items == most
    assert found[-1].is_last
    assert found[-1].until == 1.0
    assert all(stage.items >= min(500, most) for stage in found)


@pytest.mark.parametrize("after", [0, 1, 5, 60, 300, 500])
def test_cancelled_it_answers_from_what_was_tried(after: int) -> None:
    calls = iter(range(10_000))

    def progress(done: float, total: float, text: object = "") -> None:
        assert 0 <= done <= total
        if next(calls) == after:
            raise Cancelled

    def search() -> Tuning:
        return searched(TrialsBudget(60), MadeSplits(by_seed), progress=progress)

    if after < 11:  # in the first measurement
        with pytest.raises(Cancelled):
            search()
        return
    tuning = search()
    assert tuning.cancelled
    assert not tuning.is_complete
    assert choose_declaration(tuning, 50) is not None


# ---- what it finds ---------------------------------------------------------------------------------------------------


def test_the_best_of_each_length_survives() -> None:
    tuning = searched(TrialsBudget(60), MadeSplits(by_seed))
    choice = choose_declaration(tuning, 50)
    assert choice is not None
    assert {one.method for one in choice.compared} >= {Lsh(bits=64), Lsh(bits=128), Lsh(bits=128, seed=7)}
    assert choice.best.method == Lsh(bits=128, seed=7)
    assert choice.default is not None
    assert choice.default.method == Lsh(bits=choice.chosen.method.bits)


@pytest.mark.parametrize(("gain", "bits"), [(0.0, 64), (0.009, 64), (0.2, 128)])
def test_the_shortest_code_that_is_as_good_is_chosen(gain: float, bits: int) -> None:
    """One point, or the standard error of sqrt(0.9 * 0.1 / (5 * 800)) = 0.005, does not count."""
    tuning = searched(TrialsBudget(80), MadeSplits(lambda method, items: 0.7 + gain * (method.bits == 128)))
    choice = choose_declaration(tuning, 800)
    assert choice is not None
    assert choice.chosen.method.bits == bits
    assert choice.margin == 0.01
    assert "shortest code" in str(choice.reason()) or bits == 128 or gain == 0


def test_the_standard_error_counts_where_queries_are_few() -> None:
    tuning = searched(TrialsBudget(3), MadeSplits(lambda method, items: 0.7 + 0.05 * (method.bits == 128)))
    few, many = choose_declaration(tuning, 50), choose_declaration(tuning, 5_000)
    assert few is not None
    assert many is not None
    assert few.margin == pytest.approx((0.75 * 0.25 / 50) ** 0.5, rel=0.02)
    assert (few.chosen.method.bits, many.chosen.method.bits) == (64, 128)


def test_the_frontier_is_what_nothing_beats() -> None:
    choice = choose_declaration(searched(TrialsBudget(60), MadeSplits(by_seed)), 50)
    assert choice is not None
    for front in (choice.by_bytes, choice.by_seconds):
        assert front[-1] is choice.best
        assert [one.judged for one in front] == sorted(one.judged for one in front)
    for one in choice.compared:
        better = [two for two in choice.compared if two.judged > one.judged and two.code_bytes <= one.code_bytes]
        assert (one in choice.by_bytes) <= (not better)


def test_what_cannot_be_measured_says_why() -> None:
    def only_one(method: HashMethod, items: int) -> float:
        if method.seed:
            raise TwinlensError("It cannot be.", "Do something else.")
        return by_seed(method, items)

    tuning = searched(TrialsBudget(10), MadeSplits(only_one))
    assert {str(trial.refused) for trial in tuning.trials if trial.method.seed} == {"It cannot be. Do something else."}
    choice = choose_declaration(tuning, 50)
    assert choice is not None
    assert not choice.chosen.method.seed
    with pytest.raises(TwinlensError, match="No methods to try"):
        tune([], ranks(), MadeSplits(by_seed), Attempts(TrialsBudget(10), StepMemory()))
    assert choose_declaration(Tuning(), 50) is None


def test_it_finds_the_better_of_two_on_real_measurements() -> None:
    x = training_data(900, 24)
    splits = HeldOutSplits(x, "l2", 100)
    bad, good = Itq(bits=16, subspace="random", orthogonalise=False, iterations=0), Itq(bits=16)
    tuning = tune([bad], iter([good]), splits, Attempts(TrialsBudget(20), StepMemory()))
    choice = choose_declaration(tuning, splits.queries)
    assert choice is not None
    assert choice.chosen.method == good
    assert choice.default is not None
    assert choice.chosen.judged - choice.default.judged > 0.05
    assert choice.chosen.measured is not None
    assert choice.chosen.measured.spread["recall@10"] > 0


def test_the_ranking_alone_is_that_of_all_figures() -> None:
    task = HeldOutSplits(training_data(600, 12), "l2", 60).task(0, 500)
    method = Lsh(bits=24)
    alone, full = evaluate_ranking(method, task), evaluate_method(method, Scan(), task)
    assert by_count(alone.values, "recall@") == by_count(full.values, "recall@")
    assert by_count(alone.values, "bytes ").items() <= by_count(full.values, "bytes ").items()


# ---- the candidates --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", METHODS, ids=lambda cls: cls.key)
def test_candidates_of_every_method_are_new_and_can_be_fitted(cls: type[HashMethod]) -> None:
    x = training_data(400)
    default = cls()
    found = list(islice(drawn_candidates(default, (8, 16), x, (4, 6), np.random.default_rng(0)), 40))
    assert len({one.text() for one in found}) == len(found)
    assert {one.bits for one in found} <= {8, 16}
    searched_fields = {about.name for about in cls.parameters()} & (set(VALUES) | {"kernel", "gamma"})
    if cls.key in {"preimage-klsh", "sik"}:
        searched_fields -= {"kernel"} if cls.key == "preimage-klsh" else set()
    assert bool(found) == bool(searched_fields)
    for one in found[:4]:
        assert one.fit(x[:300]).bits in {8, 16}
    again = islice(drawn_candidates(default, (8, 16), x, (4, 6), np.random.default_rng(0)), 40)
    assert [one.text() for one in again] == [one.text() for one in found]


def test_what_somebody_decided_stays() -> None:
    x = training_data(400)
    method = Klsh(rank=20, kernel=Gaussian(gamma=0.5))
    found = list(islice(drawn_candidates(method, (64,), x, None, np.random.default_rng(0)), 200))
    assert all(isinstance(one, Klsh) and one.rank == 20 for one in found)
    gammas = {one.kernel.gamma for one in found if isinstance(one, Klsh) and isinstance(one.kernel, Gaussian)}
    assert gammas == {0.5 * width for width in WIDTHS}


def test_a_kernel_that_takes_no_transform_gets_none() -> None:
    x = training_data(400)
    for kernel in (Polynomial(), ChiSquare()):  # rows that sum to more than 1
        found = list(islice(drawn_candidates(Klsh(kernel=kernel), (64,), x, None, np.random.default_rng(0)), 100))
        assert found
        assert all(isinstance(one, Klsh) and one.scale is None for one in found)
    shares = x / x.sum(axis=1, keepdims=True)
    found = list(islice(drawn_candidates(Klsh(kernel=ChiSquare()), (64,), shares, None, np.random.default_rng(0)), 100))
    assert {one.scale for one in found if isinstance(one, Klsh)} == set(VALUES["scale"])


def test_bits_that_cannot_be_are_left_out() -> None:
    found = list(drawn_candidates(Itq(), (8, 64), training_data(400), None, np.random.default_rng(0)))
    assert {one.bits for one in found} == {8}
