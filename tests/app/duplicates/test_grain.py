"""The grain of two pictures that look the same says whether they were taken twice."""

from __future__ import annotations

import cv2
import numpy as np

from app.duplicates.taken_twice import by_grain
from features.copies.relation import Kind
from features.pictures.picture import Pixels


def grainy(seed: int, deviation: float = 4.0) -> Pixels:
    y, x = np.mgrid[0:600, 0:800]
    plain = 120 + 60 * np.sin(x / 90) * np.cos(y / 70)
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, deviation, (600, 800, 3))
    return np.asarray(np.clip(plain[..., None] + noise, 0, 255), np.uint8)


def compressed(rgb: Pixels, quality: int) -> Pixels:
    __, data = cv2.imencode(".jpg", rgb, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def test_a_copy_has_the_grain_of_its_original() -> None:
    for quality in (95, 80, 50, 10):
        assert by_grain(grainy(1), compressed(grainy(1), quality)) is Kind.SAME


def test_a_second_shot_has_its_own() -> None:
    assert by_grain(grainy(1), grainy(2)) is Kind.SIMILAR
    assert by_grain(compressed(grainy(1), 92), compressed(grainy(2), 92)) is Kind.SIMILAR


def test_added_grain_is_an_edit() -> None:
    rng = np.random.default_rng(0)
    noisy = np.clip(grainy(1) + rng.normal(0, 20, (600, 800, 3)), 0, 255).astype(np.uint8)
    assert by_grain(grainy(1), noisy) is Kind.EDITED


def test_without_grain_or_of_another_size_it_says_nothing() -> None:
    assert by_grain(grainy(1, 0.0), grainy(2, 0.0)) is Kind.SAME
    assert by_grain(grainy(1), grainy(2)[:500]) is Kind.SAME
