"""One measured library for what only looks at it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.lab.making import PLAN, new_library
from twinlens.app.lab.experiments.lab_results import LabRun
from twinlens.app.lab.experiments.runner import run_experiment
from twinlens.app.library.library import Library


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, LabRun]]:
    """Yield a library with a run; nobody changes either."""
    with new_library(tmp_path_factory.mktemp("lab")) as library:
        yield library, run_experiment(library, PLAN)
