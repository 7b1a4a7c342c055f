"""Pairs of copies and edited versions that are found, beside the rules of other programs, on pictures not tuned with.

Photographed objects of Tux Paint, on white, and the photographs of opencv-doc: some with twelve versions each, the rest
strangers. The rules of others are written after their descriptions: a 64-bit perceptual hash; the gradient hash that
Czkawka compares, of 8 x 8 and of 16 x 16 bits, with tolerances of its presets; the mean colours of 15 x 15 blocks that
dupeGuru compares, with its preset percentage and a looser one, whatever the sizes of the pictures.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison, Unmeasurable
from twinlens.core.arrays import UInt8Pixels

ORIGINALS, STRANGERS = 40, 80
QUICK_ORIGINALS, QUICK_STRANGERS = 12, 30
VERSIONS = (
    "jpeg 50",
    "half size",
    "fifth size",
    "crop 80 %",
    "crop 50 %",
    "turn 90",
    "mirror",
    "grey",
    "darker",
    "saturated",
    "caption",
    "border",
)
_LEAST = 300  # pixels of the longer side of an original
_PAIRED = ("graf", "leuven", "box", "aloe", "left", "right", "basketball", "rubberwhale", "stuff")

Pairs = set[tuple[str, str]]


def pictures(originals: int, strangers: int) -> Path:
    """Write the set into the user's cache, once, and return its folder: ORIGINAL/VERSION."""
    from science.benchmarks.__main__ import results_folder
    from twinlens.features.pictures.edits import EDITS

    folder = results_folder() / f"duplicates-{originals}-{strangers}"
    if folder.exists():
        return folder
    every = _originals()
    if len(every) < originals + strangers:
        raise Unmeasurable(f"the packages hold {len(every)} pictures only")
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    edits = {one.name: one for one in EDITS}
    for number, rgb in enumerate(every[: originals + strangers]):
        place = part / f"{number:03}"
        place.mkdir(parents=True)
        _write(rgb, place / "original.jpg", 92)
        if number < originals:
            for name in VERSIONS:
                made, quality = (rgb, 50) if name == "jpeg 50" else (edits[name].apply(rgb, every[-1], number), 85)
                _write(made, place / f"{name.replace(' %', '')}.jpg", quality)
    part.replace(folder)
    return folder


