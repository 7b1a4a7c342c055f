"""Subjects of the parts of a map: what most photographs of a part surely show, and few others do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.library.shown_concepts import ShownConcepts
from core.arrays import Int64Ids
from features.concepts.concept_words import SURE, Concept, concept_table

_OF_PART = 0.5  # that surely show it, at least: many more show it than are sure
_OF_ALL = 0.5  # what more than half of the library shows tells no part from others


def map_subjects(part: npt.NDArray[np.int32], count: int, ids: Int64Ids, shown: ShownConcepts) -> list[Concept | None]:
    """Return the subject of each part; None where there is none, or a larger part has it.

    Subjects are the broader concepts of the table, those right in four of five photographs that surely show them. One
    counts by the share of the part that shows it, times the logarithm of how many times its share everywhere that is;
    of equal ones the narrower.

    Parameters
    ----------
    part : ndarray of int32, (n,)
        Numbers of parts, the largest part first; -1 for none.
    ids : ndarray of int64, (n,)
        The photographs, ascending.
    """
    broader = concept_table().facets
    sums = [one.classes for one in broader]
    breadth = np.array([len(one) for one in sums])
    _, known, places = np.intersect1d(shown.ids, ids, assume_unique=True, return_indices=True)
    part_of = part[places]
    everywhere = np.array(shown.classes.some(known).counts(sums, SURE)) / max(1, len(ids))
    sizes = np.bincount(part[part >= 0], minlength=count)
    order = np.argsort(part_of, kind="stable")
    begins = np.searchsorted(part_of[order], np.arange(count + 1))
    found: list[Concept | None] = []
    for number in range(count):
        own = known[order[begins[number] : begins[number + 1]]]
        shares = np.array(shown.classes.some(own).counts(sums, SURE)) / max(1, sizes[number])
        telling = (shares >= _OF_PART) & (everywhere <= _OF_ALL) & (shares > everywhere)
        scores = np.zeros(len(broader))
        scores[telling] = shares[telling] * np.log(shares[telling] / everywhere[telling])
        best = [broader[place] for place in np.lexsort((breadth, -scores)) if scores[place] > 0]
        found.append(next((one for one in best if one not in found), None))
    return found
