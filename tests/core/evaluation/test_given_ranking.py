"""A ranking that another program gives is judged as the same ranking of codes is."""

from __future__ import annotations

import numpy as np

from core.evaluation.evaluation_task import Figures
from core.evaluation.method_evaluation import GivenRanking, encode_task, evaluate_method, judged_rankings
from core.evaluation.plan import MeasurementPlan
from core.evaluation.tables import Tables
from core.evaluation.truth import Euclidean
from core.hashing.packed_codes import hamming, planar
from core.methods.lsh import Lsh
from core.progress import silent
from core.search.linear_scan import Scan

RNG = np.random.default_rng(3)
BASE, QUERIES = RNG.normal(size=(300, 12)), RNG.normal(size=(20, 12))


def test_it_is_judged_as_codes_are() -> None:
    method, search = Lsh(bits=24), Scan(candidates=120)
    task = MeasurementPlan(Tables("x", BASE, QUERIES), [method], [search], truth="l2").load().task
    expected = evaluate_method(method, search, task)
    encoder = encode_task(method, task).encoder
    codes, asked = encoder.encode(BASE), encoder.encode(QUERIES)
    assert planar(codes).shape[1] == 300
    rows = np.stack([np.lexsort((np.arange(300), hamming(codes, one))) for one in asked])
    given = GivenRanking(rows, {120: 0.5}, 300)
    (found,) = judged_rankings(Figures(), given, [search], task, silent)
    assert (found.overlap, found.looked_at, found.scanned) == (expected.overlap, 120, 300)
    assert found.seconds["search"] > 0.5
    true = [np.argsort(Euclidean().exactly(query, BASE), kind="stable")[0] for query in QUERIES]
    for count, share in found.recall.items():
        assert share == np.mean([one in ranked[:count] for one, ranked in zip(true, rows, strict=True)])


def test_queries_of_the_base_are_not_their_own_results_and_lists_may_be_short() -> None:
    own = np.arange(5)
    task = MeasurementPlan(Tables("x", BASE, BASE[own], own), [Lsh()], [Scan(candidates=100)], truth="l2").load().task
    rows = np.full((5, 4), -1)
    rows[:, 0], rows[:, 1] = own, task.neighbours[:, 0]
    (found,) = judged_rankings(Figures(), GivenRanking(rows, {100: 0}, 7), [Scan(candidates=100)], task, silent)
    assert found.recall == {1: 1.0}
    assert (found.looked_at, found.overlap[10]) == (1, 0.1)
