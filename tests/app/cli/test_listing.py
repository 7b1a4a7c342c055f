"""``twinlens list`` and ``twinlens album list`` print paths of files that are there, and say what no photo can pass."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.app.cli.test_commands import run
from tests.app.folders import added, write_scenes
from twinlens.app.library.ingest.adding import rescan
from twinlens.app.library.library import Library


@pytest.fixture(scope="module")
def one_vanished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a library of three photographs, of which 0001.jpg has vanished."""
    folder = tmp_path_factory.mktemp("listed")
    write_scenes(folder / "photos", 3)
    added(folder / "own.twinlens", folder / "photos")
    (folder / "photos" / "0001.jpg").unlink()
    with Library.open(folder / "own.twinlens") as library:
        rescan(library)
    return folder


def test_photographs_whose_files_have_vanished_are_counted_and_not_listed(
    capfdbinary: pytest.CaptureFixture[bytes], one_vanished: Path, tmp_path: Path
) -> None:
    path = shutil.copy(one_vanished / "own.twinlens", tmp_path)
    run(capfdbinary, "--library", str(path), "album", "add", "All", "#1", "#2", "#3")
    for words in (("list",), ("album", "list", "All")):
        code, out, err = run(capfdbinary, "--library", str(path), *words)
        assert (code, sorted(Path(line).name for line in out.splitlines())) == (0, ["0000.jpg", "0002.jpg"])
        assert "1 photo is not listed: its file has vanished" in err
        document = json.loads(run(capfdbinary, "--library", str(path), *words, "--json")[1])
        assert [one["missing"] for one in document.get("albums", [document])] == [1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--folder", "/nonexistent"), "no photos in /nonexistent"),
        (("--since", "2023-02-30"), "“2023-02-30” is not a date. Write a year"),
        (("--since", "2024", "--until", "2023"), "later than the end"),
        (("--within", "5km"), "--within works only with --near. Add --near"),
    ],
)
def test_filters_that_no_photograph_passes_are_errors(
    capfdbinary: pytest.CaptureFixture[bytes], one_vanished: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capfdbinary, "--library", str(one_vanished / "own.twinlens"), "list", *words)
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_photo_without_a_place_is_named_by_its_whole_path(
    capfdbinary: pytest.CaptureFixture[bytes], one_vanished: Path
) -> None:
    code, _, err = run(capfdbinary, "--library", str(one_vanished / "own.twinlens"), "list", "--near", "#1")
    assert code == 2
    assert f"Where {one_vanished}/photos/0000.jpg was taken is not known." in err
