"""Promises of every hash method: one code for an item, whatever lies beside it, learned alike from the same data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.testing.declarations import blas_threads, other_values, read_back, stops_wherever_it_says, training_data


def variants(cls: type[HashMethod]) -> list[HashMethod]:
    """Return the method with several lengths of codes, and with each of its choices and switches in turn."""
    few = {"landmarks": 60} if "landmarks" in cls.model_fields else {}  # a tenth of the time, and nothing else
    found = [cls(bits=bits, **few) for bits in (1, 8, 13, 24)]
    plain = cls(bits=13, **few)
    found += [
        plain.changed(**{about.name: other})
        for about in cls.parameters()
        if about.kind in {ParameterKind.CHOICE, ParameterKind.SWITCH, ParameterKind.DECLARATION}
        for other in other_values(about)
    ]
    return found


def input_stays_as_it_is(method: HashMethod) -> None:
    """Learning and encoding write nothing into the vectors that they are given, which may be a mapped file."""
    x = training_data()
    given = x.copy()
    for writeable in (True, False):
        given.setflags(write=writeable)
        encoder = method.fit(given)
        encoder.encode(given)
        encoder.project(given)
        np.testing.assert_array_equal(given, x, err_msg="fit, encode or project has changed its input")


def codes_have_their_shape(method: HashMethod) -> None:
    """Codes are packed to whole bytes, and the bits past the end are zero."""
    x = training_data() / 8  # where no kernel has the same value for all pairs
    encoder = method.fit(x)
    assert isinstance(encoder, method.encoder), "fit returns another class than `encoder` names"
    assert (encoder.bits, encoder.dimensions) == (method.bits, x.shape[1])
    codes = encoder.encode(x)
    assert codes.dtype == np.uint8, f"codes are uint8, eight bits packed into each; encode gives {codes.dtype}"
    assert codes.shape == (len(x), -(-method.bits // 8)), "codes are (n, bits / 8, rounded up)"
    unpacked = np.unpackbits(codes, axis=1, bitorder="little")
    assert not unpacked[:, method.bits :].any(), "bits past the end are set"
    expected = encoder.project(x) >= 0
    np.testing.assert_array_equal(unpacked[:, : method.bits], expected, err_msg="a bit is 1 where project is 0 or more")
    assert encoder.encode(x[:0]).shape == (0, codes.shape[1]), "no vectors have no codes"
    assert len(np.unique(codes, axis=0)) > 1, "all items have the same code"


def fit_is_deterministic(method: HashMethod) -> None:
    """The same seed on the same data learns the same, however they lie in memory; another seed learns otherwise."""
    x = training_data() / 8
    first = method.fit(x).pack().digest()
    again = "fit learns something else the second time: draw from np.random.default_rng(self.seed), and keep no state"
    assert method.fit(x.copy()).pack().digest() == first, again
    assert method.fit(np.asfortranarray(x)).pack().digest() == first, "what fit learns depends on the memory's order"
    if method.draws and method.bits >= 8:  # a single direction may leave nothing to chance
        other = method.changed(seed=method.seed + 1).fit(x).pack().digest()
        assert other != first, "fit ignores self.seed; a method that draws nothing says so by `draws = False`"


def encoder_survives_storage(method: HashMethod) -> None:
    """Taken apart, written and put together again, an encoder gives the same codes."""
    x = training_data()
    encoder = method.fit(x)
    packed = encoder.pack()
    for array in packed.arrays.values():
        assert np.isfinite(array).all()
    again: Encoder = method.encoder.unpack(read_back(packed))
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
    """Learning tells its progress, and stops wherever that says so."""
    x = training_data()
    stops_wherever_it_says(lambda progress: method.fit(x, progress))


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
        encoder = method.fit(few)
        projected = encoder.project(np.concatenate([few, x]))
        assert np.isfinite(projected).all(), f"learned from {len(few)} items, it projects to what is no number"
        codes = encoder.encode(np.concatenate([few, few]))
        np.testing.assert_array_equal(codes[: len(few)], codes[len(few) :])


MethodContract = Callable[[HashMethod], None]
METHOD_CONTRACTS: tuple[MethodContract, ...] = (
    input_stays_as_it_is,
    codes_have_their_shape,
    fit_is_deterministic,
    encoder_survives_storage,
    an_item_has_one_code,
    fit_can_be_cancelled,
    not_a_number_names_the_row,
    blank_items_are_left_out,
    few_items_are_enough,
)
