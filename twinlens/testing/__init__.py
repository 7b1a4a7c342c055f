"""Contracts: what every method, kernel, metric, search structure and descriptor promises, as checks for pytest.

Twinlens runs them over its own declarations; a package that adds one runs them over its own class:

    import pytest
    from my_package.spectral import SpectralHashing
    from twinlens.testing import contracts

    @pytest.mark.parametrize("contract", contracts(SpectralHashing), ids=str)
    def test_it_keeps_the_contracts(contract):
        contract()

Each check tries the class with each of its choices and switches on made data. One that fails says what is promised,
and what it found instead.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.metrics.metric import FittedMetric, Metric
from twinlens.core.search.search_structure import CodeSearch

_MODULES = ("declarations", "descriptors", "kernels", "methods", "metrics", "searches")

try:
    import pytest

    # What does not hold is shown with its values.
    pytest.register_assert_rewrite(*(f"{__name__}.{one}" for one in _MODULES))
    from twinlens.testing import declarations, kernels, methods, metrics, searches
except ModuleNotFoundError as error:
    raise TwinlensError(
        "{package} is not installed here.", "Install it: pip install {package}", package=str(error.name)
    ) from error

__all__ = ["Contract", "contracts"]


@dataclass(frozen=True, eq=False)
class Contract:
    """One promise of one declaration; calling it fails where it does not hold.

    Attributes
    ----------
    name : str
        The promise and the text form, such as ``an_item_has_one_code-itq:bits=8``.
    promise : str
        In a sentence.
    """

    name: str
    promise: str
    check: Callable[[], None]

    def __call__(self) -> None:
        """Check it.

        Raises
        ------
        AssertionError
            If it does not hold; says what is promised, and what was found.
        """
        try:
            self.check()
        except (Exception, pytest.fail.Exception) as error:
            found = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
            raise AssertionError(f"{self.name}\nPromised: {self.promise}\nFound: {found}") from error

    def __str__(self) -> str:
        return self.name


def contracts(cls: type[Declaration], **values: Any) -> list[Contract]:
    """Return every contract of a declared class.

    Parameters
    ----------
    **values
        Parameters that it cannot do without, such as the path of a file.
    """
    found = [_named(check, cls.key, partial(check, cls)) for check in declarations.DECLARATION_CONTRACTS]
    return [*found, *_of_family(cls, values)]


def _of_family(cls: type[Declaration], values: dict[str, Any]) -> Iterator[Contract]:
    if issubclass(cls, HashMethod):
        for method in methods.variants(cls):
            yield from (_contract(check, method) for check in methods.METHOD_CONTRACTS)
    elif issubclass(cls, Kernel):
        x = declarations.training_data(n=400, d=130)
        for kernel in kernels.kernel_variants(cls):
            yield from (_contract(check, kernel, x) for check in kernels.KERNEL_CONTRACTS)
    elif issubclass(cls, Metric):
        for metric in metrics.variants(cls):
            yield from (_contract(check, metric) for check in metrics.METRIC_CONTRACTS)
            for of_fitted in metrics.FITTED_CONTRACTS:
                yield _named(of_fitted, metric.text(), partial(_of_fitted, of_fitted, metric))
    elif issubclass(cls, CodeSearch):
        yield from (_contract(check, cls()) for check in searches.SEARCH_CONTRACTS)
    else:
        from twinlens.features.descriptor import Descriptor

        if issubclass(cls, Descriptor):
            from twinlens.testing import descriptors

            for one in descriptors.variants(cls, values):
                yield from (_contract(check, one) for check in descriptors.DESCRIPTOR_CONTRACTS)


def _contract(check: Callable[..., None], made: Declaration, *others: Any) -> Contract:
    return _named(check, made.text(), partial(check, made, *others))


def _named(check: Callable[..., None], text: str, bound: Callable[[], None]) -> Contract:
    return Contract(f"{check.__name__}-{text}", inspect.cleandoc(check.__doc__ or ""), bound)


def _of_fitted(check: metrics.FittedContract, metric: Metric) -> None:
    check(_fitted(metric))


@cache
def _fitted(metric: Metric) -> FittedMetric:
    return metrics.fit(metric, declarations.training_data())
