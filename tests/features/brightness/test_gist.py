"""GIST: against a plain reference, and what it does not see."""

from __future__ import annotations

import cmath
import math

import cv2
import numpy as np
import pytest

from twinlens.features.brightness.gist import Gist
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never, picture

FACTS = PictureFacts("PNG", 1, 1)


def describe(rgb: np.ndarray, mask: np.ndarray | None = None, **how: object) -> np.ndarray:
    """Describe, (channels times filters, parts)."""
    declared = Gist(**how)
    return declared.fit(never).extract(Picture(rgb.astype(np.uint8), mask, FACTS)).reshape(declared.matrix_shape)


def transform(x: np.ndarray, sign: int) -> np.ndarray:
    """Fourier transform by its definition: frequencies from -n/2 on, in the middle, not divided by anything."""
    n = len(x)
    waves = [[cmath.exp(sign * 2j * math.pi * f * at / n) for at in range(n)] for f in range(-(n // 2), n - n // 2)]
    matrix = np.array(waves)
    return np.asarray(matrix @ x @ matrix.T if sign < 0 else matrix.T @ x @ matrix)


def low_pass(x: np.ndarray) -> np.ndarray:
    n = len(x)
    scale = 4 / math.sqrt(math.log(2))
    spectrum = transform(x, -1)
    for row in range(n):
        for column in range(n):
            fy, fx = row - n // 2, column - n // 2
            spectrum[row, column] *= math.exp(-(fx**2 + fy**2) / scale**2)
    return transform(spectrum, 1).real / n**2


def reference(channels: np.ndarray) -> np.ndarray:
    """Step by step as the authors' program does it, (c, n, n) -> (c * 20, 16)."""
    n = channels.shape[1]
    padded = [np.pad(np.log(channel + 1.0), 5, mode="symmetric") for channel in channels]
    white = [plane - low_pass(plane) for plane in padded]
    local = np.sqrt(np.abs(low_pass(np.mean(white, axis=0) ** 2)))
    found = []
    for plane in white:
        spectrum = transform((plane / (0.2 + local))[5:-5, 5:-5], -1)
        for scale, orientations in enumerate((8, 8, 4)):
            for number in range(orientations):
                passed = spectrum.copy()
                for row in range(n):
                    for column in range(n):
                        fy, fx = row - n // 2, column - n // 2
                        angle = math.atan2(fy, fx) + math.pi / orientations * number
                        if angle > math.pi:
                            angle -= 2 * math.pi
                        radius = math.hypot(fx, fy) / n / (0.3 / 1.85**scale) - 1
                        width = 16 * orientations**2 / 32**2
                        passed[row, column] *= math.exp(-10 * 0.35 * radius**2 - 2 * width * math.pi * angle**2)
                answer = np.abs(transform(passed, 1)) / n**2
                found.append(answer.reshape(4, n // 4, 4, n // 4).mean(axis=(1, 3)).ravel())
    return np.asarray(found) / float(np.linalg.norm(found))


@pytest.mark.parametrize("side", [32, 64])
def test_it_is_what_the_authors_program_does(side: int) -> None:
    rgb = picture(3, side, side).rgb
    np.testing.assert_allclose(describe(rgb, side=side), reference(rgb.transpose(2, 0, 1)), atol=2e-6)


def test_without_colour_it_looks_at_brightness() -> None:
    rgb = picture(3, 32, 32).rgb
    grey = Picture(rgb, None, FACTS).grey
    np.testing.assert_allclose(describe(rgb, side=32, colour=False), reference(grey[None]), atol=2e-6)


def test_it_has_960_numbers() -> None:
    assert Gist().dimensions == 960
    assert Gist(colour=False).dimensions == 320
    assert Gist().matrix_shape == (60, 16)


@pytest.mark.parametrize(("period", "scale"), [(1 / 0.3, 0), (1 / 0.162, 1), (1 / 0.0877, 2)])
@pytest.mark.parametrize("quarter", range(4))
def test_waves_are_of_their_filter(period: float, scale: int, quarter: int) -> None:
    y, x = np.mgrid[0:64, 0:64]
    way = x * math.cos(quarter * math.pi / 4) - y * math.sin(quarter * math.pi / 4)
    grey = 120 + 60 * np.sin(2 * math.pi * way / period)
    filters = describe(np.repeat(grey[..., None], 3, axis=2), colour=False).sum(axis=1)
    orientations = (8, 8, 4)[scale]
    assert filters.argmax() == (0, 8, 16)[scale] + quarter * orientations // 4


def test_the_channels_of_a_grey_copy_are_alike() -> None:
    rgb = picture(0, 320, 200).rgb
    grey = np.repeat(Picture(rgb, None, FACTS).grey[..., None], 3, axis=2)
    channels = describe(grey).reshape(3, 20, 16)
    np.testing.assert_allclose(channels, channels[[1, 2, 0]], atol=1e-6)
    np.testing.assert_array_equal(describe(grey, colour=False), describe(rgb, colour=False))


def test_light_size_and_shape_make_little_difference() -> None:
    rgb = picture(0, 640, 480).rgb
    original = describe(rgb).ravel()
    for copy in (rgb * 0.6, cv2.resize(rgb, (160, 120), interpolation=cv2.INTER_AREA), cv2.resize(rgb, (300, 480))):
        assert describe(copy).ravel() @ original > 0.97


def test_a_texture_counts_for_the_part_it_is_in() -> None:
    grey = np.full((256, 256), 128.0)
    grey[64:128, 192:] += np.random.default_rng(0).normal(0, 40, (64, 64))
    parts = describe(np.repeat(np.clip(grey, 0, 255)[..., None], 3, axis=2)).sum(axis=0)
    assert parts.argmax() == 4 * 1 + 3
    assert parts.max() > 5 * parts[8:].max()


def test_what_is_transparent_does_not_count() -> None:
    rgb, mask = np.full((200, 300, 3), 128), np.zeros((200, 300), np.bool_)
    mask[60:140, 50:250] = True
    rgb[mask] = 250
    assert describe(rgb).any()
    assert not describe(rgb, mask).any()
    rgb[mask] = np.random.default_rng(0).integers(0, 256, (mask.sum(), 3))
    found = describe(rgb, mask)
    assert np.linalg.norm(found) == pytest.approx(1)
    np.testing.assert_array_equal(describe(np.where(mask[..., None], rgb, 7), mask), found)


def test_an_outline_against_what_is_transparent_is_faint() -> None:
    """A cut-out over two backgrounds looks different; with its mask it is the texture that is left."""
    rgb = picture(0, 320, 320).rgb.astype(float) * 0.3 + 150
    mask = np.zeros((320, 320), np.bool_)
    mask[80:240, 80:240] = True
    whole = describe(rgb).reshape(3, 20, 4, 4)[:, :, 1:3, 1:3].ravel()
    plain = describe(np.where(mask[..., None], rgb, 0)).reshape(3, 20, 4, 4)[:, :, 1:3, 1:3].ravel()
    masked = describe(rgb, mask).reshape(3, 20, 4, 4)[:, :, 1:3, 1:3].ravel()
    assert _cosine(masked, whole) > 0.95 > _cosine(plain, whole)


def _cosine(x: np.ndarray, z: np.ndarray) -> float:
    return float(x @ z / np.linalg.norm(x) / np.linalg.norm(z))


@pytest.mark.parametrize("shape", [(1, 1), (1, 640), (640, 1), (2, 640), (5, 3), (427, 640)])
def test_any_shape_has_an_answer(shape: tuple[int, int]) -> None:
    assert not describe(np.full((*shape, 3), 77)).any()
    noisy = describe(np.random.default_rng(0).integers(0, 256, (*shape, 3)))
    assert np.linalg.norm(noisy) == pytest.approx(0 if shape == (1, 1) else 1)
    assert not describe(np.full((*shape, 3), 77), np.zeros(shape, np.bool_)).any()


@pytest.mark.parametrize("side", [33, 50])
def test_sides_that_parts_do_not_divide_have_an_answer(side: int) -> None:
    rgb = picture(0, 320, 200).rgb
    assert describe(rgb, side=side).ravel() @ describe(rgb, side=side + 2).ravel() > 0.98
