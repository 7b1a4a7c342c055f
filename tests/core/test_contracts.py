"""Every member of every family of this package keeps the contracts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.methods import METHODS
from twinlens.core.metrics import METRICS
from twinlens.core.quantization import QUANTIZERS
from twinlens.core.search import SEARCHES
from twinlens.testing import Contract, contracts
from twinlens.testing.declarations import training_data
from twinlens.testing.kernels import (
    kernel_against_stands_alone,
    kernel_matrix_is_its_pairs,
    kernel_pairs_stand_alone,
    made,
)

FAMILIES: tuple[Sequence[type[Declaration]], ...] = (METHODS, KERNELS, METRICS, SEARCHES, QUANTIZERS)


@pytest.mark.parametrize("contract", [one for family in FAMILIES for cls in family for one in contracts(cls)], ids=str)
def test_contract(contract: Contract) -> None:
    contract()


@pytest.mark.parametrize("family", FAMILIES, ids=["methods", "kernels", "metrics", "searches", "quantizers"])
def test_keys_of_a_family_are_distinct(family: Sequence[type[Declaration]]) -> None:
    assert len({cls.key for cls in family}) == len(family)


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
@pytest.mark.parametrize("cls", KERNELS, ids=lambda cls: cls.key)
def test_kernel_of_other_floats(cls: type[Kernel], dtype: type[np.floating]) -> None:
    x = training_data(n=150, d=130).astype(dtype)
    kernel = made(cls, x)
    kernel_matrix_is_its_pairs(kernel, x)
    kernel_pairs_stand_alone(kernel, x)
    kernel_against_stands_alone(kernel, x)
