"""Pictures as a network wants them, and the vectors that it makes of them.

What is transparent is filled with the mean, which is nothing to a network.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from core.declaration.fitted import Packed
from core.errors import TwinlensError
from core.message import NOTHING, Message
from features.descriptor import Extractor, Vector
from features.network import runtime
from features.network.network_file import changed_network_error, network_file_digest, open_network
from features.network.ready_made import DIMENSIONS, READY_MADE, missing_for_networks, ready_made_refusal
from features.pictures.picture import Picture

_LARGEST = 60_000  # that float16, in which libraries keep vectors, still holds
_AREA = "area"

Planes = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NetworkExtractor(Extractor):
    """Runs a network that is in a file, not in the library.

    Parameters
    ----------
    path : str
        Of the file; of a network that comes along its name.
    """

    path: str
    digest: str
    side: int
    framing: str
    channels: str
    mean: tuple[float, float, float]
    deviation: tuple[float, float, float]
    layer: str | None
    normalise: bool
    length: int
    resampling: str = _AREA

    needs_a_file: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self:
        """Return what runs a network that comes along, on the whole picture brought to a square.

        Raises
        ------
        UnusableError
            If a package that it needs is not installed, or might tell others what it does.
        """
        if (refused := ready_made_refusal(name)) is not None:
            raise refused
        ready = READY_MADE[name]
        mean, deviation = (ready.mean,) * 3, (ready.deviation,) * 3
        return cls(
            name, network_file_digest(name), ready.side, "stretch", "rgb", mean, deviation, None, True, DIMENSIONS
        )

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by what the network makes of it; all zero where nothing of it is visible.

        Raises
        ------
        LostNetworkError
            If the network's file is gone or has changed and was not read before.
        """
        if picture.mask is not None and not picture.mask.any():
            return np.zeros(self.length, np.float32)
        vector = open_network(self.path, self.digest, self.layer).run(self.planes(picture)).astype(np.float64)
        if not np.isfinite(vector).all():
            return np.zeros(self.length, np.float32)
        if self.normalise:
            vector /= np.linalg.norm(vector) or 1
        return np.clip(vector, -_LARGEST, _LARGEST).astype(np.float32)

    def unusable(self) -> Message:
        """Return that no network runs here, or that the file is gone or has changed."""
        if self.path in READY_MADE:
            return missing_for_networks(self.path)
        if (refused := runtime.runtime_refusal()) is not None:
            return refused.message
        try:
            if network_file_digest(self.path) == self.digest:
                return NOTHING
        except TwinlensError as error:
            return error.message
        return changed_network_error(self.path)

    def planes(self, picture: Picture) -> Planes:
        """Bring a picture to what the network wants, float32, (3, side, side)."""
        rgb, mask = picture.rgb, picture.mask
        if self.framing == "crop":
            middle = _middle_square(*rgb.shape[:2])
            rgb, mask = rgb[middle], None if mask is None else mask[middle]
        if mask is not None:  # before pixels at the outline are averaged with it
            rgb = np.where(mask[..., None], rgb, np.rint(255 * np.array(self.mean)).astype(np.uint8))
        small = self._resized(rgb)
        planes = np.empty((3, self.side, self.side), np.float32)
        for channel, plane in enumerate(planes if self.channels == "rgb" else planes[::-1]):
            np.take(self._values[channel], small[..., channel], out=plane, mode="clip")  # else a copy is made
        if mask is not None:
            planes[:, _resized(mask.astype(np.uint8), self.side) == 0] = 0
        return planes

    @cached_property
    def _values(self) -> Planes:
        """What the network is given for each level of each channel, (3, 256)."""
        levels = np.arange(256, dtype=np.float32) / np.float32(255)
        return (levels - np.array(self.mean, np.float32)[:, None]) / np.array(self.deviation, np.float32)[:, None]

    def pack(self) -> Packed:
        """Take it apart; the usual way of resizing is not named, so that what was kept before is the same."""
        packed = super().pack()
        if self.resampling == _AREA:
            del packed.numbers["resampling"]
        return packed

    def _resized(self, rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        if self.resampling == _AREA:
            return _resized(rgb, self.side)
        from PIL import Image  # here, since it is slow to import and few networks want it

        small = Image.fromarray(np.ascontiguousarray(rgb)).resize((self.side, self.side), Image.Resampling.BICUBIC)
        return np.asarray(small, np.uint8)


def _middle_square(height: int, width: int) -> tuple[slice, slice]:
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return slice(top, top + side), slice(left, left + side)


def _resized(pixels: npt.NDArray[np.uint8], side: int) -> npt.NDArray[np.uint8]:
    import cv2

    shrinks = min(pixels.shape[:2]) >= side
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(np.ascontiguousarray(pixels), (side, side), interpolation=how), dtype=np.uint8)
