"""Edited copies: each differs from its photograph as its name says, and is the same for the same seed."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.features.keypoints.test_geometric_check import painted
from twinlens.features.pictures.edits import EDITS, FURTHER_EDITS, Edit
from twinlens.features.pictures.picture import MID_GREY
from twinlens.features.pictures.thumbnail import CONTRAST, SQUARES, on_chequer, thumbnail
from twinlens.features.reading.reading import read

BY_NAME = {edit.name: edit for edit in (*EDITS, *FURTHER_EDITS)}
PHOTOGRAPH, HOST = painted(1, 160, 120), painted(2, 200, 100)


def apply(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return BY_NAME[name].apply(PHOTOGRAPH, HOST, 3)


def test_there_are_26_and_each_name_stands_once() -> None:
    assert len(EDITS) == 26
    assert len(BY_NAME) == len(EDITS) + len(FURTHER_EDITS)


@pytest.mark.parametrize("edit", BY_NAME.values(), ids=lambda edit: edit.name)
def test_a_copy_is_another_picture_and_the_photograph_stays(edit: Edit) -> None:
    photograph, host = PHOTOGRAPH.copy(), HOST.copy()
    copy = edit.apply(photograph, host, 3)
    assert copy.dtype == np.uint8
    assert copy.shape[2:] == (3,)
    assert copy.flags.c_contiguous
    assert not np.shares_memory(copy, photograph)
    assert not np.array_equal(copy, photograph)
    np.testing.assert_array_equal(photograph, PHOTOGRAPH)
    np.testing.assert_array_equal(host, HOST)
    np.testing.assert_array_equal(copy, edit.apply(photograph, host, 3))


@pytest.mark.parametrize("edit", BY_NAME.values(), ids=lambda edit: edit.name)
@pytest.mark.parametrize("shape", [(1, 1), (2, 90), (90, 2)], ids=str)
def test_the_smallest_pictures_have_copies_too(edit: Edit, shape: tuple[int, int]) -> None:
    assert edit.apply(np.full((*shape, 3), 70, np.uint8), HOST, 0).size > 0


@pytest.mark.parametrize(("name", "share"), [("crop 80 %", 0.8), ("crop 50 %", 0.5), ("crop 25 %", 0.25)])
def test_a_crop_is_of_so_much_of_the_area(name: str, share: float) -> None:
    copy = apply(name)
    assert copy.shape[0] * copy.shape[1] == pytest.approx(share * 160 * 120, rel=0.03)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mirror", PHOTOGRAPH[:, ::-1]),
        ("upside down", PHOTOGRAPH[::-1]),
        ("turn 90", np.rot90(PHOTOGRAPH)),
        ("turn 180", PHOTOGRAPH[::-1, ::-1]),
        ("inverted", 255 - PHOTOGRAPH),
    ],
)
def test_exact_edits(name: str, expected: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    np.testing.assert_array_equal(apply(name), expected)


def test_sizes() -> None:
    assert apply("half size").shape == (60, 80, 3)
    assert apply("fifth size").shape == (24, 32, 3)
    assert apply("aspect").shape == (90, 160, 3)
    assert apply("pasted").shape == PHOTOGRAPH.shape
    assert np.ptp(apply("grey"), axis=2).max() == 0


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
