"""Reading: every kind of file ends as a picture or as a reason, whatever was done to its bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFile

from features.pictures.picture import PictureFacts
from features.reading.reading import read
from features.reading.reading_limits import Limits, NotAPictureError, UnreadableError
from tests.features import by_hand, sample_pictures
from tests.features.checks import check, check_outcome
from tests.features.sample_pictures import BAD, CASES, EITHER, GOOD, Case, encode, exif_block, pixels_of, scene


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
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_cut_file_is_not_read_in_part(form: str, share: float) -> None:
    with pytest.raises(UnreadableError):
        read(sample_pictures.cut(encode(scene(), form), share))


def test_damaged_files_leave_no_trace_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    odd = [
        sample_pictures.cut(encode(scene(), form), 0.7)
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
    assert facts == PictureFacts(name, 96, 64, 1, "2023-05-14T11:08:00", "Canon EOS R5")


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
