"""What every descriptor promises, as plain functions over a declaration.

A new one is under them as soon as it stands in `features.DESCRIPTORS`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from tests.core.threads import blas_threads
from tests.features.networks import network_file
from tests.features.sample_pictures import GOOD, encode, oriented, scene
from twinlens.core.declaration.fitted import Packed
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.errors import Cancelled
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read

_LEARNED_FROM = 12
_SMALL = {"centres": 8, "dimensions": 5, "samples": _LEARNED_FROM}
_COUNTED = {"sift-words": {"centres": 64}, "pyramid-match": {"centres": 64}}
"""Where words are only counted, few of them do not tell pictures apart."""


_GIVEN: dict[str, dict[str, Any]] = {"network": {"path": network_file(), "side": 64}}
"""What a descriptor cannot do without."""


def variants(cls: type[Descriptor]) -> list[Descriptor]:
    """Return the descriptor by default, and with each of its choices and switches in turn; small where it learns."""
    given = _GIVEN.get(cls.key, {})
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


def picture(seed: int = 0, width: int = 240, height: int = 160) -> Picture:
    """Read a made scene."""
    return read(encode(scene(width, height, seed), "PNG"))


@cache
def kept(seed: int = 0) -> Picture:
    """Return a made scene that was read once, with what descriptors share of it."""
    return picture(seed)


@cache
def good() -> dict[str, Picture]:
    """Return what must be read, by the names of its files; read once."""
    return {case.name: read(case.make(), case.name) for case in GOOD}


@cache
def turned() -> list[Picture]:
    """Return one picture, read from a file of each of the eight orientations."""
    return [read(oriented(scene(150, 90), "PNG", turn)) for turn in range(1, 9)]


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


def vectors_have_their_form(descriptor: Descriptor) -> None:
    """Whatever the picture: so many finite numbers, alike to itself by exactly 1, or zero throughout."""
    extractor = fitted(descriptor)
    if descriptor.matrix_shape is not None:
        assert descriptor.matrix_shape[0] * descriptor.matrix_shape[1] == descriptor.dimensions
    described = 0
    for name, one in good().items():
        vector = extractor.extract(one)
        assert vector.shape == (descriptor.dimensions,), name
        assert vector.dtype == np.float32, name
        assert np.isfinite(vector).all(), name
        if vector.any():
            described += 1
            assert descriptor.measure.diagonal(vector[None, :])[0] == pytest.approx(1, abs=1e-5), name
        if descriptor.measure.non_negative:
            assert (vector >= 0).all(), name
    assert described > len(GOOD) / 2


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
                np.testing.assert_array_equal(extractor.extract(picture()), expected)
    finally:
        cv2.setNumThreads(threads)


def orientations_have_one_vector(descriptor: Descriptor) -> None:
    """A picture stored in any of the eight ways is one picture."""
    extractor = fitted(descriptor)
    vectors = [extractor.extract(one) for one in turned()]
    for vector in vectors:
        np.testing.assert_array_equal(vector, vectors[0])


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
    written = Packed(
        packed.kind,
        json.loads(json.dumps(packed.numbers)),
        {
            name: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)
            for name, array in packed.arrays.items()
        },
    )
    again = descriptor.extractor.unpack(written)
    assert again.pack().digest() == packed.digest()
    np.testing.assert_array_equal(again.extract(kept()), extractor.extract(kept()))


def fit_is_deterministic(descriptor: Descriptor) -> None:
    """The same pictures and seed learn the same."""
    assert fitted_anew(descriptor).pack().digest() == fitted(descriptor).pack().digest()


def fit_can_be_cancelled(descriptor: Descriptor) -> None:
    """Where it learns, progress is told in shares that never go back, and stops the work wherever it says so."""
    shares: list[float] = []
    descriptor.fit(sample, lambda done, total, text: shares.append(done / total))
    assert (len(shares) >= 2) == descriptor.learns
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    for stop in {0, len(shares) // 2, len(shares) - 1} if descriptor.learns else set():
        calls = iter(range(len(shares)))

        def progress(done: float, total: float, text: object, stop: int = stop, calls: Iterator[int] = calls) -> None:
            if next(calls) == stop:
                raise Cancelled

        with pytest.raises(Cancelled):
            descriptor.fit(sample, progress)


DescriptorContract = Callable[[Descriptor], None]
DESCRIPTOR_CONTRACTS: tuple[DescriptorContract, ...] = (
    fits_as_it_says,
    vectors_have_their_form,
    vectors_survive_float16,
    a_picture_has_one_vector,
    orientations_have_one_vector,
    copies_are_nearer_than_others,
    what_is_transparent_does_not_count,
    extractor_survives_storage,
    fit_is_deterministic,
    fit_can_be_cancelled,
)
