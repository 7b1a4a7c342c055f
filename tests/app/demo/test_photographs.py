"""The demo photographs: first time, second time, interrupted, damaged, offline; which they are, and spoiled copies."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from math import inf
from pathlib import Path

import pytest

from tests.app.demo.made_up import (
    MadeUpApt,
    MadeUpPip,
    deb,
    in_place,
    listing,
    package,
    picture,
    sha256,
    wheel,
)
from tests.app.folders import Libraries
from twinlens.app.demo import demo
from twinlens.app.demo.archives import select_photographs
from twinlens.app.demo.demo import NAMES, copy_sections, try_copies
from twinlens.app.demo.listing import (
    FILE,
    LICENCES,
    DemoListing,
    DemoPhotograph,
    FetchedPackage,
    Manifest,
    Source,
    read_manifest,
    write_manifest,
)
from twinlens.app.demo.package_sources import DebianPackages, PackageSource, PypiPackages
from twinlens.app.demo.photographs import DemoPhotographs, fetch_from
from twinlens.app.library.library import Library
from twinlens.app.library.picture_sheet import write_sheet
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.progress import Progress, silent
from twinlens.features.pictures.edits import HARD_EDITS

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None, reason="dpkg-deb, which reads packages of Debian, is missing"
)
FIRST = {"one.jpg": picture("one"), "two.webp": picture("two")}
SECOND = {"three.jpg": picture("three")}
SMALL = {"small.png": picture("small")}
WHEEL = wheel(in_place(SMALL))
LISTING = listing(
    package("debian", "first", FIRST),
    package("debian", "second", SECOND),
    package("pypi", "small", SMALL, archive=WHEEL),
)
DEBIAN_PATHS = ["first/one.jpg", "first/two.webp", "second/three.jpg"]


class Machine:
    """A machine with made-up apt and pip, and the folder that is fetched into."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.apt = MadeUpApt({"first": ("1.0", deb(in_place(FIRST))), "second": ("1.0", deb(in_place(SECOND)))})
        self.pip = MadeUpPip({"small": ("small-1.0-any.whl", WHEEL)})
        self.has_apt = True

    def fetch(self, progress: Progress = silent, wanted: DemoListing = LISTING) -> DemoPhotographs:
        sources: dict[Source, PackageSource] = {"pypi": PypiPackages(self.home / "packages" / "pypi", self.pip)}
        if self.has_apt:
            sources["debian"] = DebianPackages(self.home / "packages" / "debian", self.apt)
        return fetch_from(sources, wanted, self.home, progress)

    def disconnect(self) -> None:
        self.apt.connected = self.pip.connected = False

    def forget_what_was_asked(self) -> None:
        self.apt.asked.clear()
        self.pip.asked.clear()

    def asked(self) -> int:
        return len(self.apt.asked) + len(self.pip.asked)

    def files(self) -> Mapping[str, bytes]:
        folder = self.home / "photographs"
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "demo")


def paths(photographs: DemoPhotographs) -> list[str]:
    return [one.path for one in photographs.photographs]


def test_without_apt_and_pip_it_is_told(tmp_path: Path) -> None:
    with pytest.raises(TwinlensError, match="neither apt-get nor pip"):
        fetch_from({}, LISTING, tmp_path / "demo")


def test_all_are_fetched_with_package_licence_and_author(machine: Machine) -> None:
    fetched = machine.fetch()
    assert paths(fetched) == DEBIAN_PATHS
    assert machine.files() == {"first/one.jpg": FIRST["one.jpg"], "first/two.webp": FIRST["two.webp"]} | {
        "second/three.jpg": SECOND["three.jpg"]
    }
    assert fetched.folder == machine.home / "photographs"
    assert fetched.size == sum(map(len, machine.files().values()))
    assert fetched.packages == ("first 1.0", "second 1.0")
    assert fetched.notes == ()
    first = fetched.photographs[0]
    assert (first.package, first.version, first.licence, first.author) == ("first", "1.0", "CC0-1.0", "A. Body")
    assert first.known
    assert first.free
    assert fetched.licences_file.is_file()


def test_nothing_else_is_left(machine: Machine) -> None:
    machine.fetch()
    assert {path.name for path in machine.home.iterdir()} == {"photographs", "photographs.json", "LICENCES.txt"}


def test_second_time_nothing_is_asked(machine: Machine) -> None:
    first = machine.fetch()
    machine.forget_what_was_asked()
    machine.disconnect()
    assert machine.fetch() == first
    assert machine.asked() == 0


