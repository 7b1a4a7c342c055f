"""The network that comes along, beside SIFT on the same photograph: what each of them adds to reading it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
from PIL import Image

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from twinlens.app.demo.photographs import fetch_photographs
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.keypoints.sift import local_features
from twinlens.features.network.network import NetworkExtractor
from twinlens.features.network.ready_made_network import READY_MADE
from twinlens.features.pictures.picture import WORKING_SIDE, Picture, PictureFacts
from twinlens.features.vocabulary.vlad import CompactVlad

PHOTOGRAPHS = 20
SIDES = (360, 256)


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield a line for each network and side of the picture in which keypoints are looked for."""
    for name, side in ((name, side) for name in READY_MADE for side in SIDES):
        yield SpeedComparison(
            f"{name} of a photograph of {WORKING_SIDE} px, processor time",
            f"SIFT at {side} px",
            Peer(network, {"name": name}, threads=1),
            Peer(sift, {"side": side}, threads=1),
            must=1.0,
            stretch=0.7,
            figure="cpu",
            at_most=True,
            rounds=5 if quick else 15,
            seconds=20 if quick else 60,
        )


def network(name: str) -> Run:
    """Describe photographs by a network, resizing included."""
    extractor = NetworkExtractor.of(name)

    def run() -> None:
        for pixels in _photographs():
            extractor.extract(_fresh(pixels))

    return run


def sift(side: int) -> Run:
    """Find and describe the local features of the same photographs."""
    (cap,) = CompactVlad(side=side).caps

    def run() -> None:
        cv2.setNumThreads(1)
        for pixels in _photographs():
            local_features(_fresh(pixels), cap)

    return run


@cache
def _photographs() -> tuple[UInt8Pixels, ...]:
    found = fetch_photographs()
    made = []
    for one in sorted(found.photographs, key=lambda one: one.path)[:: len(found.photographs) // PHOTOGRAPHS]:
        with Image.open(found.folder / one.path) as image:
            image.thumbnail((WORKING_SIDE, WORKING_SIDE))
            made.append(np.asarray(image.convert("RGB"), np.uint8))
    return tuple(made[:PHOTOGRAPHS])


def _fresh(pixels: UInt8Pixels) -> Picture:
    """Return a picture of which nothing is known yet."""
    return Picture(pixels, None, PictureFacts("JPEG", pixels.shape[1], pixels.shape[0]))
