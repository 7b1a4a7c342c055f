"""The further frames and pages of two files whose first pictures look the same.

Two animations may begin with one picture, and two letters with one cover. Files with other numbers of frames are not
the same, and of files with as many each frame is compared, spread evenly where there are many.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies.relation import looks_the_same
from twinlens.features.formats.formats import RAW, recognise
from twinlens.features.pictures.channels import separate, upright_and_plain, white_of
from twinlens.features.reading.decoder_memory import held_by_decoder
from twinlens.features.reading.reading_limits import Limits, decoding

SIDE = 480
"""Pixels of the longer side at which frames are compared: text is still told apart."""

MOST = 8
"""Frames that are compared, at most."""


@dataclass(frozen=True, eq=False)
class FurtherFrames:
    """The frames of a file.

    Attributes
    ----------
    count : int
        Of all, the first with them.
    looks : tuple of ndarray of uint8, (h, w, 3)
        Some of those after the first, spread evenly.
    """

    count: int
    looks: tuple[UInt8Pixels, ...] = ()

    def are_those_of(self, other: FurtherFrames) -> bool:
        """Return whether two files have the same further frames."""
        return self.count == other.count and all(
            looks_the_same(one, another) for one, another in zip(self.looks, other.looks, strict=True)
        )


def further_frames(data: bytes, name: str = "", limits: Limits = Limits()) -> FurtherFrames:  # noqa: B008 (frozen)
    """Read the further frames of a file.

    Raises
    ------
    UnreadableError
        If a frame is damaged or too large.
    """
    form = recognise(data, name)
    if form is RAW:
        return FurtherFrames(1)
    with decoding(form.name):
        image = form.open(data)
        count = max(1, getattr(image, "n_frames", 1))
        looks = []
        for at in sorted({round(at) for at in np.linspace(1, count - 1, MOST)}) if count > 1 else ():
            image.seek(at)
            width, height = image.size
            limits.check(form.name, width, height, held_by_decoder(form, data, width, height, image))
            looks.append(_look(image))
    return FurtherFrames(count, tuple(looks))


def _look(image: Image.Image) -> UInt8Pixels:
    """Return a frame, small, over white where it is transparent."""
    channels = separate(upright_and_plain(image, 1, SIDE), white_of(image), SIDE)
    pixels = channels.pixels
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    pixels = pixels[..., :3]
    if channels.alpha is not None:
        alpha = channels.alpha[..., None]
        pixels = np.rint(pixels * alpha + 255 * (1 - alpha))
    return np.ascontiguousarray(pixels, np.uint8)
