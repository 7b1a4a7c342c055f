"""Photographed objects, cut out, pasted on photographs: each object is a class, its views differ in everything else.

The objects are stamps of Tux Paint, the grounds the demo's photographs. The views that are searched stand on other
photographs than those that ask. Of a view its local features are kept, on ten principal components and in the cells of
the pyramid's grid (`twinlens.features.vocabulary.pyramid_match`), as the pyramid match kernel takes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made, open_photograph, read_package, source_photographs
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.vocabulary.pyramid_match import PointExtractor, PyramidMatch

PACKAGE = "tuxpaint-stamps-default"
FOLDERS = ("animals", "food", "hobbies", "household", "plants", "vehicles")
"""Of stamps that are photographs, if they do not say that they are drawn."""

CLASSES, SEARCHED, ASKED = 101, 15, 15
"""As Caltech-101 has classes and the paper views of each; 15 at least ask there."""

SIDE, SMALLEST = 360, 100
"""Pixels of a view's sides; and of the longer side of a stamp, at least."""

SIZES, TURN, LIGHT = (0.45, 0.8), 35.0, (0.6, 1.4)
"""The object's longer side as a share of the view's; degrees to either side; how much darker or lighter."""

CONTRAST = 0.35
"""Of a ground, as a share of what its photograph has: of full ones most of a view's local features would come."""

GROUNDS = 60
"""Photographs that views stand on, at most, of those to search and as many others of those that ask."""

KEYPOINTS = 200
DESCRIPTOR = PyramidMatch(keypoints=KEYPOINTS)
NONE = -1
"""Where a view has fewer local features than `KEYPOINTS`."""


def make(progress: Progress) -> Made:
    """Paste, and describe."""
    stamps, package = _stamps(part(progress, 0, 0.3))
    source = source_photographs(part(progress, 0.3, 0.4))
    grounds, asking = source.split(0.4)
    extractor = points()
    arrays: dict[str, npt.NDArray[np.int16]] = {}
    for name, files, count, low in (("base", grounds, SEARCHED, 0.4), ("queries", asking, ASKED, 0.7)):
        step = part(progress, low, low + 0.3)
        rng = np.random.default_rng(len(name))
        rows = np.full((len(stamps) * count, KEYPOINTS, extractor.steps.shape[1]), NONE, np.int16)
        opened = _grounds(files, rng)
        for number in range(len(rows)):  # one view of each class, then the next: a part of them has all classes
            step(number, len(rows), Message("Pasting and describing"))
            view = paste(stamps[number % len(stamps)], opened[int(rng.integers(len(opened)))], rng)
            cells = extractor.cells_in(extractor.extract(view))
            rows[number, : len(cells)] = cells
        arrays[name] = rows
    labels = np.arange(len(stamps), dtype=np.int64)
    arrays_of_labels = {"labels": np.tile(labels, SEARCHED), "query_labels": np.tile(labels, ASKED)}
    photographs = {"base": min(len(grounds), GROUNDS), "queries": min(len(asking), GROUNDS)}
    return Made({**arrays, **arrays_of_labels}, (package, *source.packages), photographs)


def points() -> PointExtractor:
    """Return what makes a view a set of points: the components are those of the vocabulary that comes with Twinlens."""
    return DESCRIPTOR.points(lambda: ())


def paste(stamp: UInt8Pixels, ground: UInt8Pixels, rng: np.random.Generator) -> Picture:
    """Make a view.

    Parameters
    ----------
    stamp : ndarray of uint8, (h, w, 4)
        Colours and alpha.
    ground : ndarray of uint8, (h, w, 3)
        At least `SIDE` high and wide; a part of it is drawn.
    """
    top, left = (int(rng.integers(length - SIDE + 1)) for length in ground.shape[:2])
    seen = ground[top : top + SIDE, left : left + SIDE].astype(np.float32)
    height, width = stamp.shape[:2]
    scale = rng.uniform(*SIZES) * SIDE / max(height, width)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-TURN, TURN), scale)
    turn[:, 2] += rng.uniform(0.4, 0.6, 2) * SIDE - np.array([width / 2, height / 2])
    covered = stamp.astype(np.float32)
    covered[:, :, :3] *= covered[:, :, 3:] / 255  # else what is transparent bleeds in at the edges
    put = cv2.warpAffine(covered, turn, (SIDE, SIDE), flags=cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR)
    alpha = put[:, :, 3:] / 255
    light = np.exp(rng.uniform(*np.log(LIGHT)))
    rgb = np.clip(put[:, :, :3] * light + seen * (1 - alpha), 0, 255).astype(np.uint8)
    return Picture(rgb, None, PictureFacts("PNG", SIDE, SIDE))


def _stamps(progress: Progress) -> tuple[list[UInt8Pixels], str]:
    found = read_package(PACKAGE, _is_photographed, progress)
    opened = (
        cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_UNCHANGED) for _, one in sorted(found.files.items())
    )
    large = [
        cv2.cvtColor(one, cv2.COLOR_BGRA2RGBA)
        for one in opened
        if one is not None and one.ndim == 3 and one.shape[2] == 4 and max(one.shape) >= SMALLEST
    ]
    if len(large) < CLASSES:
        raise TwinlensError("The package {package} holds fewer cut-outs than expected.", NOTHING, package=PACKAGE)
    order = np.random.default_rng(0).permutation(len(large))[:CLASSES]
    return [large[place] for place in np.sort(order)], found.package


def _is_photographed(path: str) -> bool:
    _, _, inside = path.partition("/stamps/")
    return inside.startswith(FOLDERS) and inside.endswith(".png") and "cartoon" not in inside


def _grounds(files: Sequence[Path], rng: np.random.Generator) -> list[UInt8Pixels]:
    """Open some photographs, each so large that a view is a part of it."""
    chosen = [files[place] for place in rng.permutation(len(files))[:GROUNDS]]
    return [faded(_at_least(open_photograph(file).rgb)) for file in chosen]


def faded(rgb: UInt8Pixels) -> UInt8Pixels:
    """Bring all pixels nearer to their mean."""
    mean = rgb.mean(axis=(0, 1))
    return np.asarray(np.clip(mean + CONTRAST * (rgb - mean), 0, 255), np.uint8)


def _at_least(rgb: UInt8Pixels) -> UInt8Pixels:
    factor = 1.25 * SIDE / min(rgb.shape[:2])
    return np.asarray(cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


CUT_OUTS = DataSet("cut-outs", "Cut-out objects pasted on faded photographs, local features", make, version=2)
