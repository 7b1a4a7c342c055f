"""The keypoints of a picture as the geometric check compares them: small enough to be kept, and exact to mirror.

A keypoint is described in a frame that is turned as the picture is around it. So the description of a keypoint in the
mirrored or inverted picture is known without looking at that picture: the frame is mirrored, or, since all gradients
turn around, turned by half a circle. Only numbers change their places.

With a photograph 22 bytes of each keypoint are kept, of which 16 hold the description: the signs of 128 sums and
differences of its numbers, after the mean of all descriptions is taken away. Reading gives the description that is most
likely behind those signs; against the exact ones of a query that is enough to tell pairs (Gordo, Perronnin, Gong,
Lazebnik: Asymmetric distances for binary embeddings, PAMI 2014).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix
from twinlens.features.keypoints.sift import LENGTH, Cap, local_features
from twinlens.features.pictures.picture import Picture

_SPOTS, _DIRECTIONS = 4, 8  # SIFT: 4 x 4 spots around the keypoint, 8 directions of gradients in each
_LEVEL = 2.0**-9  # of the kept bytes; a share above a quarter of a description's gradients in one direction is cut


def _places(mirrored: bool, inverted: bool) -> npt.NDArray[np.intp]:
    """Return the place in the plain description of each number of the changed one, (128,).

    The order is row, column, direction, in a frame whose x axis is the keypoint's own direction.
    """
    table = np.arange(LENGTH).reshape(_SPOTS, _SPOTS, _DIRECTIONS)
    if mirrored:
        table = table[::-1, :, (-np.arange(_DIRECTIONS)) % _DIRECTIONS]
    if inverted:
        table = table[::-1, ::-1]
    return np.ascontiguousarray(table.ravel())


_MIRRORED, _INVERTED = _places(True, False), _places(False, True)


@dataclass(frozen=True, eq=False)
class Keypoints:
    """Keypoints with places and descriptors, strongest first.

    Lengths are shares of the picture's longer side, so that they do not depend on how large it was read.

    Parameters
    ----------
    width, height : float
        Of the picture; the longer one is 1.
    places : ndarray of float32, (n, 2)
        x and y.
    sizes : ndarray of float32, (n,)
    angles : ndarray of float32, (n,)
        Degrees, clockwise.
    levels : ndarray of uint8, (n, 128)
        RootSIFT in steps of 1/512.
    """

    width: float
    height: float
    places: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    levels: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, picture: Picture, cap: int | Cap) -> Keypoints:
        """Take the strongest keypoints of a picture, as descriptors with the same cap do: SIFT is run once."""
        found = local_features(picture, cap)
        height, width = picture.rgb.shape[:2]
        longer = np.float32(max(height, width))
        return cls(
            width / float(longer),
            height / float(longer),
            (found.places + np.float32(0.5)) / longer,
            found.sizes / longer,
            found.angles,
            np.minimum(np.rint(found.roots * np.float32(1 / _LEVEL)), 255).astype(np.uint8),
        )

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def roots(self) -> npt.NDArray[np.float32]:
        """RootSIFT, (n, 128), of length about 1."""
        return self.levels * np.float32(_LEVEL)

    def mirrored(self) -> Keypoints:
        """Return the keypoints of the mirror image, left and right exchanged."""
        places = np.column_stack((np.float32(self.width) - self.places[:, 0], self.places[:, 1]))
        return replace(self, places=places, angles=np.mod(180 - self.angles, 360), levels=self.levels[:, _MIRRORED])

    def inverted(self) -> Keypoints:
        """Return the keypoints of the negative."""
        return replace(self, angles=np.mod(180 + self.angles, 360), levels=self.levels[:, _INVERTED])


def mirrored_roots(roots: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the descriptions of the same keypoints in the mirror image, (n, 128); exact."""
    return roots[:, _MIRRORED]


