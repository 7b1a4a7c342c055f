"""Coded colours: what the numbers of a picture without an ICC profile mean, brought to sRGB.

A code names the primaries and the curve from numbers to light (ITU-T H.273), as HEIC, AVIF, PNG and JPEG XL do; PNG may
also give the primaries' chromaticities and an exponent. Light brighter than a white page (PQ and HLG, ITU-R BT.2100;
OpenEXR; Radiance) is compressed above a knee, so that what is no brighter stays as it is. The white page is where
ITU-R BT.2408 puts it, at 203 candelas per square metre.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import UInt8Pixels

CODED_COLOURS = "coded colours"
"""The name of a picture's `CodedColours` among what Pillow's classes know of it."""

Chromaticities = tuple[float, float, float, float, float, float, float, float]
"""x and y of red, green, blue and white."""

_D65, _C, _DCI = (0.3127, 0.3290), (0.310, 0.316), (0.314, 0.351)
SRGB_PRIMARIES: Chromaticities = (0.64, 0.33, 0.30, 0.60, 0.15, 0.06, *_D65)
_PRIMARIES: dict[int, Chromaticities] = {
    1: SRGB_PRIMARIES,
    4: (0.67, 0.33, 0.21, 0.71, 0.14, 0.08, *_C),
    5: (0.64, 0.33, 0.29, 0.60, 0.15, 0.06, *_D65),
    6: (0.630, 0.340, 0.310, 0.595, 0.155, 0.070, *_D65),
    7: (0.630, 0.340, 0.310, 0.595, 0.155, 0.070, *_D65),
    8: (0.681, 0.319, 0.243, 0.692, 0.145, 0.049, *_C),
    9: (0.708, 0.292, 0.170, 0.797, 0.131, 0.046, *_D65),
    10: (1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1 / 3, 1 / 3),
    11: (0.680, 0.320, 0.265, 0.690, 0.150, 0.060, *_DCI),
    12: (0.680, 0.320, 0.265, 0.690, 0.150, 0.060, *_D65),
    22: (0.630, 0.340, 0.295, 0.605, 0.155, 0.077, *_D65),
}
_POWERS = {4: 2.2, 5: 2.8, 8: 1.0}
_LOGARITHMS = {9: 2.0, 10: 2.5}
_CINEMA, _PQ, _HLG = 17, 16, 18
LINEAR, SRGB = 8, 13
_WHITE_PAGE, _BRIGHTEST, _OF_HLG = 203.0, 10_000.0, 1000.0  # candelas per square metre
_KNEE = 0.6  # of the light of a white page
_NEAR = 0.003  # chromaticities of sRGB as programs round them
_BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])


@dataclass(frozen=True)
class CodedColours:
    """Primaries and curve of a picture.

    Attributes
    ----------
    primaries : tuple of 8 float
        Chromaticities of red, green, blue and white.
    curve : int
        H.273's number of the transfer characteristics; that of video is shown as sRGB, as everybody does.
    power : float
        The exponent from numbers to light, in place of the curve; 0 without one.
    """

    primaries: Chromaticities = SRGB_PRIMARIES
    curve: int = SRGB
    power: float = 0.0

    @classmethod
    def of_numbers(cls, primaries: int, curve: int) -> CodedColours:
        """Return the colours of two numbers of H.273; what is not known is as sRGB has it."""
        return cls(_PRIMARIES.get(primaries, SRGB_PRIMARIES), curve)

    @property
    def are_srgb(self) -> bool:
        """Whether nothing needs to be done."""
        curve = self.power == 0 and self.curve not in {*_POWERS, *_LOGARITHMS, _CINEMA, _PQ, _HLG}
        near = max(abs(one - other) for one, other in zip(self.primaries, SRGB_PRIMARIES, strict=True))
        return (curve or 2.15 < self.power < 2.25) and near <= _NEAR

    def to_srgb(self, pixels: UInt8Pixels) -> UInt8Pixels:
        """Convert pixels, uint8, (h, w, 3), to sRGB.

        Examples
        --------
        >>> CodedColours(curve=LINEAR).to_srgb(np.array([[[55, 55, 55]]], np.uint8)).tolist()
        [[[128, 128, 128]]]
        """
        if self.are_srgb:
            return pixels
        return self.shown(_light_of_levels(self.curve, self.power)[pixels])

    def shown(self, light: npt.NDArray[np.float32]) -> UInt8Pixels:
        """Return light as a screen shows it.

        Parameters
        ----------
        light : ndarray of float32, (h, w, 3)
            1 is a white page.

        Returns
        -------
        ndarray of uint8, (h, w, 3)
            sRGB.
        """
        if self.power == 0 and self.curve == _HLG:  # from the light of the scene to that of the screen (BT.2100)
            light = light * _luminance(light, self.primaries)[..., None] ** np.float32(0.2)
            light *= np.float32(_OF_HLG / _WHITE_PAGE)
        is_brighter = light.size > 0 and float(light.max()) > 1
        if self.primaries != SRGB_PRIMARIES:
            light = light @ _to_srgb_primaries(self.primaries).T
        return _levels_of_light(_compressed(np.maximum(light, 0)) if is_brighter else light)


@lru_cache(maxsize=8)
def _light_of_levels(curve: int, power: float) -> npt.NDArray[np.float32]:
    """Return the light of each of 256 levels."""
    level = np.arange(256) / 255
    if power > 0:
        light = level**power
    elif curve in _POWERS:
        light = level ** _POWERS[curve]
    elif curve in _LOGARITHMS:
        light = np.where(level > 0, 10 ** (_LOGARITHMS[curve] * (level - 1)), 0)
    elif curve == _CINEMA:
        light = np.minimum(level**2.6 * 52.37 / 48, 1)
    elif curve == _PQ:
        root = level ** (1 / 78.84375)
        light = (np.maximum(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
        light *= _BRIGHTEST / _WHITE_PAGE
    elif curve == _HLG:
        light = np.where(level <= 0.5, level**2 / 3, (np.exp((level - 0.55991073) / 0.17883277) + 0.28466892) / 12)
    else:
        light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    return np.asarray(light, np.float32)


def _compressed(light: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Bring light above a white page below it: by one factor for each pixel, so that hues stay.

    Above the knee it is the curve of Reinhard, Stark, Shirley and Ferwerda (2002, equation 4), which goes on as steeply
    as below, and makes the brightest white.
    """
    brightest = light.max(axis=-1)
    peak = float(np.percentile(brightest, 99.9)) if brightest.size else 0.0
    if peak <= 1:
        return light
    top = (peak - _KNEE) / (1 - _KNEE)
    above = np.maximum(brightest - _KNEE, 0) / np.float32(1 - _KNEE)
    below = np.minimum(brightest, np.float32(_KNEE))
    lower = below + np.float32(1 - _KNEE) * (above * (1 + above / np.float32(top * top)) / (1 + above))
    return np.asarray(light * (lower / np.maximum(brightest, np.float32(1e-6)))[..., None], np.float32)


