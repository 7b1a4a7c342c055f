"""The store of small pictures, by content: asked for as they are painted, made between two frames, bounded in bytes.

There are two sources of a picture: its thumbnail, and a larger picture where it is seen larger than that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from app.gui.pictures.picture_make import PictureStyle

LIMIT = 128 * 2**20
THUMBNAIL_SIDE, LARGER_SIDE = 256, 1024
"""Pixels of the longer side of both sources."""
_SLICE_S = 0.008  # half a frame: what is left of it paints
_MAKES = 3  # of one photograph, which may be seen in several sizes at once
_MOST = 2_000  # wishes: those that were painted long ago are forgotten


@dataclass
class _Kept:
    """A thumbnail as JPEG, the larger picture, and what was made of them; unreadable where there is nothing to show."""

    jpeg: bytes
    readable: bool
    larger: QImage | None = None  # a null one where there is none
    made: dict[PictureStyle, QPixmap] = field(default_factory=dict)
    coarse: set[PictureStyle] = field(default_factory=set)  # made of the thumbnail before the larger picture came

    @property
    def image(self) -> QImage:
        return QImage.fromData(self.jpeg) if self.larger is None or self.larger.isNull() else self.larger

    @property
    def size(self) -> int:
        larger = 0 if self.larger is None else self.larger.sizeInBytes()
        return len(self.jpeg) + larger + sum(4 * one.width() * one.height() for one in self.made.values())


class SmallPictures(QObject):
    """Small pictures of photographs.

    What paints asks for a picture, and gets it or nothing; it is told when more can be painted.

    Parameters
    ----------
    parent : QObject
    limit : int
        Bytes of everything that is kept, never exceeded.

    Signals
    -------
    wanted : list of bytes
        Contents whose JPEGs are to be given to :meth:`take`, the most urgent first: all that are lacking now. A newer
        list takes the older's place.
    larger_wanted : list of bytes
        Contents that are seen larger than their thumbnails, for :meth:`take_larger`; a newer list takes the older's
        place. A view whose photographs are never that large needs nothing there.
    spoiled : bytes
        A content whose JPEG shows nothing, as in a damaged cache: unreadable, unless another is given to :meth:`take`.
    made : set of bytes
        Contents that can be painted now, or are known to be unreadable.
    came
        Any of both.
    """

    wanted = Signal(list)
    larger_wanted = Signal(list)
    spoiled = Signal(bytes)
    made = Signal(set)
    came = Signal()

    def __init__(self, parent: QObject | None = None, limit: int = LIMIT) -> None:
        super().__init__(parent)
        self._limit, self._held = limit, 0
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()
        self._queue: dict[tuple[bytes, PictureStyle], None] = {}  # to be made
        self._lacking: dict[bytes, None] = {}
        self._fresh: dict[bytes, None] = {}  # what lacks since it was told last
        self._asked: set[bytes] = set()
        self._larger: list[bytes] = []  # asked for
        self._working = QTimer(self)
        self._working.setInterval(0)
        self._working.timeout.connect(self.work)
        self._soon = QTimer(self)  # what one repaint lacks is asked for at once
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._on_soon)

    # --- what is kept ------------------------------------------------------------------------------------------------

    @property
    def limit(self) -> int:
        """Largest number of bytes."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._limit = limit
        self._shrink()

    @property
    def held(self) -> int:
        """Present number of bytes."""
        return self._held

    def nearest(self, content: bytes) -> tuple[QPixmap, PictureStyle] | None:
        """Return the picture that was made last, of whichever size."""
        kept = self._kept.get(content)
        if kept is None or not kept.made:
            return None
        make = next(reversed(kept.made))
        return kept.made[make], make

    def unreadable(self, content: bytes) -> bool:
        """Return whether there is nothing to show."""
        kept = self._kept.get(content)
        return kept is not None and not kept.readable

    # --- what is looked at -------------------------------------------------------------------------------------------

    def look_at(self, wishes: Iterable[tuple[bytes, PictureStyle]], anew: bool = True) -> None:
        """Make these, the most urgent first, and nothing else that was wanted before.

        Parameters
        ----------
        wishes : iterable of (bytes, Make)
        anew : bool
            Whether pictures of another size are made anew; while all moves, they do.
        """
        seen: list[tuple[bytes, PictureStyle]] = []
        room = self._limit
        for content, make in wishes:  # what cannot be held together would push out what was just fetched
            room -= 4 * make.width * make.height
            if seen and room < 0:
                break
            seen.append((content, make))
        for content, __ in reversed(seen):
            if content in self._kept:
                self._kept.move_to_end(content)
        self._queue = {(one, make): None for one, make in seen if self._is_to_make(one, make, anew)}
        self._fresh.clear()
        self._lacking = {one: None for one, __ in seen if one not in self._kept}
        self._working.start()
        if not self._asked.issuperset(self._lacking):
            self._asked = set(self._lacking)
            self.wanted.emit(list(self._lacking))
        larger = list(dict.fromkeys(one for one, make in seen if self._lacks_larger(one, make)))
        if larger != self._larger:
            self._larger = larger
            self.larger_wanted.emit(larger)

    def want(self, contents: Iterable[bytes]) -> None:
        """Have what will be painted soon."""
        for content in contents:
            if content and content not in self._kept and content not in self._asked:
                self._fresh[content] = None
                self._soon.start()

    def pixmap(self, content: bytes, make: PictureStyle) -> QPixmap | None:
        """Return a picture; None until it is there."""
        kept = self._kept.get(content)
        if kept is None:
            self.want([content])
        else:
            self._kept.move_to_end(content)
            if make in kept.made:
                return kept.made[make]
        if content and make.width > 0 and make.height > 0 and self._is_to_make(content, make):
            self._queue[content, make] = None
            if len(self._queue) > _MOST:
                del self._queue[next(iter(self._queue))]
            self._working.start()
        return None

    def image(self, content: bytes) -> QImage:
        """Return a thumbnail as it is, or a null one."""
        kept = self._kept.get(content)
        if kept is None:
            self.want([content])
            return QImage()
        return kept.image

    def ask_again(self) -> None:
        """Ask once more for what was asked for and has not come."""
        self._asked.clear()
        self._larger = []

    def retry(self) -> None:
        """Forget what could not be shown: it may be there by now."""
        self.ask_again()
        for content in [content for content, kept in self._kept.items() if not kept.readable]:
            self._drop(content)

    # --- what comes --------------------------------------------------------------------------------------------------

    def take(self, jpegs: Mapping[bytes, bytes]) -> None:
        """Keep thumbnails, JPEGs by content; empty bytes stand for what cannot be shown."""
        for content, jpeg in jpegs.items():
            self._drop(content)
            self._kept[content] = _Kept(jpeg, readable=bool(jpeg))
            self._held += len(jpeg)
            self._lacking.pop(content, None)
            self._asked.discard(content)
        for content, __ in reversed(self._queue):
            if content in jpegs:
                self._kept.move_to_end(content)
        self._shrink()
        self._working.start()
        nothing = {content for content, jpeg in jpegs.items() if not jpeg}
        if nothing:
            self.made.emit(nothing)
        self.came.emit()

    def take_larger(self, content: bytes, image: QImage) -> None:
        """Keep a larger picture beside its thumbnail; a null one where there is none."""
        kept = self._kept.get(content)
        if kept is None or not kept.readable:
            return
        self._held -= kept.size
        kept.larger = image
        if not image.isNull():
            kept.coarse.update(kept.made)
        self._held += kept.size
        self._shrink()
        self.made.emit({content})
        self.came.emit()

    def work(self) -> None:
        """Make pictures for half a frame; called again while there are any to make."""
        started = perf_counter()
        some: set[bytes] = set()
        for content, make in list(self._queue):
            kept = self._kept.get(content)
            if kept is None:
                continue
            if some and perf_counter() - started > _SLICE_S:
                break
            del self._queue[content, make]
            if self._is_to_make(content, make):
                self._make(kept, make)
                some.add(content)
                if not kept.readable:
                    self.spoiled.emit(content)
        else:
            self._working.stop()
        if some:
            self.made.emit(some)
            self.came.emit()

    def _is_to_make(self, content: bytes, make: PictureStyle, anew: bool = True) -> bool:
        kept = self._kept.get(content)
        if kept is None or not kept.made:
            return kept is None or kept.readable
        return anew and kept.readable and (make not in kept.made or make in kept.coarse)

    def _lacks_larger(self, content: bytes, make: PictureStyle) -> bool:
        kept = self._kept.get(content)
        return (
            kept is not None and kept.readable and kept.larger is None and max(make.width, make.height) > THUMBNAIL_SIDE
        )

    def _make(self, kept: _Kept, make: PictureStyle) -> None:
        self._held -= kept.size
        image = kept.image
        kept.readable = not image.isNull()
        if kept.readable:
            same = [one for one in kept.made if one.whole and make.whole]  # a wall has one size at a time
            for old in same or list(kept.made)[: max(0, len(kept.made) - _MAKES + 1)]:
                del kept.made[old]
            kept.made[make] = make.picture(image)
            kept.coarse.discard(make)
        self._held += kept.size
        self._shrink()

    def _on_soon(self) -> None:
        fresh = {one: None for one in self._fresh if one not in self._kept}
        self._fresh = {}
        if not fresh:
            return
        older = [one for one in self._lacking if one not in fresh]
        self._lacking = dict.fromkeys([*fresh, *older][:_MOST])
        self._asked.update(fresh)
        self.wanted.emit(list(self._lacking))

    def _shrink(self) -> None:
        while self._held > self._limit and self._kept:
            self._drop(next(iter(self._kept)))

    def _drop(self, content: bytes) -> None:
        kept = self._kept.pop(content, None)
        if kept is not None:
            self._held -= kept.size
