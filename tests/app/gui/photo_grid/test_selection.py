"""Which rows are selected, against plain sets."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.gui.photo_grid.grid_layout import RowSelection

COUNT = 12
rows = st.integers(0, COUNT - 1)


class AgainstSets(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.selection = RowSelection(COUNT)
        self.wanted: set[int] = set()
        self.base: set[int] = set()
        self.anchor = 0

    def _expect(self, wanted: set[int], changed: bool) -> None:
        assert changed == (wanted != self.wanted)
        self.wanted = wanted

    @rule(row=rows)
    def only(self, row: int) -> None:
        self.anchor, self.base = row, set()
        self._expect({row}, self.selection.only(row))

    @rule(row=rows)
    def toggle(self, row: int) -> None:
        self.anchor, self.base = row, self.wanted ^ {row}
        self._expect(self.wanted ^ {row}, self.selection.toggle(row))

    @rule(row=rows, add=st.booleans())
    def reach(self, row: int, add: bool) -> None:
        reached = set(range(min(row, self.anchor), max(row, self.anchor) + 1))
        self._expect(reached | (self.base if add else set()), self.selection.reach(row, add=add))

    @rule()
    def everything(self) -> None:
        self._expect(set(range(COUNT)), self.selection.everything())

    @rule()
    def nothing(self) -> None:
        self.base = set()
        self._expect(set(), self.selection.nothing())

    @rule(base=st.sets(rows), band=st.sets(rows))
    def banded(self, base: set[int], band: set[int]) -> None:
        mask = np.isin(np.arange(COUNT), list(base))
        self._expect(base ^ band, self.selection.banded(mask, np.array(sorted(band), np.int64)))

    @invariant()
    def says_the_same(self) -> None:
        assert self.selection.rows().tolist() == sorted(self.wanted)
        assert self.selection.count == len(self.wanted)
        assert [row for row in range(COUNT) if row in self.selection] == sorted(self.wanted)


TestSelection = AgainstSets.TestCase
