"""JPEG XL pictures, decoded by libjxl through pylibjxl.

pylibjxl has a Pillow class of its own, which gives the last picture of an animation. It tells of no profile where a
file names its colours (Display P3, say) instead of holding an ICC profile: such a picture is taken to be sRGB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pylibjxl
from PIL import Image, ImageFile

if TYPE_CHECKING:
    from PIL._imaging import PixelAccess


class JpegXlImageFile(ImageFile.ImageFile):
    """A JPEG XL picture: the header is read when it is opened, the pixels when it is loaded.

    It comes turned upright, in 8 bits.
    """

    def _open(self) -> None:
        assert self.fp is not None
        self._data = self.fp.read()
        header = pylibjxl.probe(self._data)
        self._size = header["width"], header["height"]
        self._mode = ("L", "LA", "RGB", "RGBA")[header["channels"] - 1]
        self._moves = bool(header["have_animation"])

    def load(self) -> PixelAccess | None:
        """Decode the pixels, the profile, and the blocks of EXIF and XMP."""
        if self._im is None:
            said: dict[str, bytes] = {}
            if self._moves:  # asked for these as well, it gives the last picture
                pixels = pylibjxl.decode(self._data)
            else:
                pixels, said = pylibjxl.decode(self._data, metadata=True)
            if pixels.ndim == 3 and pixels.shape[2] == 1:
                pixels = pixels[..., 0]
            self.im = Image.fromarray(pixels).im
            for name, key in (("exif", "exif"), ("icc", "icc_profile"), ("xmp", "xmp")):
                if name in said:
                    self.info[key] = said[name]
            self._data = b""
        return Image.Image.load(self)
