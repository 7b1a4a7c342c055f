"""Further frames: two files that begin with one picture are the same only with the same frames behind it."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.features.copies.bursts import rich
from twinlens.features.copies.further_frames import further_frames


def animated(form: str, seeds: range, **how: object) -> bytes:
    first, *others = (Image.fromarray(rich(seed, 160, 120)) for seed in seeds)
    file = io.BytesIO()
    first.save(file, form, save_all=True, append_images=others, **how)
    return file.getvalue()


@pytest.mark.parametrize("form", ["GIF", "TIFF", "WEBP", "PNG"])
def test_frames_tell_files_with_one_beginning_apart(form: str) -> None:
    some = further_frames(animated(form, range(1, 5)))
    assert some.count == 4
    assert some.are_those_of(further_frames(animated(form, range(1, 5))))
    assert not some.are_those_of(further_frames(animated(form, range(1, 4)))), "it has fewer"
    assert not some.are_those_of(further_frames(animated(form, range(2, 6)))), "they show something else"


def test_frames_may_be_compressed_again() -> None:
    assert further_frames(animated("PNG", range(1, 5))).are_those_of(
        further_frames(animated("WEBP", range(1, 5), quality=80))
    )


def test_a_file_of_one_picture_has_no_further_frames() -> None:
    file = io.BytesIO()
    Image.fromarray(rich(1, 160, 120)).save(file, "JPEG")
    assert further_frames(file.getvalue()).count == 1
