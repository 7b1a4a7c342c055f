"""The desktop's thumbnails are used where they are true, and made where the person wants that."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.folders import write_scene
from tests.features.sample_pictures import encode, scene
from twinlens.app.library import desktop_thumbnails
from twinlens.app.library.desktop_thumbnails import OriginalFile, find, folder, is_ours, share, to_keep
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.library.pictures import all_thumbnails, present_thumbnails, thumbnails
from twinlens.app.machine import preferences
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.desktop_thumbnail import desktop_thumbnail, read_thumbnail_facts
from twinlens.features.reading.reading import read

WIDTH, HEIGHT = 480, 320


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of thumbnails of a made desktop."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path / "cache" / "thumbnails"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        yield made


def photograph(path: Path, seed: int = 1) -> OriginalFile:
    """Write a photograph, and give it as a file manager sees it."""
    write_scene(path, seed, WIDTH, HEIGHT)
    status = path.stat()
    return OriginalFile(os.fsencode(path), status.st_size, status.st_mtime_ns, WIDTH, HEIGHT)


def leave(
    cache: Path, of: OriginalFile, size: str = "large", side: int = 256, seed: int = 1, says: Mapping[str, str] = {}
) -> Path:
    """Leave a thumbnail, as a file manager does."""
    said = {"Thumb::URI": of.address, "Thumb::MTime": str(of.changed), "Software": "GNOME::ThumbnailFactory"}
    said |= says
    (cache / size).mkdir(parents=True, exist_ok=True)
    (cache / size / of.name).write_bytes(desktop_thumbnail(picture(seed), said, side))
    return cache / size / of.name


def picture(seed: int = 1) -> Picture:
    return read(encode(scene(WIDTH, HEIGHT, seed), "PNG"))


def test_the_folder_is_where_the_standard_says(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert folder() == cache
    for not_absolute in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", not_absolute)
        monkeypatch.setenv("HOME", str(tmp_path))
        assert folder() == tmp_path / ".cache" / "thumbnails"
    monkeypatch.setattr("sys.platform", "darwin")
    assert folder() is None


def test_addresses_are_written_as_file_managers_write_them() -> None:
    made = OriginalFile("/Bilder/März 2021/ä;#?[1].jpg".encode() + b"\xff", 0, 0, 1, 1)
    assert made.address == "file:///Bilder/M%C3%A4rz%202021/%C3%A4%3B%23%3F%5B1%5D.jpg%FF"
    assert made.name == hashlib.md5(made.address.encode()).hexdigest() + ".png"


@pytest.mark.parametrize(("size", "side"), [("large", 256), ("x-large", 400)])
def test_a_true_thumbnail_is_found(cache: Path, tmp_path: Path, size: str, side: int) -> None:
    one = photograph(tmp_path / "one.jpg")
    assert find(one) is None
    left = leave(cache, one, size, side, says={"Thumb::Size": str(one.size)})
    found = find(one)
    assert found is not None
    assert found[0] == left.read_bytes()
    assert not is_ours(found[1])


def test_what_is_not_true_any_more_or_too_small_is_not_found(cache: Path, tmp_path: Path) -> None:
    one = photograph(tmp_path / "one.jpg")
    leave(cache, one, "normal", 128)
    assert find(one) is None
    leave(cache, one, side=128)
    assert find(one) is None
    assert find(one, least=128) is not None
    left = leave(cache, one)
    assert find(one) is not None
    assert find(replace(one, mtime_ns=one.mtime_ns + 10**9)) is None
    assert find(replace(one, width=HEIGHT, height=WIDTH)) is None  # made by a program that does not turn photographs
    left.rename(left.with_name(replace(one, path=b"/other.jpg").name))
    assert find(replace(one, path=b"/other.jpg")) is None  # whatever its name, it says of what it is
    for key, text in (("MTime", "1"), ("MTime", ""), ("Size", "7"), ("URI", "file:///other")):
        leave(cache, one, says={f"Thumb::{key}": text})
        assert find(one) is None
    leave(cache, one).write_bytes(b"no picture")
    assert find(one) is None


def test_a_small_picture_needs_no_larger_thumbnail(cache: Path, tmp_path: Path) -> None:
    icon = replace(photograph(tmp_path / "icon.jpg"), width=60, height=40)
    leave(cache, icon, side=60)
    assert find(icon) is not None


def test_what_is_left_for_the_desktop_keeps_to_the_standard(cache: Path, tmp_path: Path) -> None:
    one = photograph(tmp_path / "one & only.jpg")
    share(one, picture())
    (left,) = (cache / "large").iterdir()
    assert left.name == one.name
    assert stat.S_IMODE(left.stat().st_mode) == 0o600
    assert stat.S_IMODE(cache.stat().st_mode) == stat.S_IMODE(left.parent.stat().st_mode) == 0o700
    marks = read_thumbnail_facts(left.read_bytes())
    assert marks is not None
    assert marks.texts == {
        "Thumb::URI": one.address,
        "Thumb::MTime": str(int((tmp_path / "one & only.jpg").stat().st_mtime)),
        "Thumb::Size": str(one.size),
        "Thumb::Image::Width": "480",
        "Thumb::Image::Height": "320",
        "Software": "Twinlens",
    }
    assert find(one) is not None


def test_nothing_is_left_in_the_cache_of_the_cache_nor_where_it_cannot_be(cache: Path, tmp_path: Path) -> None:
    share(photograph(cache / "large" / "one.jpg"), picture())
    assert len(list((cache / "large").iterdir())) == 1
    (cache.parent / "other").mkdir()
    (cache / "large" / "one.jpg").unlink()
    (cache / "large").rmdir()
    (cache / "large").write_text("a file where the folder should be")
    share(photograph(tmp_path / "two.jpg"), picture())
    assert [path.name for path in cache.iterdir()] == ["large"]


def test_what_is_kept_depends_on_whose_there_is(cache: Path, tmp_path: Path) -> None:
    one, two = photograph(tmp_path / "one.jpg", 1), photograph(tmp_path / "two.jpg", 2)
    leave(cache, one)
    assert to_keep("use", one, picture()) == to_keep("share", one, picture()) == b""
    assert to_keep("off", one, picture()).startswith(b"\xff\xd8")
    assert to_keep("use", two, picture(2)).startswith(b"\xff\xd8")
    assert len(list((cache / "large").iterdir())) == 1
    assert to_keep("share", two, picture(2)).startswith(b"\xff\xd8")
    assert len(list((cache / "large").iterdir())) == 2
    before = (cache / "large" / two.name).stat().st_ino
    assert to_keep("share", two, picture(2)).startswith(b"\xff\xd8")  # ours is none of others
    assert (cache / "large" / two.name).stat().st_ino == before


def hashes(library: Library) -> list[bytes]:
    with library.store.reading() as r:
        return [row.content_hash or b"" for row in r.photographs.by_id(range(1, 20))]


def test_a_lost_thumbnail_is_taken_from_the_desktop(cache: Path, tmp_path: Path, library: Library) -> None:
    one, two = photograph(tmp_path / "p" / "one.jpg", 1), photograph(tmp_path / "p" / "two.jpg", 2)
    add(library, [tmp_path / "p"], Adding(workers=1))
    first, second = hashes(library)
    library.thumbnails.remove([first, second])
    leave(cache, one, seed=5)  # as if another program had another idea of it: told apart from ours
    shown = present_thumbnails(library, [first, second])
    assert list(shown) == [first]
    assert read(shown[first]).rgb.shape == (171, 256, 3)
    assert abs(read(shown[first]).rgb.astype(float) - _scaled(5)).mean() < 8
    (tmp_path / "p" / "one.jpg").unlink()  # its disk is not needed
    everything = thumbnails(library, [first, second])
    assert everything[first] == shown[first]
    assert abs(read(everything[second]).rgb.astype(float) - _scaled(2)).mean() < 8
    assert library.thumbnails.get(first) is None
    assert library.thumbnails.get(second) == everything[second]
    preferences.keep(preferences.Preferences(desktop_thumbnails="off"))
    assert present_thumbnails(library, [first]) == {}
    assert not (cache / "large" / two.name).exists()


def _scaled(seed: int) -> object:
    from twinlens.features.pictures.channels import fit

    return fit(picture(seed).rgb, 256).astype(float)


def test_adding_keeps_none_where_the_desktop_has_one(cache: Path, tmp_path: Path, library: Library) -> None:
    one, two = photograph(tmp_path / "p" / "one.jpg", 1), photograph(tmp_path / "p" / "two.jpg", 2)
    leave(cache, one, seed=5)
    assert add(library, [tmp_path / "p"], Adding(workers=1)).added == 2
    first, second = hashes(library)
    assert library.thumbnails.lacking([first, second]) == [first]
    assert set(thumbnails(library, [first, second])) == {first, second}
    assert library.thumbnails.lacking([first, second]) == [first]
    assert not (cache / "large" / two.name).exists()
    preferences.keep(preferences.Preferences(desktop_thumbnails="share"))
    three = photograph(tmp_path / "p" / "üç.jpg", 3)
    assert add(library, [tmp_path / "p"], Adding(workers=1)).added == 1
    left = find(three)
    assert left is not None
    assert is_ours(left[1])
    assert library.thumbnails.lacking(hashes(library)) == [first]


def test_a_long_look_is_cut_and_goes_on_with_the_next(
    cache: Path, tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    ones = [photograph(tmp_path / "p" / f"{i}.jpg", i) for i in range(6)]
    add(library, [tmp_path / "p"], Adding(workers=1))
    wanted = hashes(library)
    library.thumbnails.remove(wanted)
    for i, one in enumerate(ones):
        leave(cache, one, seed=i)
    monkeypatch.setattr("twinlens.app.library.pictures._LOOK_S", -1)  # no time at all: one each time
    found: dict[bytes, bytes] = {}
    for count in range(1, 7):
        found |= thumbnails(library, [one for one in wanted if one not in found])
        assert len(found) == count
    assert library.thumbnails.get_many(wanted) == {}


def test_of_a_lost_cache_each_is_looked_for_once(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(10):
        photograph(tmp_path / "p" / f"{i}.jpg", i)
    add(library, [tmp_path / "p"], Adding(workers=1))
    wanted = hashes(library)
    library.thumbnails.remove(wanted)
    (tmp_path / "p" / "3.jpg").unlink()
    looked_for: list[bytes] = []
    monkeypatch.setattr(
        "twinlens.app.library.workers.decoding.shared_thumbnail", lambda one: looked_for.append(one.path)
    )
    steps: list[int] = []
    found = all_thumbnails(library, [*wanted, *wanted], steps.append)
    assert sorted(looked_for) == sorted(os.fsencode(tmp_path / "p" / f"{i}.jpg") for i in range(10))
    assert [len(found[one]) > 0 for one in wanted] == [i != 3 for i in range(10)]
    assert set(library.thumbnails.get_many(wanted)) == {one for one in wanted if found[one]}
    assert steps == sorted(steps)


def test_damaged_pixels_are_made_again(cache: Path, tmp_path: Path, library: Library) -> None:
    one = photograph(tmp_path / "p" / "one.jpg")
    add(library, [tmp_path / "p"], Adding(workers=1))
    (first,) = hashes(library)
    library.thumbnails.remove([first])
    left = leave(cache, one)
    left.write_bytes(left.read_bytes()[:2000])
    assert desktop_thumbnails.find(one) is not None
    assert thumbnails(library, [first])[first].startswith(b"\xff\xd8")
    assert library.thumbnails.get(first) is not None
