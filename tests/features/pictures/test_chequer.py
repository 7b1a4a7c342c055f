"""Pictures as they are shown: the chequer lies where they are transparent, and nowhere else."""

from __future__ import annotations

import io

import cv2
import numpy as np
from PIL import Image

from features.pictures.channels import CONTRAST, SQUARES, on_chequer, thumbnail
from features.pictures.picture import MID_GREY
from features.reading.reading import read


def _png(alpha: np.ndarray) -> bytes:
    target = io.BytesIO()
    colours = np.full((*alpha.shape, 3), (200, 40, 60), np.uint8)
    Image.fromarray(np.dstack([colours, alpha]), "RGBA").save(target, "PNG")
    return target.getvalue()


def test_opaque_pictures_are_shown_as_they_are() -> None:
    picture = read(_png(np.full((60, 80), 255, np.uint8)))
    assert on_chequer(picture) is picture.rgb


def test_a_chequer_lies_under_what_is_transparent() -> None:
    alpha = np.full((120, 160), 255, np.uint8)
    alpha[:, :80] = 0
    alpha[:, 80:100] = 128
    picture = read(_png(alpha))
    shown = on_chequer(picture)
    assert (shown[:, 100:] == picture.rgb[:, 100:]).all()
    clear = shown[:, :80]
    assert set(np.unique(clear).tolist()) == {MID_GREY - CONTRAST, MID_GREY + CONTRAST}
    side = 160 // SQUARES
    assert clear[0, 0, 0] != clear[0, side, 0]
    assert clear[0, 0, 0] == clear[side, side, 0] == clear[side - 1, side - 1, 0]
    half = shown[:, 80:100, 0].astype(int)
    assert abs(half.max() - half.min() - CONTRAST) <= 1, "through half of it the chequer is seen by half"


def test_thumbnails_have_the_same_chequer() -> None:
    picture = read(_png(np.zeros((400, 640), np.uint8)))
    small = cv2.imdecode(np.frombuffer(thumbnail(picture), np.uint8), cv2.IMREAD_COLOR)
    assert small is not None
    assert small.std() > CONTRAST / 2
    assert abs(small.mean() - MID_GREY) < 2, "as dark as what pictures are compared over"