def test_progress_is_in_bytes_and_ends_at_the_total(machine: Machine) -> None:
    seen: list[tuple[float, float, str]] = []
    machine.fetch(lambda done, total, text: seen.append((done, total, str(text))))
    total = sum(len(content) for _, content in machine.apt.packages.values())
    known = [(done, of) for done, of, _ in seen if of]
    assert seen[0][1] == 0
    assert known == sorted(known)
    assert list(known[-1]) == [total, total]
    assert {text for _, _, text in seen} >= {"Fetching first from Debian", "Fetching second from Debian"}


@pytest.mark.parametrize("harm", ["removed", "cut", "changed"])
def test_damaged_file_is_fetched_again(machine: Machine, harm: str) -> None:
    machine.fetch()
    file = machine.home / "photographs" / "first" / "one.jpg"
    content = file.read_bytes()
    file.unlink()
    if harm != "removed":
        file.write_bytes(content[:-1] if harm == "cut" else bytes(len(content)))
    machine.forget_what_was_asked()
    assert paths(machine.fetch()) == DEBIAN_PATHS
    assert machine.files()["first/one.jpg"] == content
    assert machine.apt.asked.count("download") == 1  # the other package is whole


def test_damaged_file_without_network_is_left_out_and_removed(machine: Machine) -> None:
    machine.fetch()
    (machine.home / "photographs" / "first" / "one.jpg").write_bytes(b"damaged")
    machine.disconnect()
    fetched = machine.fetch()
    assert paths(fetched) == DEBIAN_PATHS[1:]
    assert set(machine.files()) == set(DEBIAN_PATHS[1:])
    assert any("tried again" in str(note) for note in fetched.notes)


def test_lost_manifest_means_fetching_again(machine: Machine) -> None:
    machine.fetch()
    (machine.home / "photographs.json").write_text("damaged")
    assert paths(machine.fetch()) == DEBIAN_PATHS


