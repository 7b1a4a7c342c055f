"""What every declaration, kernel, hash method and search structure promises, as plain functions over a class.

A new one is under them as soon as its name stands in its tuple.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.threads import blas_threads
from twinlens.core.compilation import compilation
from twinlens.core.declaration import reference_page
from twinlens.core.declaration.declaration import Declaration, declaration_from_json, read_declaration
from twinlens.core.declaration.fitted import Packed
from twinlens.core.declaration.parameters import Parameter, ParameterKind
from twinlens.core.errors import Cancelled, DeclarationError, TwinlensError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.kernels.kernel import Kernel, MonotoneTransform, UnitRange
from twinlens.core.vectors import Vectors

# ---- values of parameters --------------------------------------------------------------------------------------------


def valid_values(about: Parameter) -> st.SearchStrategy[Any]:
    """Draw from everything that the parameter says it accepts."""
    found: list[st.SearchStrategy[Any]] = [st.sampled_from(about.words)] if about.words else []
    if about.optional:
        found.append(st.none())
    if about.kind is ParameterKind.WHOLE:
        low = None if about.lower is None else math.floor(about.lower) + about.lower_open
        high = None if about.upper is None else math.ceil(about.upper) - about.upper_open
        found.append(st.integers(low, high))
    elif about.kind is ParameterKind.NUMBER:
        found.append(
            st.floats(
                about.lower,
                about.upper,
                exclude_min=about.lower_open,
                exclude_max=about.upper_open,
                allow_nan=False,
                allow_infinity=False,
            )
        )
    elif about.kind is ParameterKind.SWITCH:
        found.append(st.booleans())
    elif about.kind is ParameterKind.TEXT:
        found.append(st.from_regex(r"[a-z]{1,9}", fullmatch=True))
    elif about.kind is ParameterKind.DECLARATION:
        assert about.options is not None
        found.extend(declarations(option) for option in about.options())
    return st.one_of(found)


def declarations(cls: type[Declaration]) -> st.SearchStrategy[Declaration]:
    """Draw declarations of a class with any of their parameters given."""
    fields = {about.name: valid_values(about) for about in cls.parameters()}
    return st.fixed_dictionaries({}, optional=fields).map(lambda values: cls(**values))


def wrong_values(about: Parameter) -> Iterator[object]:
    """Yield values that the parameter must refuse."""
    yield []
    if not about.optional:
        yield None
    if about.kind is not ParameterKind.TEXT:
        yield "no such word"
    if about.kind is not ParameterKind.SWITCH:
        yield True
    if about.kind in {ParameterKind.WHOLE, ParameterKind.NUMBER}:
        yield from (math.nan, math.inf, -math.inf, "nan")
        yield from _beyond(about)
    if about.kind is ParameterKind.WHOLE:
        yield 1.5
    if about.kind in {ParameterKind.SWITCH, ParameterKind.CHOICE, ParameterKind.DECLARATION}:
        yield from (0.5, 3)
    if about.kind is ParameterKind.DECLARATION:
        yield {"key": "no-such-key"}


def _beyond(about: Parameter) -> Iterator[float]:
    whole = about.kind is ParameterKind.WHOLE
    if about.lower is not None:
        yield about.lower if about.lower_open else about.lower - 1 if whole else math.nextafter(about.lower, -math.inf)
    if about.upper is not None:
        yield about.upper if about.upper_open else about.upper + 1 if whole else math.nextafter(about.upper, math.inf)


# ---- declarations ----------------------------------------------------------------------------------------------------


def is_well_formed(cls: type[Declaration]) -> None:
    """Key, title, help and every parameter are there, in the form that people and shells expect."""
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cls.key)
    assert cls.title
    assert cls.title[0].isupper()
    assert cls.version >= 1
    assert cls.__doc__
    assert 10 < len(cls.summary()) < 200
    assert cls.summary().endswith(".")
    for about in cls.parameters():
        assert re.fullmatch(r"[a-z][a-z_]*", about.name)
        assert about.help.endswith("."), f"{cls.key}: {about.name} has no help"
        assert about.accepted()


def defaults_are_valid(cls: type[Declaration]) -> None:
    """What holds when nothing is said is within the limits, and can be said."""
    made = cls()
    assert made == cls(**{about.name: about.default for about in cls.parameters()})
    for about in cls.parameters():
        assert getattr(made, about.name) == about.default


def reads_back(cls: type[Declaration]) -> None:
    """Text form, JSON and identity of any valid declaration lead back to it."""

    @settings(max_examples=40)  # for each of many declarations
    @given(declarations(cls))
    def check(made: Declaration) -> None:
        for again in (
            read_declaration((cls,), made.text()),
            read_declaration((cls,), reference_page.whole_text(made)),
            declaration_from_json((cls,), json.loads(json.dumps(made.to_json()))),
            made.changed(),
        ):
            assert again == made
            assert again.identity() == made.identity()
            assert again.text() == made.text()
        assert (made.identity() == cls().identity()) == (made == cls())

    check()


def refuses_wrong_values(cls: type[Declaration]) -> None:
    """A value beyond a limit or of another type, and an unknown name, are errors that name key and parameter."""
    for about in cls.parameters():
        for value in wrong_values(about):
            with pytest.raises(DeclarationError) as caught:
                cls(**{about.name: value})
            assert cls.key in str(caught.value.message), f"{about.name}={value!r}: {caught.value.message!s}"
            assert about.name in str(caught.value.message), f"{about.name}={value!r}: {caught.value.message!s}"
    with pytest.raises(DeclarationError) as caught:
        cls(no_such_parameter=1)
    assert cls.key in str(caught.value.message)
    assert "no_such_parameter" in str(caught.value.message)


def every_parameter_tells(cls: type[Declaration]) -> None:
    """Each parameter that differs shows in text, JSON and identity."""
    plain = cls()
    for about in cls.parameters():
        for other in _others(about):
            made = plain.changed(**{about.name: other})
            assert f"{about.name}=" in made.text()
            assert made.identity() != plain.identity()
            assert made.to_json() != plain.to_json()


def _others(about: Parameter) -> list[object]:
    """Return values that are valid and not the default."""
    candidates: list[object] = [*about.words, about.lower, about.upper]
    if about.kind is ParameterKind.SWITCH:
        candidates = [not about.default]
    if about.kind is ParameterKind.DECLARATION and about.options is not None:
        candidates = [option() for option in about.options()]
    if about.lower_open and about.lower in candidates:
        candidates.remove(about.lower)
    if about.upper_open and about.upper in candidates:
        candidates.remove(about.upper)
    return [value for value in candidates if value is not None and value != about.default]


def has_a_page(cls: type[Declaration]) -> None:
    """The reference page says everything that the declaration says."""
    page = " ".join(reference_page.page(cls).split())
    assert cls.title in page
    assert f"`{cls.key}`" in page
    assert " ".join((cls.__doc__ or "").split("\n\n")[0].split()) in page
    assert cls.paper in page
    assert cls().text() in page
    for about in cls.parameters():
        assert f"`{about.name}`: {about.accepted()}" in page
        assert about.help in page
        assert about.unit in page


DeclarationContract = Callable[[type[Declaration]], None]
DECLARATION_CONTRACTS: tuple[DeclarationContract, ...] = (
    is_well_formed,
    defaults_are_valid,
    reads_back,
    refuses_wrong_values,
    every_parameter_tells,
    has_a_page,
)


# ---- kernels ---------------------------------------------------------------------------------------------------------


def made(cls: type[Kernel], x: Vectors, **values: Any) -> Kernel:
    """Make a kernel with what is ``auto`` found from data."""
    return cls(**values).fitted_to(x, np.random.default_rng(0))


def kernel_variants(cls: type[Kernel]) -> list[Kernel]:
    """Return the kernel as it is and with each of its choices and switches, with what is ``auto`` found from data."""
    x = training_data(n=200, d=130)
    others = [
        {about.name: other}
        for about in cls.parameters()
        if about.kind in {ParameterKind.CHOICE, ParameterKind.SWITCH, ParameterKind.DECLARATION}
        for other in _others(about)
    ]
    return [made(cls, x, **values) for values in [{}, *others]]


def kernel_matrix_is_its_pairs(kernel: Kernel, x: Vectors) -> None:
    """The fast way and the steadfast way agree."""
    z = x[:7]
    matrix = kernel.matrix(x, z)
    assert matrix.shape == (len(x), len(z))
    assert matrix.dtype == np.float64
    for j in range(len(z)):
        np.testing.assert_allclose(matrix[:, j], kernel.pairs(x, z[j : j + 1]), rtol=1e-9, atol=1e-12)


def kernel_pairs_stand_alone(kernel: Kernel, x: Vectors) -> None:
    """A pair has one value, whatever is evaluated beside it, in either order; the diagonal is that of equal items."""
    for threads in (1, 2):
        with blas_threads(threads):
            together = kernel.pairs(x, x[:1])
            for i in range(0, len(x), 5):
                assert kernel.pairs(x[i : i + 1], x[:1])[0] == together[i]
                assert kernel.pairs(x[:1], x[i : i + 1])[0] == together[i]
            np.testing.assert_array_equal(kernel.diagonal(x), kernel.pairs(x, x.copy()))


def kernel_against_is_its_pairs(kernel: Kernel, x: Vectors) -> None:
    """What encoders compute agrees with the other ways as far as float32 does."""
    x = x.astype(np.float32)
    values = kernel.against(x[:7]).values(x)
    assert values.shape == (len(x), 7)
    assert values.dtype == np.float64
    for j in range(7):
        expected = kernel.pairs(x, x[j : j + 1])
        np.testing.assert_allclose(values[:, j], expected, rtol=2e-4, atol=1e-5 * np.abs(expected).max())


def kernel_against_stands_alone(kernel: Kernel, x: Vectors) -> None:
    """A row and a landmark have one value: alone, in a batch, with any threads, compiled or plain."""
    z = x[: len(x) // 4]
    against = kernel.against(z)
    together = against.values(x)
    order = np.random.default_rng(3).permutation(len(x))
    # A landmark alone, too: what an encoder keeps of it does not depend on the others.
    np.testing.assert_array_equal(kernel.against(z[5:6]).values(x)[:, 0], together[:, 5])
    for threads in (1, 2):
        for is_compiled in (True, False):
            with blas_threads(threads), patch.object(compilation, "worth", lambda work, answer=is_compiled: answer):
                np.testing.assert_array_equal(against.values(x[order]), together[order])
                np.testing.assert_array_equal(against.values(np.asfortranarray(x)), together)
                for i in range(0, len(x), 37):
                    np.testing.assert_array_equal(against.values(x[i : i + 1])[0], together[i])
                    np.testing.assert_array_equal(against.values(x[i : i + 1 + i % 70]), together[i : i + 1 + i % 70])
    rows = [rows for rows, block in against.blocks(x) if np.array_equal(block, together[rows])]
    assert [row for part in rows for row in range(part.start, part.stop)] == list(range(len(x)))
    assert against.values(x[:0]).shape == (0, len(z))


def kernel_is_as_definite_as_it_says(kernel: Kernel, x: Vectors) -> None:
    """The matrix of a positive definite kernel has no negative eigenvalue, for histograms."""
    if kernel.positive_definite:
        values = np.linalg.eigvalsh(kernel.matrix(x[:300], x[:300]))
        assert values[0] >= -1e-9 * values[-1]


def kernel_keeps_its_range(kernel: Kernel, x: Vectors) -> None:
    """Values lie in [0, 1] of the rows of which it says so; and the transform is for these alone."""
    x = x.astype(np.float64)
    if kernel.unit_range is UnitRange.NO_ROWS:
        with pytest.raises(TwinlensError, match=kernel.key):
            kernel.check_unit_range(x)
        return
    if kernel.unit_range is UnitRange.UNIT_SUMS:
        with pytest.raises(TwinlensError, match=r"row 3 .*normalise=true"):
            kernel.check_unit_range(np.concatenate([np.zeros((3, x.shape[1])), x]))
        x /= x.sum(axis=1, keepdims=True)
    kernel.check_unit_range(x)
    values = kernel.matrix(x, x[:20])
    assert values.min() >= 0
    assert values.max() <= 1 + 1e-12
    transformed = kernel.against(x[:20], MonotoneTransform(2.0)).values(x)
    np.testing.assert_array_equal(transformed, MonotoneTransform(2.0).of(kernel.against(x[:20]).values(x)))
    np.testing.assert_allclose(transformed, np.exp(2 * (values - 1)), rtol=1e-4)


def kernel_stays_where_it_is(kernel: Kernel, x: Vectors) -> None:
    """Only a translation-invariant kernel gives the same when both items are moved alike."""
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    values, moved = kernel.matrix(x[:50], x[:20]), kernel.matrix(x[:50] + x[20], x[:20] + x[20])
    assert np.allclose(values, moved, rtol=1e-6, atol=1e-12) == kernel.translation_invariant


def kernel_normalises(kernel: Kernel, x: Vectors) -> None:
    """Normalised, every item is 1 to itself, and an item of no length is 0 to all."""
    kernel = kernel.changed(normalise=True)
    np.testing.assert_allclose(kernel.diagonal(x), 1, rtol=1e-12)
    np.testing.assert_allclose(np.diag(kernel.against(x[:30]).values(x[:30])), 1, rtol=1e-5)
    blank = np.zeros((1, x.shape[1]))
    if kernel.norms(blank)[0] == 0:
        for values in (kernel.matrix(x, blank), kernel.against(blank).values(x), kernel.pairs(x, blank)):
            assert not values.any()
    plain = kernel.changed(normalise=False)
    expected = plain.matrix(x, x[:5]) / np.sqrt(plain.diagonal(x)[:, None] * plain.diagonal(x[:5]))
    np.testing.assert_allclose(kernel.matrix(x, x[:5]), expected, rtol=1e-9)


KernelContract = Callable[[Kernel, Vectors], None]
KERNEL_CONTRACTS: tuple[KernelContract, ...] = (
    kernel_matrix_is_its_pairs,
    kernel_pairs_stand_alone,
    kernel_against_is_its_pairs,
    kernel_against_stands_alone,
    kernel_is_as_definite_as_it_says,
    kernel_keeps_its_range,
    kernel_stays_where_it_is,
    kernel_normalises,
)


# ---- hash methods ----------------------------------------------------------------------------------------------------


def training_data(n: int = 400, d: int = 24, seed: int = 7) -> npt.NDArray[np.float32]:
    """Make non-negative vectors of decaying spectrum, that any method can learn from."""
    rng = np.random.default_rng(seed)
    mixed = rng.standard_normal((n, d)) * np.arange(1, d + 1) ** -0.8 @ rng.standard_normal((d, d))
    return np.abs(mixed + 1).astype(np.float32)


def variants(cls: type[HashMethod]) -> list[HashMethod]:
    """Return the method with several lengths of codes, and with each of its choices and switches in turn."""
    few = {"landmarks": 60} if "landmarks" in cls.model_fields else {}  # a tenth of the time, and nothing else
    found = [cls(bits=bits, **few) for bits in (1, 8, 13, 24)]
    plain = cls(bits=13, **few)
    found += [
        plain.changed(**{about.name: other})
        for about in cls.parameters()
        if about.kind in {ParameterKind.CHOICE, ParameterKind.SWITCH, ParameterKind.DECLARATION}
        for other in _others(about)
    ]
    return found


def codes_have_their_shape(method: HashMethod) -> None:
    """Codes are packed to whole bytes, and the bits past the end are zero."""
    x = training_data() / 8  # where no kernel has the same value for all pairs
    encoder = method.fit(x)
    assert isinstance(encoder, method.encoder)
    assert (encoder.bits, encoder.dimensions) == (method.bits, x.shape[1])
    codes = encoder.encode(x)
    assert codes.dtype == np.uint8
    assert codes.shape == (len(x), -(-method.bits // 8))
    unpacked = np.unpackbits(codes, axis=1, bitorder="little")
    assert not unpacked[:, method.bits :].any()
    np.testing.assert_array_equal(unpacked[:, : method.bits], encoder.project(x) >= 0)
    assert encoder.encode(x[:0]).shape == (0, codes.shape[1])
    assert len(np.unique(codes, axis=0)) > 1


def fit_is_deterministic(method: HashMethod) -> None:
    """The same seed on the same data learns the same, however they lie in memory; another seed learns otherwise."""
    x = training_data() / 8
    first = method.fit(x)
    assert method.fit(x.copy()).pack().digest() == first.pack().digest()
    assert method.fit(np.asfortranarray(x)).pack().digest() == first.pack().digest()
    if method.draws and method.bits >= 8:  # a single direction may leave nothing to chance
        assert method.changed(seed=method.seed + 1).fit(x).pack().digest() != first.pack().digest()


def encoder_survives_storage(method: HashMethod) -> None:
    """Taken apart, written and put together again, an encoder gives the same codes."""
    x = training_data()
    encoder = method.fit(x)
    packed = encoder.pack()
    for array in packed.arrays.values():
        assert np.isfinite(array).all()
    written = Packed(
        packed.kind,
        json.loads(json.dumps(packed.numbers)),
        {
            name: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)
            for name, array in packed.arrays.items()
        },
    )
    again: Encoder = method.encoder.unpack(written)
    assert again.pack().digest() == packed.digest()
    np.testing.assert_array_equal(again.encode(x), encoder.encode(x))


def an_item_has_one_code(method: HashMethod) -> None:
    """Alone or in a batch, at any place of it, with any number of threads, in any float type: one code."""
    x = training_data(n=1_000)  # from about which on a product of so few columns is one for several threads
    encoder = method.fit(x[:200])
    codes, projected = encoder.encode(x), encoder.project(x)
    order = np.random.default_rng(3).permutation(len(x))
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(encoder.encode(x[order]), codes[order])
            np.testing.assert_array_equal(encoder.project(x[order]), projected[order])
            np.testing.assert_array_equal(encoder.encode(np.asfortranarray(x)), codes)
            np.testing.assert_array_equal(encoder.encode(x.astype(np.float64)), codes)
            for i in range(0, len(x), 61):
                np.testing.assert_array_equal(encoder.encode(x[i : i + 1])[0], codes[i])
                np.testing.assert_array_equal(encoder.encode(x[i : i + 1 + i % 70]), codes[i : i + 1 + i % 70])


def fit_can_be_cancelled(method: HashMethod) -> None:
    """Progress is told more than once, in shares that never go back, and stops the work wherever it says so."""
    x = training_data()
    shares: list[float] = []
    method.fit(x, lambda done, total, text: shares.append(done / total))
    assert len(shares) >= 2
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    for stop in {0, len(shares) // 2, len(shares) - 1}:
        calls = iter(range(len(shares)))

        def progress(done: float, total: float, text: object, stop: int = stop, calls: Iterator[int] = calls) -> None:
            if next(calls) == stop:
                raise Cancelled

        with pytest.raises(Cancelled):
            method.fit(x, progress)


def not_a_number_names_the_row(method: HashMethod) -> None:
    """NaN, infinity and another length are errors that say where, in learning and in encoding."""
    x = training_data()
    encoder = method.fit(x)
    for bad in (np.nan, np.inf, -np.inf):
        spoilt = x.copy()
        spoilt[317, 5] = bad
        for use in (method.fit, encoder.encode, encoder.project):
            with pytest.raises(TwinlensError, match=r"Row 317\b"):
                use(spoilt)
    with pytest.raises(TwinlensError, match="25 dimensions"):
        encoder.encode(np.ones((3, 25)))


def blank_items_are_left_out(method: HashMethod) -> None:
    """Items that are zero throughout teach nothing, and have a code all the same."""
    x = training_data()
    with_blanks = np.insert(x, [0, 7, 7, len(x)], 0, axis=0)
    encoder = method.fit(with_blanks)
    assert encoder.pack().digest() == method.fit(x).pack().digest()
    assert encoder.encode(np.zeros((2, x.shape[1]))).shape == (2, -(-method.bits // 8))
    for nothing in (np.zeros((5, 24)), np.zeros((0, 24))):
        with pytest.raises(TwinlensError, match="nothing to learn from"):
            method.fit(nothing)


def few_items_are_enough(method: HashMethod) -> None:
    """One item, two, or many that are all equal can be learned from, and equal items have equal codes."""
    x = training_data()
    for few in (x[:1], x[:2], np.repeat(x[:1], 50, axis=0)):
        codes = method.fit(few).encode(np.concatenate([few, few]))
        np.testing.assert_array_equal(codes[: len(few)], codes[len(few) :])


MethodContract = Callable[[HashMethod], None]
METHOD_CONTRACTS: tuple[MethodContract, ...] = (
    codes_have_their_shape,
    fit_is_deterministic,
    encoder_survives_storage,
    an_item_has_one_code,
    fit_can_be_cancelled,
    not_a_number_names_the_row,
    blank_items_are_left_out,
    few_items_are_enough,
)
