"""Colour profiles: pixels to sRGB by the ICC profile that a file carries."""

from __future__ import annotations

import io
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageCms

from twinlens.core.arrays import UInt8Pixels

_SPACES = {"RGB ": "RGB", "GRAY": "L", "CMYK": "CMYK"}


_PROFILE_ERRORS = (ImageCms.PyCMSError, OSError, ValueError, TypeError, MemoryError)


def to_srgb(pixels: UInt8Pixels, space: str, profile: bytes | None) -> UInt8Pixels:
    """Convert pixels to sRGB.

    Parameters
    ----------
    pixels : ndarray of uint8, (h, w), (h, w, 3) or (h, w, 4)
    space : str
        ``L``, ``RGB`` or ``CMYK``.
    profile : bytes or None
        The embedded ICC profile. Without one grey and RGB are taken for sRGB, and CMYK is converted by the plain
        complement.

    Returns
    -------
    ndarray of uint8, (h, w, 3)
    """
    transform = _transform(profile, space) if profile else None
    if transform is not None:
        return np.asarray(transform.apply(_image(pixels, space)))
    if space == "RGB":
        return pixels
    if space == "CMYK":
        return np.asarray(_image(pixels, space).convert("RGB"))
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB), dtype=np.uint8)


def _image(pixels: UInt8Pixels, space: str) -> Image.Image:
    height, width = pixels.shape[:2]
    return Image.frombytes(space, (width, height), np.ascontiguousarray(pixels).tobytes())


@lru_cache(maxsize=16)
def _transform(profile: bytes, space: str) -> ImageCms.ImageCmsTransform | None:
    """Return the way from a profile to sRGB, or None where it cannot be used or none is needed."""
    try:
        opened = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if _SPACES.get(opened.profile.xcolor_space) != space or _is_srgb(opened.profile.profile_description):
            return None
        return ImageCms.ImageCmsTransform(opened, _srgb(), space, "RGB", ImageCms.Intent.PERCEPTUAL)
    except _PROFILE_ERRORS:
        return None


def _is_srgb(description: str | None) -> bool:
    """Recognise sRGB by its name: that of HP's and the ICC's profiles, or the short one of web services."""
    name = (description or "").strip().lower()
    return name == "c2" or (name.startswith("srgb") and "linear" not in name)


@lru_cache(maxsize=1)
def _srgb() -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
