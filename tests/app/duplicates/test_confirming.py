"""Pairs that are confirmed at the same time: what is asked, and what is found, is as if one came after another."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.duplicates.comparison import PictureFamilies
from app.duplicates.pair_confirmation import PairConfirmation, ProposedPair
from app.library.library import Library
from features.copies.relation import Relation, RelationKind

KINDS = st.sampled_from([RelationKind.SAME, RelationKind.EDITED, RelationKind.SIMILAR, None])
PAIRS = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda both: both[0] < both[1])


class Told(PairConfirmation):
    """What pairs are is known before; some take longer than others."""

    def __init__(self, kinds: dict[tuple[int, int], RelationKind | None], threads: int) -> None:
        super().__init__(Library.__new__(Library), [], threads)
        self._kinds = kinds

    def _relation(self, pair: ProposedPair) -> Relation | None:
        time.sleep(0.001 * (hash(pair[:2]) % 3))
        kind = self._kinds[pair[:2]]
        return None if kind is None else Relation(kind)


def in_turn(
    kinds: dict[tuple[int, int], RelationKind | None], threads: int
) -> tuple[set[tuple[int, int]], PictureFamilies]:
    families, asked = PictureFamilies(), set()

    def is_wanted(pair: ProposedPair) -> bool:
        return not families.together(pair.first, pair.second)

    with Told(kinds, threads) as confirming:
        pairs = [ProposedPair(*both) for both in kinds]
        for pair, found in confirming.in_turn(pairs, is_wanted, lambda pair: families.of(*pair[:2]), lambda done: None):
            asked.add(pair[:2])
            if found is not None:
                families.put(pair.first, pair.second, found.kind)
    return asked, families


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(PAIRS, KINDS, max_size=30), st.integers(2, 5))
def test_pairs_are_asked_as_if_one_came_after_another(
    kinds: dict[tuple[int, int], RelationKind | None], threads: int
) -> None:
    families, expected = PictureFamilies(), set()
    for both, kind in kinds.items():
        if not families.together(*both):
            expected.add(both)
            if kind is not None:
                families.put(*both, kind)
    asked, found = in_turn(kinds, threads)
    assert asked == expected
    assert all(found.same(one, other) == families.same(one, other) for one in range(10) for other in range(10))
    assert all(found.together(one, other) == families.together(one, other) for one in range(10) for other in range(10))


def test_many_pairs_of_one_family_and_of_many() -> None:
    many: dict[tuple[int, int], RelationKind | None] = {(0, number): RelationKind.SAME for number in range(1, 200)}
    many |= {(number, number + 1): RelationKind.EDITED for number in range(300, 500, 2)}
    asked, families = in_turn(many, 3)
    assert asked == many.keys()
    assert families.copies(5) == 200


def test_it_ends_when_it_is_stopped() -> None:
    confirming = Told({(0, 1): None, (2, 3): None}, 2)
    with confirming:
        next(confirming.all([ProposedPair(0, 1), ProposedPair(2, 3)]))
    with pytest.raises(RuntimeError):
        list(confirming.all([ProposedPair(0, 1)]))