def _levels_of_light(light: npt.NDArray[np.float32]) -> UInt8Pixels:
    bounded = np.clip(light, 0, 1)
    curve = np.where(bounded <= 0.0031308, 12.92 * bounded, 1.055 * bounded ** np.float32(1 / 2.4) - 0.055)
    levels: UInt8Pixels = np.rint(255 * curve).astype(np.uint8)
    return levels


def _to_xyz(primaries: Chromaticities) -> npt.NDArray[np.float64]:
    """Return the matrix from light of primaries to CIE XYZ, (3, 3), of which white has the luminance 1."""
    at = np.array(primaries).reshape(4, 2)
    whole = np.stack((at[:, 0], at[:, 1], 1 - at.sum(axis=1)))
    white = whole[:, 3] / at[3, 1]
    matrix: npt.NDArray[np.float64] = whole[:, :3] * np.linalg.solve(whole[:, :3], white)
    return matrix


@lru_cache(maxsize=16)
def _to_srgb_primaries(primaries: Chromaticities) -> npt.NDArray[np.float32]:
    """Return the matrix from light of some primaries to that of sRGB, (3, 3); white becomes white (Bradford).

    Primaries that span no colours are taken for those of sRGB.
    """
    try:
        source, target = _to_xyz(primaries), _to_xyz(SRGB_PRIMARIES)
        cones = np.diag((_BRADFORD @ target.sum(axis=1)) / (_BRADFORD @ source.sum(axis=1)))
        matrix = np.linalg.solve(target, np.linalg.solve(_BRADFORD, cones @ _BRADFORD @ source))
    except (np.linalg.LinAlgError, FloatingPointError):
        return np.eye(3, dtype=np.float32)
    return np.asarray(matrix if np.isfinite(matrix).all() else np.eye(3), np.float32)


def _luminance(light: npt.NDArray[np.float32], primaries: Chromaticities) -> npt.NDArray[np.float32]:
    return np.asarray(light @ _to_xyz(primaries)[1].astype(np.float32), np.float32)


def levels(samples: npt.NDArray[Any], bits: int = 0, colours: CodedColours = CodedColours()) -> UInt8Pixels:
    """Bring samples of any kind to 8 bits.

    Whole numbers without a sign go from black at 0 to white at the largest that their bits allow. Of the others, what
    fits a usual range (0 to 1; whole numbers up to 255 or 65,535) is taken to be in it; other colours are light, of
    which 1 is a white page, and other grey is stretched from its darkest to its brightest.

    Parameters
    ----------
    samples : ndarray, (h, w) or (h, w, c)
        Grey, RGB, either with opacity last, or of four inks.
    bits : int
        Of a sample, where it uses the lower ones alone; 0 for all.
    colours : CodedColours
        Of what is light.

    Returns
    -------
    ndarray of uint8
        Of the same shape.
    """
    if samples.dtype == np.uint8 and bits in (0, 8):
        return samples
    if samples.dtype.kind in "ub":
        top = (1 << (bits or 8 * samples.dtype.itemsize)) - 1 if samples.dtype.kind == "u" else 1
        if samples.dtype.itemsize <= 2:
            steps = np.minimum(np.rint(np.arange(1 << (8 * samples.dtype.itemsize)) * (255 / top)), 255)
            return np.asarray(steps.astype(np.uint8)[samples.astype(f"u{samples.dtype.itemsize}")])
        return np.asarray(np.rint(samples * (255 / top)).clip(0, 255), np.uint8)
    with np.errstate(invalid="ignore", over="ignore"):
        values = np.nan_to_num(samples.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(values.min(initial=0)), float(values.max(initial=0))
    if low >= 0 and high <= 1:
        return np.asarray(np.rint(values * np.float32(255)), np.uint8)
    top = next((top for top in (255, 65535) if high <= top), 0)
    if low >= 0 and top and (values == np.rint(values)).all():
        return np.asarray(np.rint(values * np.float32(255 / top)), np.uint8)
    if values.ndim == 3 and values.shape[2] in (3, 4) and samples.dtype.kind == "f":
        shown = colours.shown(values[..., :3])
        if values.shape[2] == 3:
            return shown
        opacity = np.rint(np.clip(values[..., 3:], 0, 1) * np.float32(255)).astype(np.uint8)
        return np.concatenate((shown, opacity), axis=2)
    return np.asarray(np.rint((values - low) * np.float32(255 / max(high - low, 1e-12))), np.uint8)
