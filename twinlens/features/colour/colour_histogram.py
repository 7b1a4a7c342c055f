"""Colour histograms: pixels counted by their colours, in the whole picture and in ever smaller regions of it.

A pixel counts for the bins around its colour in proportion to its nearness, so that a little more light does not move
it from one bin to the next all at once. Pixels are first counted by their RGB in 32 steps a channel, once for all
histograms of a picture; which bins each of these 32,768 colours counts for is worked out once.

A histogram knows which bins a colour counts for, so a palette (some colours with weights) or a sketch has a vector as a
picture has, and is compared with pictures by the same measure. A colour that a person names or paints stands for those
that look like it: it counts for all colours, by a Gaussian of their distance in CIE L*a*b*.

In HSV: Swain and Ballard: Color Indexing, IJCV 1991, with bins of their own for what has no hue; by regions as the
spatial pyramid of Lazebnik, Schmid and Ponce, CVPR 2006.

In CIE L*a*b* (1976, white of D65) equal steps look about equally large: the greens, of which hue and saturation keep
many apart that look alike, have no more bins than other colours. Lab histograms for retrieval as in van de Sande,
Gevers, Snoek: Evaluating Color Descriptors for Object and Scene Recognition, IEEE TPAMI 2010.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import parameter
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture

_BITS = 5
_COLOURS = 1 << 3 * _BITS
Bins = npt.NDArray[np.intp]


class ColoursOnly(Extractor):
    """Base of the extractors that use nothing but colours and their places."""

    @abstractmethod
    def of_colours(self, colours: Colours, shares: Shares) -> Vector:
        """Describe an imagined picture that has these colours, in these shares, in each of its parts.

        Parameters
        ----------
        colours : ndarray of uint8, (n, 3)
        shares : ndarray of float64, (n,)
            Positive, of sum 1.

        Raises
        ------
        TwinlensError
            If the descriptor compares where colours are, and so can say nothing of colours without places.
        """


class HistogramExtractor(ColoursOnly):
    """Counts colours by region and bin; a subclass says which bins there are."""

    levels: int

    @property
    @abstractmethod
    def bins(self) -> int:
        """Number of bins of a region."""

    @abstractmethod
    def shares(self) -> tuple[Bins, Shares]:
        """Return the bins that each of the colours of :func:`colours` counts for, and the shares, of sum 1 a row."""

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its colours, of sum 1; all zero where nothing of it is visible.

        Several descriptors that have this histogram, alone or beside others, share it: it is not to be written to.
        """
        return picture.shared((type(self), *vars(self).items()), lambda: self._described(picture))

    def _described(self, picture: Picture) -> Vector:
        bins, shares = self.shares()
        side = 2 ** (self.levels - 1)
        counts = picture.shared(("colours", side), lambda: _counts(picture, side)).reshape(side * side, _COLOURS)
        seen = np.flatnonzero(counts.any(axis=0))  # few of all colours are in a picture
        counts = counts[:, seen, None]
        places, parts = bins[seen].ravel(), shares[seen]
        finest = np.array([np.bincount(places, (parts * region).ravel(), self.bins) for region in counts])
        vector = self._of_regions(finest.reshape(side, side, self.bins) / max(counts.sum(), 1))
        vector.flags.writeable = False
        return vector

    def of_colours(self, colours: Colours, shares: Shares) -> Vector:
        """Count colours, and those like them, as if each region had all of them."""
        side = 2 ** (self.levels - 1)
        red, green, blue = (colours >> 8 - _BITS).astype(np.intp).T
        found = (red << 2 * _BITS) | (green << _BITS) | blue
        region = sum(share * self._like(place) for place, share in zip(found.tolist(), shares, strict=True))
        return self._of_regions(np.broadcast_to(region / side**2, (side, side, self.bins)))

    def of_sketch(self, sketch: Picture) -> npt.NDArray[np.float32]:
        """Count the colours of a sketch, and those like them, where they are painted.

        Returns
        -------
        ndarray of float32, (1 + c, d)
            Of a picture that has them all; then each alone, of sum of its share, in the smallest regions, since a
            sketch says where a colour is. Colours of less than a fiftieth of what is painted are those of soft edges:
            they do not count, and where there are no others the first vector is that of the sketch as a picture.
        """
        counts = _counts(sketch, 2 ** (self.levels - 1))
        painted = counts.sum(axis=(0, 1))
        kept = np.flatnonzero(painted >= max(painted.sum() / 50, 1))
        if not len(kept):
            return self.extract(sketch)[None]
        each = [counts[..., place, None] * self._like(place) / painted[kept].sum() for place in kept.tolist()]
        alone = np.stack([self._of_regions(one) for one in each])
        alone[:, : -each[0].size] = 0
        return np.concatenate([self._of_regions(sum(each))[None], alone * self.levels])

    def _like(self, place: int) -> Shares:
        """Return how much the colours like one of :func:`colours` count for each bin, of sum 1, (bins,)."""
        bins, shares = self.shares()
        lab = _lab_of_colours()
        squares = np.square((lab - lab[place]) / _LOOKS_LIKE).sum(axis=1)
        near = np.flatnonzero(squares <= 9)
        weights = np.exp(-squares[near] / 2)
        counted = np.bincount(bins[near].ravel(), (shares[near] * weights[:, None]).ravel(), self.bins)
        return np.asarray(counted / weights.sum())

    def _of_regions(self, finest: Shares) -> Vector:
        """Return the vector of the shares of the smallest regions, (side, side, bins), of sum 1."""
        levels = np.concatenate([level.ravel() for level in _pyramid(finest)])
        return np.asarray(levels / self.levels, dtype=np.float32)


