"""Local features: the strongest SIFT keypoints of a picture, described by RootSIFT.

Lowe: Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004; Arandjelović and Zisserman: Three things
everyone should know to improve object retrieval, CVPR 2012 (RootSIFT: divide by the L1 norm, take roots; the dot
product is then the Hellinger kernel of SIFT's histograms).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix, UInt8Pixels
from twinlens.features.pictures.picture import Picture

if TYPE_CHECKING:
    import cv2

LENGTH = 128
"""Entries of a local feature."""

STEP = 2.0**-11
"""Local features are multiples of this: products and sums of them are exact in float32, in any order.

A dot product of two vectors of length 1 is a multiple of 2^-22, and no partial sum of it exceeds 1. So what is made of
them is the same from any number of threads and on any machine.
"""

SIDE = 360
"""Pixels of the longer side to which a picture is brought before keypoints are looked for, where nothing else is said.

A smaller picture is enlarged. Copies of one picture in other sizes have the same keypoints then, as far as they still
show them; SIFT finds next to nothing in a small picture.
"""

CELLS = 8
"""Cells across and down the picture, among which keypoints are spread."""

CONTRAST = 0.005
"""Least contrast of a keypoint, an eighth of the usual; that so faint ones are looked for costs next to nothing."""

_CLEAR = 0.02  # contrast, half of the usual, from which keypoints count wherever there are enough of them
_FEWEST = 100  # where fewer are clear, the most contrasty of the faint ones count too: smooth pictures have no others
_LAYERS = 3  # SIFT's layers of an octave: it measures contrast by them

_CANDIDATES = 2  # times the cap: how many of the most contrasty there are, before the larger of them are preferred
_FINEST_OCTAVE = (1 << 8) | 0xFF  # OpenCV's: the first layer of octave -1, the picture at twice its size


class Cap(NamedTuple):
    """Limit on the local features of a picture.

    Attributes
    ----------
    keypoints : int
        How many at most.
    spread : float
        The share of them that the cells of the picture take turns to give, in [0, 1], each its strongest first; the
        rest are the strongest wherever they are. So one textured corner does not take them all.
    side : int
        Pixels of the longer side to which the picture is brought before they are looked for.
    """

    keypoints: int
    spread: float = 0.0
    side: int = SIDE

    @classmethod
    def of(cls, cap: int | Cap) -> Cap:
        """Take a plain number as a cap that keeps the strongest."""
        return cap if isinstance(cap, Cap) else Cap(cap)


@dataclass(frozen=True, eq=False)
class LocalFeatures:
    """Keypoints with their descriptions, strongest first.

    How strong one is: its contrast times its size. A large one is still there in a copy that is small or blurred, and
    there are few of them, which by contrast alone the many small ones would push out.

    Parameters
    ----------
    places : ndarray of float32, (n, 2)
        x and y, in pixels of the picture.
    sizes : ndarray of float32, (n,)
        Diameter of the neighbourhood, in pixels of the picture.
    angles : ndarray of float32, (n,)
        Degrees, clockwise.
    roots : ndarray of float32, (n, 128)
        RootSIFT, of length about 1, not negative, multiples of `STEP`.
    """

    places: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    roots: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.sizes)


NO_LOCAL_FEATURES = LocalFeatures(*(np.zeros(shape, np.float32) for shape in ((0, 2), 0, 0, (0, LENGTH))))
"""The local features of a picture without any."""


def local_features(picture: Picture, cap: int | Cap) -> LocalFeatures:
    """Find and describe the local features of a picture; once for each picture and cap.

    Parameters
    ----------
    cap : int or Cap
        How many at most, the strongest; or which.
    """
    return picture.shared(_kept_under(cap), lambda: _find(picture, Cap.of(cap)))


def keep_local_features(picture: Picture, cap: int | Cap, found: LocalFeatures) -> None:
    """Keep the known result of `local_features` for a picture and cap."""
    picture.shared(_kept_under(cap), lambda: found)


def _kept_under(cap: int | Cap) -> Hashable:
    return ("sift", *Cap.of(cap))


def small_grey(picture: Picture, side: int) -> UInt8Pixels:
    """Return the grey picture in which keypoints are looked for, of so long a side; made once for each picture."""
    return picture.shared(("small grey", side), lambda: _small_grey(picture, side))


def keep_small_grey(picture: Picture, side: int, grey: UInt8Pixels) -> None:
    """Keep the known result of `small_grey`."""
    picture.shared(("small grey", side), lambda: grey)


def _small_grey(picture: Picture, side: int) -> UInt8Pixels:
    grey = picture.grey if picture.mask is None else continued(picture.grey, picture.mask)
    return _resized(grey, side / max(grey.shape))


def _find(picture: Picture, cap: Cap) -> LocalFeatures:
    import cv2

    mask, factor = picture.mask, cap.side / max(picture.rgb.shape[:2])
    resized = small_grey(picture, cap.side)
    candidates = _CANDIDATES * cap.keypoints
    # A quiet part of a picture has none among the most contrasty, and those at an outline do not count.
    found = _sift(candidates if mask is None and cap.spread == 0 else 0).detect(resized, None)
    if mask is not None:
        found = _inside(found, mask, factor)
    table = _table(found)
    chosen = _chosen(table, len(found) if cap.spread else candidates, resized.shape, cap)
    if not len(chosen):
        return NO_LOCAL_FEATURES
    # The finest keypoint that there can be: without one of its octave, the others would be described less exactly.
    finest = cv2.KeyPoint(0, 0, 1, octave=_FINEST_OCTAVE)
    _, described = _sift(0).compute(resized, [*(found[row] for row in chosen.tolist()), finest])
    places, sizes, angles = table[chosen, :2], table[chosen, 2], table[chosen, 3]
    return LocalFeatures(
        (places + np.float32(0.5)) / np.float32(factor) - np.float32(0.5),
        sizes / np.float32(factor),
        angles,
        root_sift(described[:-1].astype(np.float32, copy=False)),
    )


def _contrasty(table: Float32Matrix, count: int) -> npt.NDArray[np.intp]:
    return _strongest(table, table[:, 4], count)


def _chosen(table: Float32Matrix, candidates: int, shape: tuple[int, ...], cap: Cap) -> npt.NDArray[np.intp]:
    """Return the rows of the keypoints that count, of so many of the most contrasty, strongest first."""
    contrasty = _contrasty(table, candidates)
    clear = int(np.count_nonzero(table[contrasty, 4] * np.float32(_LAYERS) >= np.float32(_CLEAR)))
    contrasty = contrasty[: max(clear, _FEWEST)]
    rows = contrasty[_strongest(table[contrasty], table[contrasty, 4] * table[contrasty, 2], candidates)]
    return rows[spread_out(table[rows, :2], shape[::-1], cap)]


def spread_out(places: npt.NDArray[np.float32], size: Sequence[int], cap: Cap) -> npt.NDArray[np.intp]:
    """Choose keypoints, as many as the cap says, so that they are spread over the picture as it says.

    Parameters
    ----------
    places : ndarray of float32, (n, 2)
        x and y, of the strongest first.
    size : sequence of two int
        Width and height of the picture.

    Returns
    -------
    ndarray of intp, (min(n, cap.keypoints),)
        Rows, the strongest first.
    """
    count, by_turns = len(places), round(cap.spread * cap.keypoints)
    if count <= cap.keypoints or by_turns == 0:
        return np.arange(min(count, cap.keypoints))
    columns, rows = np.clip(places * (CELLS / np.asarray(size, np.float32)), 0, CELLS - 1).astype(np.intp).T
    cells = rows * CELLS + columns
    by_cell = np.argsort(cells, kind="stable")
    counts = np.bincount(cells, minlength=CELLS * CELLS)
    turns = np.empty(count, np.intp)  # a keypoint's place among those of its cell
    turns[by_cell] = np.arange(count) - np.repeat(np.cumsum(counts) - counts, counts)
    first = np.argsort(turns, kind="stable")[:by_turns]
    chosen = np.zeros(count, np.bool_)
    chosen[first] = True
    chosen[np.flatnonzero(~chosen)[: cap.keypoints - by_turns]] = True
    return np.flatnonzero(chosen)


def _sift(keypoints: int) -> cv2.SIFT:
    import cv2

    return cv2.SIFT.create(nfeatures=keypoints, nOctaveLayers=_LAYERS, contrastThreshold=CONTRAST)


def _resized(grey: UInt8Pixels, factor: float) -> UInt8Pixels:
    import cv2

    width, height = (max(1, round(side * factor)) for side in grey.shape[::-1])
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(grey, (width, height), interpolation=how), dtype=np.uint8)


def _table(found: Sequence[cv2.KeyPoint]) -> Float32Matrix:
    """Return x, y, size, angle and contrast of keypoints, (n, 5)."""
    return np.array([(*p.pt, p.size, p.angle, p.response) for p in found], np.float32).reshape(-1, 5)


def _strongest(table: Float32Matrix, strengths: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.intp]:
    """Return the rows of the strongest, strongest first; of equally strong ones by place, so that a cap is exact."""
    x, y, size, angle, _ = table.T
    return np.lexsort((angle, size, x, y, -strengths))[:count]


def continued(grey: UInt8Pixels, mask: npt.NDArray[np.bool_]) -> UInt8Pixels:
    """Return a picture that goes on over what is transparent, each pixel there like the nearest that is not.

    So nothing but what is opaque has a part in what keypoints look like, and an outline has no edge of its own.

    Examples
    --------
    >>> continued(np.array([[9, 128, 128, 5]], np.uint8), np.array([[True, False, False, True]])).tolist()
    [[9, 9, 5, 5]]
    """
    import cv2

    if not mask.any():
        return grey
    hidden = np.logical_not(mask).astype(np.uint8)
    # The labels number the pixels that are opaque, row by row.
    _, nearest = cv2.distanceTransformWithLabels(hidden, cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL)
    return np.asarray(grey[mask][np.asarray(nearest) - 1], dtype=np.uint8)


def _inside(found: Sequence[cv2.KeyPoint], mask: npt.NDArray[np.bool_], factor: float) -> list[cv2.KeyPoint]:
    """Leave out the keypoints whose neighbourhood touches what is transparent.

    The strongest of all are those of the outline against the flat colour, which is no part of the picture.
    """
    import cv2

    if not found or not mask.any():
        return []
    distances = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    table = _table(found)
    columns, rows = (table[:, :2] / factor).astype(np.intp).T
    height, width = mask.shape
    to_middle = distances[np.minimum(rows, height - 1), np.minimum(columns, width - 1)]  # of the first pixel outside
    clear = (to_middle - 0.5) * factor > table[:, 2]
    return [found[int(i)] for i in np.flatnonzero(clear)]


def root_sift(sift: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Turn SIFT into RootSIFT, rounded to multiples of `STEP`, (n, 128) -> (n, 128); a zero row stays.

    Examples
    --------
    >>> (root_sift(np.array([[16.0, 9.0, 0.0, 0.0]], np.float32)) / STEP).tolist()
    [[1638.0, 1229.0, 0.0, 0.0]]
    """
    totals = np.maximum(sift.sum(axis=1, keepdims=True), np.float32(1))
    roots: npt.NDArray[np.float32] = np.sqrt(sift / totals)
    roots *= np.float32(1 / STEP)
    np.rint(roots, out=roots)
    roots *= np.float32(STEP)
    return roots
