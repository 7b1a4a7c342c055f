"""The notes in photographs' files: keywords, titles, captions and labels, by which they are found as by their names."""

from __future__ import annotations

import numpy as np

from app.library.text_folding import folded
from features.pictures.picture import Metadata
from storage.library.store import Transaction
from storage.photographs.photograph_listing import Basics, Numbered

_TEXTS = ("keywords", "title", "caption", "label")
_BETWEEN = "\n"  # no word has it


def note_texts(r: Transaction, basics: Basics) -> Numbered:
    """Return the folded notes of each photograph; number 0 is none."""
    rows: dict[bytes, list[int]] = {}
    said = dict(r.camera_notes.saying(_TEXTS))
    if said:
        firsts = np.unique(np.frombuffer(b"".join(one[:8] for one in said), np.uint64))
        heads = np.ascontiguousarray(basics.hashes[:, :8]).view(np.uint64)[:, 0]
        for row in np.flatnonzero(np.isin(heads, firsts)).tolist():
            rows.setdefault(basics.hashes[row].tobytes(), []).append(row)
    texts, numbers = {"": 0}, np.zeros(len(basics.ids), np.int32)
    for content, text in said.items():
        numbers[rows.get(content, [])] = texts.setdefault(_words(Metadata.of_text(text)), len(texts))
    return Numbered(numbers, tuple(texts))


def _words(noted: Metadata) -> str:
    keywords, *texts = (getattr(noted, name) for name in _TEXTS)
    return _BETWEEN.join(map(folded, filter(None, (*keywords, *texts))))