def levels_of_regions() -> Any:
    """Declare the parameter ``levels``."""
    return parameter(
        2,
        ge=1,
        le=4,
        help="Regions: 1 is the whole picture; 2 adds its four quarters, 3 their quarters too. More tell where a "
        "colour is, and lose turned and cropped copies.",
    )


def regions(levels: int) -> int:
    """Count the regions of so many levels.

    Examples
    --------
    >>> regions(1), regions(2), regions(3)
    (1, 5, 21)
    """
    return int((4**levels - 1) // 3)


def colours() -> npt.NDArray[np.float32]:
    """Return the colours by which pixels are counted, RGB in [0, 1], (32768, 3), blue changing fastest."""
    steps = (np.arange(1 << _BITS, dtype=np.float32) + 0.5) / (1 << _BITS)
    return np.asarray(np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3))


def ramp(values: Shares, low: float, high: float) -> Shares:
    """Rise from 0 at ``low`` to 1 at ``high``."""
    return np.clip((values - low) / (high - low), 0, 1)


def around(values: Shares, count: int, circular: bool = False) -> Iterator[tuple[Bins, Shares]]:
    """Yield the two bins of ``count`` in [0, 1] whose middles are around each value, and their shares."""
    position = values * count - 0.5
    lower = np.floor(position).astype(np.intp)
    for bins, share in ((lower, 1 - (position - lower)), (lower + 1, position - lower)):
        yield (bins % count if circular else np.clip(bins, 0, count - 1)), share


