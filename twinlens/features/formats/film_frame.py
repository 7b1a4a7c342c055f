"""The first frame of a film, by which it is found and compared: decoded by the FFmpeg inside OpenCV's wheel.

A film is read as a stream and never held; what it says of itself, its length and its dates, is in its boxes
(:mod:`twinlens.features.formats.live_photo`), or, of other containers, in what the decoder knows.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any, BinaryIO

import cv2
import numpy as np

from twinlens.core.arrays import UInt8Pixels
from twinlens.core.date_taken import DateSource, DateTaken
from twinlens.core.message import Message
from twinlens.features.decoders.array_image import ArrayImageFile
from twinlens.features.formats.live_photo import Film, read_film
from twinlens.features.formats.types_not_read import not_a_picture
from twinlens.features.pictures.picture import FILM, Metadata, Picture
from twinlens.features.reading.reading_limits import Limits, UnreadableError

_LEAVE = Message("It may play in other programs. Leave it, or exclude it.")
_BYTES_PER_PIXEL = 24  # of the decoder's frames and of ours
_HEAD_BYTES = 4096
_TRIES = 8  # frames of which the first may be damaged


def film_frame(file: BinaryIO, limits: Limits) -> tuple[bytes, Film]:
    """Decode the first frame of a film.

    Parameters
    ----------
    file : file
        Which can be sought in.
    limits : Limits
        Checked before the frame is decoded.

    Returns
    -------
    bytes
        The frame as a PNM picture, upright.
    Film
        What it says of itself.

    Raises
    ------
    UnreadableError
        If it is damaged, or too large.
    NotAPictureError
        If no decoder is there for it, or it is a sound.
    OSError
        If it cannot be read.
    """
    film_facts = read_film(file)
    file.seek(0)
    head = file.read(_HEAD_BYTES)
    file.seek(0)
    pixels = None
    try:
        film = _opened(file)
        width, height = (int(film.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if not film.isOpened() or not width or not height:
            raise not_a_picture(head)  # a sound, or nothing that FFmpeg knows
        limits.check(FILM, width, height, _BYTES_PER_PIXEL * width * height)
        if film_facts.seconds is None and (rate := film.get(cv2.CAP_PROP_FPS)) > 0:
            count = film.get(cv2.CAP_PROP_FRAME_COUNT)
            film_facts = replace(film_facts, seconds=count / rate if 0 < count < 1e9 else None)
        for _ in range(_TRIES):
            done, frame = film.read()
            if done:
                pixels = np.ascontiguousarray(frame[..., ::-1])
                break
        film.release()
    except cv2.error:
        pixels = None
    if pixels is None:
        raise UnreadableError("The film cannot be decoded.", _LEAVE)
    return b"P6 %d %d 255\n" % (pixels.shape[1], pixels.shape[0]) + pixels.tobytes(), film_facts


class SequenceImageFile(ArrayImageFile):
    """A HEIC that holds its pictures as a film only (ISO/IEC 23008-12, 7)."""

    def _open(self) -> None:
        film = _opened(io.BytesIO(self._whole_file()))
        self._size = int(film.get(cv2.CAP_PROP_FRAME_WIDTH)), int(film.get(cv2.CAP_PROP_FRAME_HEIGHT))
        self.n_frames = max(1, int(film.get(cv2.CAP_PROP_FRAME_COUNT)))
        self._frame = 0
        self._mode = "RGB"
        if not film.isOpened() or 0 in self._size:
            raise SyntaxError("a sequence without pictures")

    def tell(self) -> int:
        """Return the number of the picture that is shown, from 0."""
        return self._frame

    def seek(self, frame: int) -> None:
        """Show another picture."""
        if not 0 <= frame < self.n_frames:
            raise EOFError
        self._frame, self._im = frame, None

    def pixels(self) -> UInt8Pixels:
        """Decode the picture that is shown, and those before it."""
        film = _opened(io.BytesIO(self.data))
        for _ in range(self._frame):
            film.grab()
        done, frame = film.read()
        if not done:
            raise EOFError
        return np.ascontiguousarray(frame[..., ::-1])

    def load(self) -> Any:
        """Decode the pixels where that has not been done; the file is kept for other pictures."""
        data = self.data
        access = super().load()
        self.data = data
        return access


def _opened(file: BinaryIO) -> Any:
    return cv2.VideoCapture(file, cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])  # type: ignore[call-overload]


def of_film(frame: Picture, film: Film) -> Picture:
    """Return the picture of a film's first frame, with what the film says of itself.

    Parameters
    ----------
    frame : Picture
        As :func:`twinlens.features.reading.reading.read` reads it.
    """
    dates = [DateTaken(moment.isoformat(timespec="seconds"), DateSource.FILM) for moment in film.dates[-1:]]
    facts = replace(
        frame.facts,
        format=FILM,
        taken=dates[0].stored if dates else None,
        metadata=replace(frame.facts.metadata or Metadata(), seconds=round(film.seconds or 0.0, 2)),
    )
    return Picture(frame.rgb, frame.mask, facts, frame.alpha)
