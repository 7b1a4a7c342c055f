"""Every descriptor keeps the contracts."""

from __future__ import annotations

import re

import pytest

from tests.core.contracts import DECLARATION_CONTRACTS, DeclarationContract
from tests.features.descriptor_contracts import DESCRIPTOR_CONTRACTS, DescriptorContract, variants
from twinlens.features import DESCRIPTORS
from twinlens.features.descriptor import Descriptor

_FOLDERS = re.compile(r"(?<=path=)[^,]*/")  # of files made for the tests: a test's name is the same in every process


@pytest.mark.parametrize("contract", DECLARATION_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("cls", DESCRIPTORS, ids=lambda cls: cls.key)
def test_declaration(cls: type[Descriptor], contract: DeclarationContract) -> None:
    contract(cls)


def test_keys_are_distinct() -> None:
    assert len({cls.key for cls in DESCRIPTORS}) == len(DESCRIPTORS)


@pytest.mark.parametrize("contract", DESCRIPTOR_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize(
    "descriptor", [one for cls in DESCRIPTORS for one in variants(cls)], ids=lambda one: _FOLDERS.sub("", one.text())
)
def test_descriptor(descriptor: Descriptor, contract: DescriptorContract) -> None:
    contract(descriptor)
