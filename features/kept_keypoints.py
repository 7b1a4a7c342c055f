"""Keypoints as they are kept beside a photograph: 22 bytes each, of which 16 say what it looks like.

A description is told by the signs of 128 sums and differences of its numbers, after what all descriptions have in
common is taken away. What is read back is the description that is most likely behind those signs; against the exact
ones of a question that is enough to tell pairs (Gordo, Perronnin, Gong, Lazebnik: Asymmetric distances for binary
embeddings, PAMI 2014).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from features import ready_made
from features.keypoints import Keypoints
from features.sift import LENGTH

BYTES = 22
"""Of a keypoint: 16 of signs, 2 of x, 2 of y, 1 of size, 1 of angle."""

_SHARES = 65535  # steps of the longer side
_SIZES = 24.0  # steps to double a size
_SMALLEST = 2.0**-9  # share of the longer side
_TURN = 256 / 360
_CENTRES = 64
_SEED = 128

Rows = npt.NDArray[np.uint8]
Table = npt.NDArray[np.float32]


@cache
def _directions() -> Table:
    """Give 128 orthogonal directions of entries +-1: a Hadamard matrix whose columns have signs drawn once."""
    matrix = np.ones((1, 1), np.float32)
    while len(matrix) < LENGTH:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return np.asarray(matrix * np.random.default_rng(_SEED).choice(np.array((-1, 1), np.float32), LENGTH), np.float32)


@cache
def _middle() -> Table:
    """Give what descriptions have in common: the mean of the ready-made vocabulary's words, (128,)."""
    return np.asarray(ready_made.codebook(_CENTRES).mean(axis=0, dtype=np.float64), np.float32)


def pack(keypoints: Keypoints) -> Rows:
    """Make keypoints small, (n, BYTES)."""
    count = len(keypoints)
    signs = ((keypoints.roots - _middle()) @ _directions().T) > 0
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


def unpack(rows: Rows, width: float, height: float) -> Keypoints:
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
        np.clip(np.rint(likely * 512), 0, 255).astype(np.uint8),
    )
