"""Verdicts follow intervals: what is the same must be shown to be, and a clock is believed only where it may be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from science.papers.claims import PAPERS
from science.papers.result import MeanFigure, Result
from science.papers.studies import jqk_rank_and_scale as transform
from science.papers.verdict import (
    CHANCE,
    FAR,
    QUIET,
    Claim,
    ClaimJudgement,
    ClaimVerdict,
    MeasuredDifference,
    above,
    above_chance,
    better,
    between,
    gravest,
    holds,
    level,
    lies,
    mean_of,
    not_below,
    pooled,
    some_better,
)  # fmt: skip

CONFIRMED, CANNOT_TELL, NOT_CONFIRMED, NO_CASE = ClaimVerdict


def test_what_is_above_is_so_by_its_interval() -> None:
    high, low, wide = MeanFigure(0.6, 0.01, 4), MeanFigure(0.5, 0.01, 4), MeanFigure(0.55, 0.2, 4)
    assert above(between(high, low)) is CONFIRMED
    assert above(between(low, high)) is NOT_CONFIRMED
    assert above(between(high, wide)) is CANNOT_TELL
    assert above(between(high, low), by=0.2) is NOT_CONFIRMED
    assert above(MeasuredDifference(0.0)) is CANNOT_TELL
    assert above() is CANNOT_TELL
    assert gravest([CONFIRMED, NOT_CONFIRMED, CANNOT_TELL]) is NOT_CONFIRMED
    assert holds(True) is CONFIRMED


def test_nothing_is_the_same_because_no_difference_was_found() -> None:
    noisy = between(MeanFigure(0.6, 0.05, 3), MeanFigure(0.6, 0.05, 3))
    assert noisy.mean == 0
    assert level(noisy, tolerance=0.02) is CANNOT_TELL
    assert not_below(noisy, tolerance=0.02) is CANNOT_TELL
    close = between(MeanFigure(0.605, 0.004, 5), MeanFigure(0.6, 0.004, 5))
    assert level(close, tolerance=0.02) is CONFIRMED
    assert level(close, tolerance=0.005) is CANNOT_TELL
    far = between(MeanFigure(0.7, 0.004, 5), MeanFigure(0.6, 0.004, 5))
    assert level(far, tolerance=0.02) is NOT_CONFIRMED
    assert not_below(far, tolerance=0.02) is CONFIRMED
    assert not_below(MeasuredDifference(-0.1, 0.004), tolerance=0.02) is NOT_CONFIRMED


def test_all_must_lie_there_and_one_that_surely_does_not_refutes() -> None:
    sure, open_, against = MeasuredDifference(0.1, 0.01), MeasuredDifference(0.01, 0.01), MeasuredDifference(-0.1, 0.01)
    assert above(sure, sure) is CONFIRMED
    assert above(sure, open_) is CANNOT_TELL
    assert above(sure, open_, against) is NOT_CONFIRMED
    slight = MeasuredDifference(-0.022, 0.01)  # beyond the interval of one, not of one among ten
    assert above(slight) is NOT_CONFIRMED
    assert above(slight, *[sure] * 9) is CANNOT_TELL
    chosen = MeasuredDifference(0.022, 0.01)
    assert above(chosen) is CONFIRMED
    assert above(chosen, of=10) is CANNOT_TELL


def test_one_is_not_better_where_both_are_surely_level() -> None:
    sure, against = MeasuredDifference(0.1, 0.01), MeasuredDifference(-0.1, 0.01)
    slight, same, vague = (MeasuredDifference(0.01, error) for error in (0.004, 0.01, 0.04))
    assert better(sure) is CONFIRMED
    assert better(slight) is CONFIRMED  # surely above, however little
    assert better(same) is NOT_CONFIRMED
    assert better(vague) is CANNOT_TELL
    assert better(against) is NOT_CONFIRMED
    assert better(sure, same) is NOT_CONFIRMED
    assert better(sure, vague) is CANNOT_TELL
    nearly = MeasuredDifference(0.01, 0.018)  # level by its own interval, not by one of ten
    assert better(nearly) is NOT_CONFIRMED
    assert better(nearly, *[sure] * 9) is CANNOT_TELL


def test_some_is_better_although_chance_had_as_many_tries() -> None:
    sure, against, same = (MeasuredDifference(mean, 0.01) for mean in (0.1, -0.1, 0.01))
    chosen = MeasuredDifference(0.033, 0.015)
    assert some_better(same, sure) is CONFIRMED
    assert some_better(chosen) is CONFIRMED
    assert some_better(chosen, *[against] * 9) is CANNOT_TELL
    assert some_better(against, against) is NOT_CONFIRMED
    assert some_better(same, against) is NOT_CONFIRMED


def test_a_mean_of_differences_is_surer_than_each_but_hides_none() -> None:
    parts = [
        MeasuredDifference(0.01, 0.02),
        MeasuredDifference(-0.01, 0.02),
        MeasuredDifference(0.005, 0.02),
        MeasuredDifference(-0.005, 0.02),
    ]
    assert level(*parts, tolerance=0.03) is CANNOT_TELL
    assert pooled(parts, -0.03, 0.03) is CONFIRMED
    assert pooled(parts, -0.03, 0.03, independent=False) is CANNOT_TELL  # what hangs together is no surer
    apart = [MeasuredDifference(0.1, 0.005), MeasuredDifference(-0.1, 0.005)]
    assert mean_of(apart).mean == 0
    assert pooled(apart, -0.03, 0.03) is NOT_CONFIRMED
    assert pooled([], -1, 1) is CANNOT_TELL


def test_intervals_miss_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    missed = 0
    for one, other in rng.normal(0, [[[1.0], [3.0]]], (4_000, 2, 4)):
        figures = (MeanFigure(float(runs.mean()), float(runs.std(ddof=1)), len(runs)) for runs in (one, other))
        low, high = between(*figures).interval()
        missed += not low <= 0 <= high
    assert 0.6 * CHANCE < missed / 4_000 < 1.3 * CHANCE


def _timed(ratio: float) -> Claim:
    def judge(_: Result) -> ClaimJudgement:
        return ClaimJudgement(CONFIRMED, "fast", ratio, "times as fast", ratio)

    return Claim("toys", "fast", "toys", judge, timed=True)


@pytest.mark.parametrize(
    ("others", "ratio", "verdict"),
    [
        (QUIET, 1.5, CONFIRMED),
        (QUIET + 0.01, 1.5, CANNOT_TELL),
        (1.8, 1 / 1.5, CANNOT_TELL),
        (1.8, FAR, CONFIRMED),
        (1.8, 1 / FAR, CONFIRMED),
    ],
)
def test_a_clock_is_believed_where_it_is_quiet_or_the_difference_is_large(
    others: float, ratio: float, verdict: ClaimVerdict
) -> None:
    found = _timed(ratio).judged(Result("toys", (), "", {}, others=others))
    assert found is not None
    assert found.verdict is verdict
    assert ("not believed" in found.numbers) == (verdict is CANNOT_TELL)


def test_what_is_judged_pair_by_pair_is_what_the_study_measures() -> None:
    one = {"better": 0.7, "worse": 0.6, "gain": 0.1, "error": 0.01, "chosen": ["r=64", "full"]}
    contests = {f"{better} above {worse}": {"1": one, "10": one, "100": one} for better, worse in transform.CONTESTS}
    scales = {"1": {"10": {"gain": 0.1, "error": 0.01}}, "3": {"10": {"gain": 0.05, "error": 0.01}}}
    cases = {
        f"{name} {kernel.key}": {"contests": contests, "scales": scales, "recall": {"10": {f"r={rank}": 0.6}}}
        for name, rank in transform.PAPER_RANKS.items()
        for kernel in transform.KERNELS
    }
    judged = [claim for claim in PAPERS["jqk"]() if claim.source == "jqk-rank-and-scale" and "above" in claim.text]
    assert len(judged) == 4 * len(cases)
    for claim in judged:
        found = claim.judge(Result("jqk-rank-and-scale", (), "", cases))
        assert found.verdict is CONFIRMED
        told = "(0.700 / 0.600); R@1 +10.0" if "some scale" not in claim.text else ""
        assert "+10.0 [+8.0, +12.0]" in found.numbers
        assert told in found.numbers
        assert found.effect == pytest.approx(10)
        assert found.unit == "points of recall@10"


def test_what_is_judged_is_the_recall_that_is_named() -> None:
    claim = next(one for one in PAPERS["jqk"]() if one.text == "low-rank KLSH above KLSH")
    up, down = ({"better": 0.6 + gain, "worse": 0.6, "gain": gain, "error": 0.01} for gain in (0.1, -0.1))
    for at_ten, others, verdict in ((up, down, CONFIRMED), (down, up, NOT_CONFIRMED)):
        contests = {"low above full": {"1": others, "10": at_ten, "100": others}}
        found = claim.judge(Result("jqk-rank-and-scale", (), "", {"sift chi-square": {"contests": contests}}))
        assert found.verdict is verdict


def test_eigenvalues_decay_more_slowly_by_an_interval_over_cases() -> None:
    claim = next(one for one in PAPERS["jqk"]() if "slows the decay" in one.text)
    for last, verdict in (
        ((0.3, 0.4, 0.35), CONFIRMED),
        ((0.3, 0.05, 0.4), CANNOT_TELL),
        ((0.05, 0.04, 0.05), NOT_CONFIRMED),
    ):
        cases = {
            f"case {number}": {
                scale: {"ranks": [1, 64], "eigenvalue": [2.0, 2.0 * share]}
                for scale, share in (("none", 0.05), ("5", 0.1 + 0.01 * number), ("10", most))
            }
            for number, most in enumerate(last)
        }
        assert claim.judge(Result("jqk-spectrum", (), "", cases)).verdict is verdict


def _recalls(level_of: float) -> Iterator[dict[str, object]]:
    for rank, recall in ((16, 0.5), (32, 0.6), (64, 0.7), (128, 0.68), (256, 0.66), (512, 0.64), (None, level_of)):
        yield {
            "method": "nystrom-lsh:bits=256,kernel=intersection" + (f",rank={rank}" if rank else ""),
            "search": "scan",
            "seeds": [0, 1, 2],
            "recall": {"10": recall},
            "deviation": {"recall@10": 0.01},
        }


def test_a_curve_that_falls_slowly_does_not_rise() -> None:
    claim = next(one for one in PAPERS["jqk"]() if one.text.startswith("Nyström gains") and "inter" in one.case)
    for end, verdict in ((0.62, NOT_CONFIRMED), (0.69, CANNOT_TELL), (0.78, CONFIRMED)):
        result = Result("jqk-sift-intersection", (), "", {"results": list(_recalls(end))})
        assert claim.judge(result).verdict is verdict


def test_nothing_is_told_where_exact_search_only_guesses() -> None:
    claim = next(one for one in PAPERS["bc"]() if one.text.startswith("pre-images label") and one.case == "poker")
    for exact, verdict in ((0.505, NO_CASE), (0.6, CONFIRMED)):
        right = {"preimage-klsh": (0.58, 0.001, 10), "klsh": (0.58, 0.001, 10), "exact": (exact, 0.001, 10)}
        methods = {name: {"accuracy": figure} for name, figure in right.items()}
        found = claim.judge(Result("bc-buckets", (), "", {"poker": {"methods": methods}}))
        assert found.verdict is verdict
        assert ("nothing is left to tell" in found.numbers) == (verdict is NO_CASE)


def test_what_is_no_better_than_chance_tells_nothing() -> None:
    share = above_chance(MeasuredDifference(0.001, 0.0), 0.5, chance=0.5)
    assert not_below(share, tolerance=0.1) is level(share, tolerance=0.1) is CANNOT_TELL


def test_one_pair_refutes_a_bound() -> None:
    claim = next(one for one in PAPERS["bc"]() if one.text.startswith("bound (1) holds") and one.case == "dna")
    for broken, verdict in ((0.0, CONFIRMED), (1e-6, NOT_CONFIRMED)):
        row = {"losing": (0.0, 0.0, 3), "compared": (0.99, 0.0, 3), "broken": (broken, 0.0, 3)}
        figures = {"bounds": {"1": row, "2": row}, "asked": 7, "searched": 100}
        result = Result("bc-bounds", (), "", {"dna": figures})
        assert claim.judge(result).verdict is verdict
        assert "2,100 pairs" in claim.judge(result).numbers


def test_that_no_pair_breaks_a_bound_that_is_false_confirms_nothing() -> None:
    claim = next(one for one in PAPERS["bc"]() if one.text.startswith("bound (2), as") and one.case == "letter")
    for broken, verdict in ((0.0, NO_CASE), (1e-6, NOT_CONFIRMED)):
        row = {"losing": (0.0, 0.0, 3), "compared": (0.5, 0.0, 3), "broken": (broken, 0.0, 3)}
        figures = {"letter": {"bounds": {"2": row}, "asked": 7, "searched": 100}}
        found = claim.judge(Result("bc-bounds", (), "", figures))
        assert found.verdict is verdict
        assert ("not broken on these 2,100 pairs (3 repetitions); false in general" in found.numbers) == (broken == 0)


def test_the_papers_own_numbers_come_out_within_both_tolerances() -> None:
    claim = next(one for one in PAPERS["bc"]() if one.source == "bc-own-data" and one.case == "kLSH")
    for compared, right, verdict in (
        (0.0324, 0.665, CONFIRMED), (0.05, 0.665, NOT_CONFIRMED), (0.0324, 0.60, NOT_CONFIRMED)
    ):  # fmt: skip
        way = {"compared": (compared, 0.0005, 10), "accuracy": (right, 0.005, 10)}
        result = Result("bc-own-data", (), "", {"dna": {"ways": {"klsh": way}}})
        assert claim.judge(result).verdict is verdict


def test_every_verdict_but_one_of_plain_truth_is_by_an_interval() -> None:
    assert lies(MeasuredDifference(0.5), low=0.0, high=1.0) is CONFIRMED
    assert lies(MeasuredDifference(0.5, 10.0), low=0.0, high=1.0) is CANNOT_TELL
