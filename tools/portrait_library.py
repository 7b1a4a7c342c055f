"""The library that the pictures of the window show: a home folder with free photographs, and a thousand pictures.

Only demo photographs that are CC0 or in the public domain are in it, and seeded crops of these with small edits.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from twinlens.app.demo.listing import DemoPhotograph
from twinlens.app.demo.photographs import DemoPhotographs
from twinlens.app.library import volumes
from twinlens.app.library.browsing.listing import ListingFilter, listing
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders as places
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.storage.photographs.photographs import MovedFile

MANY = 1_000
SEED = 7
_SIDE = 640
_TAKEN = 0x9003  # EXIF's DateTimeOriginal
_EXIF = 0x8769
_FIRST_DAY = datetime(2019, 4, 1, 9, 30)
_DAYS = 2_200
_TRIED = 50
_COPIED = 8


@contextmanager
def own_home(place: Path) -> Iterator[Path]:
    """Let the program run in a home folder of its own, where paths read like a person's; what it compiled stays."""
    before = {name: os.environ.get(name) for name in ("HOME", "USERPROFILE", places.DATA_VARIABLE, "XDG_CACHE_HOME")}
    cache = os.environ.get(places.CACHE_VARIABLE)
    os.environ[places.CACHE_VARIABLE] = str(places.cache_folder())
    os.environ["HOME"] = os.environ["USERPROFILE"] = str(place)
    os.environ[places.DATA_VARIABLE] = str(place / ".local" / "share" / "twinlens")
    try:
        yield place
    finally:
        for name, value in (before | {places.CACHE_VARIABLE: cache}).items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def free_ones(found: DemoPhotographs) -> list[DemoPhotograph]:
    """Return the photographs that may be shown anywhere."""
    return [one for one in found.photographs if one.free]