def inverted_roots(roots: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the descriptions of the same keypoints in the negative, (n, 128); exact."""
    return roots[:, _INVERTED]


KEYPOINT_BYTES = 22
"""Of a keypoint: 16 of signs, 2 of x, 2 of y, 1 of size, 1 of angle."""

KEPT = 184
"""Number of keypoints of a photograph that are kept, the strongest: four photographs' fill a page of a library's file.

With 200, a fifth of the pages was empty, and no more copies were confirmed; nor were fewer with 128.
"""

MOST_KEPT = 200
"""Number of those that older libraries keep, of which the first `KEPT` are the same."""

KEYPOINTS_VERSION = 1
"""Of what is kept; raised whenever the bytes of a picture change, as with another codebook: they are then made anew."""

FOUND = Cap(300)
"""The cap where no descriptor needs local features: the default of descriptors that do."""

_SMALLEST_SIDE = 256  # px: copies are confirmed as well as from a larger picture, and fewer of them from a smaller one
_STEPS = 512  # of the levels of a description
_SIDES = struct.Struct("<HH")  # width and height in pixels, before the rows
_SHARES = 65535  # steps of the longer side
_SIZES = 24.0  # steps to double a size
_SMALLEST = 2.0**-9  # share of the longer side
_TURN = 256 / 360
_CENTRES = 64
_SEED = 128
Rows = npt.NDArray[np.uint8]


def cap_beside(caps: Iterable[Cap]) -> Cap:
    """Return the cap of the keypoints to find beside descriptors: that of the descriptors, so that SIFT runs once.

    Where there are several, the ones that are found in the smallest picture. A description is in shares of the
    picture's longer side, so keypoints from pictures of different sizes can be compared.

    Examples
    --------
    >>> cap_beside([Cap(500), Cap(200, side=256), Cap(300, side=128), Cap(300, 0.5, 256)]), cap_beside([])
    (Cap(keypoints=200, spread=0.0, side=256), Cap(keypoints=300, spread=0.0, side=360))
    """
    enough = [cap for cap in caps if cap.keypoints >= KEPT and cap.spread == 0 and cap.side >= _SMALLEST_SIDE]
    return min(enough, key=lambda cap: (cap.side, cap.keypoints), default=FOUND)


def keypoint_bytes(picture: Picture, cap: Cap = FOUND) -> bytes:
    """Return the kept form of a picture's keypoints: at most 4,052 bytes, the same on every machine.

    A picture without any keypoint gives its sides alone.

    Parameters
    ----------
    cap : Cap
        Among which keypoints they are the strongest.
    """
    found = Keypoints.of(picture, cap)
    strongest = replace(
        found,
        places=found.places[:KEPT],
        sizes=found.sizes[:KEPT],
        angles=found.angles[:KEPT],
        levels=found.levels[:KEPT],
    )
    height, width = picture.rgb.shape[:2]
    return _SIDES.pack(width, height) + pack_keypoints(strongest).tobytes()


def are_kept_keypoints(data: bytes) -> bool:
    """Return whether bytes can be kept keypoints of this version.

    Examples
    --------
    >>> sides = _SIDES.pack(640, 480)
    >>> are_kept_keypoints(sides + bytes(2 * KEYPOINT_BYTES)), are_kept_keypoints(sides + b"cut off")
    (True, False)
    """
    count, rest = divmod(len(data) - _SIDES.size, KEYPOINT_BYTES)
    return 0 <= count <= MOST_KEPT and not rest and all(_SIDES.unpack_from(data))


def restored_keypoints(data: bytes) -> Keypoints:
    """Read keypoints of this version from their kept form.

    Raises
    ------
    ValueError
        If these are no kept keypoints.
    """
    if len(data) < _SIDES.size:
        raise ValueError(f"{len(data)} bytes hold no keypoints")
    width, height = _SIDES.unpack_from(data)
    longer = max(width, height)
    rows = np.frombuffer(data, np.uint8, offset=_SIDES.size).reshape(-1, KEYPOINT_BYTES)
    return unpack_keypoints(rows, width / longer, height / longer)


def coarse_keypoints(data: bytes) -> tuple[npt.NDArray[np.uint64], Rows]:
    """Return the signs, uint64 (n, 2), and the bytes of size and angle, (n, 2), of the kept form.

    They are what :class:`twinlens.core.search.pairs.pose_votes.Points` compares.
    """
    rows = np.frombuffer(data, np.uint8, offset=_SIDES.size).reshape(-1, KEYPOINT_BYTES)
    return np.ascontiguousarray(rows[:, :16]).view("<u8"), np.ascontiguousarray(rows[:, 20:])


def pack_keypoints(keypoints: Keypoints) -> Rows:
    """Pack keypoints, (n, KEYPOINT_BYTES)."""
    count = len(keypoints)
    # Sums of whole numbers, exact in any order: a sign does not depend on how many threads add.
    signs = keypoints.levels.astype(np.float32) @ _directions().T > _thresholds()
    places = np.clip(np.rint(keypoints.places * np.float32(_SHARES)), 0, _SHARES).astype("<u2")
    sizes = np.clip(np.rint(np.log2(np.maximum(keypoints.sizes, _SMALLEST) / _SMALLEST) * _SIZES), 0, 255)
    angles = np.rint(keypoints.angles * _TURN).astype(np.int64) % 256
    columns = (
        np.packbits(signs, axis=1, bitorder="little"),
        places.view(np.uint8).reshape(count, 4),
        sizes.astype(np.uint8)[:, None],
        angles.astype(np.uint8)[:, None],
    )
    return np.hstack(columns)


@cache
def _directions() -> Float32Matrix:
    """Return 128 orthogonal directions of entries +-1: a Hadamard matrix whose columns have signs drawn once."""
    matrix = np.ones((1, 1), np.float32)
    while len(matrix) < LENGTH:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return np.asarray(matrix * np.random.default_rng(_SEED).choice(np.array((-1, 1), np.float32), LENGTH), np.float32)


@cache
def _middle() -> Float32Matrix:
    """Return the mean of the words of the ready-made vocabulary, (128,): the common part of descriptions."""
    from twinlens.features.vocabulary import vocabulary  # here, since few searches keep keypoints or read them

    return np.asarray(vocabulary.codebook(_CENTRES).mean(axis=0, dtype=np.float64), np.float32)


@cache
def _thresholds() -> npt.NDArray[np.float64]:
    """Return where each sum of levels changes its sign, (128,)."""
    return (_directions().astype(np.float64) @ _middle().astype(np.float64)) * _STEPS


def unpack_keypoints(rows: Rows, width: float, height: float) -> Keypoints:
    """Read keypoints back, of a picture of so many shares of its longer side."""
    rows = np.ascontiguousarray(rows)
    signs = 2 * np.unpackbits(rows[:, :16], axis=1, bitorder="little").astype(np.float32) - 1
    middle = _middle()
    left = np.sqrt(max(0.0, 1 - float(middle @ middle)))  # how long a description is without its middle
    likely = middle + (signs @ _directions()) * np.float32(left * np.sqrt(2 / np.pi) / LENGTH)
    likely /= np.maximum(np.linalg.norm(likely, axis=1, keepdims=True), np.float32(1e-6))
    places = np.ascontiguousarray(rows[:, 16:20]).view("<u2").astype(np.float32) / np.float32(_SHARES)
    return Keypoints(
        width,
        height,
        places,
        (_SMALLEST * 2 ** (rows[:, 20] / _SIZES)).astype(np.float32),
        (rows[:, 21] / _TURN).astype(np.float32),
        np.clip(np.rint(likely * _STEPS), 0, 255).astype(np.uint8),
    )
