"""One class makes a hash method: with nothing but its name in the tuple it is found everywhere, under all contracts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.core import kernels, methods
from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration import reference_page
from twinlens.core.declaration.declaration import Nested, declaration_from_json, parameter, read_declaration
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.errors import DeclarationError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors, training_vectors
from twinlens.testing.declarations import DECLARATION_CONTRACTS, DeclarationContract, training_data
from twinlens.testing.kernels import KERNEL_CONTRACTS, KernelContract
from twinlens.testing.methods import METHOD_CONTRACTS, MethodContract, an_item_has_one_code, variants


class ToyGaussian(Kernel):
    """exp(-gamma |x - z|²), narrower the larger gamma is."""

    key = "toy-gaussian"
    title = "Gaussian"
    translation_invariant = True
    gamma: float = parameter(1.0, gt=0, le=1_000, help="Inverse width. Larger sees nearer neighbours only.")

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        return np.square(x - z)

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        return np.asarray(np.exp(-self.gamma * sums))


@dataclass(frozen=True, eq=False)
class ToyEncoder(Encoder):
    """Whether an item is more like one landmark than like another."""

    nearer: npt.NDArray[np.float64]
    farther: npt.NDArray[np.float64]
    kernel: str

    @property
    def bits(self) -> int:
        return len(self.nearer)

    @property
    def dimensions(self) -> int:
        return int(self.nearer.shape[1])

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        kernel = read_declaration(kernels.KERNELS, self.kernel)
        columns = [
            kernel.pairs(block, a[None]) - kernel.pairs(block, b[None])
            for a, b in zip(self.nearer, self.farther, strict=True)
        ]
        return np.stack(columns, axis=1)


class Toy(HashMethod):
    """Turns vectors into bits by asking which of two drawn items they are more like. Choose it in tests."""

    key = "toy"
    title = "Toy of the tests"
    paper = "Nobody, nowhere"
    encoder: ClassVar[type[Encoder]] = ToyEncoder

    kernel: Annotated[Kernel, Nested(lambda: kernels.KERNELS)] = parameter(
        Linear(), help="By what two items are compared."
    )

    def fit(self, x: Vectors, progress: Progress = silent) -> ToyEncoder:
        progress(0, 2, Message("Drawing"))
        x = training_vectors(x).astype(np.float64)
        progress(1, 2, Message("Drawing"))
        drawn = x[np.random.default_rng(self.seed).integers(len(x), size=(2, self.bits))]
        return ToyEncoder(drawn[0], drawn[1], self.kernel.text())


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the names in the tuples: all that there is to do."""
    monkeypatch.setattr(methods, "METHODS", (*methods.METHODS, Toy))
    monkeypatch.setattr(kernels, "KERNELS", (*kernels.KERNELS, ToyGaussian))


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        ("toy:bits=24", Linear()),
        ("toy:bits=24,kernel=chi-square", ChiSquare()),
        ("toy:bits=24,kernel=toy-gaussian", ToyGaussian()),
        ("toy:bits=24,kernel=toy-gaussian(gamma=0.5)", ToyGaussian(gamma=0.5)),
        ("toy:bits=24,kernel=toy-gaussian,kernel.gamma=0.5", ToyGaussian(gamma=0.5)),
    ],
)
def test_found_by_its_text_form(text: str, kernel: Kernel) -> None:
    made = read_declaration(methods.METHODS, text)
    assert made == Toy(bits=24, kernel=kernel)
    assert read_declaration(methods.METHODS, made.text()) == made


def test_found_in_json() -> None:
    made = Toy(bits=24, kernel=ToyGaussian(gamma=0.5))
    written = json.dumps(made.to_json())
    assert json.loads(written)["kernel"] == {"key": "toy-gaussian", "normalise": False, "gamma": 0.5}
    assert declaration_from_json(methods.METHODS, json.loads(written)) == made


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("toi", "Did you mean “toy”"),
        ("toy:bits=0", "toy: bits must be a whole number from 1 to 65,472, not 0"),
        ("toy:kernle=linear", "Did you mean “kernel”"),
        (
            "toy:kernel=toy-gaussian(gamma=0)",
            "toy-gaussian: gamma must be a number above 0 and of at most 1,000, not 0",
        ),
        ("toy:kernel=toy-gaussian(gama=1)", "Did you mean “gamma”"),
        ("toy:kernel=toy-gausian", "toy-gaussian"),
    ],
)
def test_found_in_what_is_said_of_mistakes(text: str, says: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        read_declaration(methods.METHODS, text)
    assert says in str(caught.value)


def test_found_in_identities() -> None:
    identities = {
        made.identity()
        for made in (
            Toy(),
            Toy(bits=24),
            Toy(kernel=ChiSquare()),
            Toy(kernel=ToyGaussian()),
            Toy(kernel=ToyGaussian(gamma=0.5)),
        )
    }
    assert len(identities) == 5
    assert Toy(kernel=ToyGaussian(gamma=1.0)).identity() == Toy(kernel=ToyGaussian()).identity()


def test_found_in_what_a_form_shows() -> None:
    bits, seed, kernel = Toy.parameters()
    assert [bits.name, seed.name, kernel.name] == ["bits", "seed", "kernel"]
    assert kernel.kind is ParameterKind.DECLARATION
    assert kernel.options is not None
    assert ToyGaussian in kernel.options()
    gamma, normalise = ToyGaussian.parameters()
    assert normalise.name == "normalise"
    assert (gamma.lower, gamma.lower_open, gamma.upper, gamma.default) == (0, True, 1_000, 1.0)


def test_found_in_the_reference() -> None:
    page = " ".join(reference_page.page(Toy).split())
    assert "Nobody, nowhere." in page
    assert "- `kernel=toy-gaussian`: exp(-gamma |x - z|²), narrower the larger gamma is." in page
    assert "- `gamma`: a number above 0 and of at most 1,000; 1 by default. Inverse width." in page
    assert "`toy:kernel=polynomial,kernel.a=1`" in page


@pytest.mark.parametrize("contract", DECLARATION_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("cls", [Toy, ToyGaussian], ids=lambda cls: cls.key)
def test_under_the_contracts_of_declarations(cls: type[Toy] | type[ToyGaussian], contract: DeclarationContract) -> None:
    contract(cls)


@pytest.mark.parametrize("contract", METHOD_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("bits", [1, 8, 13])
def test_under_the_contracts_of_methods(bits: int, contract: MethodContract) -> None:
    contract(Toy(bits=bits, kernel=ToyGaussian(gamma=0.1)))


def test_each_of_its_choices_is_under_them_too() -> None:
    assert Toy(bits=13, kernel=ToyGaussian()) in variants(Toy)


@pytest.mark.parametrize("contract", KERNEL_CONTRACTS, ids=lambda contract: contract.__name__)
def test_under_the_contracts_of_kernels(contract: KernelContract) -> None:
    contract(ToyGaussian(gamma=0.1), training_data(n=300))


def test_a_method_that_codes_by_batch_is_caught() -> None:
    class Careless(ToyEncoder):
        """Codes an item by its neighbours in the batch."""

        def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
            projected = super().project_block(block)
            return np.asarray(projected - projected.mean(axis=0))

    class CarelessToy(Toy):
        """Fits as the toy does. Its encoder does not keep the promise."""

        encoder: ClassVar[type[Encoder]] = Careless

        def fit(self, x: Vectors, progress: Progress = silent) -> ToyEncoder:
            made = super().fit(x, progress)
            return Careless(made.nearer, made.farther, made.kernel)

    with pytest.raises(AssertionError):
        an_item_has_one_code(CarelessToy(bits=8))
