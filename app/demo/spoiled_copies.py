"""Spoiled copies: each photograph is cropped, mirrored, captioned and turned, and sought by Twinlens and by a hash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.evaluate.edited_copies import PhotographOrder
from app.evaluate.perceptual_hash import HashedThumbnails
from app.library.picture_sheet import SheetBand, SheetFigure, SheetSection, Words
from app.search.searcher import Searcher
from app.search.wanted import SearchOptions
from core.message import Message
from core.progress import Progress, part
from features.pictures.edits import HARD_EDITS
from features.pictures.thumbnail import thumbnail

PHOTOGRAPHS = 10
SEED = 0

NAMES = {
    "grey, mirrored quarter": Message("A quarter of the photo, grey and mirrored"),
    "caption, jpeg 20": Message("With a caption, compressed hard"),
    "cropped, turned": Message("Cropped and turned"),
}
"""What people read of each of `HARD_EDITS`."""

_SHOWN = 3


@dataclass(frozen=True)
class SpoiledCopy:
    """A copy, and the photographs that were found with it.

    Attributes
    ----------
    jpeg : bytes
        Thumbnail of the copy.
    first, nearest : int
        Ids of the first result, and of the photograph with the nearest perceptual hash.
    found, found_by_hash : bool
        Whether that is the original.
    """

    jpeg: bytes
    first: int
    nearest: int
    found: bool
    found_by_hash: bool


@dataclass(frozen=True)
class SpoiledCopies:
    """The copies that were spoiled in one way."""

    name: Message
    copies: tuple[SpoiledCopy, ...]


def try_copies(searcher: Searcher, progress: Progress) -> list[SpoiledCopies]:
    """Make copies of some photographs, drawn by seed, and look for their originals in both ways."""
    hashed = HashedThumbnails.of(searcher.library, part(progress, 0.0, 0.1))
    tried: dict[str, list[SpoiledCopy]] = {edit.name: [] for edit in HARD_EDITS}
    of = PHOTOGRAPHS * len(HARD_EDITS)
    for copies in PhotographOrder(searcher.library, None, SEED).copies(HARD_EDITS, PHOTOGRAPHS):
        for copy in copies:
            part(progress, 0.1, 1.0)(sum(map(len, tried.values())), of, Message("Searching with spoiled copies"))
            picture, its_hash = copy.made()
            first = searcher.search(picture, wanted=SearchOptions(1)).hits[0].id
            nearest = int(hashed.ranked(its_hash)[0])
            tried[copy.edit.name].append(
                SpoiledCopy(thumbnail(picture), first, nearest, first in copy.right, nearest in copy.right)
            )
    return [SpoiledCopies(NAMES[name], tuple(some)) for name, some in tried.items()]


def copy_sections(trials: Sequence[SpoiledCopies], words: Words) -> Iterator[SheetSection]:
    """Yield a section of each way of spoiling: every copy beside what was found with it."""
    for trial in trials:
        counts = Message(
            "Twinlens found {found} of {of} originals, a perceptual hash {by_hash}.",
            found=sum(one.found for one in trial.copies),
            of=len(trial.copies),
            by_hash=sum(one.found_by_hash for one in trial.copies),
        )
        bands = [SheetBand("", _figures(one, words)) for one in trial.copies]
        rest = tuple(figure for band in bands[_SHOWN:] for figure in band.figures)
        folded = SheetBand(words(Message("Show all copies")), rest, folded=True)
        yield SheetSection(words(trial.name), (words(counts),), (*bands[:_SHOWN], folded))


def _figures(one: SpoiledCopy, words: Words) -> tuple[SheetFigure, ...]:
    right, wrong = words(Message("✓ the original")), words(Message("another photo"))
    return (
        SheetFigure(one.jpeg, words(Message("Spoiled copy")), role="keep"),
        SheetFigure(one.first, "Twinlens", (right if one.found else wrong,), "" if one.found else "goes"),
        SheetFigure(
            one.nearest,
            words(Message("Perceptual hash")),
            (right if one.found_by_hash else wrong,),
            "" if one.found_by_hash else "goes",
        ),
    )
