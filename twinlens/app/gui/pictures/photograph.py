"""One photograph by itself: its picture in a frame, its pixels in arrays, files and Qt, its facts in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QDate,
    QIODevice,
    QLocale,
    QMimeData,
    QObject,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.look.labels import Heading, Sentence, small
from twinlens.app.gui.look.page_parts import column_of
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.language.texts import _, current_language, number, text
from twinlens.app.machine.app_folders import home_relative
from twinlens.core.containers import RecentValues
from twinlens.core.date_taken import DateSource
from twinlens.core.message import Message, size
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    import numpy as np

    from twinlens.app.library.browsing.photographs import Photograph


_ROUND = 5
_FRAME = 4  # frame with the gap inside it, px
_MOST_TIMES = 4  # enlargement at most, so that icons stay small


class FramedPicture(QWidget):
    """A widget that shows one picture.

    Parameters
    ----------
    words : str
        Shown where there is no picture.
    framed : bool
        Whether the picture fills a frame, cut where it is longer; otherwise it is whole, without a frame.
    """

    def __init__(self, words: str = "", framed: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._framed = words, framed
        self._shown = self._made = QPixmap()

    def show_picture(self, picture: QImage | QPixmap | None) -> None:
        """Show a picture, or none."""
        self._shown = QPixmap.fromImage(picture) if isinstance(picture, QImage) else picture or QPixmap()
        self._made = QPixmap()
        self.update()

    def frame_colour(self) -> str:
        """Return the current colour of the frame."""
        return theme().accent

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw frame, well and picture."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        whole = QRectF(self.rect())
        if self._framed:
            painter.setPen(QPen(QColor(self.frame_colour()), 2))
            painter.setBrush(QColor(now.paper))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), _ROUND + 2, _ROUND + 2)
            whole.adjust(_FRAME, _FRAME, -_FRAME, -_FRAME)
        outline = QPainterPath()
        outline.addRoundedRect(whole, _ROUND, _ROUND)
        painter.fillPath(outline, QColor(now.well))
        if not self._shown.isNull():
            painter.setClipPath(outline)
            size = self._size(whole.size().toSize())
            place = QRectF(0, 0, size.width(), size.height())
            place.moveCenter(whole.center())
            painter.drawPixmap(place, self._smooth(size), QRectF())
        elif self._words:
            painter.setPen(QColor(now.quiet))
            painter.setFont(small(self.font()))
            painter.drawText(whole, Qt.AlignmentFlag.AlignCenter, self._words)
        painter.end()

    def _size(self, room: QSize) -> QSize:
        fill, fit = Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.AspectRatioMode.KeepAspectRatio
        size = self._shown.size().scaled(room, fill if self._framed else fit)
        icon = not self._framed and size.width() > _MOST_TIMES * self._shown.width()
        return self._shown.size() * _MOST_TIMES if icon else size

    def _smooth(self, size: QSize) -> QPixmap:
        """Return the picture scaled to its shown size."""
        made = size * self.devicePixelRatioF()
        if self._made.size() != made:
            smooth = Qt.TransformationMode.SmoothTransformation
            self._made = self._shown.scaled(made, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
        return self._made


class PhotographFacts(QWidget):
    """The facts of one photograph under a heading; hidden without a photograph."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = [Sentence() for __ in range(7)]
        column_of(Heading(_("Photo")), *self._lines, on=self, gap=8, margins=0)
        self.show_photograph(None)

    def show_photograph(self, photograph: Photograph | None) -> None:
        """Show the facts of a photograph."""
        words = (
            [] if photograph is None else [photograph.name, *fact_lines(photograph), home_relative(photograph.folder)]
        )
        self.setVisible(bool(words))
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(words))
            line.tell(words[place] if place < len(words) else "", loud=place == 0)


_MOST = 5_000
"""Photographs known at most: more than any screen shows."""

_AT_ONCE = 500


class PhotographSigns(NamedTuple):
    """The notes of a photograph, as signs on it.

    Attributes
    ----------
    pick : int
        1 of a picked one, -1 of a rejected one.
    film : str
        The length of a film; empty for anything else.
    """

    stars: int
    favourite: bool
    pick: int
    film: str = ""

    def text(self) -> str:
        """Return the signs of what a person notes; empty for none."""
        picked = {1: "⚑", -1: "✕"}.get(self.pick, "")
        return " ".join(filter(None, (picked, "♥" * self.favourite, "★" * self.stars)))


