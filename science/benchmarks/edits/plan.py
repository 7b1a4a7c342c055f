"""What is described: photographs, distractors and edited copies, each a line of a plan that any process can follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from features.pictures.edits import EDITS, FURTHER_EDITS
from features.pictures.picture import Picture, PictureFacts
from features.pictures.shrinking import fit
from features.reading.cropping import Region, crop
from science.benchmarks.edits.sources import Sources, open_picture

_SEED = 26
BY_NAME = {edit.name: edit for edit in (*EDITS, *FURTHER_EDITS)}


@dataclass(frozen=True)
class PictureLine:
    """A picture: a file, or a part of it, or an edited copy of it."""

    file: Path
    region: Region | None = None
    edit: str = ""
    host: Path | None = None
    seed: int = 0


def base(found: Sources, size: int) -> list[PictureLine]:
    """Return photographs to find, then others, then parts of others, until there are so many."""
    lines = [PictureLine(file) for file in (*found.seen, *found.unseen, *found.cut, *found.others)]
    rng = np.random.default_rng(_SEED)
    # Photographs are cut up more often than stars and stamps: they are what a photograph is confused with.
    donors = [*found.cut] * 6 + [*found.others]
    cut = [PictureLine(donors[number % len(donors)], _part(rng)) for number in range(max(0, size - len(lines)))]
    return [*lines, *cut][:size]


def copies(files: Sequence[Path], hosts: Sequence[Path], edits: Sequence[str]) -> list[PictureLine]:
    """Return every edited copy of every photograph, edit by edit of each photograph."""
    return [
        PictureLine(file, None, edit, hosts[row % len(hosts)], _SEED + row)
        for row, file in enumerate(files)
        for edit in edits
    ]


def pictures(lines: Sequence[PictureLine]) -> Iterator[Picture]:
    """Make the pictures of some lines; consecutive lines of one file read it once."""
    last: Path | None = None
    for line in lines:
        if line.file != last:
            opened, last = open_picture(line.file), line.file
        if line.edit:
            assert line.host is not None
            copy = BY_NAME[line.edit].apply(
                opened.rgb, open_picture(line.host).rgb if line.edit == "pasted" else opened.rgb, line.seed
            )
            yield Picture(fit(copy), None, opened.facts)
        else:
            yield _fitted(crop(opened, line.region) if line.region else opened)


def _fitted(picture: Picture) -> Picture:
    mask: npt.NDArray[np.bool_] | None = picture.mask
    if mask is not None:
        mask = fit(mask.astype(np.float32)) >= 0.5
    return Picture(fit(picture.rgb), mask, PictureFacts("PNG", *picture.rgb.shape[1::-1]))


def _part(rng: np.random.Generator) -> Region:
    share = rng.uniform(0.15, 0.8)
    wide = min(1.0, float(share**0.5 * rng.uniform(0.8, 1.25)))
    high = min(1.0, share / wide)
    left, top = rng.uniform(0, 1 - wide), rng.uniform(0, 1 - high)
    return float(left), float(top), float(left + wide), float(top + high)
