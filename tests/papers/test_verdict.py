"""Verdicts follow the spread, and what is judged pair by pair is what the study measures."""

from __future__ import annotations

from tests.papers.claims import PAPERS
from tests.papers.result import Figure, Result
from tests.papers.studies import jqk_rank_and_scale as transform
from tests.papers.verdict import Verdict, above, gained, gravest, holds, level, within


def test_verdicts_follow_the_spread() -> None:
    high, low, wide = Figure(0.6, 0.01, 4), Figure(0.5, 0.01, 4), Figure(0.55, 0.2, 4)
    assert above(high, low) is Verdict.CONFIRMED
    assert above(low, high) is Verdict.NOT_CONFIRMED
    assert above(high, wide) is Verdict.CANNOT_TELL
    assert above(high, low, by=0.2) is Verdict.NOT_CONFIRMED
    assert above(Figure(1.0, 0, 4), Figure(0.995, 0, 4)) is Verdict.CANNOT_TELL  # nothing is left to gain
    assert level(high, low, 0.2) is level(low, high, 0.2) is Verdict.CONFIRMED
    assert level(high, low, 0.01) is Verdict.NOT_CONFIRMED
    assert within(4, 5, 8) is Verdict.CONFIRMED
    assert within(4, 8.5, 8, slack=1) is Verdict.CANNOT_TELL
    assert within(4, 10, 8, slack=1) is Verdict.NOT_CONFIRMED
    assert gained(0.02, 0.004) is Verdict.CONFIRMED
    assert gained(-0.02, 0.004) is Verdict.NOT_CONFIRMED
    assert gained(0.005, 0.004) is Verdict.CANNOT_TELL
    assert gravest([Verdict.CONFIRMED, Verdict.NOT_CONFIRMED, Verdict.CANNOT_TELL]) is Verdict.NOT_CONFIRMED
    assert holds(True) is Verdict.CONFIRMED


def test_what_is_judged_pair_by_pair_is_what_the_study_measures() -> None:
    one = {"better": 0.7, "worse": 0.6, "gain": 0.1, "error": 0.01, "chosen": ["r=64", "full"]}
    contests = {f"{better} above {worse}": {"10": one, "100": one} for better, worse in transform.CONTESTS}
    cases = {f"{name} {kernel.key}": {"contests": contests} for name in transform.DATA for kernel in transform.KERNELS}
    judged = [claim for claim in PAPERS["jqk"]() if claim.source == "jqk-rank-and-scale" and "above" in claim.text]
    assert len(judged) == 2 * len(cases)
    for claim in judged:
        found = claim.judge(Result("jqk-rank-and-scale", (), "", cases))
        assert found.verdict is Verdict.CONFIRMED
        assert "gain +0.100 ±0.010" in found.numbers