def cuts(length: int, parts: int) -> npt.NDArray[np.intp]:
    """Return where each of ``parts`` parts of a side begins, and where the last ends, (parts + 1,).

    A part ends at the first pixel whose place, times the number of parts, reaches the next one.

    Examples
    --------
    >>> cuts(5, 2).tolist()
    [0, 3, 5]
    """
    return np.asarray(-(-np.arange(parts + 1) * length // parts))


def _counts(picture: Picture, side: int) -> Bins:
    """Count the visible pixels of each of ``side`` x ``side`` regions by colour, (side, side, 32768)."""
    import cv2

    found = cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2BGR555).view(np.uint16)[..., 0]  # red, green, blue of 5 bits each
    rows, columns = (cuts(length, side) for length in found.shape)
    counts = []
    for i, j in np.ndindex(side, side):
        part = np.s_[rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
        chosen = found[part].ravel() if picture.mask is None else found[part][picture.mask[part]]
        counts.append(np.bincount(chosen, minlength=_COLOURS))
    return np.array(counts).reshape(side, side, _COLOURS)


def _pyramid(finest: Shares) -> Iterator[Shares]:
    """Yield the histogram of the whole picture first, then those of ever smaller regions, (side, side, bins) each."""
    side, _, size = finest.shape
    if side > 1:
        yield from _pyramid(finest.reshape(side // 2, 2, side // 2, 2, size).sum(axis=(1, 3)))
    yield finest


@cache
def _lab_of_colours() -> Shares:
    return to_lab(colours())


_LOOKS_LIKE = 6.0
"""Deviation of the colours that are like one, in CIE L*a*b*.

Chosen on one half of 477 photographs, judged on the other: of the first ten for sketches of two colours 0.33 are right;
0.31 at 8, 0.20 at 13, and 0.13 where a sketch is described as a picture.
"""

Colours = npt.NDArray[np.uint8]
"""Colours in sRGB, (n, 3)."""

Shares = npt.NDArray[np.float64]

# Between these a colour passes from having no hue to having one: saturation, and brightness.
_HUELESS_SATURATION = (0.1, 0.25)
_HUELESS_VALUE = (0.08, 0.2)


@dataclass(frozen=True, eq=False)
class ColourExtractor(HistogramExtractor):
    """Counts colours by region and bin of hue, saturation and brightness."""

    hue: int
    saturation: int
    value: int
    greys: int
    levels: int

    @property
    def bins(self) -> int:
        """Those of colours, then those of greys."""
        return self.hue * self.saturation * self.value + self.greys

    def shares(self) -> tuple[Bins, Shares]:
        """Return the bins that each colour counts for, with shares."""
        return _hsv_shares(self.hue, self.saturation, self.value, self.greys)


@lru_cache(maxsize=4)
def _hsv_shares(hue: int, saturation: int, value: int, greys: int) -> tuple[Bins, Shares]:
    """Work out which bins each RGB counts for and with which shares, of sum 1, (32768, 10) each."""
    import cv2

    h, s, v = cv2.cvtColor(colours()[None], cv2.COLOR_RGB2HSV)[0].T.astype(np.float64)
    has_hue = ramp(s, *_HUELESS_SATURATION) * ramp(v, *_HUELESS_VALUE)
    least = _HUELESS_SATURATION[0]
    bins, shares = [], []
    for i, of_hue in around(h / 360, hue, circular=True):
        for j, of_saturation in around(ramp(s, least, 1), saturation):
            for k, of_value in around(v, value):
                bins.append((i * saturation + j) * value + k)
                shares.append(has_hue * of_hue * of_saturation * of_value)
    for i, of_grey in around(v, greys):
        bins.append(hue * saturation * value + i)
        shares.append((1 - has_hue) * of_grey)
    return np.stack(bins, axis=1), np.stack(shares, axis=1)


class HsvHistogram(Descriptor):
    """Compares how much of each colour there is and roughly where: the quickest look, whatever the picture shows.

    It finds copies that are turned, blurred, small, framed or drawn over, and pictures of the same mood. Copies in
    grey or in other colours it does not.
    """

    key = "colour"
    title = "Colour histogram"
    paper = "Swain and Ballard, IJCV 7(1), 1991; Lazebnik et al., CVPR 2006"
    measure: ClassVar[Kernel] = Hellinger()
    extractor: ClassVar[type[Extractor]] = ColourExtractor
    plain_name = "colours"

    hue: int = parameter(12, ge=1, le=72, help="Bins around the colour circle; more tell similar colours apart.")
    saturation: int = parameter(3, ge=1, le=16, help="Bins from pale to pure.")
    value: int = parameter(3, ge=1, le=16, help="Bins from dark to bright, of what has a hue.")
    greys: int = parameter(8, ge=1, le=64, help="Bins from black to white, of what has no hue.")
    levels: int = levels_of_regions()

    @property
    def dimensions(self) -> int:
        """Bins times regions."""
        return (self.hue * self.saturation * self.value + self.greys) * regions(self.levels)

    def fit(self, sample: Pictures, progress: Progress = silent) -> ColourExtractor:
        """Return the extractor; nothing is learned."""
        return ColourExtractor(self.hue, self.saturation, self.value, self.greys, self.levels)


def bin_colours(declared: HsvHistogram) -> npt.NDArray[np.uint8]:
    """Return the colour in the middle of each bin of a region, sRGB, (bins, 3), in the order of the bins.

    Examples
    --------
    >>> bin_colours(HsvHistogram(greys=4))[-4:].tolist()
    [[32, 32, 32], [96, 96, 96], [159, 159, 159], [223, 223, 223]]
    """
    import cv2

    hue, saturation, value = (
        (np.arange(count) + 0.5) / count for count in (declared.hue, declared.saturation, declared.value)
    )
    least = _HUELESS_SATURATION[0]
    h, s, v = np.meshgrid(360 * hue, least + (1 - least) * saturation, value, indexing="ij")
    grey = (np.arange(declared.greys) + 0.5) / declared.greys
    without = np.zeros_like(grey)
    hsv = np.stack([np.concatenate([h.ravel(), without]), np.concatenate([s.ravel(), without]), [*v.ravel(), *grey]])
    rgb = cv2.cvtColor(hsv.T.astype(np.float32)[None], cv2.COLOR_HSV2RGB)[0]
    return np.asarray(np.rint(255 * rgb), dtype=np.uint8)


_TO_XYZ = np.array(  # IEC 61966-2-1, each row divided by the white of D65
    [
        [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
        [0.2126, 0.7152, 0.0722],
        [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
    ]
)

# The sRGB colours lie in a from -86 to 98 and in b from -108 to 94; nearly all of photographs lie in these.
_GREEN_RED = (-64.0, 64.0)
_BLUE_YELLOW = (-64.0, 64.0)


@dataclass(frozen=True, eq=False)
class LabExtractor(HistogramExtractor):
    """Counts colours by region and bin of lightness, green to red and blue to yellow."""

    lightness: int
    tints: int
    levels: int

    @property
    def bins(self) -> int:
        """Of all three axes."""
        return self.lightness * self.tints**2

    def shares(self) -> tuple[Bins, Shares]:
        """Return the bins that each colour counts for, with shares."""
        return _lab_shares(self.lightness, self.tints)


@lru_cache(maxsize=4)
def _lab_shares(lightness: int, tints: int) -> tuple[Bins, Shares]:
    """Work out which bins each RGB counts for and with which shares, of sum 1, (32768, 8) each."""
    light, a, b = to_lab(colours()).T
    bins, shares = [], []
    for i, of_light in around(light / 100, lightness):
        for j, of_a in around(ramp(a, *_GREEN_RED), tints):
            for k, of_b in around(ramp(b, *_BLUE_YELLOW), tints):
                bins.append((i * tints + j) * tints + k)
                shares.append(of_light * of_a * of_b)
    return np.stack(bins, axis=1), np.stack(shares, axis=1)


def to_lab(rgb: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Convert sRGB in [0, 1] to L in [0, 100], a and b, (n, 3) -> (n, 3)."""
    rgb = rgb.astype(np.float64)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    relative = np.clip(linear @ _TO_XYZ.T, 0, 1)
    x, y, z = np.where(relative > (6 / 29) ** 3, np.cbrt(relative), relative * (29 / 6) ** 2 / 3 + 4 / 29).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


class LabHistogram(Descriptor):
    """Compares how much of each colour there is and roughly where, with colours as far apart as they look to the eye.

    It finds what the colour histogram finds: turned, blurred, small and framed copies, and noisy ones more often. In
    darker or lighter copies all its colours move, so of these it finds fewer; those in grey or in other colours it
    does not find.
    """

    key = "lab"
    title = "Lab histogram"
    paper = "van de Sande et al., IEEE TPAMI 32(9), 2010; Lazebnik et al., CVPR 2006"
    measure: ClassVar[Kernel] = Hellinger()
    extractor: ClassVar[type[Extractor]] = LabExtractor
    plain_name = "colours as they look"

    lightness: int = parameter(6, ge=1, le=64, help="Bins from black to white.")
    tints: int = parameter(
        7, ge=1, le=32, help="Bins from green to red, and as many from blue to yellow; more tell similar colours apart."
    )
    levels: int = levels_of_regions()

    @property
    def dimensions(self) -> int:
        """Bins times regions."""
        return self.lightness * self.tints**2 * regions(self.levels)

    def fit(self, sample: Pictures, progress: Progress = silent) -> LabExtractor:
        """Return the extractor; nothing is learned."""
        return LabExtractor(self.lightness, self.tints, self.levels)
