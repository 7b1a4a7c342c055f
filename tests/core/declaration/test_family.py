"""Declarations of installed packages join our families, and none of them can do harm there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.installed_package import install
from twinlens.core.declaration.declaration import Declaration, find_member, read_declaration
from twinlens.core.declaration.family import Family
from twinlens.core.errors import DeclarationError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.kernels import KERNELS
from twinlens.core.methods import METHODS
from twinlens.core.methods.itq import Itq
from twinlens.core.metrics import METRICS
from twinlens.core.search import SEARCHES
from twinlens.features.descriptor import SINGLE_DESCRIPTORS

TOY = """
from twinlens.core.methods.lsh import Lsh

class Toy(Lsh):
    \"\"\"Draws hyperplanes as LSH does.\"\"\"
    key = "{key}"
    title = "Toy"
"""


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("package_"):
            del sys.modules[name]


def family() -> Family[HashMethod]:
    """Return the hash methods as a process that starts now sees them."""
    return Family("method", HashMethod, METHODS.own)


def offer(folder: Path, name: str, source: str, **points: str) -> None:
    install(folder, name, source, {"twinlens.method": points})
    sys.path.append(str(folder))


def test_an_installed_declaration_is_read_and_listed_like_ours(tmp_path: Path) -> None:
    offer(tmp_path, "package_toy", TOY.format(key="toy"), toy="package_toy:Toy")
    methods = family()
    assert [member.key for member in methods] == [*METHODS.own, "toy"]
    assert len(methods) == len(METHODS.own) + 1
    assert methods[-1].title == "Toy"
    assert methods.refused == ()
    made = read_declaration(methods, "toy:bits=96")
    assert (made.text(), made.bits) == ("toy:bits=96", 96)


def test_ours_are_found_without_importing_a_package(tmp_path: Path) -> None:
    offer(tmp_path, "package_toy", TOY.format(key="toy"), toy="package_toy:Toy")
    methods = family()
    assert find_member(methods, "itq") is Itq
    assert "package_toy" not in sys.modules
    assert find_member(methods, "toy").key == "toy"
    assert "package_toy" in sys.modules


@pytest.mark.parametrize(
    ("source", "key", "value", "reason"),
    [
        (TOY.format(key="itq"), "itq", "package_bad:Toy", "itself has"),
        ("import no_such_module", "toy", "package_bad:Toy", "ModuleNotFoundError"),
        ("1 / 0", "toy", "package_bad:Toy", "ZeroDivisionError"),
        (TOY.format(key="toy"), "toy", "package_bad:Missing", "AttributeError"),
        (
            TOY.format(key="toy") + '    odd: type("Odd", (), {})\n',
            "toy",
            "package_bad:Toy",
            "PydanticSchemaGenerationError",
        ),
        ("Toy = 3", "toy", "package_bad:Toy", "is no HashMethod"),
        (
            "from twinlens.core.kernels.dot_product_kernels import Linear as Toy",
            "linear",
            "package_bad:Toy",
            "is no HashMethod",
        ),
        (TOY.format(key="other"), "toy", "package_bad:Toy", "“other”"),
        (TOY.format(key="Toy"), "Toy", "package_bad:Toy", "small letters"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_reason(
    tmp_path: Path, source: str, key: str, value: str, reason: str
) -> None:
    offer(tmp_path, "package_bad", source, **{key: value})
    methods = family()
    assert [one.key for one in methods] == list(METHODS.own)
    (refused,) = methods.refused
    assert (refused.family, refused.key, refused.package) == ("method", key, "package-bad")
    assert reason in str(refused.reason)


def test_two_packages_with_one_name_are_both_refused(tmp_path: Path) -> None:
    for name in ("package_one", "package_two"):
        offer(tmp_path / name, name, TOY.format(key="toy"), toy=f"{name}:Toy")
    methods = family()
    assert {one.package for one in methods.refused} == {"package-one", "package-two"}
    with pytest.raises(DeclarationError, match="toy"):
        find_member(methods, "toy")


def test_a_package_that_is_found_twice_counts_once(tmp_path: Path) -> None:
    for folder in (tmp_path / "first", tmp_path / "second"):
        offer(folder, "package_toy", TOY.format(key="toy"), toy="package_toy:Toy")
    assert [one.key for one in family()][-1] == "toy"


@pytest.mark.parametrize("family", [KERNELS, METHODS, METRICS, SEARCHES, SINGLE_DESCRIPTORS], ids=lambda one: one.name)
def test_our_own_stand_under_their_keys(family: Family[Declaration]) -> None:
    assert [member.key for member in map(family.member, family.own) if member] == list(family.own)


def test_one_that_is_asked_for_imports_no_other() -> None:
    program = (
        "import sys; from twinlens.core.methods import METHODS;"
        "from twinlens.core.declaration.declaration import read_declaration;"
        "read_declaration(METHODS, 'lsh:bits=8'); assert 'twinlens.core.methods.lsh' in sys.modules;"
        "print([key for key, place in METHODS.own.items() if place.partition(':')[0] in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == "['lsh', 'bilinear-lsh']", "a method stands in one file with its variants"
