"""Comparing a whole library for duplicates, against what a person is promised: five minutes for 100,000 photographs.

The photographs are drawn: vectors, keypoints and thumbnails, as adding would have left them. Every twentieth is a copy
of another: most of its keypoints, its vector and its thumbnail, each with some noise. There are no files, so copies are
laid over each other small, and not looked at closely.
"""

from __future__ import annotations

import os
import struct
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from science.benchmarks.peer import ROOT

if TYPE_CHECKING:
    from twinlens.app.library.library import Library

N, QUICK_N = 100_000, 12_000
LARGE = 5 * N
LIMIT_S, CORES = 300.0, 2
FEW, FEW_LIMIT_S = 4, 2.0
EVERY = 20  # of so many, one is a copy of another
INDEX = ("Codes", "colour:levels=1", "itq:bits=96", "scan:candidates=100")
_POINTS = 184
_AT_ONCE = 2_000

Bytes = npt.NDArray[np.uint8]


def keypoints(rng: np.random.Generator, n: int) -> Bytes:
    """Draw what is kept of keypoints: signs, places, sizes and angles, (n, 184, 22)."""
    made = rng.integers(0, 256, (n, _POINTS, 22), np.uint8)
    made[:, :, 20] = rng.integers(100, 150, (n, _POINTS))
    return made


def copied(rng: np.random.Generator, rows: Bytes) -> Bytes:
    """Copy keypoints: a twentieth of their signs differ, and a quarter of them are others."""
    made = rows.copy()
    made[:, :, :16] ^= np.packbits(rng.random((len(rows), _POINTS, 128)) < 0.05, axis=2)
    made[:, : _POINTS // 4] = keypoints(rng, len(rows))[:, : _POINTS // 4]
    return made


def thumbnail(seed: int, quality: int) -> bytes:
    """Draw a thumbnail."""
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 256, (10, 12, 3), np.uint8)
    shown = cv2.resize(small, (256, 192), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def make(path: Path, n: int) -> None:
    """Make the library; the last n / 20 photographs are copies of the first."""
    from tests.app.made_library import content, histograms, make_anew

    originals = n - n // EVERY
    of = np.arange(n)
    of[originals:] = np.arange(n - originals)
    vectors = histograms(n)
    vectors[originals:] = vectors[of[originals:]] * np.random.default_rng(1).uniform(0.98, 1.02, vectors[0].shape)
    with make_anew(path, vectors.astype(np.float32), [INDEX]) as library:
        keep_keypoints(library, of)
        for start in range(0, n, _AT_ONCE):
            places = range(start, min(n, start + _AT_ONCE))
            library.thumbnails.put(
                [(content(place + 1), thumbnail(int(of[place]), 70 if place >= originals else 90)) for place in places]
            )


def keep_keypoints(library: Library, of: npt.NDArray[np.int64]) -> None:
    """Keep keypoints of the photographs from the first on, each drawn by itself, or a copy of one before it, (n,)."""
    from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION

    head = struct.pack("<HH", 256, 192)
    for start in range(0, len(of), _AT_ONCE):
        places = np.arange(start, min(len(of), start + _AT_ONCE))
        rows = np.stack([keypoints(np.random.default_rng(seed), 1)[0] for seed in of[places].tolist()])
        late = of[places] != places
        rows[late] = copied(np.random.default_rng(start), rows[late])
        with library.store.writing() as w:
            w.keypoints.put((places + 1).tolist(), KEYPOINTS_VERSION, [head + one.tobytes() for one in rows])


def compared(n: int) -> Run:
    """Compare all photographs with each other, and say which share of the copies was found; then a few again."""
    from twinlens.core.compilation import compilation

    place = tempfile.TemporaryDirectory()
    os.environ["TWINLENS_CACHE"] = place.name  # its thumbnails are nobody's
    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the loops cannot be compiled here")
    path = Path(place.name) / "made.twinlens"
    make(path, n)

    def run(_: object = place) -> dict[str, float]:
        from tests.app.made_library import content
        from twinlens.app.duplicates.comparing.comparison import compare_pictures
        from twinlens.app.library.library import Library

        with Library.open(path) as library:
            assert compare_pictures(library, INDEX[0]) == n
            with library.store.reading() as r:
                pairs = {frozenset((row.first, row.second)) for row in r.comparisons.related()}
            with library.store.writing() as w:
                w.comparisons.compare_again([(content(n // 2 + at), content(n - at)) for at in range(FEW // 2)])
            began = time.perf_counter()
            assert compare_pictures(library, INDEX[0]) == FEW
            few = time.perf_counter() - began
        copies = n // EVERY
        found = sum({content(at + 1), content(n - copies + at + 1)} in pairs for at in range(copies))
        return {"share": found / copies, "few": few}

    return run


def fivefold(n: int) -> Run:
    """Compare all photographs with each other, and return five times the processor time."""
    once = compared(n)

    def run() -> dict[str, float]:
        began = time.process_time()
        once()
        return {"cpu": 5 * (time.process_time() - began)}

    return run


def limit(n: int) -> Run:
    """Return the limits of time, processor time, share found and of a few new ones, for a number of photographs."""
    seconds = LIMIT_S * n / N
    return lambda: {"wall": seconds, "cpu": CORES * seconds, "share": 1.0, "few": FEW_LIMIT_S}


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines."""
    n = QUICK_N if quick else N
    peers = Peer(compared, {"n": n}, warm_up=False), Peer(limit, {"n": n}, warm_up=False)
    what, seconds = f"{n:,} photographs compared for duplicates", LIMIT_S * n / N
    yield SpeedComparison(what, f"{seconds:.0f} s", *peers, 1.0, 0.7, "wall", True, 1, 1.5 * seconds)
    yield SpeedComparison(
        f"{what}: processor time", f"{CORES} x {seconds:.0f} s", *peers, 1.0, 0.7, "cpu", True, 1, 1.5 * seconds
    )
    yield SpeedComparison(f"{what}: copies that are found", "all", *peers, 0.99, 1.0, "share", False, 1, 1.5 * seconds)
    yield SpeedComparison(
        f"{FEW} new photographs compared with {n:,}",
        f"{FEW_LIMIT_S:.0f} s",
        *peers,
        must=1.0,
        stretch=0.5,
        figure="few",
        at_most=True,
        rounds=1,
        seconds=1.5 * seconds,
    )
    if not quick:
        yield SpeedComparison(
            f"{LARGE:,} photographs compared for duplicates: processor time",
            f"five times {n:,}",
            Peer(compared, {"n": LARGE}, warm_up=False),
            Peer(fivefold, {"n": n}, warm_up=False),
            must=1.1,
            stretch=1.0,
            figure="cpu",
            at_most=True,
            rounds=1,
            seconds=10 * seconds,
        )
