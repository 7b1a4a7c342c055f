"""The notes in photographs' files: stars, and keywords, titles, captions and labels, which are found as names are."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from app.library.text_folding import folded
from features.pictures.picture import Metadata
from storage.library.store import Transaction
from storage.photographs.photograph_listing import Basics, Numbered

_TEXTS = ("keywords", "title", "caption", "label")
_BETWEEN = "\n"  # no word has it


class FileNotes(NamedTuple):
    """The notes of each photograph.

    Attributes
    ----------
    texts : Numbered
        Folded; number 0 is none.
    ratings : int8 (n,)
        Stars; -1 of a rejected one.
    """

    texts: Numbered
    ratings: npt.NDArray[np.int8]

    @classmethod
    def of(cls, r: Transaction, basics: Basics) -> Self:
        """Read them, as far as there are any."""
        said = dict(r.camera_notes.saying(("rating", *_TEXTS)))
        rows: dict[bytes, list[int]] = {}
        if said:
            firsts = np.unique(np.frombuffer(b"".join(one[:8] for one in said), np.uint64))
            heads = np.ascontiguousarray(basics.hashes[:, :8]).view(np.uint64)[:, 0]
            for row in np.flatnonzero(np.isin(heads, firsts)).tolist():
                rows.setdefault(basics.hashes[row].tobytes(), []).append(row)
        texts, numbers, ratings = {"": 0}, np.zeros(len(basics.ids), np.int32), np.zeros(len(basics.ids), np.int8)
        for content, text in said.items():
            noted, own = Metadata.of_text(text), rows.get(content, [])
            numbers[own] = texts.setdefault(_words(noted), len(texts))
            ratings[own] = noted.rating
        return cls(Numbered(numbers, tuple(texts)), ratings)


def _words(noted: Metadata) -> str:
    keywords, *texts = (getattr(noted, name) for name in _TEXTS)
    return _BETWEEN.join(map(folded, filter(None, (*keywords, *texts))))
