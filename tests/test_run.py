"""`run.py`: what it offers, refuses and finds out. Setting up itself is tried by running it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

import run
from tests.test_project import PYPROJECT, locked

SOURCE = (run.ROOT / "run.py").read_text(encoding="utf-8")


def test_it_can_be_read_by_an_old_python() -> None:
    ast.parse(SOURCE, feature_version=(3, 7))


def test_it_imports_the_standard_library_only() -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Import):
            imported.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_it_supports_the_versions_of_the_project() -> None:
    allowed = SpecifierSet(PYPROJECT["project"]["requires-python"])
    assert all(f"{major}.{minor}" in allowed for major, minor in run.SUPPORTED)
    assert f"3.{run.SUPPORTED[0][1] - 1}" not in allowed
    assert all(f"{major}.{minor}" in run.refusal((3, 6, 0)) for major, minor in run.SUPPORTED)


@pytest.mark.parametrize("version", [(3, 9, 2), (3, 10, 0), (3, 15, 0), (4, 0, 0)])
def test_another_python_is_refused_in_one_sentence(version: tuple[int, ...]) -> None:
    sentence = run.refusal(version)
    assert f"this is Python {version[0]}.{version[1]}" in sentence
    assert "\n" not in sentence


def test_without_a_known_command_it_shows_what_it_offers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 2
    assert run.main(["unknown"]) == 2
    assert run.main(["--help"]) == 0
    listing = capsys.readouterr().err
    for name in ("demo", "app", "test", "check", "lock"):
        assert f"\n  {name} " in listing


def test_workflows_ask_for_what_it_offers() -> None:
    yaml: Any = pytest.importorskip("yaml")
    for file in (run.ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
        lines = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
        asked = {name for line in lines for name in re.findall(r"run\.py (\w+)", line)}
        assert asked
        assert asked <= run.COMMANDS.keys()


def test_types_are_checked_for_every_system() -> None:
    assert {sys.platform, *run.ELSEWHERE} == {"linux", "darwin", "win32"}
    assert all((run.ROOT / name).exists() for name in run.PROGRAM)


@pytest.mark.parametrize(("name", "module"), [("bench", "benchmarks"), ("papers", "papers")])
def test_a_command_is_offered_when_what_it_runs_exists(
    name: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ROOT", tmp_path)
    assert not run.is_offered(name)
    (tmp_path / "science" / module).mkdir(parents=True)
    (tmp_path / "science" / module / "__main__.py").touch()
    assert run.is_offered(name)


def test_what_can_be_mended_ends_in_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_network(*_: object, **__: object) -> None:
        run.quietly([sys.executable, "-c", "print('no' + 'ise'); print('ERROR: no network'); raise SystemExit(1)"])

    monkeypatch.setattr(run, "prepare", no_network)
    assert run.main(["app"]) == 2
    told = capsys.readouterr().err
    assert "ERROR: no network" in told
    assert "then run this again" in told
    assert "noise" not in told


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libGL.so.1", "libgl1"),
        ("libEGL.so.1", "libegl1"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libfontconfig.so.1", "libfontconfig1"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libgthread-2.0.so.0", "libglib2.0-0"),
        ("libxkbcommon.so.0", "libxkbcommon0"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxcb-icccm.so.4", "libxcb-icccm4"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
    ],
)
def test_the_debian_package_of_a_library(library: str, package: str) -> None:
    assert run.debian_package(library) == package


def test_the_exit_code_and_the_signal_of_what_is_run_pass_through() -> None:
    assert run.run([sys.executable, "-c", "raise SystemExit(7)"]) == 7
    if os.name == "posix":
        assert run.run([sys.executable, "-c", "import os; os.kill(os.getpid(), 15)"]) == 128 + 15


def test_an_installation_that_was_broken_off_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "site_packages", lambda: tmp_path)
    whole = tmp_path / "numpy-2.0.dist-info"
    whole.mkdir()
    (whole / "RECORD").touch()
    assert not run.is_torn()
    (tmp_path / "~umpy").mkdir()
    assert run.is_torn()
    (tmp_path / "~umpy").rmdir()
    (whole / "RECORD").unlink()
    assert run.is_torn()


def test_the_record_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "RECORD", tmp_path / "record.json")
    assert run.read_record() == {}
    run.write_record({"python": "3.11"})
    assert run.read_record() == {"python": "3.11"}
    (tmp_path / "record.json").write_text("{", encoding="utf-8")
    assert run.read_record() == {}


def test_the_digest_of_the_project_leaves_the_settings_of_tools_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ROOT", tmp_path)
    text = '[build-system]\nrequires = []\n[project]\nname = "twinlens"\n'
    digests = []
    for addition in ("", "[tool.ruff]\nline-length = 120\n", 'version = "2"\n'):
        (tmp_path / "pyproject.toml").write_text(text + addition, encoding="utf-8")
        digests.append(run.project_digest())
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_all_names_of_a_lock_are_found(name: str) -> None:
    assert run.locked_names(name) == set(locked(name))


def test_qt_is_hidden_from_python_and_from_the_processes_it_starts() -> None:
    question = (
        "import importlib.util as u; print(u.find_spec('PySide6'), u.find_spec('shiboken6'), u.find_spec('numpy'))"
    )
    nested = f"import subprocess, sys; raise SystemExit(subprocess.call([sys.executable, '-c', {question!r}]))"
    environment = {**os.environ, "PYTHONPATH": str(run.WITHOUT_QT)}
    answer = subprocess.run([sys.executable, "-c", nested], env=environment, capture_output=True, text=True, check=True)
    assert answer.stdout.startswith("None None ModuleSpec(")
