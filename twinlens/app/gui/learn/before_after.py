"""Ranked lists of one photograph before and after learning, one over the other, and the jobs that rank them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from twinlens.app.gui.actions.declared_actions import learn_actions
from twinlens.app.gui.learn.headline import section_heading
from twinlens.app.gui.look.labels import ElidedLine
from twinlens.app.gui.look.page_parts import column_of, command_button, row_of
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.app.gui.pictures.wall import Wall
from twinlens.app.language.texts import _, number
from twinlens.app.learn.learn_results import BeforeAfterResult, RankedBothWays
from twinlens.core.files.untrusted_input import plain_name
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.process.open_library import OpenLibrary
    from twinlens.app.learn.before_after import BeforeAfter
    from twinlens.app.learn.learn_results import BeforeAfterResult, MarkedPairDistances
    from twinlens.app.learn.learning import Proposal
    from twinlens.app.marks.mark_results import MarkStatus


MOST = 16
"""Photographs in a strip at most."""

_GAP = 8
_TILE_PX = 92
_SHAPE = 0.75
_RING = 5  # room for the ring of the keys
_OUTLINES = {"similar": "accent", "different": "warn"}


@dataclass(frozen=True)
class StripTile:
    """One photograph of a ranked list, outlined by its mark.

    Attributes
    ----------
    says_moves : bool
        Whether it says where it was in the other list.
    """

    one: RankedBothWays
    says_moves: bool = False
    ghost: ClassVar[bool] = False
    aside: ClassVar[str] = ""

    @property
    def id(self) -> int:
        """The photograph."""
        return self.one.id

    @property
    def content(self) -> bytes:
        """Its content."""
        return bytes.fromhex(self.one.content)

    @property
    def asked(self) -> bool:
        """Whether it is the query of the list."""
        return self.one.query

    @property
    def captions(self) -> tuple[str, ...]:
        """Its rank, and its former rank."""
        was = self.one.other_rank if self.says_moves else None
        return (_("query") if self.one.query else rank_caption(self.one.rank, was),)

    @property
    def outline(self) -> str:
        """The colour of its mark."""
        return _OUTLINES.get(self.one.judged or "", "")

    def spoken(self) -> str:
        """Describe a photograph of a strip and its actions."""
        parts = [plain_name(self.one.path), _("query") if self.one.query else self.captions[0]]
        if self.outline:
            parts.append(_("marked similar") if self.one.judged == "similar" else _("marked different"))
        hint = _("Click ranks by it here, Enter searches with it, Space shows it large.")
        return f"{', '.join(parts)}\n{hint}"


class RankedStrip(Wall):
    """One ranked list: the query, then the nearest photographs, perhaps with how far each moved.

    A click ranks by a photograph here.

    Signals
    -------
    left_for : int
        Up (-1) or down (1) out of the strip.
    """

    left_for = Signal(int)

    def __init__(self, name: str, pictures: SmallPictures, says_moves: bool = False) -> None:
        super().__init__(pictures)
        self._says_moves = says_moves
        self._ranked: Sequence[RankedBothWays] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self._fit()

    def show_ranked(self, ranked: Sequence[RankedBothWays], words: str = "") -> None:
        """Show a list as far as there is room; a text if it is empty."""
        self._ranked = ranked
        self.show_tiles([StripTile(one, self._says_moves) for one in ranked[: self.room()]], words=words)

    def room(self) -> int:
        """Return the number of photographs that fit."""
        return max(3, min(MOST, (self.width() + _GAP) // (_TILE_PX + _GAP)))

    def place(self) -> int:
        """Return the position of the current photograph."""
        return self._at

    def box(self, place: int) -> QRect:
        """Return the place of a photograph in whole pixels, so that outlines stay crisp."""
        room = self.room()
        width = (self.width() - 2 * _RING - (room - 1) * _GAP) / room
        left, right = (round(_RING + place * (width + _GAP) + more) for more in (0, width))
        return QRect(left, _RING, right - left, round(width * _SHAPE))

    def moved(self, place: int, dx: int, dy: int) -> int:
        """Return the neighbour in the strip."""
        return place + dx

    def _fit(self) -> None:
        self.setFixedHeight(self.box(0).height() + 2 * _RING)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fill the width with whole photographs."""
        super().resizeEvent(event)
        self._fit()
        self.show_ranked(self._ranked, self._words)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a narrow window."""
        return QSize(240, 80)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Leave the strip by the keys up and down."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.left_for.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)


class StripsView(QWidget):
    """Both lists, with their headings."""

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self.before = RankedStrip(_("Before"), thumbnails)
        self.after = RankedStrip(_("After"), thumbnails, says_moves=True)
        self._before_name, self._after_name = ElidedLine("quiet"), ElidedLine("quiet")
        another = command_button(_("Try another photo  A"), learn_actions()["another"], "link")
        another.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column = column_of(on=self, gap=4, margins=0)
        for heading, words, strip in (
            (_("Before"), self._before_name, self.before),
            (_("After"), self._after_name, self.after),
        ):
            row = row_of(section_heading(heading), (words, 1), gap=12)
            if strip is self.before:
                row.addWidget(another)
            column.addLayout(row)
            column.addWidget(strip)
        self.before.left_for.connect(lambda step: self._go(self.before, step))
        self.after.left_for.connect(lambda step: self._go(self.after, step))
        self.show_rankings(None)

    def show_rankings(self, rankings: BeforeAfterResult | None) -> None:
        """Show both lists; without any, a description of what comes here."""
        if rankings is None:
            self.before.show_ranked((), _("Choose a photo above to see how the library is ranked by it."))
            self.after.show_ranked((), _("The new ranking appears here after learning."))
            self._before_name.say("")
            self._after_name.say("")
            return
        self.before.show_ranked(rankings.before)
        self.after.show_ranked(rankings.after, _("The new ranking appears here after learning."))
        self._before_name.say(_("so far"))
        self._after_name.say(_("by “{name}”", name=rankings.metric) if rankings.metric else "")

    def say(self, sentence: str) -> None:
        """Show why there is no ranking."""
        self.before.show_ranked((), sentence)
        self.after.show_ranked((), "")

    def _go(self, strip: RankedStrip, step: int) -> None:
        other = self.after if strip is self.before else self.before
        if (step > 0) == (strip is self.before) and other.tiles():
            other.go(strip.place())
            other.setFocus(Qt.FocusReason.OtherFocusReason)
        elif step < 0:
            self.focusPreviousChild()
        else:
            self.focusNextChild()


def rank_caption(rank: int, was: int | None) -> str:
    """Return a rank, and the former one.

    Examples
    --------
    >>> rank_caption(1, 3), rank_caption(2, 2), rank_caption(2, None)
    ('3 → 1', '2', '2')
    """
    return number(rank) if was is None or was == rank else f"{number(was)} → {number(rank)}"


_DISTANCES = 5_000  # more marks than that nobody scrolls through, and measuring them takes long


class BeforeAfterOrder:
    """Rankings of one index and one metric or none; a superseded job may still use it beside the next one."""

    def __init__(self, opened: OpenLibrary, metric: Proposal | str | None, index: str) -> None:
        self._opened = opened
        self._metric = metric
        self._index = index
        self._asked = threading.Lock()
        self._both: BeforeAfter | None = None

    @property
    def has_metric(self) -> bool:
        """Whether there is a metric to compare with."""
        return self._metric is not None

    def _prepared(self, progress: Progress) -> BeforeAfter | None:
        if self._both is None and self._metric is not None:
            from twinlens.app.learn.before_after import BeforeAfter

            made = BeforeAfter(self._opened.library, self._metric, self._index)
            made.prepare(progress)
            self._both = made
        return self._both

    def rankings(self, photograph: int | None, count: int, progress: Progress) -> BeforeAfterResult | None:
        """Rank by a photograph, or by an interesting one; nothing if there is none."""
        with self._asked:
            both = self._prepared(progress)
            if both is None:
                return None if photograph is None else self._as_it_is(photograph, count, progress)
            chosen = both.best_query() if photograph is None else photograph
            return None if chosen is None else both.ask(chosen, count, progress)

    def _as_it_is(self, photograph: int, count: int, progress: Progress) -> BeforeAfterResult | None:
        """Rank as search does while nothing is learned yet; nothing if the photograph is gone."""
        from twinlens.app.learn.before_after import judgement_of
        from twinlens.app.learn.learn_results import BeforeAfterResult, RankedBothWays
        from twinlens.app.library.browsing.photographs import photographs
        from twinlens.app.search.search_options import SearchOptions

        library = self._opened.library
        result = self._opened.searcher.search(
            photograph, self._index, SearchOptions(k=count + 1, check=False), progress
        )
        found = [one for one in result.hits if one.id != photograph][:count]
        known = {one.id: one for one in photographs(library, [photograph, *(one.id for one in found)])}
        if photograph not in known:
            return None
        with library.store.reading() as r:
            said = judgement_of(r, photograph, list(known))
        near = {photograph: (0.0, 1.0)} | {one.id: (one.distance, one.similarity) for one in result.hits}
        ranked = [
            RankedBothWays(
                id=one.id,
                path=one.path,
                content=one.content_hash.hex(),
                rank=rank,
                distance=near[one.id][0],
                similarity=near[one.id][1],
                judged=said.get(one.id),
                query=one.id == photograph,
            )
            for rank, one in enumerate(known.values(), 1)
        ]
        return BeforeAfterResult(
            query=photograph,
            path=known[photograph].path,
            index=self._index,
            metric="",
            of=result.of,
            before=ranked,
            after=[],
            moved_up=0,
            seconds=result.seconds.total,
        )

    def distances(self, marks: Sequence[MarkStatus], progress: Progress) -> dict[int, MarkedPairDistances]:
        """Return the distances of marked pairs, by mark, if their photographs are there."""
        there = {one.id: (one.first_id, one.second_id) for one in marks if not one.missing}
        pairs = {mark: (a, b) for mark, (a, b) in there.items() if a is not None and b is not None}
        pairs = dict(islice(pairs.items(), _DISTANCES))
        with self._asked:
            both = self._prepared(progress)
            if both is None or not pairs:
                return {}
            return dict(zip(pairs, both.distances(list(pairs.values())), strict=True))
