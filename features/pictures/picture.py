"""A picture as every descriptor sees it: upright, sRGB, at the working size, and what its file said about it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from core.arrays import UInt8Pixels

Region = tuple[float, float, float, float]
"""Left, top, right and bottom, as shares of the upright picture: ``(0, 0, 1, 1)`` is all of it."""

WORKING_SIDE = 640
"""Pixels of the longer side at which pictures are described."""

MID_GREY = 128
"""Level of each channel under what is transparent."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class PictureFacts:
    """Facts of a picture from its file.

    Parameters
    ----------
    format : str
        ``JPEG``, ``PNG``, ..., ``RAW``: from the bytes, not from the name.
    width, height : int
        Of the full picture, as shown: after the orientation was applied.
    orientation : int
        EXIF's number, 1 to 8, that was applied; 1 too where the format keeps its own turn and its decoder applies it.
    taken : str or None
        The camera's clock, ISO 8601 without zone: ``2023-05-14T11:08:00``.
    camera : str or None
        Make and model.
    place : str
        Latitude and longitude in degrees: ``48.137430,11.575490``; empty where not said.
    subsecond : str
        Digits of the fraction of the second at which it was taken; empty where not said.
    """

    format: str
    width: int
    height: int
    orientation: int = 1
    taken: str | None = None
    camera: str | None = None
    place: str = ""
    subsecond: str = ""


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture at the working size.

    Parameters
    ----------
    rgb : ndarray of uint8, (h, w, 3)
        sRGB, upright, read-only; the longer side at most `WORKING_SIDE`, never enlarged. What was transparent is over
        mid-grey.
    mask : ndarray of bool, (h, w), or None
        True where the picture shows something; None where it does everywhere.
    alpha : ndarray of float32, (h, w), or None
        How opaque each pixel is, from 0 to 1, where that is known and not 1 everywhere; only to be shown by.
    """

    rgb: UInt8Pixels
    mask: npt.NDArray[np.bool_] | None
    facts: PictureFacts
    alpha: npt.NDArray[np.float32] | None = None
    _shared: dict[Hashable, object] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def grey(self) -> UInt8Pixels:
        """Luma of BT.601, uint8, (h, w)."""
        import cv2

        grey = cast("UInt8Pixels", cv2.cvtColor(self.rgb, cv2.COLOR_RGB2GRAY))
        grey.flags.writeable = False
        return grey

    def shared(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """Compute once what several descriptors need, such as keypoints, and keep it as long as the picture.

        Parameters
        ----------
        key : hashable
            Names the result, with every parameter that it depends on.
        compute : callable
            Called the first time only.
        """
        if key not in self._shared:
            self._shared[key] = compute()
        return cast("Result", self._shared[key])
