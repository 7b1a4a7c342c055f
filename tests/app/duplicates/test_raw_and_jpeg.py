"""RAW files and their JPEGs, as a camera writes and a program exports them: real files, read, compared and moved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from app.duplicates.comparison import compare_pictures
from app.duplicates.decisions import keep_choices
from app.duplicates.disposal import dispose
from app.duplicates.disposal_plan import plan_disposal
from app.duplicates.duplicates import choices, known_duplicates, proposed
from app.duplicates.groups import DuplicateKind
from app.duplicates.keeper_rules import Fate
from app.library.library import Library
from tests.app.folders import added
from tests.features.by_hand import dng
from tests.features.copies.test_relation import rich
from tests.features.sample_pictures import encode

DATE = "2023:05:14 11:08:00"  # of the camera that `dng` makes up


def jpeg(image: Image.Image, quality: int = 93) -> bytes:
    notes = Image.Exif()
    notes[0x0110] = "Twinlens One"
    notes.get_ifd(0x8769)[0x9003] = DATE
    return encode(image, "JPEG", quality=quality, exif=notes)


@pytest.fixture
def folder(tmp_path: Path, private_trash: Path) -> Path:
    """Write three shots: one beside its RAW, one of another name elsewhere, one with a smaller copy of its JPEG."""
    folder = tmp_path / "photographs"
    (folder / "export").mkdir(parents=True)
    places = ("IMG_0.jpg", "export/P100.jpg", "IMG_2.jpg")
    for number, place in enumerate(places):
        image = Image.fromarray(rich(number))
        (folder / f"IMG_{number}.dng").write_bytes(
            dng(image, preview=encode(image, "JPEG", quality=60), preview_size=image.size)
        )
        (folder / place).write_bytes(jpeg(image))
        (folder / f"IMG_{number}.xmp").write_text("<x/>")
    half = image.resize((320, 240), Image.Resampling.LANCZOS)
    (folder / "export" / "IMG_2.jpg").write_bytes(jpeg(half, 85))
    return folder


def test_raw_and_jpeg_are_one_shot_and_only_copies_go(folder: Path, tmp_path: Path) -> None:
    added(tmp_path / "raw.twinlens", folder)
    with Library.open(tmp_path / "raw.twinlens") as library:
        compare_pictures(library)
        found = known_duplicates(library)
        assert [one.kinds >= {DuplicateKind.RAW} for one in found.groups] == [True] * 3
        for one in found.groups:
            assert {each.format for each in one.photographs} == {"RAW", "JPEG"}
            assert not [each for each in one.going if each.kind is DuplicateKind.RAW]
        assert [Path(os.fsdecode(each.path)).name for each in proposed(library).files] == ["IMG_2.jpg"]

        # One that a person lets go leaves what both share; with the last of both it goes, too.
        ids = {Path(each.path.decode()).name: each.id for one in found.groups for each in one.photographs}
        keep_choices(library, {ids["IMG_0.dng"]: Fate.GOES})
        moved = dispose(library, plan_disposal(library, choices(known_duplicates(library).groups)))
        assert not moved.left
        assert not (folder / "IMG_0.dng").exists()
        assert (folder / "IMG_0.jpg").exists()
        assert (folder / "IMG_0.xmp").exists(), "it is of the JPEG, too"
        assert not (folder / "export" / "IMG_2.jpg").exists()

        keep_choices(library, {ids["IMG_1.dng"]: Fate.GOES})
        dispose(library, plan_disposal(library, choices(known_duplicates(library).groups)))
        assert not (folder / "IMG_1.xmp").exists(), "no other picture has this name"
        assert {one.name for one in folder.rglob("*.jpg")} == {"IMG_0.jpg", "P100.jpg", "IMG_2.jpg"}
