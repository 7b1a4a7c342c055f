"""Reading: every kind of file ends as a picture or as a reason, whatever was done to its bytes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFile

from tests.features import by_hand, sample_pictures
from tests.features.checks import check, check_outcome
from tests.features.sample_pictures import BAD, CASES, EITHER, GOOD, Case, encode, exif_block, pixels_of, scene
from twinlens.core.errors import TwinlensError
from twinlens.features.pictures.picture import WORKING_SIDE, Picture, PictureFacts, Region
from twinlens.features.reading.colour_profiles import to_srgb
from twinlens.features.reading.reading import crop, read, read_part
from twinlens.features.reading.reading_limits import (
    DECODER_ERRORS,
    Limits,
    NotAPictureError,
    UnreadableError,
    decoding,
    unreadable,
)


def test_cases_have_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.name)
def test_good_files_are_read(case: Case) -> None:
    check(read(case.make(), case.name))


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.name)
def test_bad_files_have_a_reason_and_a_next_step(case: Case) -> None:
    assert case.reason
    with pytest.raises(UnreadableError) as caught:
        read(case.make(), case.name)
    assert case.reason in str(caught.value.message)
    assert str(caught.value.message).endswith(".")
    assert str(caught.value.advice).endswith(".")


@pytest.mark.parametrize("case", EITHER, ids=lambda case: case.name)
def test_flipped_files_end_as_one_or_the_other(case: Case) -> None:
    check_outcome(case.make())


SMALL = {
    form: encode(scene(24, 16), form)
    for form in ("JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP", "PPM", "JPEG2000", "AVIF", "HEIF")
} | {
    "JPEG, progressive": encode(scene(24, 16), "JPEG", progressive=True, exif=exif_block(6, make="A", model="B")),
    "TIFF, packed": encode(scene(24, 16), "TIFF", compression="tiff_lzw"),
    "TIFF, bits": encode(scene(24, 16).convert("1"), "TIFF", compression="group4"),
    "WebP, lossless": encode(sample_pictures.with_alpha(), "WEBP", lossless=True, exif=exif_block(6)),
    "GIF, animated": encode(scene(24, 16), "GIF", save_all=True, append_images=[scene(24, 16, 1)]),
    "PNG, palette": encode(scene(24, 16).convert("P"), "PNG", exif=exif_block(3)),
    "RAW": by_hand.dng(scene(24, 16)),
}


@pytest.mark.parametrize("form", SMALL)
@given(data=st.data())
@settings(max_examples=60)
def test_no_damage_escapes(form: str, data: st.DataObject) -> None:
    whole = SMALL[form]
    damaged = sample_pictures.flip_bits(whole, data.draw(st.lists(st.integers(0, 8 * len(whole) - 1), max_size=6)))
    damaged = damaged[: data.draw(st.integers(0, len(damaged)) | st.just(len(damaged)))]
    check_outcome(damaged, Limits(memory_bytes=1 << 24, resting_bytes=0))


@given(st.binary(max_size=300))
def test_no_bytes_escape(data: bytes) -> None:
    check_outcome(data)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "BMP", "TIFF"])
def test_of_a_file_that_lacks_its_end_the_rest_is_read(form: str) -> None:
    whole = encode(scene(480, 320), form, **({"interlace": 0} if form == "GIF" else {}))
    expected = read(whole)
    assert expected.facts.metadata is not None
    assert expected.facts.metadata.lacking == 0
    for share, least, most in ((0.98, 0.0, 0.1), (0.8, 0.1, 0.4)):
        picture = read(sample_pictures.cut(whole, share))
        assert picture.facts.metadata is not None
        assert least < picture.facts.metadata.lacking <= most
        assert (picture.facts.width, picture.facts.height) == (480, 320)
        rows = slice(160, 300) if form == "BMP" else slice(0, 160)  # its lowest row comes first
        np.testing.assert_array_equal(picture.rgb[rows], expected.rgb[rows])
    with pytest.raises(UnreadableError):
        read(sample_pictures.cut(whole, 0.3))


def test_damaged_files_leave_no_trace_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    odd = [
        sample_pictures.cut(encode(scene(), form), 0.3)
        for form in ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "AVIF", "HEIF")
    ]
    # Pillow logs this one: more samples to a pixel than there can be.
    fields = {0x0100: 9, 0x0101: 9, 0x0106: 2, 0x0115: 60_000}
    odd.append(by_hand.tiff([([by_hand.Field(tag, 4, [value]) for tag, value in fields.items()], b"-" * 99)]))
    for data in odd:
        with pytest.raises(UnreadableError):
            read(data)
    assert capfd.readouterr() == ("", "")


def test_pillow_stays_strict() -> None:
    assert not ImageFile.LOAD_TRUNCATED_IMAGES
    assert Image.MAX_IMAGE_PIXELS is not None
    assert Limits().memory_bytes < Image.MAX_IMAGE_PIXELS  # it never refuses what these let through


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF", "HEIF"])
def test_facts_of_every_format_that_carries_exif(form: str) -> None:
    block = exif_block(1, "2023:05:14 11:08:00", "Canon", "Canon EOS R5")
    facts = read(encode(scene(), form, exif=block)).facts
    name = {"WEBP": "WebP", "HEIF": "HEIC"}.get(form, form)
    assert replace(facts, metadata=None) == PictureFacts(name, 96, 64, 1, "2023-05-14T11:08:00", "Canon EOS R5")


def test_exif_that_imagemagick_hides_in_a_png() -> None:
    block = exif_block(6, make="Nokia", model="3310")
    hidden = f"\nexif\n{len(block):8}\n{block.hex()}\n".encode()
    text = (b"tEXt", b"Raw profile type exif\0" + hidden)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels_of(scene()))
    picture = read(by_hand.png(96, 64, 8, 2, rows, text))
    assert (picture.facts.camera, picture.facts.width) == ("Nokia 3310", 64)
    broken = (b"tEXt", b"Raw profile type exif\0\nexif\n 9\nnothing of that kind\n")
    assert read(by_hand.png(96, 64, 8, 2, rows, broken)).facts.camera is None


@pytest.mark.parametrize("form", ["JPEG", "WEBP", "AVIF", "HEIF"])
@given(noise=st.binary(min_size=20, max_size=20), start=st.integers(0, 60))
@settings(max_examples=30)
def test_bad_exif_makes_no_good_picture_unreadable(form: str, noise: bytes, start: int) -> None:
    data = bytearray(encode(scene(24, 16), form, exif=exif_block(1, "2023:05:14 11:08:00", "Canon", "Canon EOS")))
    at = data.rfind(b"MM\0*", 0, data.find(b"Canon"))
    assert at > 0
    data[at + start : at + start + 20] = noise
    check(read(bytes(data)))


def test_the_limit_is_on_what_is_held() -> None:
    image = scene(1600, 1200)
    small = Limits(memory_bytes=12_000_000, resting_bytes=0)
    assert read(encode(image, "JPEG"), limits=small).facts.width == 1600  # decoded at half its size
    with pytest.raises(UnreadableError, match=r"1,600 x 1,200 pixels.* 4\d MB of memory. Twinlens allows 12 MB"):
        read(encode(image, "PNG"), limits=small)
    with pytest.raises(UnreadableError, match=r"JPEG .* 1,600 x 1,200"):  # all its coefficients are held
        read(encode(image, "JPEG", progressive=True), limits=small)


@pytest.mark.parametrize("form", ["PNG", "BMP", "TIFF", "GIF", "WEBP", "PPM", "AVIF", "HEIF", "JPEG2000", "JPEG"])
def test_every_format_keeps_to_the_limits(form: str) -> None:
    data = encode(scene(200, 100), form)
    check(read(data, limits=Limits(memory_bytes=200 * 100 * 60, resting_bytes=0, side=200)))
    with pytest.raises(UnreadableError, match="allows 199 pixels"):
        read(data, limits=Limits(side=199))
    with pytest.raises(UnreadableError, match="allows 1 MB"):
        read(encode(scene(800, 600), form), limits=Limits(memory_bytes=99_000, resting_bytes=0))


def test_a_large_bitmap_within_the_limits_is_read_without_a_warning() -> None:
    picture = read(encode(Image.new("1", (12_000, 9_000), 1), "PNG"))  # Pillow itself warns from 89 megapixels
    assert (picture.rgb == 255).all()
    assert picture.rgb.shape == (480, 640, 3)


def test_a_jpeg_with_too_little_data_is_not_painted_grey() -> None:
    with pytest.raises(UnreadableError, match="holds too little"):
        read(by_hand.claiming_jpeg(encode(scene(), "JPEG"), 20_000, 20_000))
    flat = encode(Image.new("L", (4000, 4000)), "JPEG", quality=1, optimize=True)  # as little data as there can be
    assert read(flat).rgb.shape == (640, 640, 3)


def test_bytes_that_are_no_picture() -> None:
    for data in (b"", b"hello", b"\0" * 50, b"%PDF-1.4"):
        with pytest.raises(NotAPictureError):
            read(data, "holiday.jpg")


@pytest.mark.parametrize("name", ["JPEG", "PNG", "WEBP"])
def test_a_picture_can_be_read_larger_to_be_looked_at(name: str) -> None:
    data = encode(scene(1600, 1200), name)
    assert read(data, side=6000).rgb.shape == (1200, 1600, 3)
    assert read(data, side=1000).rgb.shape == (750, 1000, 3)
    assert read(data, side=6000).facts == read(data).facts


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


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError("image file is truncated (4 bytes not processed)"), "cut short"),
        (EOFError(), "cut short"),
        (OSError("broken data stream when reading image file"), "damaged"),
        (SyntaxError("cannot handle 12-bit layers"), "variety that cannot be decoded"),
        (NotImplementedError("no codec available"), "variety that cannot be decoded"),
        (KeyError("RGB;99"), "damaged"),
        (ZeroDivisionError(), "damaged"),
    ],
)
def test_reasons(error: Exception, words: str) -> None:
    with pytest.raises(UnreadableError) as caught, decoding("PNG"):
        raise error
    assert words in str(caught.value.message)
    assert "PNG" in str(caught.value.message)
    assert caught.value.__cause__ is error
    assert str(unreadable("PNG", error)) == str(caught.value)


@pytest.mark.parametrize("error", [MemoryError(), OSError("insufficient memory"), RuntimeError("Out of memory")])
def test_want_of_memory_is_told_apart_however_a_decoder_says_it(error: Exception) -> None:
    with pytest.raises(MemoryError), decoding("PNG"):
        raise error


def test_a_decoder_that_names_memory_is_quoted_where_that_is_not_what_it_lacks() -> None:
    error = RuntimeError("Memory allocation error: Security limit exceeded: a box too many")
    words = "refuses the HEIC picture. It says: Memory allocation error: Security limit exceeded"
    with pytest.raises(UnreadableError, match=words), decoding("HEIC"):
        raise error


def test_reasons_that_are_one_already_are_kept() -> None:
    reason = UnreadableError("It is too large.", "Make it smaller.")
    with pytest.raises(UnreadableError) as caught, decoding("PNG"):
        raise reason
    assert caught.value is reason


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, NameError])
def test_what_no_decoder_raises_is_not_caught(error: type[BaseException]) -> None:
    assert not issubclass(error, DECODER_ERRORS)
    with pytest.raises(error), decoding("PNG"):
        raise error


def test_the_tree_of_errors() -> None:
    assert issubclass(NotAPictureError, UnreadableError)
    assert issubclass(UnreadableError, TwinlensError)


def test_cmyk_is_converted_with_the_right_polarity() -> None:
    inks = {(0, 0, 0, 0): (255, 255, 255), (255, 0, 0, 0): (0, 255, 255), (0, 0, 0, 255): (0, 0, 0)}
    for ink, colour in inks.items():
        for form in ("JPEG", "TIFF"):  # a JPEG's are stored inverted, as Adobe does
            picture = read(encode(Image.new("CMYK", (16, 16), ink), form))
            assert np.abs(picture.rgb.astype(int) - colour).max() <= 2


def test_lab_is_converted() -> None:
    picture = read(encode(Image.new("LAB", (4, 4), (255, 128, 128)), "TIFF"))
    assert picture.rgb.min() >= 253


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "WEBP", "AVIF", "HEIF"])
def test_an_embedded_profile_is_applied(form: str) -> None:
    image = Image.new("RGB", (900, 600), (250, 10, 10))
    swapped = read(encode(image, form, icc_profile=by_hand.icc_profile("Swapped", primaries=(1, 0, 2))))
    assert (swapped.rgb[..., 1] > 200).all()
    assert (swapped.rgb[..., 0] < 60).all()


def test_a_picture_needs_no_profile_to_be_srgb() -> None:
    image = scene()
    for profile in (None, by_hand.icc_profile("sRGB IEC61966-2.1", (1, 0, 2)), b"broken", b"", bytes(200)):
        np.testing.assert_array_equal(read(encode(image, "PNG", icc_profile=profile)).rgb, pixels_of(image))


def test_grey_and_cmyk_profiles_are_for_their_own_pixels() -> None:
    grey = Image.new("L", (8, 8), 128)
    brighter = read(encode(grey, "PNG", icc_profile=by_hand.icc_profile("Grey, gamma 1.8", (), gamma=1.8)))
    assert 140 < brighter.rgb[0, 0, 0] < 152
    assert (brighter.rgb == brighter.rgb[0, 0]).all()
    of_rgb = read(encode(grey, "PNG", icc_profile=by_hand.icc_profile("Swapped", (1, 0, 2), gamma=1.8)))
    assert (of_rgb.rgb == 128).all()
    ink = np.zeros((2, 2, 4), np.uint8)
    assert (to_srgb(ink, "CMYK", by_hand.icc_profile("Swapped", (1, 0, 2))) == 255).all()


def test_a_profile_that_is_linear_is_not_taken_for_srgb() -> None:
    linear = by_hand.icc_profile("sRGB, linear light", gamma=1.0)
    assert read(encode(Image.new("RGB", (4, 4), (55, 55, 55)), "PNG", icc_profile=linear)).rgb[0, 0, 0] > 120


def test_a_damaged_profile_is_ignored() -> None:
    whole = by_hand.icc_profile("Swapped", (1, 0, 2))
    pixels = pixels_of(scene())
    for length in (0, 1, 60, 128, 131, 200, len(whole) // 2):
        np.testing.assert_array_equal(to_srgb(pixels, "RGB", whole[:length]), pixels)


def test_of_an_interlaced_file_every_row_counts() -> None:
    whole = encode(scene(480, 320), "GIF", interlace=1)
    metadata = read(sample_pictures.cut(whole, 0.9)).facts.metadata
    assert metadata is not None
    assert metadata.lacking > 0.05
    with pytest.raises(UnreadableError):
        read(sample_pictures.cut(whole, 0.35))
