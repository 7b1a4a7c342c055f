"""Shots of one scene from a tripod, and the copies that get about of each."""

from __future__ import annotations

import functools
import io

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.features.sample_pictures import scene
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies.close_comparison import LARGE_SIDE, LargePicture
from twinlens.features.copies.copy_traces import Blocks
from twinlens.features.reading.reading import read

Rng = np.random.Generator


def scene_of(seed: int, width: int = 800, height: int = 600) -> npt.NDArray[np.float32]:
    """Make a scene with shapes, texture at every size and something smooth, without any noise."""
    rng = np.random.default_rng(seed)
    made = rich(seed, width, height).astype(np.float32)
    for size in (2, 5, 20, 60):
        texture = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), size)
        made += (6 * texture / texture.std())[..., None]
    made[: height // 3] = cv2.GaussianBlur(made[: height // 3], (0, 0), 27)  # a sky
    return np.clip(made, 8, 244)


def shot(
    scene: npt.NDArray[np.float32], rng: Rng, noise: float = 2.5, aside: float = 0.0, moved: int | None = None
) -> UInt8Pixels:
    """Take a photograph of a scene: with noise of its own, a little aside, and something at a place of its own."""
    height, width = scene.shape[:2]
    seen = scene.copy()
    if moved is not None:
        x, y = width // 3 + moved, 2 * height // 3
        cv2.ellipse(seen, (x, y), (width // 90, width // 70), 0, 0, 360, (40, 60, 200), -1, cv2.LINE_AA)
    move = np.array(((1, 0, rng.normal(0, 1) * aside), (0, 1, rng.normal(0, 1) * aside)), np.float32)
    if aside:
        seen = np.asarray(cv2.warpAffine(seen, move, (width, height), flags=cv2.INTER_CUBIC, borderMode=2), np.float32)
    seen *= 1 + rng.normal(0, 0.002)
    grain = cv2.GaussianBlur(rng.normal(0, 1, scene.shape).astype(np.float32), (0, 0), 0.6)  # as demosaicing leaves it
    return np.asarray(np.clip(np.rint(seen + noise * grain / grain.std()), 0, 255), np.uint8)


def written(rgb: UInt8Pixels, size: float = 1.0, quality: int = 92, form: str = "JPEG") -> bytes:
    """Write a picture at a share of its size."""
    image = Image.fromarray(rgb)
    if size != 1:
        image = image.resize((round(image.width * size), round(image.height * size)), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, form, quality=quality, compress_level=1)
    return out.getvalue()


def opened(data: bytes) -> UInt8Pixels:
    """Read a picture at its full size."""
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


_MADE = {
    "jpeg 50": lambda original: written(opened(original), 1, 50),
    "jpeg 80": lambda original: written(opened(original), 1, 80),
    "png": lambda original: written(opened(original), 1, form="PNG"),
    "webp": lambda original: written(opened(original), 1, 80, "WEBP"),
    "half": lambda original: written(opened(original), 1 / 2, 85),
    "fifth": lambda original: written(opened(original), 1 / 5, 85),
    "by a messenger": lambda original: written(opened(original), 0.8, 70),
}
COPIERS = {name: functools.cache(made) for name, made in _MADE.items()}


@functools.cache
def large(data: bytes, side: int = LARGE_SIDE) -> LargePicture:
    """Read a file as it is looked at closely, for a pair whose smaller one has a side."""
    picture = read(data, side=side)
    facts = picture.facts
    grey = np.asarray(cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2GRAY), np.uint8)
    return LargePicture(grey, (facts.width, facts.height), facts.format, Blocks.of(data))


def rich(seed: int, width: int = 640, height: int = 480) -> UInt8Pixels:
    """Make a scene with much to see at every size."""
    rng = np.random.default_rng(seed)
    made = np.array(scene(width, height, seed))
    for size in (70, 30, 12):
        for _ in range(60):
            x, y = int(rng.integers(width)), int(rng.integers(height))
            colour = tuple(int(one) for one in rng.integers(0, 256, 3))
            if rng.random() < 0.5:
                cv2.rectangle(made, (x, y), (x + size, y + int(size * rng.uniform(0.4, 1.4))), colour, -1)
            else:
                cv2.circle(made, (x, y), size // 2, colour, -1)
    return np.asarray(cv2.GaussianBlur(made, (0, 0), 0.8), np.uint8)
