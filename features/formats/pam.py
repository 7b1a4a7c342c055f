"""PAM pictures, the "portable arbitrary map" of Netpbm, which Pillow does not read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageFile

if TYPE_CHECKING:
    from PIL._imaging import PixelAccess

_FIELD = re.compile(rb"(WIDTH|HEIGHT|DEPTH|MAXVAL)\s+(\d{1,10})\s*")
_MODES = ("L", "LA", "RGB", "RGBA")
_LONGEST_LINE = 1000
_MOST_LINES = 1000


class PamImageFile(ImageFile.ImageFile):
    """A PAM picture: the header is read when it is opened, the pixels when it is loaded."""

    def _open(self) -> None:
        assert self.fp is not None
        fields: dict[bytes, int] = {}
        for _ in range(_MOST_LINES):
            line = self.fp.readline(_LONGEST_LINE)
            if line.strip() == b"ENDHDR":
                break
            if field := _FIELD.fullmatch(line):
                fields[field[1]] = int(field[2])
        else:
            raise SyntaxError("a PAM header without an end")
        self._size = fields[b"WIDTH"], fields[b"HEIGHT"]
        self._white = fields[b"MAXVAL"]
        if not 0 < self._white < 65536 or 0 in self._size:
            raise SyntaxError("a PAM header with a value that cannot be")
        if not 1 <= fields[b"DEPTH"] <= len(_MODES):
            raise SyntaxError("unsupported number of channels")
        self._mode = _MODES[fields[b"DEPTH"] - 1]
        self._begin = self.fp.tell()

    def load(self) -> PixelAccess | None:
        """Read the pixels and bring them to 8 bits."""
        if self._im is None:
            assert self.fp is not None
            self.fp.seek(self._begin)
            channels, kind = len(self._mode), np.dtype(">u2" if self._white > 255 else "u1")
            data = self.fp.read(self.width * self.height * channels * kind.itemsize)
            if len(data) < self.width * self.height * channels * kind.itemsize:
                raise EOFError
            samples = np.frombuffer(data, kind).reshape(self.height, self.width, channels)
            if self._white != 255:
                steps = np.arange(self._white + 1, dtype=np.float64) * (255 / self._white)
                samples = np.rint(steps).astype(np.uint8)[np.minimum(samples, self._white)]
            self.im = Image.fromarray(samples[..., 0] if channels == 1 else samples).im
        return Image.Image.load(self)
