"""What lies beside copies, as the command line tells it, keeps it and takes it along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli.main import main
from tests.app.folders import added, write_scene
from tests.app.private_trash import LINUX, private_trash

__all__ = ["private_trash"]

pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]


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
    assert "Use --take-along to move the files beside a copy to the photo kept." in told

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
