"""A library whose names, folders and cameras try to be more than text."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from app.indexes.indexes import NewIndex, create_index
from app.library.ingest.adding import Adding, add
from app.library.library import Library
from app.marks.marks import mark_pairs
from tests.features.sample_pictures import scene

IMAGE = "<img src=x>"
NAMES = (
    f"{IMAGE}.jpg",
    "<b>bold.jpg",
    "&amp; Tom & Jerry.jpg",
    "line\nbreak.jpg",
    "photo\u202egpj.exe.jpg",
    "n" * 200 + ".jpg",
)
FOLDERS = (f"Tom & Jerry {IMAGE}", "<i>in\nner")
INDEX = f"<b>index</b> & {IMAGE}"
CAMERA = (f"<b>Nikon</b> {IMAGE}", "D90 & <i>lens</i>")
_MAKE, _MODEL = 0x010F, 0x0110


def write_hostile(folder: Path) -> None:
    """Write two photographs of every name, in two folders, by a camera whose name is HTML, and a damaged one."""
    exif = Image.Exif()
    exif[_MAKE], exif[_MODEL] = CAMERA
    for number, inner in enumerate(FOLDERS):
        place = folder / inner
        place.mkdir(parents=True)
        for seed, name in enumerate(NAMES):
            scene(320, 240, seed=10 * number + seed).save(place / name, "JPEG", quality=92, exif=exif)
    (folder / FOLDERS[0] / "<u>damaged.jpg").write_bytes(b"\xff\xd8\xff" + bytes(100))


def hostile_library(path: Path, photographs: Path) -> None:
    """Make a library of them, with an index and marks."""
    write_hostile(photographs)
    with Library.open(path, create=True) as opened:
        add(opened, [photographs], Adding(workers=1))
        create_index(opened, NewIndex(descriptor="colour", method="lsh:bits=64", search="scan", name=INDEX), workers=1)
        ids = list(range(1, 2 * len(NAMES) + 1))
        mark_pairs(opened, list(zip(ids[:6:2], ids[1:6:2], strict=True)), similar=True)
        mark_pairs(opened, list(zip(ids[6::2], ids[7::2], strict=True)), similar=False)
