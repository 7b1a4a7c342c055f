"""Exported files are whole, replace nothing, and keep their time; the table says what is known."""

from __future__ import annotations

import csv
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.folders import write_scene, write_scenes
from twinlens.app.library import photo_export
from twinlens.app.library.browsing.listing import listing
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.library.photo_export import How, export, export_table, numbered
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import Cancelled, TwinlensError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("photographs")
    write_scenes(made, 3)
    write_scene(made / "deeper" / "0001.jpg", 7)
    write_scene(made / "deeper" / "no ending", 8)
    return made


@pytest.fixture(scope="module")
def exported_library(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library") / "library.twinlens", create=True) as made:
        add(made, [folder], Adding(workers=1))
        yield made


def exported_ids(library: Library) -> list[int]:
    found: list[int] = listing(library).ids.tolist()
    return sorted(found)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def by_name(folder: Path) -> list[bytes]:
    return sorted(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("how", ["copy", "link"])
def test_files_are_exported_and_none_is_written_over(
    exported_library: Library, folder: Path, tmp_path: Path, how: How
) -> None:
    target = tmp_path / "new" / "folder"
    before = by_name(folder)
    for round_ in (1, 2):
        result = export(exported_library, exported_ids(exported_library), target, how)
        assert (result.photographs, result.refused, result.target) == (5, [], str(target))
        assert result.bytes == (sum(map(len, before)) if how == "copy" else 0)
        assert by_name(target) == sorted(before * round_)
    assert set(contents(target)) == {
        *(f"000{n}{number}.jpg" for n in (0, 2) for number in ("", " (2)")),
        *(f"0001{number}.jpg" for number in ("", " (2)", " (3)", " (4)")),
        *("no ending", "no ending (2)"),
    }
    assert all(path.is_symlink() == (how == "link") for path in target.iterdir())
    assert by_name(folder) == before


def test_a_copy_keeps_the_time(exported_library: Library, folder: Path, tmp_path: Path) -> None:
    os.utime(folder / "0000.jpg", (10**9, 10**9))
    export(exported_library, exported_ids(exported_library)[:1], tmp_path, "copy")
    assert (tmp_path / "0000.jpg").stat().st_mtime == 10**9


def test_what_is_away_is_said_and_the_rest_is_exported(exported_library: Library, folder: Path, tmp_path: Path) -> None:
    (folder / "0002.jpg").rename(tmp_path / "elsewhere.jpg")
    try:
        result = export(exported_library, exported_ids(exported_library), tmp_path / "target", "link")
    finally:
        (tmp_path / "elsewhere.jpg").rename(folder / "0002.jpg")
    assert result.photographs == 4
    assert [one.startswith(str(folder / "0002.jpg")) for one in result.refused] == [True]


def test_the_table_says_what_is_known(exported_library: Library, folder: Path, tmp_path: Path) -> None:
    wanted = exported_ids(exported_library)[::-1]
    for _ in range(2):
        result = export_table(exported_library, wanted, OutputFile(tmp_path / "list.csv"))
        assert (result.target, result.photographs) == (str(tmp_path / "list.csv"), 5)
    with (tmp_path / "list.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["id"]) for row in rows] == wanted
    for row in rows:
        assert row["path"] == str(Path(row["folder"]) / row["name"])
        assert int(row["bytes"]) == Path(row["path"]).stat().st_size
        assert (row["width"], row["height"]) == ("320", "240")
    export_table(exported_library, [], OutputFile(tmp_path / "none.csv"))
    assert (tmp_path / "none.csv").read_text().strip() == ",".join(photo_export.COLUMNS)


@pytest.mark.parametrize("how", ["copy", "link"])
def test_stopped_in_the_middle_nothing_is_half_written(
    exported_library: Library, folder: Path, tmp_path: Path, how: How
) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        export(exported_library, exported_ids(exported_library), tmp_path / "target", how, stop)
    found = contents(tmp_path / "target")
    assert len(found) == 2
    assert set(found.values()) <= set(by_name(folder))


def test_a_full_disk_ends_it_with_a_sentence(
    exported_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_a_little(original: Any, copy: Any, _: int) -> None:
        copy.write(original.read(10))
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(shutil, "copyfileobj", write_a_little)
    with pytest.raises(TwinlensError, match="No space left"):
        export(exported_library, exported_ids(exported_library), tmp_path, "copy")
    assert contents(tmp_path) == {}


def test_a_target_that_cannot_be_is_a_sentence(exported_library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(TwinlensError, match="file"):
        export(exported_library, exported_ids(exported_library), tmp_path / "file" / "x", "copy")
    with pytest.raises(TwinlensError, match="file"):
        export_table(exported_library, exported_ids(exported_library), OutputFile(tmp_path / "file" / "x"))
    with pytest.raises(TwinlensError, match="is a file, not a folder"):
        export(exported_library, exported_ids(exported_library), tmp_path / "file", "copy")
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names are text there")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/photographs/\xff\xfe.jpg"
    write_scene(tmp_path / "photographs" / "x.jpg", 3).rename(os.fsdecode(name))
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        add(library, [tmp_path / "photographs"], Adding(workers=1))
        assert export(library, exported_ids(library), tmp_path / "target", "copy").photographs == 1
        assert os.listdir(os.fsencode(tmp_path / "target")) == [b"\xff\xfe.jpg"]  # noqa: PTH208 (bytes)
        export_table(library, exported_ids(library), OutputFile(tmp_path / "list.csv"))
        assert "�.jpg" in (tmp_path / "list.csv").read_text("utf-8")


@given(st.binary(min_size=1, max_size=8).filter(lambda name: b"/" not in name))
def test_numbered_names_differ_and_keep_their_ending(name: bytes) -> None:
    names = [one for one, _ in zip(numbered(name), range(5), strict=False)]
    assert len(set(names)) == 5
    assert names[0] == name
    assert all(one.endswith(os.path.splitext(name)[1]) for one in names)  # noqa: PTH122 (bytes)


def test_a_name_is_numbered_only_so_often(
    exported_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_export, "_MANY", 3)
    for _ in range(2):
        export(exported_library, exported_ids(exported_library)[:1], tmp_path, "link")
    assert "too many files" in export(exported_library, exported_ids(exported_library)[:1], tmp_path, "link").refused[0]
