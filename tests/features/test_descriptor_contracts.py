"""Every descriptor keeps the contracts, and describes every kind of file."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.features.networks import network_file
from tests.features.sample_pictures import GOOD, oriented, scene
from twinlens.features import DESCRIPTORS
from twinlens.features.descriptor import Descriptor
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read
from twinlens.testing import Contract, contracts
from twinlens.testing.descriptors import fitted, has_its_form, variants

_FOLDERS = re.compile(r"(?<=path=)[^,]*/")  # of files made for the tests: a test's name is the same in every process
_GIVEN: dict[str, dict[str, Any]] = {"network": {"path": network_file(), "side": 64}}
"""What a descriptor cannot do without."""

EVERY = [one for cls in DESCRIPTORS for one in variants(cls, _GIVEN.get(cls.key, {}))]
every_descriptor = pytest.mark.parametrize("descriptor", EVERY, ids=lambda one: _FOLDERS.sub("", one.text()))


@pytest.mark.parametrize(
    "contract",
    [one for cls in DESCRIPTORS for one in contracts(cls, **_GIVEN.get(cls.key, {}))],
    ids=lambda one: _FOLDERS.sub("", str(one)),
)
def test_contract(contract: Contract) -> None:
    contract()


def test_keys_are_distinct() -> None:
    assert len({cls.key for cls in DESCRIPTORS}) == len(DESCRIPTORS)


@cache
def good() -> dict[str, Picture]:
    """Return what must be read, by the names of its files; read once."""
    return {case.name: read(case.make(), case.name) for case in GOOD}


@every_descriptor
def test_every_kind_of_file_has_a_vector_of_its_form(descriptor: Descriptor) -> None:
    described = [name for name, one in good().items() if has_its_form(descriptor, one)]
    assert len(described) > len(GOOD) / 2


@cache
def turned() -> list[Picture]:
    """Return one picture, read from a file of each of the eight orientations."""
    return [read(oriented(scene(150, 90), "PNG", turn)) for turn in range(1, 9)]


@every_descriptor
def test_orientations_have_one_vector(descriptor: Descriptor) -> None:
    extractor = fitted(descriptor)
    vectors = [extractor.extract(one) for one in turned()]
    for vector in vectors:
        np.testing.assert_array_equal(vector, vectors[0])