class SeenPhotographs(QObject):
    """A cache of the photographs painted last; a missing one is fetched."""

    changed = Signal()
    """Other photographs are known, or all are forgotten."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._asking = jobs.latest()
        self._known: RecentValues[int, tuple[Photograph | None, PhotographSigns]] = RecentValues(_MOST)
        self._lacking: dict[int, None] = {}
        self._soon = QTimer(self)  # those that one repaint lacks are fetched together
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._ask)

    def of(self, photograph_id: int) -> Photograph | None:
        """Return a photograph; None until it is known, and where it is gone."""
        return self._look(photograph_id)[0]

    def signs(self, photograph_id: int) -> PhotographSigns:
        """Return what is noted of a photograph; nothing until it is known."""
        return self._look(photograph_id)[1]

    def _look(self, photograph_id: int) -> tuple[Photograph | None, PhotographSigns]:
        known = self._known.get(photograph_id)
        if known is None:
            self._lacking[photograph_id] = None
            self._soon.start()
            return _UNSEEN
        return known

    def forget(self) -> None:
        """Forget all, since files were renamed or read again, or something was noted."""
        self._known.clear()
        self.changed.emit()

    def _ask(self) -> None:
        opened = self._opened
        if self._asking.running or not self._lacking:
            return
        wanted = list(reversed(self._lacking))[:_AT_ONCE]  # those scrolled past are fetched when they are seen again
        self._lacking = {}

        def work(_: Progress) -> dict[int, tuple[Photograph | None, PhotographSigns]]:
            from twinlens.app.library.browsing.photographs import photographs

            found = photographs(opened.library, wanted)
            # One that is gone is not asked for again until the library is listed again.
            return {**dict.fromkeys(wanted, _UNSEEN), **{one.id: (one, _signs(one)) for one in found}}

        def then(found: dict[int, tuple[Photograph | None, PhotographSigns]]) -> None:
            for photograph_id, one in found.items():
                self._known.keep(photograph_id, one)
            self.changed.emit()  # visible photographs that are still lacking are asked for again
            self._soon.start()

        self._asking.begin(work).then(then)


_UNSEEN = (None, PhotographSigns(0, favourite=False, pick=0))


def _signs(photograph: Photograph) -> PhotographSigns:
    noted = photograph.notes
    pick = -1 if noted.rating < 0 else noted.pick
    return PhotographSigns(max(noted.rating, 0), noted.favourite, pick, film_length(photograph))


def fact_lines(photograph: Photograph, briefly: bool = False) -> list[str]:
    """Return the lines with date and camera, and with the size.

    Parameters
    ----------
    briefly : bool
        Without the source of the date, the settings of the camera, and what the file says of the photograph.
    """
    date = written_date(photograph.taken) if briefly else _date_and_source(photograph)
    size = f"{photograph.width} × {photograph.height}" if photograph.width and photograph.height else ""
    lines = (
        " · ".join(part for part in (date, photograph.camera) if part),
        " · ".join(
            part for part in (size, _bytes(photograph.size), photograph.format, film_length(photograph)) if part
        ),
        incomplete(photograph),
        "" if briefly else " · ".join(_settings(photograph)),
        "" if briefly else " · ".join(_notes(photograph)),
    )
    return [line for line in lines if line]


def film_length(photograph: Photograph) -> str:
    """Return the length of a film in minutes and seconds; empty for anything else, and where it is not known."""
    if not photograph.notes.seconds:
        return ""
    minutes, seconds = divmod(round(photograph.notes.seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


def incomplete(photograph: Photograph) -> str:
    """Return the note that a file lacks a part of its picture; empty where it is whole."""
    lacking = photograph.notes.lacking
    if lacking <= 0:
        return ""
    share = round(100 * lacking)
    return _("Damaged: about {share} % of the picture is missing", share=share) if share else _("Damaged at its end")


def _bytes(count: int) -> str:
    return text(size(count)) if count > 0 else ""


def _settings(photograph: Photograph) -> Iterator[str]:
    """Yield the settings of the camera, as photographers write them."""
    noted = photograph.notes
    if noted.aperture:
        yield f"f/{number(noted.aperture, 'g')}"
    if noted.exposure_s:
        yield _("{seconds} s", seconds=noted.exposure if "/" in noted.exposure else number(noted.exposure_s, "g"))
    if noted.iso:
        yield f"ISO {noted.iso}"
    if noted.focal_length_mm:
        yield f"{number(noted.focal_length_mm, 'g')} mm"
    if noted.lens:
        yield noted.lens


def _notes(photograph: Photograph) -> Iterator[str]:
    """Yield what is noted of a photograph, in words."""
    noted = photograph.notes
    if noted.favourite:
        yield _("favourite")
    if noted.rating > 0:
        yield "★" * noted.rating
    if noted.pick or noted.rating < 0:
        yield _("picked") if noted.pick > 0 else _("rejected")
    yield from filter(None, (noted.label, noted.title, noted.caption, ", ".join(noted.keywords)))
    if photograph.place:
        from twinlens.app.library.browsing.places import degrees, town_near  # here, since few photographs have a place

        town, (latitude, longitude) = town_near(photograph.place), degrees(photograph.place)
        if town is not None:
            yield town.words(current_language())
        yield f"{latitude:.4f}°, {longitude:.4f}°"
    if photograph.beside is not None and photograph.beside.edits:
        yield _("edited on an iPhone: AAE")


_SOURCES = {
    DateSource.XMP: Message("XMP"),
    DateSource.IPTC: Message("IPTC"),
    DateSource.TEXT: Message("text in the file"),
    DateSource.GPS: Message("GPS, UTC"),
    DateSource.FILM: Message("film"),
    DateSource.SIDECAR: Message("XMP file beside it"),
    DateSource.TAKEOUT: Message("Google Takeout, UTC"),
    DateSource.NAME: Message("file name"),
    DateSource.FILE: Message("time of the file"),
}


def _date_and_source(photograph: Photograph) -> str:
    """Return the date: a camera's with how far its clock is ahead of UTC, any other with where it is from."""
    date, source = written_date(photograph.taken), _SOURCES.get(photograph.dated_by)
    if date and photograph.dated_by is DateSource.EXIF and photograph.notes.offset:
        return f"{date} {photograph.notes.offset}"
    return _("{date} (from: {source})", date=date, source=source) if date and source is not None else date