def _originals() -> list[UInt8Pixels]:
    from science.papers.data_set import read_package
    from twinlens.core.errors import TwinlensError

    def of_stamps(path: str) -> bool:
        return "/stamps/" in path and path.endswith(".png") and "cartoon" not in path

    def of_examples(path: str) -> bool:
        name = path.rpartition("/")[2].lower()
        return "/examples/data/" in path and name.endswith(".jpg") and not name.startswith(_PAIRED)

    try:
        files = [
            found.files[name]
            for package, wanted in (("opencv-doc", of_examples), ("tuxpaint-stamps-default", of_stamps))
            for found in [read_package(package, wanted, lambda *_: None)]
            for name in sorted(found.files)
        ]
    except TwinlensError as error:
        raise Unmeasurable(str(error.whole)) from error
    made = []
    for data in files:
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        if bgr is None or bgr.ndim != 3 or max(bgr.shape) < _LEAST:
            continue
        if bgr.shape[2] == 4:
            alpha = bgr[..., 3:].astype(np.float32) / 255
            bgr = np.rint(bgr[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
        made.append(np.ascontiguousarray(bgr[..., ::-1]))
    order = np.random.default_rng(0).permutation(len(made))
    return [made[place] for place in order]


def _write(rgb: UInt8Pixels, path: Path, quality: int) -> None:
    cv2.imwrite(str(path), np.ascontiguousarray(rgb[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, quality])


def figures(found: Pairs, originals: int) -> dict[str, float]:
    """Return the share of true pairs that were found, and of those found that are true."""
    right = sum(_family(one) == _family(other) for one, other in found)
    every = originals * len(list(itertools.combinations(range(len(VERSIONS) + 1), 2)))
    return {"found": right / every, "right": right / max(1, len(found))}


def _family(name: str) -> str:
    return name.partition("/")[0]


def twinlens(originals: int, strangers: int, figure: str) -> Run:
    """Add the set to a library, compare, and take every two photographs of a group as a pair; once for all lines."""
    folder = pictures(originals, strangers)
    kept = folder.with_name(f"{folder.name}-{os.getppid()}.json")

    def run() -> dict[str, float]:
        if not kept.exists():
            kept.write_text(json.dumps(sorted(_of_twinlens(folder))))
        found = {(one, other) for one, other in json.loads(kept.read_text())}
        return {"share": figures(found, originals)[figure]}

    return run


def _of_twinlens(folder: Path) -> Pairs:
    import tempfile

    from twinlens.app.duplicates.comparing.comparison import compare_pictures
    from twinlens.app.duplicates.duplicates import known_duplicates
    from twinlens.app.duplicates.groups import DuplicateKind
    from twinlens.app.library.ingest.adding import add
    from twinlens.app.library.library import Library

    with tempfile.TemporaryDirectory() as place, Library.open(Path(place) / "set.twinlens", create=True) as library:
        add(library, [folder])
        compare_pictures(library)
        made: Pairs = set()
        for one in known_duplicates(library).groups:
            members = [
                each.photograph for each in one.members if each.kind not in (DuplicateKind.SERIES, DuplicateKind.RAW)
            ]
            names = sorted("/".join(each.path.decode().split("/")[-2:]) for each in (one.keeper, *members))
            made |= set(itertools.combinations(names, 2))
        return made


def rule(originals: int, strangers: int, name: str, figure: str) -> Run:
    """Compare every two pictures by another program's rule."""
    folder = pictures(originals, strangers)

    def run() -> dict[str, float]:
        describe, near = RULES[name]
        names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.jpg"))
        described = np.array([describe(np.asarray(cv2.imread(str(folder / one)), np.uint8)) for one in names])
        found = {
            (names[place], names[other])
            for place in range(len(names))
            for other in (np.flatnonzero(near(described[place], described[place + 1 :])) + place + 1).tolist()
        }
        return {"share": figures(found, originals)[figure]}

    return run


def _perceptual(bgr: UInt8Pixels) -> npt.NDArray[np.bool_]:
    small = cv2.resize(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), (32, 32), interpolation=cv2.INTER_AREA)
    low = cv2.dct(small.astype(np.float32))[:8, :8].ravel()
    return np.asarray(low > np.median(low[1:]))


def _gradient(side: int) -> Callable[[UInt8Pixels], npt.NDArray[np.bool_]]:
    def hashed(bgr: UInt8Pixels) -> npt.NDArray[np.bool_]:
        from PIL import Image

        grey = Image.fromarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY))
        small = np.asarray(grey.resize((side + 1, side), Image.Resampling.LANCZOS), np.int16)
        return np.asarray(small[:, 1:] > small[:, :-1]).ravel()

    return hashed


def _blocks(bgr: UInt8Pixels) -> npt.NDArray[np.float32]:
    return np.rint(cv2.resize(bgr.astype(np.float32), (15, 15), interpolation=cv2.INTER_AREA)).reshape(-1)


def _within(bits: int) -> Callable[[Any, Any], npt.NDArray[np.bool_]]:
    return lambda one, others: np.asarray((one != others).sum(axis=1) <= bits)


def _percent(least: int) -> Callable[[Any, Any], npt.NDArray[np.bool_]]:
    return lambda one, others: np.asarray(np.abs(one - others).sum(axis=1) / 15**2 <= 100 - least)


RULES: dict[str, tuple[Callable[[UInt8Pixels], Any], Callable[[Any, Any], npt.NDArray[np.bool_]]]] = {
    "perceptual hash, 8 of 64 bits": (_perceptual, _within(8)),
    "perceptual hash, 10 of 64 bits": (_perceptual, _within(10)),
    "Czkawka's rule, 5 of 64 bits": (_gradient(8), _within(5)),
    "Czkawka's rule, 15 of 256 bits": (_gradient(16), _within(15)),
    "Czkawka's rule, 40 of 256 bits": (_gradient(16), _within(40)),
    "dupeGuru's rule, 95 %": (_blocks, _percent(95)),
    "dupeGuru's rule, 75 %": (_blocks, _percent(75)),
}


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines."""
    size = {
        "originals": QUICK_ORIGINALS if quick else ORIGINALS,
        "strangers": QUICK_STRANGERS if quick else STRANGERS,
    }
    for number, name in enumerate(RULES):
        seconds = (60.0 if quick else 400.0) if not number else 5.0
        for figure, what, must in (("found", "true pairs that are found", 1.5), ("right", "found that are true", 0.99)):
            peers = (
                Peer(twinlens, {**size, "figure": figure}, warm_up=False),
                Peer(rule, {**size, "name": name, "figure": figure}, warm_up=False),
            )
            yield SpeedComparison(what, name, *peers, must, must * 1.2, "share", False, 1, seconds)
            seconds = 5.0
