"""Networks are tried in the tests' own process, unless a test asks for `trial_process`: to start one takes longest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from twinlens.features.network import network_trial


@pytest.fixture
def trial_process() -> None:
    """Have networks tried in a process of their own, as the program does."""


@pytest.fixture(autouse=True)
def _tried_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "trial_process" not in request.fixturenames:
        monkeypatch.setattr(network_trial, "_tried_elsewhere", _asked_here)


def _asked_here(try_it: Callable[..., Sequence[Any]], path: str, *about: Any) -> Sequence[Any]:
    return try_it(path, *about)
