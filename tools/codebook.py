"""Maker of the ready-made vocabularies and projection, ``twinlens/resources/codebook.npz``.

``python -m tools.codebook`` learns them from the demo photographs and from edited versions: cropped, smaller,
turned, blurred. The same photographs give the same vocabularies.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from twinlens import resources
from twinlens.app.demo.photographs import fetch_photographs
from twinlens.app.library.workers import decoding
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.features.keypoints.sift import local_features
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.vocabulary.vlad import INTRA_NORMALISATION, POWER, vlad
from twinlens.features.vocabulary.vocabulary import (
    FEATURES_A_PICTURE,
    FILE,
    Codebook,
    Features,
    Projection,
    learn_centres,
    learn_projection,
    pack_codebook,
)

CENTRES = (64, 256)
PROJECTED = 64
DIMENSIONS = 512
KEYPOINTS = 300
SEED = 0

Roots = npt.NDArray[np.float16]

_CROPS = 6
_CROP_AREAS = (0.15, 0.8)
_SCALES = (0.5, 0.25)
_BLUR = 2.0
_TURN = 30.0


def make(photographs: list[Path], progress: Progress = silent) -> bytes:
    """Learn the ready-made vocabularies and the projection.

    Parameters
    ----------
    photographs : list of Path
        Files that can be read.

    Returns
    -------
    bytes
        The content of ``twinlens/resources/codebook.npz``.
    """
    rng = np.random.default_rng(SEED)
    described = list(_describe(photographs, rng, part(progress, 0, 0.7)))
    drawn = np.concatenate([roots[rng.permutation(len(roots))[:FEATURES_A_PICTURE]] for roots in described])
    features = drawn.astype(np.float32)
    codebooks: dict[int, Codebook] = {}
    for number, centres in enumerate(CENTRES):
        share = part(progress, 0.7 + 0.05 * number, 0.75 + 0.05 * number)
        codebooks[centres] = learn_centres(features, centres, SEED, share)
    vlads = _vlads(described, codebooks[PROJECTED], part(progress, 0.8, 0.9))
    projections: dict[int, Projection] = {PROJECTED: learn_projection(vlads, DIMENSIONS, SEED, part(progress, 0.9, 1))}
    return pack_codebook(codebooks, projections)


def _describe(photographs: list[Path], rng: np.random.Generator, progress: Progress) -> Iterator[Roots]:
    """Yield the local features of each version of each photograph; float16 holds them exactly."""
    for number, picture in enumerate(decoding.pictures(photographs)):
        progress(number, len(photographs), Message("Finding local features"))
        for version in versions(picture, rng):
            yield local_features(version, KEYPOINTS).roots.astype(np.float16)


def versions(picture: Picture, rng: np.random.Generator) -> Iterator[Picture]:
    """Yield a photograph and copies of it that are cropped, smaller, blurred and turned."""
    yield picture
    for _ in range(_CROPS):
        yield _changed(_crop(picture.rgb, rng))
    for scale in _SCALES:
        yield _changed(cv2.resize(picture.rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    yield _changed(cv2.GaussianBlur(picture.rgb, (0, 0), _BLUR))
    yield _turned(picture.rgb, _TURN)


def _changed(rgb: npt.NDArray[np.generic], mask: npt.NDArray[np.bool_] | None = None) -> Picture:
    height, width = rgb.shape[:2]
    return Picture(np.ascontiguousarray(rgb, np.uint8), mask, PictureFacts("PNG", width, height))


def _crop(rgb: UInt8Pixels, rng: np.random.Generator) -> UInt8Pixels:
    """Cut out a part of random size, shape and place."""
    area, shape = rng.uniform(*_CROP_AREAS), rng.uniform(0.8, 1.25)
    height, width = (
        max(1, int(full * min(1.0, (area * part_of) ** 0.5)))
        for full, part_of in zip(rgb.shape[:2], (shape, 1 / shape), strict=True)
    )
    top = int(rng.integers(rgb.shape[0] - height + 1))
    left = int(rng.integers(rgb.shape[1] - width + 1))
    return rgb[top : top + height, left : left + width]


def _turned(rgb: UInt8Pixels, degrees: float) -> Picture:
    """Turn a picture in a frame of its own size; the empty corners are transparent."""
    height, width = rgb.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    turned = cv2.warpAffine(rgb, turn, (width, height), flags=cv2.INTER_LINEAR)
    seen = cv2.warpAffine(np.full((height, width), 255, np.uint8), turn, (width, height))
    return _changed(turned, seen == 255)


def _vlads(described: list[Roots], codebook: Codebook, progress: Progress) -> Features:
    rows = np.empty((len(described), codebook.size), np.float32)
    for number, roots in enumerate(described):
        progress(number, len(described), Message("Aggregating local features"))
        rows[number] = vlad(roots.astype(np.float32), codebook, POWER, INTRA_NORMALISATION).ravel()
    return rows


def _report(done: float, total: float, text: Message) -> None:
    sys.stderr.write(f"\r{done / total:5.0%} {text!s:40}")


def write(file: str, maker: Callable[[list[Path], Progress], bytes]) -> None:
    """Make a resource from the demo photographs, fetching them where they are missing."""
    fetched = fetch_photographs()
    files = sorted(fetched.folder.rglob("*"))
    data = maker([path for path in files if path.is_file()], _report)
    Path(resources.__file__).with_name(file).write_bytes(data)
    sys.stderr.write(f"\n{file}: {len(data):,} bytes from {', '.join(fetched.packages)}\n")


if __name__ == "__main__":
    write(FILE, make)
