"""The link below the results that shows those that are less similar, and hides them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.gui.look.sentences import Link, small
from app.gui.search.hit_rows import FoundPhotograph
from app.language.spoken import _, _n

if TYPE_CHECKING:
    from app.search.results import ConfidenceThreshold, SimilarityLevels


class LessSimilarLink(Link):
    """Hidden where nothing is folded."""

    def __init__(self) -> None:
        super().__init__("")
        self.setCheckable(True)
        self.setFont(small(self.font(), 0.9))
        self.hide()

    def fold(
        self,
        found: Sequence[FoundPhotograph],
        likeness: SimilarityLevels | None,
        sure: ConfidenceThreshold | None,
        folds: bool,
    ) -> list[FoundPhotograph]:
        """Leave out what is less similar behind the first dozen, where that is folded and not wanted."""
        from app.search.bands import LEAST

        room = LEAST + sum(one.asked for one in found)
        above = [
            one
            for place, one in enumerate(found)
            if place < room or likeness is None or one.is_alike(likeness) or (sure is not None and one.is_sure(sure))
        ]
        count = len(found) - len(above) if folds else 0
        words = _n("Show {count} less similar photo", "Show {count} less similar photos", count)
        self.setText(_("Hide what is less similar") if self.isChecked() else words)
        self.setAccessibleName(self.text())
        self.setVisible(count > 0)
        return above if folds and not self.isChecked() else list(found)
