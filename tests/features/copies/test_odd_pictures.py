"""Pictures of odd sizes and without anything to see are compared, too: in a process, so that a crash is told as one."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from conftest import ROOT
from core.arrays import UInt8Pixels
from features.copies.copy_traces import Blocks, LargePicture, is_made_smaller, relate_closely, transformed
from features.copies.perceptual_hash import ORIENTATIONS, turnable_hash
from features.copies.relation import ComparedPicture, relate
from features.keypoints.keypoints import Keypoints
from features.pictures.channels import picture_of_pixels

SHAPES = ((1, 1), (1, 160), (160, 1), (2, 2), (8, 8), (15, 16), (16, 16), (17, 17), (16, 160), (60, 80))


def pictures() -> Iterator[UInt8Pixels]:
    """Yield a flat one and noise of each size."""
    rng = np.random.default_rng(3)
    for height, width in SHAPES:
        yield np.full((height, width, 3), 128, np.uint8)
        yield rng.integers(0, 256, (height, width, 3)).astype(np.uint8)


def compare_all() -> None:
    """Compare each with each in every way in which pictures are compared."""
    made = [*pictures()]
    looks = [ComparedPicture(one, Keypoints.of(picture_of_pixels(one), 300), one.shape[1::-1]) for one in made]
    greys = [np.ascontiguousarray(one[..., 1]) for one in made]
    blocks = [Blocks(np.vstack([np.ones((1, 64), np.int16), transformed(one)])) for one in greys]
    large = [
        [LargePicture(grey, grey.shape[::-1], "JPEG", each) for each in (None, block)]
        for grey, block in zip(greys, blocks, strict=True)
    ]
    for grey in greys:
        turnable_hash(grey)
    for one, other in itertools.combinations_with_replacement(range(len(made)), 2):
        for orientation in (ORIENTATIONS[0], ORIENTATIONS[5]):
            relate(looks[one], looks[other], orientation)
        for first, second in zip(large[one], large[other], strict=True):
            relate_closely(first, second)
        is_made_smaller(blocks[one], [blocks[other]], 0.5)


def test_no_picture_is_too_odd_to_compare() -> None:
    command = [sys.executable, "-W", "error", "-X", "faulthandler", "-m", __name__]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    compare_all()
