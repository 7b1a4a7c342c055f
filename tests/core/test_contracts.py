"""Every member of every family of this package keeps the contracts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.core import contracts
from twinlens.core.declaration.declaration import Declaration
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.methods import METHODS
from twinlens.core.quantization import QUANTIZERS
from twinlens.core.search import SEARCHES

FAMILIES: tuple[Sequence[type[Declaration]], ...] = (METHODS, KERNELS, SEARCHES, QUANTIZERS)


@pytest.mark.parametrize("contract", contracts.DECLARATION_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("cls", [cls for family in FAMILIES for cls in family], ids=lambda cls: cls.key)
def test_declaration(cls: type[Declaration], contract: contracts.DeclarationContract) -> None:
    contract(cls)


@pytest.mark.parametrize("family", FAMILIES, ids=["methods", "kernels", "searches", "quantizers"])
def test_keys_of_a_family_are_distinct(family: Sequence[type[Declaration]]) -> None:
    assert len({cls.key for cls in family}) == len(family)


@pytest.mark.parametrize("contract", contracts.METHOD_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize(
    "method", [method for cls in METHODS for method in contracts.variants(cls)], ids=lambda method: method.text()
)
def test_method(method: HashMethod, contract: contracts.MethodContract) -> None:
    contract(method)


@pytest.mark.parametrize("contract", contracts.KERNEL_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize(
    "kernel", [kernel for cls in KERNELS for kernel in contracts.kernel_variants(cls)], ids=lambda kernel: kernel.text()
)
def test_kernel(kernel: Kernel, contract: contracts.KernelContract) -> None:
    contract(kernel, contracts.training_data(n=400, d=130))


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
@pytest.mark.parametrize("cls", KERNELS, ids=lambda cls: cls.key)
def test_kernel_of_other_floats(cls: type[Kernel], dtype: type[np.floating]) -> None:
    x = contracts.training_data(n=150, d=130).astype(dtype)
    kernel = contracts.made(cls, x)
    contracts.kernel_matrix_is_its_pairs(kernel, x)
    contracts.kernel_pairs_stand_alone(kernel, x)
    contracts.kernel_against_stands_alone(kernel, x)
