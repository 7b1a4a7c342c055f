"""Notes of sidecar files: what they say, and what a hostile one does not do."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.reading.test_metadata import XMP
from twinlens.features.reading import sidecar_notes
from twinlens.features.reading.metadata import Statements
from twinlens.features.reading.sidecar_notes import MOST_BYTES, read_sidecar, read_takeout

TAKEN = {"photoTakenTime": {"timestamp": "1258375918"}}


def test_xmp_and_takeout_are_told_apart_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "a.XMP").write_bytes(XMP)
    (tmp_path / "a.jpg.JSON").write_text(json.dumps(TAKEN))
    assert read_sidecar(bytes(tmp_path / "a.XMP")).rating == 4
    assert read_sidecar(bytes(tmp_path / "a.jpg.JSON")).taken == "2009-11-16T12:51:58"


@pytest.mark.parametrize(("photograph", "rating"), [(b"a.CR2", 4), (b"a.cr2", 4), (b"a.jpg", 0), (b"", 4)])
def test_lightroom_says_of_which_file_a_sidecar_is(tmp_path: Path, photograph: bytes, rating: int) -> None:
    space = b"xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'"
    own = XMP.replace(b"xmp:Rating", space + b" photoshop:SidecarForExtension='CR2' xmp:Rating")
    (tmp_path / "a.xmp").write_bytes(own)
    assert read_sidecar(bytes(tmp_path / "a.xmp"), photograph).rating == rating


def test_what_is_no_file_of_its_own_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(XMP)
    (tmp_path / "link.xmp").symlink_to(tmp_path / "real")
    (tmp_path / "folder.xmp").mkdir()
    os.mkfifo(tmp_path / "pipe.xmp")
    (tmp_path / "large.xmp").write_bytes(XMP + b" " * MOST_BYTES)
    for name in ("link.xmp", "folder.xmp", "pipe.xmp", "large.xmp", "absent.xmp"):
        assert read_sidecar(bytes(tmp_path / name)) == Statements(), name


@pytest.mark.parametrize("change", [{"st_mtime_ns": 1}, {"st_size": 5}])
def test_one_that_changes_while_it_is_read_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, int]
) -> None:
    (tmp_path / "a.xmp").write_bytes(XMP)
    real, calls = os.fstat, []

    def fstat(number: int) -> Any:
        calls.append(number)
        found = real(number)
        said = {name: getattr(found, name) for name in ("st_mode", "st_size", "st_mtime_ns")}
        changed = len(calls) == (1 if "st_size" in change else 2)
        return SimpleNamespace(**said | change) if changed else found

    monkeypatch.setattr(sidecar_notes, "os", SimpleNamespace(**{**vars(os), "fstat": fstat}))
    assert read_sidecar(bytes(tmp_path / "a.xmp")) == Statements()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["photoTakenTime", "timestamp", "geoData", "latitude", "longitude", "people", "name"])
                | st.just("description"),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_says_something_or_nothing(value: Any) -> None:
    for one in (value, {**TAKEN, "geoData": value, "people": value, "description": value}):
        said = read_takeout(json.dumps(one).encode())
        assert said.taken is None or len(said.taken) == 19
        assert said.place == "" or len(said.place.split(",")) == 2
        assert all(word == word.strip() and "\n" not in word for word in (*said.keywords, said.caption))


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e400", "9" * 5000, "-99999999999999", "", None, [], True])
def test_moments_that_are_none(seconds: Any) -> None:
    assert read_takeout(json.dumps({"photoTakenTime": {"timestamp": seconds}}).encode()).taken is None


def test_moments_before_1970_and_favourites() -> None:
    said = {"photoTakenTime": {"timestamp": -1220000000}, "favorited": True, "people": [{"name": "A\nB"}, {}, 3]}
    found = read_takeout(json.dumps(said).encode())
    assert (found.taken, found.favourite, found.keywords) == ("1931-05-05T15:06:40", True, ("A B",))
