"""A package from elsewhere runs the contracts over its own class."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from twinlens.core.methods.lsh import Lsh
from twinlens.core.search.linear_scan import Exact
from twinlens.testing import contracts

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = """
from typing import ClassVar

import numpy as np

from twinlens.core.declaration.declaration import parameter
from twinlens.core.hashing.hash_method import Encoder, HashMethod, LinearEncoder
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors, training_vectors


class Axes(HashMethod):
    \"\"\"Draws as many axes as bits, and says on which side of the mean an item lies.\"\"\"

    key = "axes"
    title = "Axes"
    paper = "Nobody, nowhere"
    encoder: ClassVar[type[Encoder]] = LinearEncoder

    def fit(self, x: Vectors, progress: Progress = silent) -> LinearEncoder:
        progress(0, 2, Message("Drawing"))
        x = training_vectors(x)
        progress(1, 2, Message("Drawing"))
        rng = np.random.default_rng(self.seed)
        axes = rng.normal(size=(x.shape[1], self.bits)).astype(np.float32)
        return LinearEncoder.of(x.mean(axis=0), axes)
"""

TESTS = """
import pytest
from my_package import Axes
from twinlens.testing import contracts

@pytest.mark.parametrize("contract", contracts(Axes), ids=str)
def test_it_keeps_the_contracts(contract):
    contract()
"""


@pytest.mark.parametrize(
    ("line", "wrong", "broken", "found"),
    [
        ("", "", "", ""),
        ("self.seed", "None", "fit_is_deterministic", "fit learns something else the second time"),
        ("self.seed", "0", "fit_is_deterministic", "fit ignores self.seed"),
        ("x.mean(axis=0)", "np.subtract(x, 1, out=x).mean(axis=0)", "input_stays_as_it_is", "has changed its input"),
        ("axes)", "axes / (len(x) > 1))", "few_items_are_enough", "learned from 1 items"),
    ],
)
def test_a_package_from_elsewhere(line: str, wrong: str, broken: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "my_package.py").write_text(PACKAGE.replace(line, wrong) if line else PACKAGE)
    (tmp_path / "test_axes.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:pytest-qt", "test_axes.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = {line.partition("[")[2].partition("-axes")[0] for line in done.stdout.splitlines() if "FAILED" in line}
    assert ({broken} if broken else set()) <= failed, done.stdout
    assert done.returncode == (1 if broken else 0), done.stdout
    assert found in done.stdout


def test_every_family_has_contracts_of_its_own() -> None:
    assert len(contracts(Exact)) < len(contracts(Lsh))
    names = [str(one) for one in contracts(Lsh)]
    assert len(set(names)) == len(names)
    assert "an_item_has_one_code-lsh:bits=8" in names
