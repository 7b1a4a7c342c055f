"""The estimated quality of JPEGs: what libjpeg was asked for comes back."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from twinlens.features.decoders.jpeg import estimated_quality


def jpeg(quality: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), (90, 140, 30)).save(out, "JPEG", quality=quality, exif=bytes(200))
    return out.getvalue()


@pytest.mark.parametrize("quality", range(20, 101))
def test_the_quality_comes_back(quality: int) -> None:
    found = estimated_quality(io.BytesIO(jpeg(quality)))
    assert found is not None
    assert abs(found - quality) <= 1


@given(st.binary(max_size=200), st.integers(0, 400))
def test_whatever_a_file_holds_it_is_a_quality_or_none(noise: bytes, cut: int) -> None:
    for data in (noise, jpeg(80)[:cut], jpeg(80)[:cut] + noise):
        found = estimated_quality(io.BytesIO(data))
        assert found is None or 1 <= found <= 100
