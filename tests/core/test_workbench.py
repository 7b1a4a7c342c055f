"""What scripts and notebooks use."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import DeclarationError, InvalidError, TwinlensError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.method_under_metric import under
from twinlens.core.kernels import KERNELS
from twinlens.core.methods import METHODS
from twinlens.core.methods.itq import Itq
from twinlens.core.metrics import METRICS
from twinlens.core.metrics.metric_priors import Whitening
from twinlens.core.search import SEARCHES
from twinlens.core.workbench import declare, encoder_of_arrays, encoder_to_arrays, nearest_codes
from twinlens.testing.declarations import training_data
from twinlens.testing.methods import variants


@pytest.mark.parametrize("cls", [*METHODS, *KERNELS, *METRICS, *SEARCHES], ids=lambda cls: cls.key)
def test_everything_is_declared_by_its_text(cls: type[Declaration]) -> None:
    made = cls()
    family: Any = next(one.name for one in (METHODS, KERNELS, METRICS, SEARCHES) if cls in one)
    assert declare(made.text(), family) == made
    if family != "method":
        with pytest.raises(DeclarationError, match=rf'declare\("{cls.key}", "{family}"\)'):
            declare(cls.key)


def test_what_is_unknown_is_a_sentence() -> None:
    with pytest.raises(DeclarationError, match="itk"):
        declare("itk:bits=8")


def test_nearest_codes_are_those_of_all_distances() -> None:
    rng = np.random.default_rng(0)
    codes, queries = rng.integers(0, 4, (200, 3)).astype(np.uint8), rng.integers(0, 4, (5, 3)).astype(np.uint8)
    rows, distances = nearest_codes(codes, queries, 20)
    for query, found, far in zip(queries, rows, distances, strict=True):
        every = np.unpackbits(codes ^ query, axis=1).sum(axis=1)
        expected = np.lexsort((np.arange(200), every))[:20]
        assert found.tolist() == expected.tolist()
        assert far.tolist() == every[expected].tolist()


def test_a_structure_that_misses_some_ends_with_none() -> None:
    codes = np.random.default_rng(0).integers(0, 256, (400, 8)).astype(np.uint8)
    rows, distances = nearest_codes(codes, codes[:1], 400, "permuted:lists=1,spread=5")
    found = np.count_nonzero(rows[0] >= 0)
    assert 0 < found < 400
    assert (rows[0, 0], distances[0, 0]) == (0, 0)
    assert (rows[0, found:] == -1).all()
    assert np.array_equal(distances >= 0, rows >= 0)


@pytest.mark.parametrize(
    "method", [method for cls in METHODS for method in variants(cls)], ids=lambda method: method.text()
)
def test_the_encoder_of_every_method_comes_back(method: HashMethod) -> None:
    encoder = method.fit(training_data())
    again = encoder_of_arrays(encoder_to_arrays(encoder))
    assert type(again) is method.encoder
    assert again.pack().digest() == encoder.pack().digest()


def test_an_encoder_under_a_metric_comes_back() -> None:
    x = np.random.default_rng(0).normal(size=(60, 8)).astype(np.float32)
    encoder = under(Whitening().fit(x), Itq(bits=6)).fit(x)
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **encoder_to_arrays(encoder))
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        assert np.array_equal(encoder_of_arrays(arrays).encode(x), encoder.encode(x))


@pytest.mark.parametrize("about", [None, "{}", "3", "[1]", "no JSON", '{"kind": "LinearEncoder", "numbers": 3}'])
def test_what_holds_no_encoder_is_a_sentence(about: str | None) -> None:
    arrays = {} if about is None else {"encoder": np.array(about)}
    with pytest.raises(InvalidError, match="no encoder"):
        encoder_of_arrays(arrays)


def test_a_structure_without_codes_is_a_sentence() -> None:
    codes = np.zeros((3, 1), np.uint8)
    with pytest.raises(TwinlensError, match="searches no codes"):
        nearest_codes(codes, codes, 1, "exact")