def written_date(taken: str | None) -> str:
    """Return a date, ISO 8601 as far as it is known, in the person's format; empty if there is none."""
    if not taken:
        return ""
    try:
        if len(taken) == len("1957-07"):
            return QLocale().toString(QDate.fromString(taken, "yyyy-MM"), "MMMM yyyy") or taken
        known = datetime.fromisoformat(taken)
        return _("{moment}", moment=known if len(taken) > len("1957-07-01") else known.date())
    except ValueError:
        return taken


def moment_words(created: str) -> str:
    """Return a moment that the library noted, ISO 8601 in UTC, as local date and time in the person's format."""
    try:
        made = datetime.fromisoformat(created.replace("Z", "+00:00"))
    except ValueError:
        return created
    made = made if made.tzinfo is not None else made.replace(tzinfo=UTC)
    return _("{moment}", moment=made.astimezone())


_DRAGGED = "application/x-twinlens-photographs"


def put_photographs(data: QMimeData, ids: Sequence[int]) -> None:
    """Put photographs of the library into what is dragged, for this window alone."""
    data.setData(_DRAGGED, QByteArray(",".join(map(str, ids)).encode()))


def photographs_in(data: QMimeData) -> list[int]:
    """Return the photographs of the library in what is dragged."""
    found = bytes(data.data(_DRAGGED).data()).decode("ascii", "replace").split(",")
    return [int(one) for one in found if one.isdecimal()]


def image_of(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> QImage:
    """Return an image of pixels, (h, w, 3)."""
    import numpy as np

    height, width = pixels.shape[:2]
    plain = np.ascontiguousarray(pixels)
    return QImage(plain.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def png_of(image: Any) -> bytes:
    """Return an image, such as one from the clipboard, as PNG."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImage(image).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def rgb_of(image: QImage) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the pixels of an image, (h, w, 3)."""
    import numpy as np

    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()
