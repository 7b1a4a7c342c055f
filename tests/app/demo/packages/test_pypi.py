"""Packages from PyPI, with a stand-in for pip."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from app.demo.listing import Package
from app.demo.package_sources import PackageError, PypiPackages
from tests.app.demo.packages.made_up import MadeUpPip, package

CONTENT = b"archive" * 100
MADE = package("pypi", "made", {}, version="3.2", archive=CONTENT)


def fetch(tmp_path: Path, pip: MadeUpPip, wanted: Package = MADE) -> tuple[Path, list[int]]:
    source = PypiPackages(tmp_path, pip)
    seen: list[int] = []
    offer = source.offers([wanted], lambda: None)[wanted.name]
    return source.download(wanted, offer, seen.append), seen


def test_archive_of_the_listed_checksum_is_fetched(tmp_path: Path) -> None:
    pip = MadeUpPip({"made": ("made-3.2-any.whl", CONTENT)})
    path, seen = fetch(tmp_path, pip)
    assert (path.name, path.read_bytes(), seen) == ("made-3.2-any.whl", CONTENT, [len(CONTENT)])
    command = pip.asked[0]
    assert command[0] == sys.executable
    assert {"--no-deps", "--require-hashes"} <= set(command)
    requirement = Path(command[command.index("-r") + 1]).read_text("utf-8")
    assert requirement == f"made==3.2 --hash=sha256:{MADE.sha256}\n"


def test_wheel_and_source_archive_are_asked_for_as_such(tmp_path: Path) -> None:
    pip = MadeUpPip({"made": ("made-3.2.tar.gz", CONTENT)})
    fetch(tmp_path, pip)
    fetch(tmp_path, pip, MADE.model_copy(update={"kind": "source"}))
    assert "--only-binary" in pip.asked[0]
    assert "--platform" in pip.asked[0]
    assert "--no-binary" in pip.asked[1]
    assert "--platform" not in pip.asked[1]


def test_without_network_the_reason_is_said(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"made could not be fetched \(No matching distribution"):
        fetch(tmp_path, MadeUpPip({}, connected=False))


def test_archive_of_another_checksum_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="made could not be fetched"):
        fetch(tmp_path, MadeUpPip({"made": ("made-3.2-any.whl", b"another")}))


def test_missing_pip_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", ModuleType("pip"))
    sys.modules["pip"].__spec__ = ModuleSpec("pip", None)
    assert PypiPackages.missing_program() == ""
    monkeypatch.setattr("app.demo.package_sources.find_spec", lambda name: None)
    assert PypiPackages.missing_program() == "pip"
