"""Parts of pictures: the pixels that are meant, as fine as the file has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from features.pictures.picture import WORKING_SIDE, Picture, PictureFacts, Region
from features.reading.reading import crop, read, read_part
from tests.features.sample_pictures import encode, exif_block, scene


def numbered(width: int, height: int, masked: bool) -> Picture:
    """Make a picture whose pixels say where they are."""
    rows, columns = np.mgrid[:height, :width]
    rgb = np.stack([rows, columns, 0 * rows], axis=-1).astype(np.uint8)
    mask = (rows + columns) % 3 > 0 if masked else None
    return Picture(rgb, mask, PictureFacts("PNG", 10 * width, 10 * height))


ends = st.tuples(st.floats(0, 1), st.floats(0, 1)).filter(lambda pair: pair[0] < pair[1])


@given(across=ends, down=ends, width=st.integers(1, 30), height=st.integers(1, 30), masked=st.booleans())
def test_a_part_is_every_pixel_that_it_touches(
    across: tuple[float, float], down: tuple[float, float], width: int, height: int, masked: bool
) -> None:
    whole = numbered(width, height, masked)
    part = crop(whole, (across[0], down[0], across[1], down[1]))
    hair = 1e-6

    def touched(ends: tuple[float, float], count: int) -> list[int]:
        inside = [i for i in range(count) if i + 1 > ends[0] * count + hair and i < ends[1] * count - hair]
        return inside or [min(int(ends[0] * count + hair), count - 1)]

    rows, columns = touched(down, height), touched(across, width)
    np.testing.assert_array_equal(part.rgb, whole.rgb[np.ix_(rows, columns)])
    expected = None if whole.mask is None else whole.mask[np.ix_(rows, columns)]
    if expected is None or expected.all():
        assert part.mask is None
    else:
        np.testing.assert_array_equal(part.mask, expected)
    assert part.facts.width == max(1, round((across[1] - across[0]) * (10 * width)))  # of a half, in this very order
    assert not part.rgb.flags.writeable


@pytest.mark.parametrize("size", [(90, 60), (1500, 1000), (700, 1400)])
def test_the_whole_is_the_picture_itself(size: tuple[int, int]) -> None:
    data = encode(scene(*size, 3), "PNG")
    whole, part = read(data), read_part(data, (0, 0, 1, 1))
    np.testing.assert_array_equal(part.rgb, whole.rgb)
    assert part.facts == whole.facts


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
@pytest.mark.parametrize("region", [(0.25, 0.25, 0.5, 0.5), (0.0, 0.5, 0.4, 0.6), (0.05, 0, 1, 0.95)])
def test_a_part_of_a_large_picture_is_as_fine_as_its_file(form: str, region: Region) -> None:
    image = scene(1600, 1200, 5)
    settings = {"quality": 97} if form == "JPEG" else {"compress_level": 0}
    part = read_part(encode(image, form, **settings), region)
    left, top, right, bottom = region
    cut = image.crop((round(left * 1600), round(top * 1200), round(right * 1600), round(bottom * 1200)))
    plain = read(encode(cut, "PNG", compress_level=0))
    assert max(part.rgb.shape[:2]) == min(max(cut.size), WORKING_SIDE)
    assert part.rgb.shape == plain.rgb.shape
    assert np.abs(part.rgb.astype(int) - plain.rgb).mean() < 4


def test_a_part_is_of_the_upright_picture() -> None:
    image = Image.new("RGB", (120, 80), "red")
    image.paste("blue", (0, 0, 120, 40))  # the upper half in the file is at the right when turned by a quarter
    data = encode(image, "JPEG", exif=exif_block(6))
    right, left = read_part(data, (0.6, 0, 1, 1)), read_part(data, (0, 0, 0.4, 1))
    assert right.rgb[..., 2].mean() > 200 > 50 > right.rgb[..., 0].mean()
    assert left.rgb[..., 0].mean() > 200 > 50 > left.rgb[..., 2].mean()


def test_what_is_transparent_stays_so_in_a_part() -> None:
    image = scene(1500, 1500, 6).convert("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 500, 500))
    data = encode(image, "PNG", compress_level=0)
    part = read_part(data, (0, 0, 2 / 3, 2 / 3))
    assert part.mask is not None
    assert part.mask.shape == part.rgb.shape[:2] == (WORKING_SIDE, WORKING_SIDE)
    assert part.mask.mean() == pytest.approx(0.75, abs=0.01)
    assert read_part(data, (0.5, 0.5, 1, 1)).mask is None