def put_free(found: DemoPhotographs, folder: Path) -> None:
    """Copy the free photographs into a folder, by class."""
    for one in free_ones(found):
        (folder / one.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(found.folder / one.path, folder / one.path)


def put_many(found: DemoPhotographs, folder: Path, count: int = MANY) -> None:
    """Fill a folder up to ``count`` pictures: crops of the free ones with small edits, the same every time.

    Each has a date of taking, so that the library can be seen by date and narrowed down.
    """
    originals = free_ones(found)
    random = np.random.default_rng(SEED)
    rounds = -(-max(0, count - len(originals)) // len(originals))
    left = count - len(originals)
    for one in originals:
        pixels = cv2.imread(str(found.folder / one.path), cv2.IMREAD_COLOR)
        assert pixels is not None
        some = min(rounds, left)
        left -= some
        for number in range(some):
            taken = _FIRST_DAY + timedelta(days=int(random.integers(_DAYS)), minutes=int(random.integers(600)))
            name = Path(one.path)
            target = folder / name.parent / f"{name.stem}-{number + 1}.jpg"
            _write(_edited(pixels, random), taken, target)


def put_copies(library: Library, photograph: int) -> None:
    """Write a crop, a mirrored and a captioned copy of a photograph beside it."""
    with library.store.reading() as r:
        row = r.photographs.by_id([photograph])[0]
        original = Path(os.fsdecode(volumes.locate(library.volumes(r)[row.volume_id], row.path)))
    pixels = cv2.imread(str(original), cv2.IMREAD_COLOR)
    assert pixels is not None
    high, wide = pixels.shape[:2]
    captioned = pixels.copy()
    strip = max(24, high // 8)
    captioned[high - strip :] = 255
    cv2.putText(
        captioned, "Greetings!", (strip // 2, high - strip // 3), cv2.FONT_HERSHEY_DUPLEX, strip / 40, (40, 40, 40), 2
    )
    copies = {
        "cropped": pixels[high // 6 :, wide // 4 :],
        "mirrored": pixels[:, ::-1],
        "with a caption": captioned,
    }
    for words, copy in copies.items():
        _write(np.ascontiguousarray(copy), _FIRST_DAY, original.with_name(f"{original.stem} {words}.jpg"))


def put_duplicates(found: DemoPhotographs, folder: Path) -> None:
    """Write copies of some free photographs, as a person's folders have them: downloaded, made smaller, and edited."""
    large = [one for one in free_ones(found) if one.path.endswith((".jpg", ".webp"))]
    for number, one in enumerate(large[:: max(1, len(large) // _COPIED)]):
        original, name = folder / one.path, Path(one.path)
        pixels = cv2.imread(str(original), cv2.IMREAD_COLOR)
        assert pixels is not None
        high, wide = pixels.shape[:2]
        shutil.copy(original, _made(folder / "Downloads") / f"{name.stem} (1){name.suffix}")
        if number % 2:
            _save(
                cv2.resize(pixels, (wide // 2, high // 2), interpolation=cv2.INTER_AREA), folder, f"{name.stem}-small"
            )
        if number % 3 == 0:
            _save(pixels[high // 8 :, wide // 6 :], folder, f"{name.stem} cropped")
            _save(
                cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), folder, f"{name.stem} grey"
            )


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _save(pixels: np.ndarray, folder: Path, name: str) -> None:
    cv2.imwrite(str(_made(folder / "Exports") / f"{name}.jpg"), pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])


def _edited(pixels: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Crop a picture, sometimes mirror it, and change its light and colours a little, as albums and editors do."""
    high, wide = pixels.shape[:2]
    share = random.uniform(0.5, 0.95)
    height, width = max(32, int(high * share)), max(32, int(wide * share))
    top, left = int(random.integers(high - height + 1)), int(random.integers(wide - width + 1))
    part = pixels[top : top + height, left : left + width]
    if random.random() < 0.2:
        part = part[:, ::-1]
    scale = min(1.0, _SIDE / max(part.shape[:2]))
    part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tint = random.uniform(0.92, 1.08, 3)
    light = 255 * (np.arange(256) / 255) ** random.uniform(0.75, 1.3)
    table = np.clip(light[:, None] * tint, 0, 255).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(np.ascontiguousarray(part), table))


def _write(pixels: np.ndarray, taken: datetime, target: Path) -> None:
    image = Image.fromarray(np.ascontiguousarray(pixels[..., ::-1]))
    exif = Image.Exif()
    exif.get_ifd(_EXIF)[_TAKEN] = taken.strftime("%Y:%m:%d %H:%M:%S")
    target.parent.mkdir(parents=True, exist_ok=True)
    image.save(target, quality=88, exif=exif)


def put_away(library: Library, words: str) -> None:
    """Put the photographs of a folder on a disk that is not connected."""
    ids = listing(library, choice=ListingFilter(words=words)).ids
    with library.store.writing() as w:
        volume = w.volumes.seen("portrait", "Holidays", b"/media/Holidays")
        folder = w.folders.add(volume, b"Holidays")
        rows = w.photographs.by_id(ids)
        places = [os.path.join(b"Holidays", os.path.basename(one.path)) for one in rows]
        w.photographs.move(
            [
                MovedFile(one.id, volume, folder, place, one.size, one.mtime_ns)
                for one, place in zip(rows, places, strict=True)
            ]
        )


def named(library: Library, words: str) -> int:
    """Return the first photograph whose name or folder contains some words."""
    return int(listing(library, choice=ListingFilter(words=words)).ids[0])


def telling(library: Library) -> int:
    """Choose the building with the most similar photographs by colour, which makes a clear picture."""
    ids = [int(one) for one in listing(library, choice=ListingFilter(words="monuments")).ids]
    ids = ids[:: -(-len(ids) // _TRIED)]
    answers = search(library, ids, ["Colours"], SearchOptions(k=9)).results
    similarity = [sum(hit.similarity for hit in answer.hits) for answer in answers]
    return ids[similarity.index(max(similarity))]


def mark_some(library: Library) -> None:
    """Mark photographs of one class as similar and of two as different, as somebody might; one pair both ways."""
    classes = [
        [int(one) for one in listing(library, choice=ListingFilter(words=words)).ids]
        for words in ("monuments", "fish", "windmills", "tools")
    ]
    alike = [(some[i], some[i + 1]) for some in classes for i in range(0, min(len(some) - 1, 16), 2)]
    unlike = [
        (one, other)
        for some, others in combinations(classes, 2)
        for one, other in zip(some[:5], reversed(others), strict=False)
    ]
    mark_pairs(library, alike, similar=True)
    mark_pairs(library, unlike, similar=False)
    mark_pairs(library, alike[:1], similar=False)
