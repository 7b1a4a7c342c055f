"""Promises of every descriptor: one vector for a picture, of the form that it says, near to that of a copy."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from twinlens.core.arrays import UInt8Pixels
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read
from twinlens.testing.declarations import blas_threads, read_back, stops_wherever_it_says

_LEARNED_FROM = 12
_SMALL = {"centres": 8, "dimensions": 5, "samples": _LEARNED_FROM}
_COUNTED = {"sift-words": {"centres": 64}, "pyramid-match": {"centres": 64}}
"""Where words are only counted, few of them do not tell pictures apart."""


def variants(cls: type[Descriptor], given: dict[str, Any]) -> list[Descriptor]:
    """Return the descriptor with given values, and with each of its choices and switches; small where it learns."""
    found = [cls(**given)]
    for about in cls.parameters():
        if about.kind in {ParameterKind.CHOICE, ParameterKind.SWITCH}:
            others = [not about.default] if about.kind is ParameterKind.SWITCH else about.words
            found += [cls(**given, **{about.name: other}) for other in others if other != about.default]
    return [_small(one) if one.learns else one for one in found]


def _small(descriptor: Descriptor) -> Descriptor:
    """Have it learn little; words that come along are as many as come along."""
    names = set(type(descriptor).model_fields)
    if getattr(descriptor, "vocabulary", "own") != "own":
        names.discard("centres")
    values = _SMALL | _COUNTED.get(descriptor.key, {})
    return descriptor.changed(**{name: value for name, value in values.items() if name in names})


def scene(width: int = 96, height: int = 64, seed: int = 0) -> Image.Image:
    """Make a picture with colours, edges and corners that looks different in all eight orientations."""
    return Image.fromarray(_scene(width, height, seed))  # a new one: saving leaves traces on an image


@cache
def _scene(width: int, height: int, seed: int) -> UInt8Pixels:
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    layers = (255 * x / max(width - 1, 1), 255 * y / max(height - 1, 1), 128 + 100 * np.sin((x + 2 * y) / 9))
    pixels = np.stack(layers, axis=-1)
    for _ in range(12):
        top, left = rng.integers(0, height), rng.integers(0, width)
        pixels[top : top + max(2, height // 5), left : left + max(2, width // 6)] = rng.integers(0, 256, 3)
    grain = rng.normal(0, 3, (64, 64, 3))
    pixels += np.tile(grain, (height // 64 + 1, width // 64 + 1, 1))[:height, :width]
    rounded: UInt8Pixels = np.clip(pixels, 0, 255).astype(np.uint8)
    return rounded


def encode(image: Image.Image, form: str, **settings: Any) -> bytes:
    """Encode a picture as Pillow does."""
    target = io.BytesIO()
    image.save(target, form, **settings)
    return target.getvalue()


def picture(seed: int = 0, width: int = 240, height: int = 160) -> Picture:
    """Read a made scene."""
    return read(encode(scene(width, height, seed), "PNG"))


@cache
def kept(seed: int = 0) -> Picture:
    """Return a made scene that was read once, with what descriptors share of it."""
    return picture(seed)


@cache
def copied() -> Picture:
    """Return a copy of the first scene as JPEG, read once."""
    return read(encode(scene(240, 160), "JPEG", quality=70))


@cache
def cut_out() -> list[Picture]:
    """Return the first scene, seen in part alone, over three levels that are not seen."""
    whole = kept()
    rows, columns = np.indices(whole.rgb.shape[:2])
    mask = np.hypot(rows - 80, columns - 120) < 60 + 15 * np.cos(9 * np.arctan2(rows - 80, columns - 120))
    over = [np.where(mask[..., None], whole.rgb, np.uint8(level)) for level in (0, 128, 255)]
    return [Picture(rgb, mask, whole.facts) for rgb in over]


def sample() -> Iterator[Picture]:
    """Yield pictures to learn from."""
    for seed in range(_LEARNED_FROM):
        yield kept(seed)


def never() -> Iterator[Picture]:
    """Stand for a sample that must not be looked at."""
    raise AssertionError("a descriptor that learns nothing looked at the sample")


@cache
def fitted(descriptor: Descriptor) -> Extractor:
    """Return what was fitted once, with pictures only where it learns."""
    return fitted_anew(descriptor)


def fitted_anew(descriptor: Descriptor) -> Extractor:
    """Fit, with pictures only where it learns."""
    pictures: Pictures = sample if descriptor.learns else never
    return descriptor.fit(pictures)


def fits_as_it_says(descriptor: Descriptor) -> None:
    """It gives its kind of extractor, and asks for a sample just where it learns."""
    assert isinstance(fitted(descriptor), descriptor.extractor)
    assert (descriptor.sample_size > 0) == descriptor.learns
    assert descriptor.plain_name


def has_its_form(descriptor: Descriptor, picture: Picture) -> bool:
    """Check the vector of a picture: so many finite numbers, alike to itself by exactly 1, or zero throughout.

    Returns
    -------
    bool
        Whether there is something to describe.
    """
    vector = fitted(descriptor).extract(picture)
    size = "x".join(map(str, picture.rgb.shape[:2]))
    assert vector.shape == (descriptor.dimensions,), f"a picture of {size} has another number of dimensions"
    assert vector.dtype == np.float32, f"vectors are float32; extract gives {vector.dtype}"
    assert np.isfinite(vector).all(), f"a picture of {size} has what is no number"
    if vector.any():
        assert descriptor.measure.diagonal(vector[None, :])[0] == pytest.approx(1, abs=1e-5)
    if descriptor.measure.non_negative:
        assert (vector >= 0).all()
    return bool(vector.any())


def a_picture_stays_as_it_is(descriptor: Descriptor) -> None:
    """Describing a picture writes nothing into its pixels, which all descriptors share."""
    given = picture()
    before = given.rgb.copy()
    fitted(descriptor).extract(given)
    np.testing.assert_array_equal(given.rgb, before, err_msg="extract has changed the picture")


def vectors_have_their_form(descriptor: Descriptor) -> None:
    """Whatever the picture, its vector has the form that the descriptor says."""
    if descriptor.matrix_shape is not None:
        assert descriptor.matrix_shape[0] * descriptor.matrix_shape[1] == descriptor.dimensions
    shapes = ((240, 160), (160, 240), (61, 47), (200, 9))
    described = [has_its_form(descriptor, picture(1, *shape)) for shape in shapes]
    assert any(described)
    for flat in (Image.new("RGB", (40, 30)), Image.new("RGB", (1, 1), "white")):
        has_its_form(descriptor, read(encode(flat, "PNG")))


def vectors_survive_float16(descriptor: Descriptor) -> None:
    """Libraries keep float16: that takes next to nothing away."""
    vector = fitted(descriptor).extract(kept())
    stored = vector.astype(np.float16).astype(np.float32)
    assert descriptor.measure.pairs(vector[None, :], stored[None, :])[0] == pytest.approx(1, abs=2e-3)


def a_picture_has_one_vector(descriptor: Descriptor) -> None:
    """Read again, after other pictures, with one thread or two: the same in every bit."""
    extractor = fitted(descriptor)
    expected = extractor.extract(kept())
    threads = cv2.getNumThreads()
    try:
        for count in (1, 2):
            cv2.setNumThreads(count)
            with blas_threads(count):
                extractor.extract(kept(5))
                again = extractor.extract(picture())
                np.testing.assert_array_equal(again, expected, err_msg="the same picture has another vector")
    finally:
        cv2.setNumThreads(threads)


def copies_are_nearer_than_others(descriptor: Descriptor) -> None:
    """A copy as JPEG is more alike than any other picture."""
    extractor = fitted(descriptor)
    copy = extractor.extract(copied())
    pictures: list[Vector] = [extractor.extract(kept(seed)) for seed in range(8)]
    likeness = descriptor.measure.matrix(copy[None, :], np.array(pictures))[0]
    assert likeness.argmax() == 0
    assert likeness[0] > likeness[1:].max() + 0.01


def what_is_transparent_does_not_count(descriptor: Descriptor) -> None:
    """Whatever lies under what is transparent, the vector is the same, to the bit."""
    extractor = fitted(descriptor)
    vectors = [extractor.extract(one) for one in cut_out()]
    assert vectors[0].any()
    for one in vectors[1:]:
        np.testing.assert_array_equal(one, vectors[0])


def extractor_survives_storage(descriptor: Descriptor) -> None:
    """Taken apart, written and put together again, an extractor gives the same vectors."""
    extractor = fitted(descriptor)
    packed = extractor.pack()
    again = descriptor.extractor.unpack(read_back(packed))
    assert again.pack().digest() == packed.digest()
    np.testing.assert_array_equal(again.extract(kept()), extractor.extract(kept()))


def fit_is_deterministic(descriptor: Descriptor) -> None:
    """The same pictures and seed learn the same."""
    assert fitted_anew(descriptor).pack().digest() == fitted(descriptor).pack().digest()


def fit_can_be_cancelled(descriptor: Descriptor) -> None:
    """Where it learns, it tells its progress, and stops wherever that says so."""
    if descriptor.learns:
        stops_wherever_it_says(lambda progress: descriptor.fit(sample, progress))


DescriptorContract = Callable[[Descriptor], None]
DESCRIPTOR_CONTRACTS: tuple[DescriptorContract, ...] = (
    fits_as_it_says,
    a_picture_stays_as_it_is,
    vectors_have_their_form,
    vectors_survive_float16,
    a_picture_has_one_vector,
    copies_are_nearer_than_others,
    what_is_transparent_does_not_count,
    extractor_survives_storage,
    fit_is_deterministic,
    fit_can_be_cancelled,
)
