"""A picture as every descriptor sees it: upright, sRGB, at the working size or stretched to a size of its own.

It knows what its file said about it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import UInt8Pixels

Region = tuple[float, float, float, float]
"""Left, top, right and bottom, as shares of the upright picture: ``(0, 0, 1, 1)`` is all of it."""

WORKING_SIDE = 640
"""Pixels of the longer side at which pictures are described."""

FILM = "Film"
"""The format of a photograph that is the first frame of a film."""

MID_GREY = 128
"""Level of each channel under what is transparent."""

Result = TypeVar("Result")


_LONG_S = 0.3  # from here on a time of exposure is no fraction


@dataclass(frozen=True)
class Metadata:
    """The statements of people and programs in a photograph's file, and its contents beside the first picture.

    Attributes
    ----------
    rating : int
        1 to 5 stars, -1 of a rejected one; 0 without one.
    keywords : tuple of str
        Those of a hierarchy as ``Places|Italy|Rome``.
    pick : int
        1 of a picked one, -1 of a rejected one; 0 without either.
    frames : int
        Of an animation, or pages.
    film : bool
        Whether a film lies behind the picture, as of a motion photo.
    gain_map : bool
        Whether other pictures lie behind it that are no previews: a gain map, a map of depths.
    depth : int
        Bits of a channel, at least 8.
    transparent : bool
        Whether anything of the first picture is.
    program : str
        The one that saved the file, as it names itself; a camera names its firmware.
    coding : str
        A trace of the encoder that files of one program have in common: that of its tables, or of its settings.
    offset : str
        How far the clock of its date is ahead of UTC, ``+02:00``; empty where not said.
    lens : str
        Its model, as are the f-number, the seconds of exposure, the speed and the focal length in millimetres that
        follow it: 0 or empty where the camera noted none.
    lacking : float
        Share of its rows that a damaged file lacks; 0 of a whole one.
    seconds : float
        How long a film is of which this is the first frame; 0 of anything else.
    """

    rating: int = 0
    label: str = ""
    keywords: tuple[str, ...] = ()
    title: str = ""
    caption: str = ""
    favourite: bool = False
    pick: int = 0
    frames: int = 1
    film: bool = False
    gain_map: bool = False
    depth: int = 8
    transparent: bool = False
    program: str = ""
    coding: str = ""
    offset: str = ""
    lens: str = ""
    aperture: float = 0.0
    exposure_s: float = 0.0
    iso: int = 0
    focal_length_mm: float = 0.0
    lacking: float = 0.0
    seconds: float = 0.0

    @property
    def exposure(self) -> str:
        """The time of exposure in seconds, as photographers write it: ``1/250``, ``0.8``, ``30``; empty without one."""
        fraction = 0 < self.exposure_s < _LONG_S
        return f"1/{1 / self.exposure_s:.0f}" if fraction else f"{self.exposure_s:g}" if self.exposure_s else ""

    def text(self) -> str:
        """Return it as :meth:`of_text` reads it: JSON without what is as usual."""
        usual = Metadata()
        return json.dumps({name: one for name, one in asdict(self).items() if one != getattr(usual, name)})

    @classmethod
    def of_text(cls, text: str) -> Metadata:
        """Read what :meth:`text` has written; what another version has added to it is left out."""
        found = {name: one for name, one in json.loads(text).items() if name in cls.__dataclass_fields__}
        return cls(**found | {"keywords": tuple(found.get("keywords", ()))})


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
        When it was taken, as :attr:`twinlens.core.date_taken.DateTaken.stored`.
    camera : str or None
        Make and model.
    place : str
        Latitude and longitude in degrees: ``48.137430,11.575490``; empty where not said.
    subsecond : str
        Digits of the fraction of the second at which it was taken; empty where not said.
    metadata : Metadata or None
        None where it was not read.
    """

    format: str
    width: int
    height: int
    orientation: int = 1
    taken: str | None = None
    camera: str | None = None
    place: str = ""
    subsecond: str = ""
    metadata: Metadata | None = None


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


_STEPS = 256.0  # of a level: finer differences are rounding, and what is flat stays flat
_SEEN_WHOLLY = 1 - 1e-4  # an average of ones may be a hair under one
Plane = npt.NDArray[np.float32]


class Stretched(NamedTuple):
    """A picture at another size.

    Attributes
    ----------
    image : ndarray of float32, (rows, columns) or (rows, columns, 3)
        Grey or sRGB, 0 to 255, averaged over what is visible; 0 where nothing is.
    visible : ndarray of float32, (rows, columns), or None
        Which share of each pixel is visible; None where all is.
    """

    image: Plane
    visible: Plane | None

    @property
    def whole(self) -> npt.NDArray[np.bool_] | None:
        """The wholly visible pixels; None where all are."""
        return None if self.visible is None else self.visible > _SEEN_WHOLLY


def stretched(picture: Picture, rows: int, columns: int, colour: bool = False) -> Stretched | None:
    """Bring a picture to a size without keeping its shape; None where nothing of it is visible.

    Where it gets smaller, areas are averaged; where larger, pixels are interpolated. It is computed once for all
    descriptors that ask for the same size.

    Parameters
    ----------
    rows, columns : int
        At least 1.
    colour : bool
        Whether the three channels are wanted, instead of grey.
    """
    return picture.shared(("stretched", rows, columns, colour), lambda: _stretched(picture, rows, columns, colour))


def _stretched(picture: Picture, rows: int, columns: int, colour: bool) -> Stretched | None:
    image = picture.rgb if colour else picture.grey
    if picture.mask is None:
        return Stretched(_rounded(_resized(image, rows, columns)), None)
    if not picture.mask.any():
        return None
    mask = picture.mask.astype(np.float32)
    visible = _resized(mask, rows, columns)
    # What is transparent lies over a flat colour, which must not bleed into its neighbours.
    weighted = _resized(image * (mask[..., None] if colour else mask), rows, columns)
    share = visible[..., None] if colour else visible
    straight = np.divide(weighted, share, out=np.zeros_like(weighted), where=share > 0)
    visible.flags.writeable = False
    return Stretched(_rounded(straight), visible)


def _resized(image: npt.NDArray[np.generic], rows: int, columns: int) -> Plane:
    """Average along what gets shorter, then interpolate along what gets longer: one step would do neither well."""
    import cv2

    height, width = image.shape[:2]
    smaller = cv2.resize(
        image.astype(np.float32), (min(width, columns), min(height, rows)), interpolation=cv2.INTER_AREA
    )
    return np.asarray(cv2.resize(smaller, (columns, rows), interpolation=cv2.INTER_LINEAR))


def _rounded(image: Plane) -> Plane:
    rounded = np.rint(image * np.float32(_STEPS)) / np.float32(_STEPS)
    rounded.flags.writeable = False
    return np.asarray(rounded)
