"""Debian's packages, with a stand-in for apt: what is asked, what is taken, what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.demo.package_sources import CommandOutcome, DebianPackages, PackageError, PackageOffer
from core.errors import Cancelled
from tests.app.demo.packages.made_up import MadeUpApt, package, sha256

CONTENT = b"archive" * 100
MADE = package("debian", "made", {})
OTHER = package("debian", "other", {})


def nothing() -> None:
    """Watch a program without a word."""


def silent(size: int) -> None:
    """Watch a download without a word."""


def test_offers_are_what_apt_knows(tmp_path: Path) -> None:
    apt = MadeUpApt({"made": ("2:1.0-3", CONTENT)})
    offers = DebianPackages(tmp_path, apt).offers([MADE, OTHER], nothing)
    assert offers == {
        "made": PackageOffer("2:1.0-3", "made_2%3a1.0-3_all.deb", len(CONTENT), "sha256", sha256(CONTENT))
    }
    assert apt.asked == ["update", "show"]


def test_without_network_the_reason_is_said(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"list of packages could not be fetched .*No network"):
        DebianPackages(tmp_path, MadeUpApt({"made": ("1", CONTENT)}, connected=False)).offers([MADE], nothing)


def test_failure_for_a_source_that_is_not_needed_does_not_matter(tmp_path: Path) -> None:
    apt = MadeUpApt({"made": ("1", CONTENT)})

    def half(command: list[str], folder: Path, watch: object) -> CommandOutcome:
        outcome = apt(command, folder, nothing)
        return CommandOutcome(100, "", "E: Failed to fetch somebody's archive") if command[4] == "update" else outcome

    assert set(DebianPackages(tmp_path, half).offers([MADE], nothing)) == {"made"}  # type: ignore[arg-type]


def test_distribution_without_the_packages_offers_nothing(tmp_path: Path) -> None:
    assert DebianPackages(tmp_path, MadeUpApt({})).offers([MADE], nothing) == {}


def test_configuration_keeps_to_the_folder_and_runs_nothing_of_the_machine(tmp_path: Path) -> None:
    folder = tmp_path / "ein Ordner ä"
    DebianPackages(folder, MadeUpApt({"made": ("1", CONTENT)})).offers([MADE], nothing)
    lines = (folder / "apt.conf").read_text("utf-8").splitlines()
    for name in ("Dir::State", "Dir::State::Lists", "Dir::Cache"):
        assert any(line.startswith(f'{name} "{folder}/') for line in lines)
    assert "#clear APT::Update::Post-Invoke;" in lines
    assert (folder / "lists" / "partial").is_dir()
    assert (folder / "cache" / "archives" / "partial").is_dir()


def test_folder_that_apt_cannot_be_told_is_said(tmp_path: Path) -> None:
    folder = tmp_path / 'a "quoted" folder'
    if "\\" in str(folder):
        pytest.skip("folders on Windows hold no quotation marks")
    with pytest.raises(PackageError, match="quoted"):
        DebianPackages(folder, MadeUpApt({})).offers([MADE], nothing)


def fetch(tmp_path: Path, apt: MadeUpApt) -> Path:
    source = DebianPackages(tmp_path, apt)
    return source.download(MADE, source.offers([MADE], nothing)["made"], silent)


def test_package_is_fetched(tmp_path: Path) -> None:
    assert fetch(tmp_path, MadeUpApt({"made": ("1", CONTENT)})).read_bytes() == CONTENT


def test_progress_is_told_in_bytes(tmp_path: Path) -> None:
    seen: list[int] = []
    source = DebianPackages(tmp_path, MadeUpApt({"made": ("1", CONTENT)}))
    source.download(MADE, source.offers([MADE], nothing)["made"], seen.append)
    assert seen == [0, len(CONTENT) // 2, len(CONTENT)]


def test_what_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    fetch(tmp_path, MadeUpApt({"made": ("1", CONTENT)}))
    apt = MadeUpApt({"made": ("1", CONTENT)})
    fetch(tmp_path, apt)
    assert "download" not in apt.asked


def test_cancelled_download_goes_on(tmp_path: Path) -> None:
    apt = MadeUpApt({"made": ("1", CONTENT)})
    source = DebianPackages(tmp_path, apt)
    offer = source.offers([MADE], nothing)["made"]

    def stop(size: int) -> None:
        if size:
            raise Cancelled

    with pytest.raises(Cancelled):
        source.download(MADE, offer, stop)
    seen: list[int] = []
    assert source.download(MADE, offer, seen.append).read_bytes() == CONTENT
    assert seen[0] == len(CONTENT) // 2


def test_wrong_beginning_of_an_earlier_run_is_thrown_away(tmp_path: Path) -> None:
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / "made_1_all.deb").write_bytes(b"of another package")
    assert fetch(tmp_path, MadeUpApt({"made": ("1", CONTENT)})).read_bytes() == CONTENT


def test_package_of_a_wrong_checksum_is_refused_and_removed(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="not of the checksum"):
        fetch(tmp_path, MadeUpApt({"made": ("1", CONTENT)}, damaged=frozenset({"made"})))
    assert list((tmp_path / "downloads").iterdir()) == []


def test_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None)
    assert DebianPackages.missing_program() == "apt-get"
    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    assert DebianPackages.missing_program() == ""
