"""Packages of Debian and PyPI, with stand-ins for apt and pip: archives and commands."""

from __future__ import annotations

import shutil
import sys
import time
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from tests.app.demo.made_up import MadeUpApt, MadeUpPip, deb, package, sha256, source_archive, wheel
from twinlens.app.demo.archives import ArchiveError, archive_members
from twinlens.app.demo.listing import Package
from twinlens.app.demo.package_sources import (
    CommandOutcome,
    DebianPackages,
    PackageError,
    PackageOffer,
    PypiPackages,
    run,
)
from twinlens.core.errors import Cancelled

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None, reason="dpkg-deb, which reads packages of Debian, is missing"
)
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


WHEEL = package("pypi", "made", {}, version="3.2", archive=CONTENT)


def fetch_wheel(tmp_path: Path, pip: MadeUpPip, wanted: Package = WHEEL) -> tuple[Path, list[int]]:
    source = PypiPackages(tmp_path, pip)
    seen: list[int] = []
    offer = source.offers([wanted], lambda: None)[wanted.name]
    return source.download(wanted, offer, seen.append), seen


def test_archive_of_the_listed_checksum_is_fetched(tmp_path: Path) -> None:
    pip = MadeUpPip({"made": ("made-3.2-any.whl", CONTENT)})
    path, seen = fetch_wheel(tmp_path, pip)
    assert (path.name, path.read_bytes(), seen) == ("made-3.2-any.whl", CONTENT, [len(CONTENT)])
    command = pip.asked[0]
    assert command[0] == sys.executable
    assert {"--no-deps", "--require-hashes"} <= set(command)
    requirement = Path(command[command.index("-r") + 1]).read_text("utf-8")
    assert requirement == f"made==3.2 --hash=sha256:{WHEEL.sha256}\n"


def test_wheel_and_source_archive_are_asked_for_as_such(tmp_path: Path) -> None:
    pip = MadeUpPip({"made": ("made-3.2.tar.gz", CONTENT)})
    fetch_wheel(tmp_path, pip)
    fetch_wheel(tmp_path, pip, WHEEL.model_copy(update={"kind": "source"}))
    assert "--only-binary" in pip.asked[0]
    assert "--platform" in pip.asked[0]
    assert "--no-binary" in pip.asked[1]
    assert "--platform" not in pip.asked[1]


def test_pypi_without_network_the_reason_is_said(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"made could not be fetched \(No matching distribution"):
        fetch_wheel(tmp_path, MadeUpPip({}, connected=False))


def test_archive_of_another_checksum_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="made could not be fetched"):
        fetch_wheel(tmp_path, MadeUpPip({"made": ("made-3.2-any.whl", b"another")}))


def test_missing_pip_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", ModuleType("pip"))
    sys.modules["pip"].__spec__ = ModuleSpec("pip", None)
    assert PypiPackages.missing_program() == ""
    monkeypatch.setattr("twinlens.app.demo.package_sources.find_spec", lambda name: None)
    assert PypiPackages.missing_program() == "pip"


FILES = {"usr/share/a.jpg": b"a", "usr/share/b.png": b"bb" * 1000, "usr/bin/c": b"c"}
ARCHIVES = {
    "xz_1_all.deb": deb(FILES, "xz"),
    "gz_1_all.deb": deb(FILES, "gz"),
    "made-1-py3-none-any.whl": wheel(FILES),
    "made-1.tar.gz": source_archive(FILES, "made-1"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_wanted_files_are_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(ARCHIVES[name])
    assert dict(archive_members(tmp_path / name, lambda path: True)) == FILES
    assert dict(archive_members(tmp_path / name, lambda path: path.endswith(".jpg"))) == {"usr/share/a.jpg": b"a"}


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_cut_archive_is_said(tmp_path: Path, name: str, share: float) -> None:
    content = ARCHIVES[name]
    (tmp_path / name).write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ArchiveError, match="cannot be read"):
        list(archive_members(tmp_path / name, lambda path: True))


@pytest.mark.parametrize("name", ["picture.jpg", "none.deb"])
def test_what_is_no_archive_is_said(tmp_path: Path, name: str) -> None:
    if name != "none.deb":
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ArchiveError, match=name):
        list(archive_members(tmp_path / name, lambda path: True))


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_output_errors_and_code_come_back(tmp_path: Path) -> None:
    outcome = run(
        python("import sys; print('täxt'.encode().decode()[0]); print('no', file=sys.stderr); sys.exit(3)"),
        tmp_path,
        lambda: None,
    )
    assert (outcome.code, outcome.output.split(), outcome.errors.split()) == (3, ["t"], ["no"])


def test_it_runs_in_the_folder_and_keeps_its_temporary_files_there(tmp_path: Path) -> None:
    outcome = run(
        python("import os, tempfile; print(os.getcwd()); print(tempfile.gettempdir())"), tmp_path, lambda: None
    )
    assert [Path(line).resolve() for line in outcome.output.splitlines()] == [tmp_path.resolve()] * 2


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="/proc, which tells whether a process runs, is missing"
)
def test_it_ends_with_what_it_started_when_the_watch_raises(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, pathlib\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "pathlib.Path('started').write_text(str(child.pid))\n"
        "child.wait()\n"
    )

    def watch() -> None:
        if (tmp_path / "started").exists() and (tmp_path / "started").read_text():
            raise Cancelled

    with pytest.raises(Cancelled):
        run(python(code), tmp_path, watch)
    child = int((tmp_path / "started").read_text())
    for _ in range(3000):  # it was told to end, and gets the time for it
        if not _runs(child):
            return
        time.sleep(0.01)
    pytest.fail("what the program had started runs on")


def _runs(process: int) -> bool:
    """Look whether a process runs; one that has ended and is not yet collected does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def test_program_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run(["there-is-no-such-program"], tmp_path, lambda: None)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (
            CommandOutcome(100, "Err:1 x", "W: Failed to fetch y\nE: Unable to locate package z."),
            "Unable to locate package z",
        ),
        (CommandOutcome(0, "Err:1 x", "W: Failed to fetch y  No network"), "Failed to fetch y  No network"),
        (CommandOutcome(1, "", "WARNING: w\nERROR: No matching distribution\n"), "No matching distribution"),
        (CommandOutcome(1, "", "python: No module named pip\n"), "python: No module named pip"),
        (CommandOutcome(9, "", ""), "it ended with code 9"),
    ],
)
def test_reason_is_the_plainest_line(outcome: CommandOutcome, reason: str) -> None:
    assert outcome.reason() == reason