@pytest.mark.parametrize("calls", range(1, 9))
def test_interrupted_at_any_moment_it_goes_on(machine: Machine, calls: int) -> None:
    left = calls

    def stop(done: float, total: float, text: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        machine.fetch(stop)
    assert machine.files().items() <= Machine.files(_fetched(machine)).items()
    assert paths(machine.fetch()) == DEBIAN_PATHS


def _fetched(machine: Machine) -> Machine:
    """Return another machine that was not interrupted."""
    other = Machine(machine.home.parent / "other")
    other.fetch()
    return other


def test_done_package_is_not_fetched_again_after_an_interruption(machine: Machine) -> None:
    def stop(done: float, total: float, text: object) -> None:
        if "second" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        machine.fetch(stop)
    machine.forget_what_was_asked()
    machine.fetch()
    assert machine.apt.asked.count("download") == 1


def test_smaller_set_comes_where_there_is_no_apt(machine: Machine) -> None:
    machine.has_apt = False
    fetched = machine.fetch()
    assert paths(fetched) == ["small/small.png"]
    assert "smaller set" in str(fetched.notes[0])
    machine.forget_what_was_asked()
    assert machine.fetch() == fetched
    assert machine.asked() == 0


def test_smaller_set_comes_where_apt_cannot_fetch(machine: Machine) -> None:
    machine.apt.connected = False
    fetched = machine.fetch()
    assert paths(fetched) == ["small/small.png"]
    assert "No network" in str(fetched.notes[0])
    assert "smaller set" in str(fetched.notes[0])
    machine.forget_what_was_asked()
    assert machine.fetch() == fetched  # and apt is not asked each time
    assert machine.asked() == 0


def test_smaller_set_comes_where_the_distribution_has_none_of_the_packages(machine: Machine) -> None:
    machine.apt.packages.clear()
    assert paths(machine.fetch()) == ["small/small.png"]


def test_without_network_and_without_cache_it_is_said(machine: Machine) -> None:
    machine.disconnect()
    with pytest.raises(TwinlensError, match="could not be fetched") as caught:
        machine.fetch()
    assert "network" in str(caught.value.advice)
    assert machine.files() == {}
    machine.apt.connected = True
    assert paths(machine.fetch()) == DEBIAN_PATHS


def test_package_that_is_not_there_is_noted_and_not_asked_for_again(machine: Machine) -> None:
    del machine.apt.packages["second"]
    fetched = machine.fetch()
    assert paths(fetched) == DEBIAN_PATHS[:2]
    assert [str(one) for one in fetched.notes] == ["Debian does not have the package second here."]
    machine.forget_what_was_asked()
    assert machine.fetch() == fetched
    assert machine.asked() == 0


def test_package_that_cannot_be_fetched_is_noted_and_tried_again(machine: Machine) -> None:
    machine.apt.damaged = frozenset({"second"})
    fetched = machine.fetch()
    assert paths(fetched) == DEBIAN_PATHS[:2]
    assert "second" in str(fetched.notes[0])
    machine.apt.damaged = frozenset()
    assert paths(machine.fetch()) == DEBIAN_PATHS


def test_content_that_is_not_the_listed_one_is_refused_in_the_listed_version(machine: Machine) -> None:
    machine.apt.packages["second"] = ("1.0", deb(in_place({"three.jpg": picture("another")})))
    fetched = machine.fetch()
    assert paths(fetched) == DEBIAN_PATHS[:2]
    assert "not of its checksum" in str(fetched.notes[0])


def test_another_version_is_taken_and_noted(machine: Machine) -> None:
    other = {"one.png": picture("another"), "two.webp": FIRST["two.webp"], "new.jpg": picture("new")}
    machine.apt.packages["first"] = ("2.0", deb(in_place(other)))
    fetched = machine.fetch()
    assert paths(fetched) == ["first/one.png", "first/two.webp", "second/three.jpg"]
    assert [one.known for one in fetched.photographs] == [False, True, True]
    assert [one.version for one in fetched.photographs] == ["2.0", "2.0", "1.0"]
    unknown = fetched.photographs[0]  # another picture, so perhaps another person's
    assert (unknown.licence, unknown.author, unknown.free) == ("see the copyright file of first", "", False)
    note = "first is of version 2.0, the list of 1.0: 2 of 2 photos are in it, 1 of them as listed."
    assert [str(one) for one in fetched.notes] == [note]


def test_another_version_of_the_same_content_needs_no_note(machine: Machine) -> None:
    machine.apt.packages["first"] = ("1.0+deb13u1", deb(in_place(FIRST)))
    assert machine.fetch().notes == ()


def test_equal_contents_are_counted_once(machine: Machine) -> None:
    same = {"one.jpg": FIRST["one.jpg"], "three.jpg": FIRST["one.jpg"]}
    machine.apt.packages["first"] = ("1.0", deb(in_place(same)))
    fetched = machine.fetch(wanted=listing(package("debian", "first", same)))
    assert paths(fetched) == ["first/one.jpg"]


def test_changed_list_is_followed(machine: Machine) -> None:
    machine.fetch()
    shorter = listing(package("debian", "first", {"two.webp": FIRST["two.webp"]}), *LISTING.packages[1:])
    machine.forget_what_was_asked()
    assert paths(machine.fetch(wanted=shorter)) == DEBIAN_PATHS[1:]
    assert set(machine.files()) == set(DEBIAN_PATHS[1:])
    assert machine.apt.asked.count("download") == 1


def test_place_that_cannot_be_written_is_said(machine: Machine) -> None:
    machine.home.parent.mkdir(parents=True, exist_ok=True)
    machine.home.write_text("a file in the way")
    with pytest.raises(TwinlensError, match="cannot be kept"):
        machine.fetch()


def test_every_edit_has_words_for_people() -> None:
    assert set(NAMES) == {edit.name for edit in HARD_EDITS}


def test_copies_are_counted_as_they_were_found_and_shown(
    libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "PHOTOGRAPHS", 2)
    with Library.open(libraries.of(5)) as library:
        trials = try_copies(Searcher(library, check_seconds=inf), silent)
        again = try_copies(Searcher(library, check_seconds=inf), silent)
        made = list(copy_sections(trials, str))
        write_sheet(library, made, OutputFile(tmp_path / "demo.html"))
    assert trials == again
    assert [len(trial.copies) for trial in trials] == [2] * len(HARD_EDITS)
    assert all(copy.found for trial in trials for copy in trial.copies)
    for trial, section in zip(trials, made, strict=True):
        figures = [one for band in section.bands for one in band.figures]
        assert [one.picture for one in figures] == [
            picture for copy in trial.copies for picture in (copy.jpeg, copy.first, copy.nearest)
        ]
        counted = f"a perceptual hash {sum(copy.found_by_hash for copy in trial.copies)}."
        assert section.words[0].endswith(counted)


CONTENT = picture("one")


def photograph(path: str = "x/one.jpg", package: str = "made", changed_ns: int = 0) -> DemoPhotograph:
    return DemoPhotograph(
        path=path,
        package=package,
        version="1.0",
        licence="CC-BY-SA-4.0",
        author="Ä. Body",
        source="https://example.org/one",
        free=False,
        known=True,
        sha256=sha256(CONTENT),
        size=len(CONTENT),
        changed_ns=changed_ns,
    )


def fetched(name: str) -> FetchedPackage:
    return FetchedPackage(name=name, digest="0", version="1.0")


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    manifest = Manifest().with_package("debian", fetched("made"), [photograph()])
    write_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LICENCES}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"form": 2, "source": "debian"}', '{"unknown": 1}'])
