"""PNM pictures of digits, of 16 bits or on a scale of their own are what Pillow makes of them, in a moment."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PpmImagePlugin

from tests.features.checks import check_outcome
from twinlens.features.decoders import netpbm
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import UnreadableError

_MAGIC = {(True, 1): b"P2", (True, 3): b"P3", (False, 1): b"P5", (False, 3): b"P6"}


def _pnm(written: bool, bands: int, size: tuple[int, int], most: int, numbers: Sequence[int]) -> bytes:
    head = b"%s\n# of %d\n%d %d\n%d\n" % (_MAGIC[written, bands], most, *size, most)
    if written:
        return head + b" # a comment\n".join(
            b" ".join(b"%d" % number for number in numbers[at:][:7]) for at in range(0, len(numbers), 7)
        )
    return head + np.array(numbers, ">u2" if most > 255 else "u1").tobytes()


@given(st.data(), st.booleans(), st.sampled_from([(1, 255), (1, 1), (1, 100), (1, 999), (1, 65535), (3, 255), (3, 7)]))
def test_numbers_are_those_that_pillow_finds(data: st.DataObject, written: bool, kind: tuple[int, int]) -> None:
    (bands, most), size = kind, (data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9)))
    count = size[0] * size[1] * bands
    numbers = data.draw(st.lists(st.integers(0, most), min_size=count, max_size=count))
    file = _pnm(written, bands, size, most, numbers)
    image = PpmImagePlugin.PpmImageFile(io.BytesIO(file))
    if netpbm.is_counted(image):
        found = np.asarray(netpbm.decode(image, file))
        np.testing.assert_array_equal(found, np.asarray(image))


@given(st.integers(1, 30), st.integers(1, 9), st.sampled_from([b"", b" ", b"\n"]), st.randoms())
def test_bits_are_those_that_pillow_finds(width: int, height: int, between: bytes, random: np.random.Generator) -> None:
    bits = [random.choice([b"0", b"1"]) for _ in range(width * height)]
    file = b"P1 %d %d\n" % (width, height) + between.join(bits) + b"\n"
    image = PpmImagePlugin.PpmImageFile(io.BytesIO(file))
    np.testing.assert_array_equal(np.asarray(netpbm.decode(image, file)) > 0, np.asarray(image))


def test_blocks_end_between_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netpbm, "_BLOCK_BYTES", 3)
    numbers = [7, 255, 13, 100, 0, 1, 254, 99, 128, 10]
    file = _pnm(True, 1, (5, 2), 255, numbers)
    image = PpmImagePlugin.PpmImageFile(io.BytesIO(file))
    assert np.asarray(netpbm.decode(image, file)).ravel().tolist() == numbers


@pytest.mark.parametrize(
    "file",
    [b"P2 2 2 255\n1 2 3", b"P2 2 1 255\n1 256", b"P2 2 1 255\n1 -2", b"P2 2 1 255\n1 x", b"P1 2 1\n1", b"P1 2 1\n1 2",
     b"P5 2 1 100\n1", b"P5 2 1 999\n123", b"P2 1 1 255\n" + b"9" * 50],
)  # fmt: skip
def test_what_is_no_picture_has_a_reason(file: bytes) -> None:
    with pytest.raises(UnreadableError):
        read(file)


@given(
    st.binary(max_size=60), st.sampled_from([b"P1 3 2\n", b"P2 3 2 9\n", b"P3 2 2 300\n", b"P5 3 2 9\n", b"P6 2 1 9\n"])
)
def test_no_bytes_escape(noise: bytes, head: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_outcome(head + noise)


def test_a_picture_of_many_digits_is_read() -> None:
    file = b"P3 900 600 255\n" + b"200 30 9\n" * (900 * 600)
    assert (read(file).rgb == (200, 30, 9)).all()


def test_sixteen_bits_keep_their_steps() -> None:
    pixels = np.arange(64, dtype=np.uint16).reshape(8, 8) * 1040
    file = b"P5 8 8 65535\n" + pixels.astype(">u2").tobytes()
    target = io.BytesIO()
    Image.fromarray(pixels).save(target, "PNG")
    np.testing.assert_array_equal(read(file).rgb, read(target.getvalue()).rgb)
