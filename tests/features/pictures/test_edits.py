"""Edited copies: each differs from its photograph as its name says, and is the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from features.pictures.edits import EDITS, FURTHER_EDITS, Edit
from tests.features.keypoints.test_geometric_agreement import painted

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