def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert read_manifest(tmp_path) == Manifest()


def test_people_can_read_author_licence_and_source(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest().with_package("debian", fetched("made"), [photograph()]))
    text = (tmp_path / LICENCES).read_text("utf-8")
    assert "made 1.0: 1 photos" in text
    assert "x/one.jpg\n    Ä. Body, CC-BY-SA-4.0, https://example.org/one\n" in text
    assert "CC-BY-SA-4.0: https://creativecommons.org/licenses/by-sa/4.0/" in text
    assert "GPL" not in text


def test_package_takes_the_place_of_what_was_there_of_it() -> None:
    manifest = Manifest()
    for name in ("first", "second"):
        manifest = manifest.with_package("debian", fetched(name), [photograph(f"{name}.jpg", name)])
    changed = manifest.with_package("debian", fetched("first"), [photograph("new.jpg", "first")])
    assert [package.name for package in changed.packages] == ["first", "second"]
    assert [one.path for one in changed.photographs] == ["new.jpg", "second.jpg"]


def file_of(tmp_path: Path, content: bytes) -> tuple[Path, DemoPhotograph]:
    path = tmp_path / "x" / "one.jpg"
    path.parent.mkdir()
    path.write_bytes(content)
    return path, photograph(changed_ns=path.stat().st_mtime_ns)


def test_file_as_it_was_is_whole(tmp_path: Path) -> None:
    _, one = file_of(tmp_path, CONTENT)
    assert one.is_whole(tmp_path)


def test_missing_or_shorter_file_is_not_whole(tmp_path: Path) -> None:
    path, one = file_of(tmp_path, CONTENT[:-1])
    assert not one.is_whole(tmp_path)
    path.unlink()
    assert not one.is_whole(tmp_path)


def test_file_of_another_time_is_read(tmp_path: Path) -> None:
    path, one = file_of(tmp_path, CONTENT)
    os.utime(path, ns=(1, 1))
    assert one.is_whole(tmp_path)
    path.write_bytes(bytes(len(CONTENT)))
    os.utime(path, ns=(1, 1))
    assert not one.is_whole(tmp_path)


PICTURES = {"one.jpg": picture("one"), "sub/two.webp": picture("two")}


def archive(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "made_1_all.deb"
    path.write_bytes(content)
    return path


def test_listed_files_are_found_and_others_are_not(tmp_path: Path) -> None:
    more = PICTURES | {"icon.png": b"drawing", "one.txt": b"text", "sub/three.jpg": b"new"}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(more))))
    assert [one.path for one in found] == ["made/one.jpg", "made/two.webp"]
    assert [one.content for one in found] == list(PICTURES.values())
    assert all(one.known for one in found)


def test_other_ending_and_content_are_found_but_not_known(tmp_path: Path) -> None:
    other = {"one.PNG": b"anew", "sub/two.webp": PICTURES["sub/two.webp"]}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(other))))
    assert [(one.path, one.known) for one in found] == [("made/one.png", False), ("made/two.webp", True)]


def test_what_is_missing_is_left_out(tmp_path: Path) -> None:
    assert select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb({"usr/bin/x": b"x"}))) == ()


def test_listed_content_is_preferred_to_a_larger_file(tmp_path: Path) -> None:
    twice = {"one.jpg": PICTURES["one.jpg"], "one.png": picture("larger", 900)}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(twice))))
    assert [one.path for one in found] == ["made/one.jpg"]


def test_largest_is_taken_where_none_is_known(tmp_path: Path) -> None:
    twice = {"one.jpg": picture("small", 90), "one.png": picture("larger", 900)}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(twice))))
    assert [one.path for one in found] == ["made/one.png"]
