"""The store of small pictures, by content: requested as they are painted, made between two frames.

A picture is made as it is painted: scaled once for its box, with round corners. A feed loads the pictures that a view
paints, a few at a time, and none that were scrolled past. The bytes of all pictures have a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPixmap
from shiboken6 import isValid

from twinlens.app.gui.pictures.photograph import image_of
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.core.containers import RecentValues
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress

LIMIT = 128 * 2**20

THUMBNAIL_SIDE, LARGER_SIDE = 256, 1024
"""Longer side of both sources, px."""

_SLICE_S = 0.008  # half a frame; the other half is for painting
_MAKES = 3  # pictures kept of one photograph, which may be visible in several sizes at once
_MOST = 2_000  # requests kept; old ones are forgotten


class PictureStyle(NamedTuple):
    """The box and look of a picture.

    Attributes
    ----------
    width, height : int
        Size of the box, device px.
    ratio : float
        Device pixels per pixel.
    well, ground : str
        Colours in the box and outside, visible behind round corners, of a picture that lies whole in its box; empty
        where it fills the box and its edges are cut, as far as most of it remains.
    bare : bool
        Whether it lies whole in its box with its own corners, and is not enlarged.
    """

    width: int
    height: int
    ratio: float
    well: str = ""
    ground: str = ""
    bare: bool = False

    @property
    def whole(self) -> bool:
        """Return whether the whole picture is visible."""
        return self.bare or bool(self.well)

    def picture(self, image: QImage) -> QPixmap:
        """Return the picture of an image in this style."""
        how = _bare if self.bare else _fitted if self.whole else _filled
        made = QPixmap.fromImage(how(image, self))
        made.setDevicePixelRatio(self.ratio)
        return made


class SmallPictures(QObject):
    """The store of small pictures of photographs.

    A painter requests a picture and gets it or nothing; a signal tells when more can be painted.

    Parameters
    ----------
    limit : int
        Bytes of all pictures together, never exceeded.
    looks : int
        Sizes and grounds in which a view shows one photograph whole at once.
    wanted : list of bytes
        Contents whose JPEGs are missing and wanted by :meth:`take`, the most urgent first. A newer list replaces the
        older.
    larger_wanted : list of bytes
        Contents shown larger than their thumbnails, wanted by :meth:`take_larger`; a newer list replaces the older.
        A view whose photographs are never that large may ignore it.
    spoiled : bytes
        A content whose JPEG cannot be decoded, as in a damaged cache; unreadable unless :meth:`take` gets another.
    made : set of bytes
        Contents that can be painted now, or are known to be unreadable.
    came
        Either of the two.
    """

    wanted = Signal(list)
    larger_wanted = Signal(list)
    spoiled = Signal(bytes)
    made = Signal(set)
    came = Signal()

    def __init__(self, parent: QObject | None = None, limit: int = LIMIT, looks: int = 1) -> None:
        super().__init__(parent)
        self._looks = looks
        self._kept: RecentValues[bytes, _Kept] = RecentValues(limit, lambda kept: kept.size)
        self._queue: dict[tuple[bytes, PictureStyle], None] = {}  # pictures to make
        self._lacking: dict[bytes, None] = {}
        self._fresh: dict[bytes, None] = {}  # missing since the last signal
        self._asked: set[bytes] = set()
        self._larger: list[bytes] = []  # requested
        self._working = QTimer(self)
        self._working.setInterval(0)
        self._working.timeout.connect(self.work)
        self._soon = QTimer(self)  # the missing pictures of one repaint are requested together
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._on_soon)

    # --- stored pictures ---------------------------------------------------------------------------------------------

    @property
    def limit(self) -> int:
        """Return the greatest number of bytes."""
        return self._kept.most

    @limit.setter
    def limit(self, limit: int) -> None:
        self._kept.most = limit

    @property
    def held(self) -> int:
        """Return the present number of bytes."""
        return self._kept.held

    def nearest(self, content: bytes) -> tuple[QPixmap, PictureStyle] | None:
        """Return the picture that was made last, of any size."""
        kept = self._kept.peek(content)
        if kept is None or not kept.made:
            return None
        make = next(reversed(kept.made))
        return kept.made[make], make

    def unreadable(self, content: bytes) -> bool:
        """Return whether there is nothing to show."""
        kept = self._kept.peek(content)
        return kept is not None and not kept.readable

    # --- requests ----------------------------------------------------------------------------------------------------

    def look_at(self, wishes: Iterable[tuple[bytes, PictureStyle]], anew: bool = True) -> None:
        """Make these pictures, the most urgent first, and no others that were requested before.

        Parameters
        ----------
        wishes : iterable of (bytes, PictureStyle)
        anew : bool
            Whether pictures of another size are made again; while the view moves, those suffice.
        """
        seen: list[tuple[bytes, PictureStyle]] = []
        room = self.limit
        for content, make in wishes:  # beyond the limit, pictures would displace those just fetched
            room -= 4 * make.width * make.height
            if seen and room < 0:
                break
            seen.append((content, make))
        for content, __ in reversed(seen):
            self._kept.get(content)
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
        """Request thumbnails that will be painted soon."""
        for content in contents:
            if content and content not in self._kept and content not in self._asked:
                self._fresh[content] = None
                self._soon.start()

    def pixmap(self, content: bytes, make: PictureStyle) -> QPixmap | None:
        """Return a picture; None until it is made."""
        kept = self._kept.get(content)
        if kept is None:
            self.want([content])
        elif make in kept.made:
            return kept.made[make]
        if content and make.width > 0 and make.height > 0 and self._is_to_make(content, make):
            self._queue[content, make] = None
            if len(self._queue) > _MOST:
                del self._queue[next(iter(self._queue))]
            self._working.start()
        return None

    def image(self, content: bytes) -> QImage:
        """Return a thumbnail in its own size, or a null image."""
        kept = self._kept.peek(content)
        if kept is None:
            self.want([content])
            return QImage()
        return kept.image

    def ask_again(self) -> None:
        """Request the missing pictures once more."""
        self._asked.clear()
        self._larger = []

    def retry(self) -> None:
        """Forget unreadable pictures, which may be readable by now."""
        self.ask_again()
        for content in [content for content, kept in self._kept.items() if not kept.readable]:
            self._kept.drop(content)

    # --- arrivals ----------------------------------------------------------------------------------------------------

    def take(self, jpegs: Mapping[bytes, bytes]) -> None:
        """Keep thumbnails, JPEGs by content; empty bytes mean unreadable."""
        for content, jpeg in jpegs.items():
            self._kept.keep(content, _Kept(jpeg, readable=bool(jpeg)))
            self._lacking.pop(content, None)
            self._asked.discard(content)
        for content, __ in reversed(self._queue):
            if content in jpegs:
                self._kept.get(content)
        self._working.start()
        nothing = {content for content, jpeg in jpegs.items() if not jpeg}
        if nothing:
            self.made.emit(nothing)
        self.came.emit()

    def take_larger(self, content: bytes, image: QImage) -> None:
        """Keep a larger picture beside its thumbnail; a null image if there is none."""
        kept = self._kept.peek(content)
        if kept is None or not kept.readable:
            return
        kept.larger = image
        if not image.isNull():
            kept.coarse.update(kept.made)
        self._kept.weigh(content)
        self.made.emit({content})
        self.came.emit()

    def work(self) -> None:
        """Make pictures for half a frame; called again while any are left."""
        started = perf_counter()
        some: set[bytes] = set()
        for content, make in list(self._queue):
            kept = self._kept.peek(content)
            if kept is None:
                continue
            if some and perf_counter() - started > _SLICE_S:
                break
            del self._queue[content, make]
            if self._is_to_make(content, make):
                self._make(kept, make)
                self._kept.weigh(content)
                some.add(content)
                if not kept.readable:
                    self.spoiled.emit(content)
        else:
            self._working.stop()
        if some:
            self.made.emit(some)
            self.came.emit()

    def _is_to_make(self, content: bytes, make: PictureStyle, anew: bool = True) -> bool:
        kept = self._kept.peek(content)
        if kept is None or not kept.made:
            return kept is None or kept.readable
        return anew and kept.readable and (make not in kept.made or make in kept.coarse)

    def _lacks_larger(self, content: bytes, make: PictureStyle) -> bool:
        kept = self._kept.peek(content)
        return (
            kept is not None and kept.readable and kept.larger is None and max(make.width, make.height) > THUMBNAIL_SIDE
        )

    def _make(self, kept: _Kept, make: PictureStyle) -> None:
        image = kept.image
        kept.readable = not image.isNull()
        if kept.readable:
            same = [one for one in kept.made if one.whole and make.whole]
            several, most = (same, self._looks) if same else (list(kept.made), _MAKES)
            for old in several[: max(0, len(several) - most + 1)]:
                del kept.made[old]
            kept.made[make] = make.picture(image)
            kept.coarse.discard(make)

    def _on_soon(self) -> None:
        fresh = {one: None for one in self._fresh if one not in self._kept}
        self._fresh = {}
        if not fresh:
            return
        older = [one for one in self._lacking if one not in fresh]
        self._lacking = dict.fromkeys([*fresh, *older][:_MOST])
        self._asked.update(fresh)
        self.wanted.emit(list(self._lacking))


@dataclass
class _Kept:
    """A thumbnail as JPEG, the larger picture, and the pictures made of them; perhaps unreadable."""

    jpeg: bytes
    readable: bool
    larger: QImage | None = None  # a null image where there is none
    made: dict[PictureStyle, QPixmap] = field(default_factory=dict)
    coarse: set[PictureStyle] = field(default_factory=set)  # made of the thumbnail before the larger picture arrived

    @property
    def image(self) -> QImage:
        return QImage.fromData(self.jpeg) if self.larger is None or self.larger.isNull() else self.larger

    @property
    def size(self) -> int:
        larger = 0 if self.larger is None else self.larger.sizeInBytes()
        return len(self.jpeg) + larger + sum(4 * one.width() * one.height() for one in self.made.values())


CORNER_RADIUS = 4
"""Radius of the corners of pictures that fill their box."""

_ROUND_WHOLE = 3
_ENLARGED = 2  # enlargement at most, so that icons stay small
_CUT = 0.36  # share of a picture that may be cut to fill its box: otherwise portraits in wide boxes lose their heads
_SMOOTH = Qt.TransformationMode.SmoothTransformation


def filling(size: QSize, ratio: float) -> PictureStyle:
    """Return the style of a picture that fills a box of the window."""
    return PictureStyle(round(size.width() * ratio), round(size.height() * ratio), ratio)


def bare(side: float, ratio: float) -> PictureStyle:
    """Return the style of a picture with its own corners, whose longer side has at most ``side`` pixels."""
    device = max(1, round(side * ratio))
    return PictureStyle(device, device, ratio, bare=True)


def _bare(image: QImage, make: PictureStyle) -> QImage:
    if max(image.width() - make.width, image.height() - make.height) <= 0:
        return image
    return image.scaled(make.width, make.height, Qt.AspectRatioMode.KeepAspectRatio, _SMOOTH)


def _fitted(image: QImage, make: PictureStyle) -> QImage:
    """Return an image scaled to lie in its box, opaque, since that paints faster."""
    least = min(make.width / image.width(), make.height / image.height(), _ENLARGED * make.ratio)
    size = QSize(max(1, round(image.width() * least)), max(1, round(image.height() * least)))
    smooth = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, _SMOOTH)
    made = QImage(size, QImage.Format.Format_RGB32)
    # The corners of a square photograph are those of the well; outside them is the ground.
    covers = min(size.width() - make.width, size.height() - make.height) > -_ROUND_WHOLE * make.ratio
    made.fill(QColor(make.ground if covers else make.well))
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(smooth))
    painter.drawRoundedRect(QRectF(made.rect()), _ROUND_WHOLE * make.ratio, _ROUND_WHOLE * make.ratio)
    painter.end()
    return made


def _filled(image: QImage, make: PictureStyle) -> QImage:
    """Return an image scaled and cut to fill its box; one that would lose too much lies in it whole."""
    box = QSize(make.width, make.height)
    shape, room = image.width() / image.height(), make.width / make.height
    fills = min(shape, room) >= (1 - _CUT) * max(shape, room)
    how = Qt.AspectRatioMode.KeepAspectRatioByExpanding if fills else Qt.AspectRatioMode.KeepAspectRatio
    scaled = image.scaled(box, how, _SMOOTH)
    made = QImage(box, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    path = QPainterPath()
    shown = QRectF(0, 0, min(scaled.width(), box.width()), min(scaled.height(), box.height()))
    shown.moveCenter(QRectF(made.rect()).center())
    path.addRoundedRect(shown, CORNER_RADIUS * make.ratio, CORNER_RADIUS * make.ratio)
    painter.setClipPath(path)
    painter.drawImage((box.width() - scaled.width()) // 2, (box.height() - scaled.height()) // 2, scaled)
    painter.end()
    return made


_AT_ONCE = 64


class PictureFeed(QObject):
    """Loads the pictures that a store requests, in jobs.

    Parameters
    ----------
    larger : bool
        Whether photographs shown larger than their thumbnails are decoded, one by one.
    """

    def __init__(self, pictures: SmallPictures, opened: OpenLibrary, jobs: Jobs, larger: bool = False) -> None:
        super().__init__(pictures)
        self._pictures, self._opened, self._jobs = pictures, opened, jobs
        self._loading, self._decoding = jobs.latest(), jobs.latest()
        self._wanted: list[bytes] = []
        self._larger: list[bytes] = []
        self._made_anew: set[bytes] = set()
        pictures.wanted.connect(self._on_wanted)
        pictures.spoiled.connect(self._on_spoiled)
        if larger:
            pictures.larger_wanted.connect(self._on_larger_wanted)

    def stop(self) -> None:
        """Load nothing more, as before the view goes."""
        self._wanted, self._larger = [], []
        self._loading.cancel()
        self._decoding.cancel()

    def _on_wanted(self, contents: list[bytes]) -> None:
        self._wanted = contents
        self._next()

    def _next(self) -> None:
        library, some = self._opened.library, self._wanted[:_AT_ONCE]
        if not some or self._loading.running:
            return

        def work(__: Progress) -> dict[bytes, bytes]:
            from twinlens.app.library.pictures import thumbnails

            return thumbnails(library, some)

        def then(jpegs: dict[bytes, bytes]) -> None:
            if not isValid(self._pictures):
                return
            self._wanted = [one for one in self._wanted if one not in jpegs]
            self._pictures.take(jpegs)
            self._next()

        def failed(__: object) -> None:
            self._wanted.clear()
            if isValid(self._pictures):
                self._pictures.ask_again()  # when it is painted next

        self._loading.begin(work).then(then).failed(failed)

    def _on_spoiled(self, content: bytes) -> None:
        library = self._opened.library
        if content in self._made_anew:
            return
        self._made_anew.add(content)

        def work(__: Progress) -> bytes:
            from twinlens.app.library.pictures import thumbnail_anew

            return thumbnail_anew(library, content)

        self._jobs.begin(work).then(lambda jpeg: self._pictures.take({content: jpeg}))

    def _on_larger_wanted(self, contents: list[bytes]) -> None:
        self._larger = list(contents)
        self._next_larger()

    def _next_larger(self) -> None:
        if not self._larger or self._decoding.running:
            return
        library, content = self._opened.library, self._larger[0]

        def work(__: Progress) -> QImage:
            from twinlens.app.library.pictures import picture_of

            try:
                return image_of(picture_of(library, content, LARGER_SIDE))
            except TwinlensError:
                return QImage()  # its disk is away: only the thumbnail is left

        def then(image: QImage) -> None:
            self._larger = [one for one in self._larger if one != content]
            self._pictures.take_larger(content, image)
            self._next_larger()

        self._decoding.begin(work).then(then).failed(lambda __: self._larger.clear())
