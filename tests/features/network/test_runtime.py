"""The library that runs networks: no word of it leaves the machine, or it is not used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.features.networks import both_signs, network
from twinlens.core import telemetry
from twinlens.core.declaration.declaration import read_declaration as declared
from twinlens.core.errors import TwinlensError
from twinlens.features import DESCRIPTORS
from twinlens.features.network import ready_made_network, runtime
from twinlens.features.network.network import NetworkExtractor
from twinlens.testing.descriptors import never

ROOT = Path(__file__).parents[3]

FIRST = ("twinlens", "twinlens.core.message", "twinlens.features.descriptor", "twinlens.app.library.workers.worker")
"""What a script or a process may import first."""


@pytest.fixture(autouse=True)
def _not_yet_imported() -> Iterator[None]:
    runtime.import_runtime.cache_clear()
    yield
    runtime.import_runtime.cache_clear()


def run(program: str, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=clean | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_silent_version_is_the_one_that_is_asked_for_and_installed() -> None:
    (wanted,) = [
        one
        for one in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["pictures"]
        if one.startswith(runtime.PACKAGE)
    ]
    major, minor = map(int, runtime.SILENT.split("."))
    assert wanted == f"{runtime.PACKAGE}>={runtime.SILENT},<{major}.{minor + 1}"
    assert version(runtime.PACKAGE).startswith(f"{runtime.SILENT}.")
    assert runtime.runtime_refusal() is None


@pytest.mark.skipif(sys.platform != "linux", reason="the names of libraries are Linux's")
def test_it_knows_the_switch() -> None:
    (variable, _) = telemetry._SWITCHES[runtime.PACKAGE]
    folder = Path(runtime.import_runtime().__file__ or "").parent / "capi"
    (library,) = folder.glob("onnxruntime_pybind11_state*.so")
    names = set(re.findall(rb"[A-Z_]{3,}TELEMETRY[A-Z_]*", library.read_bytes()))
    assert variable.encode() in names


@pytest.mark.parametrize("module", FIRST)
def test_whatever_is_imported_first_switches_it_off(module: str) -> None:
    print_it = f"import os, sys, {module}; print(os.environ['ORT_DISABLE_TELEMETRY'], 'onnxruntime' in sys.modules)"
    assert run(print_it, ORT_DISABLE_TELEMETRY="0") == "1 False"


def test_another_version_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "own.onnx"
    own.write_bytes(network(both_signs()))
    extractors = NetworkExtractor.of("efficientnet-lite0"), declared(DESCRIPTORS, f"network:path={own}").fit(never)
    monkeypatch.setattr(runtime, "version", lambda _: "1.33.0")
    monkeypatch.setitem(sys.modules, runtime.PACKAGE, None)  # to import it would be an error
    runtime.import_runtime.cache_clear()
    why = r"onnxruntime 1\.33\.0 is not used: only of 1\.32"
    for extractor in extractors:
        assert re.match(why, str(extractor.unusable()))
    assert re.match(why, str(ready_made_network.missing_for_networks("efficientnet-lite0")))
    for action in (runtime.import_runtime, lambda: declared(DESCRIPTORS, "network").fit(never)):
        with pytest.raises(TwinlensError, match=rf"{why}.*Install onnxruntime 1\.32"):
            action()


BEFORE = """
import onnxruntime
from twinlens import workbench
from twinlens.features.network import runtime
refused = runtime.runtime_refusal()
print(refused)
"""


def test_one_that_a_script_imported_before_is_not_used() -> None:
    told = run(BEFORE, CI="1")  # by which it keeps still here
    assert told.startswith("onnxruntime is not used: it was imported before Twinlens")
    assert run(BEFORE, ORT_DISABLE_TELEMETRY="1") == "None"
