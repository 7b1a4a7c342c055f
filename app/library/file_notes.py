"""The notes in photographs' files: keywords, titles, captions and labels, by which they are found as by their names."""

from __future__ import annotations

import numpy as np

from app.library.text_folding import folded
from features.pictures.picture import Metadata
from storage.library.store import Transaction
from storage.photographs.photograph_listing import Basics, Numbered

_BETWEEN = "\n"  # no word has it


def note_texts(r: Transaction, basics: Basics) -> Numbered:
    """Return the folded notes of each photograph; number 0 is none."""
    rows: dict[bytes, list[int]] = {}
    said = {content: text for content, text in r.camera_notes.said() if text}
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
    return _BETWEEN.join(map(folded, filter(None, (*noted.keywords, noted.title, noted.caption, noted.label))))
