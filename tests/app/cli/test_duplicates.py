"""``twinlens duplicates`` as one types it: sizes of files, and what lies beside copies and is taken along."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.app.folders import added, write_scene
from tests.app.private_trash import LINUX
from twinlens.app.cli.main import main
from twinlens.app.cli.requests import FileSize


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return a folder with two equal photographs, each with something of its own beside it."""
    photos = tmp_path / "photographs"
    write_scene(photos / "a" / "1.jpg", 1)
    write_scene(photos / "b" / "1.jpg", 1)
    (photos / "a" / "1.MOV").write_bytes(b"film")
    (photos / "b" / "1.xmp").write_bytes(b"<x/>")
    added(tmp_path / "family.twinlens", photos)
    return photos


def run(capfdbinary: pytest.CaptureFixture[bytes], photos: Path, *words: str) -> tuple[int, str]:
    """Run a command of duplicates; return the exit code and what it printed."""
    library = photos.parent / "family.twinlens"
    with pytest.raises(SystemExit) as ended:
        main(["duplicates", *words, "--library", str(library)])
    return int(ended.value.code or 0), capfdbinary.readouterr().out.decode()


def names(photos: Path) -> set[str]:
    return {str(one.relative_to(photos)) for one in photos.rglob("*.*")}


@LINUX
@pytest.mark.usefixtures("private_trash")
def test_it_is_kept_unless_it_is_taken_along(capfdbinary: pytest.CaptureFixture[bytes], photos: Path) -> None:
    before = names(photos)
    (group,) = json.loads(run(capfdbinary, photos, "--json")[1])["groups"]
    (member,) = group["members"]
    assert (member["goes"], member["held"], member["alone"]) == (False, True, [str(photos / "b" / "1.xmp")])

    why = "1.xmp, which has edits, has no equal beside the photo that is kept."
    code, told = run(capfdbinary, photos, "clean")
    told = " ".join(told.split())
    assert code == 0
    assert why in told
    assert "There is nothing to move." in told
    assert "Use --take-along to carry what only a copy has to the photo kept." in told

    code, told = run(capfdbinary, photos, "clean", "--apply", "--json")
    (left,) = json.loads(told)["left"]
    assert code == 2
    assert left["reason"].startswith(why)
    assert names(photos) == before

    (planned,) = json.loads(run(capfdbinary, photos, "clean", "--take-along", "--json")[1])["files"]
    assert (planned["companions"], planned["taken_along"]) == ([], [str(photos / "a" / "1.xmp")])
    assert "taken along: " in run(capfdbinary, photos, "clean", "--take-along")[1]
    assert names(photos) == before

    assert run(capfdbinary, photos, "clean", "--take-along", "--apply")[0] == 0
    assert names(photos) == {"a/1.jpg", "a/1.MOV", "a/1.xmp"}
    assert run(capfdbinary, photos, "undo")[0] == 0
    assert names(photos) == before


@given(st.integers(0, 10**6), st.sampled_from([("", 1), ("k", 10**3), ("M", 10**6), ("G", 10**9)]), st.booleans())
def test_a_unit_multiplies(count: int, unit: tuple[str, int], with_b: bool) -> None:
    for space in ("", " "):
        assert FileSize().convert(f"{count}{space}{unit[0]}{'B' * with_b}", None, None) == count * unit[1]


def test_parts_of_a_unit_count() -> None:
    assert FileSize().convert("1.5 mb", None, None) == 1_500_000


@pytest.mark.parametrize("value", ["", "MB", "-1", "5 TBx", "1,5MB", "nan"])
def test_what_is_no_size_is_refused(value: str) -> None:
    with pytest.raises(click.BadParameter):
        FileSize().convert(value, None, None)


@pytest.mark.parametrize(
    "words", [("--folder", "nowhere"), ("clean", "--folder", "nowhere"), ("undo", "99")], ids=lambda words: words[0]
)
def test_a_folder_or_a_run_that_there_is_not_is_no_empty_answer(
    capfdbinary: pytest.CaptureFixture[bytes], photos: Path, words: tuple[str, ...]
) -> None:
    assert run(capfdbinary, photos, *words)[0] == 2


def test_a_filter_that_no_group_passes_is_named(capfdbinary: pytest.CaptureFixture[bytes], photos: Path) -> None:
    code, told = run(capfdbinary, photos, "--words", "nowhere", "--min-size", "5GB")
    assert (code, told) == (0, "No group of duplicates passes the filters (--min-size, --words).\n")


def test_a_sort_of_what_is_probably_the_same_goes_in_one_go(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    photos, exif = tmp_path / "photographs", Image.Exif()
    exif[0x0131] = "GIMP 2.10"
    for seed in (1, 2):
        written = write_scene(photos / f"{seed}.jpg", seed)
        with Image.open(written) as image:
            image.save(photos / f"{seed}.webp", exif=exif if seed == 1 else Image.Exif())
    added(tmp_path / "family.twinlens", photos)
    found = json.loads(run(capfdbinary, photos, "--json")[1])
    program, coding = sorted(found["sorts"], key=len, reverse=True)
    assert (program, coding[:10], found["copies"]) == ("WebP/JPEG/GIMP 2.10", "WebP/JPEG/", 0)
    assert f"{program}: 1" in run(capfdbinary, photos)[1]
    (going,) = json.loads(run(capfdbinary, photos, "clean", "--likely", program, "--json")[1])["files"]
    assert (going["kind"], going["path"]) == ("likely", str(photos / "1.webp"))
    assert run(capfdbinary, photos, "clean", "--likely", "WebP")[0] == 2
