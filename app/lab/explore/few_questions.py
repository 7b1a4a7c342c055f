"""Figures of a few questions at once, by the judgement that every experiment has, without its curves and times.

The distances of all photographs from these questions are known before, so that only the codes are compared.
"""

from __future__ import annotations

import numpy as np

from app.lab.explore.codes import SampleCodes
from app.lab.explore.sample import FIRST, SampleData
from core.evaluation.answers import Judgement, QueryTruth, RankedItems, judge_queries
from core.evaluation.evaluation_task import Figures
from core.evaluation.hamming_ranking import judge_ranking
from core.progress import silent
from core.search.candidate_query import CodeQuery, find_candidates, needs_projections
from core.search.search_structure import Search, Structure


def figures_of_few_queries(material: SampleData, codes: SampleCodes, search: Search, structure: Structure) -> Figures:
    """Return recall@R, mean average precision, overlap with the true first ten, and what was looked at and compared.

    Parameters
    ----------
    material : Material
        Its few questions ask.
    codes : Codes
    search, structure : Search, Structure
        The structure holds all of the codes.
    """
    few, figures = material.few, Figures()
    own, n = material.asked(few), codes.planes.shape[1]
    words = np.ascontiguousarray(codes.planes[:, own].T)
    judge_ranking(figures, codes.planes, words, codes.bits, few, silent, codes.kept, curves=False)
    projections = None
    if needs_projections(search):
        if codes.encoder is None:  # coarse codes have no projections
            search = search.changed(asymmetric=False)
        else:
            projections = codes.encoder.project(few.queries)

    def answer(number: int) -> RankedItems:
        query = CodeQuery(words[number], None if projections is None else projections[number])
        found = find_candidates(search, structure, n, query, FIRST)
        rows = found.rows if codes.kept is None else found.rows[codes.kept[found.rows]]
        rows = rows[rows != own[number]]
        far = material.far_of_few[number][rows]
        nearest = np.argpartition(far, FIRST)[:FIRST] if len(far) > FIRST else np.arange(len(far))
        return RankedItems(rows[nearest], np.sort(far[nearest]), len(rows), found.scanned, found.probed)

    truths = [QueryTruth(true=true) for true in material.first_of_few]
    judge_queries(answer, truths, Judgement(near={FIRST: []})).fill(figures, (FIRST,))
    return figures
