"""Two ways of the decoder of AVIF: a thread for each processor, and no picture where its EXIF block is damaged."""

from __future__ import annotations

import re

from PIL import AvifImagePlugin

# In the item list each entry names its type after its version, its number (16 or 32 bits) and its protection index
# (ISO/IEC 14496-12, 8.11.6).
_EXIF_ITEM = re.compile(rb"(infe.{8}(?:.{2})?)Exif", re.DOTALL)


def without_exif(data: bytes) -> bytes | None:
    """Return the file with its EXIF item renamed to one that decoders skip, or None where it has none."""
    renamed, count = _EXIF_ITEM.subn(rb"\1free", data, count=1)
    return renamed if count else None


def use_one_thread() -> None:
    """Decode with one thread in this process: each more holds parts of the picture, and others read beside this one."""
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
