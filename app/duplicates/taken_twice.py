"""Whether two photographs that look the same were taken twice: the noise of a sensor is never the same again.

A burst from a tripod looks the same at every size but the full one. There, where nothing is to be seen, a copy has the
grain of its original, however it was compressed, as long as compressing has left any.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from app.duplicates.compared_pictures import Compared
from app.library import decoding
from app.library.library import Library
from app.machine import waiting
from core.errors import TwinlensError
from features.copies.relation import Kind
from features.pictures.picture import Pixels
from features.reading.unreadable import UnreadableError

_SIDE = 1_600
_LIKE = 0.2  # correlation of grain from which it is the same
_LEAST = 0.6  # levels of grain; less says nothing
_SMOOTHED = 2.5  # times less grain in one of both: it was compressed away, or added
_COARSE = 10.0  # levels that no sensor leaves at this size
_FEWEST = 5_000  # pixels


def told_by_grain(library: Library, first: Compared, second: Compared) -> Kind:
    """Tell what two photographs that look the same are by their grain; the same where it says nothing."""
    one, other = _read(library, first), _read(library, second)
    return Kind.SAME if one is None or other is None else by_grain(one, other)


def by_grain(first: Pixels, second: Pixels) -> Kind:
    """Tell what two pictures of one size, uint8 (h, w, 3), are by their grain.

    Returns
    -------
    Kind
        The same picture; similar ones, taken twice; or edited, where grain was added.
    """
    if first.shape != second.shape:
        return Kind.SAME
    smooth = _flat(first) & _flat(second)
    if smooth.sum() < _FEWEST:
        return Kind.SAME
    a, b = (_grain(one)[smooth] for one in (first, second))
    strong, weak = float(max(a.std(), b.std())), float(min(a.std(), b.std()))
    if strong > _COARSE and strong > _SMOOTHED * weak:
        return Kind.EDITED
    if weak < _LEAST or float(np.corrcoef(a, b)[0, 1]) >= _LIKE:
        return Kind.SAME
    return Kind.SIMILAR if strong <= _SMOOTHED * weak else Kind.SAME


def _grain(rgb: Pixels) -> npt.NDArray[np.float32]:
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), 1.2), np.float32)


def _flat(rgb: Pixels) -> npt.NDArray[np.bool_]:
    """Return the half of a picture in which the least is to be seen, and nothing is cut off."""
    grey = cv2.GaussianBlur(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 2.5)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return np.asarray((slope <= np.median(slope)) & (grey > 8) & (grey < 247))


def _read(library: Library, picture: Compared) -> Pixels | None:
    with library.store.reading() as r:
        (path,) = library.paths(r, r.photographs.by_id([picture.id])) or [b""]
    with suppress(UnreadableError, TwinlensError), waiting.in_background():
        return decoding.unchanged(Path(os.fsdecode(path)), picture.content, _SIDE).rgb
    return None
