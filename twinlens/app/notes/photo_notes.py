"""The notes of a photograph as they count: its owner's in Twinlens, those of files beside it, those of its own file.

They count field by field. The owner's come first; then those of an XMP sidecar, whose writer has seen the file; then
those of the file, then those of Google Takeout's JSON. Keywords of files are taken together; the owner's are all there
are. The sidecar's notes are kept as JSON by photograph, the owner's by content.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from twinlens.app.language.text_folding import folded
from twinlens.core.arrays import BoolMask
from twinlens.core.date_taken import DateSource, DateTaken, counted_date
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photograph_listing import Basics, Numbered

FIELDS = ("rating", "label", "favourite", "pick", "keywords", "title", "caption")
"""The fields that an owner may note."""


@dataclass(frozen=True)
class SidecarFields:
    """The statements of the files beside a photograph.

    Attributes
    ----------
    xmp, takeout : dict
        By field, those that say something; beside :data:`FIELDS` also ``place`` and ``taken``.
    edits : tuple of str
        Programs whose edits lie beside it: ``AAE``.
    file_date : str or None
        What the file itself says of its date, where that does not count, as a library keeps it.
    """

    xmp: Mapping[str, Any] | None = None
    takeout: Mapping[str, Any] | None = None
    edits: tuple[str, ...] = ()
    file_date: str | None = None

    def text(self) -> str:
        """Return them as :meth:`of_text` reads them: JSON."""
        return json.dumps({name: one for name, one in vars(self).items() if one})

    @classmethod
    def of_text(cls, text: str) -> SidecarFields:
        """Read what :meth:`text` has written; what another version has added is left out."""
        known = {each.name for each in fields(cls)}
        found = {name: one for name, one in json.loads(text).items() if name in known}
        return cls(**found | {"edits": tuple(found.get("edits", ()))})

    def dated(self, file: str | None) -> tuple[str | None, SidecarFields]:
        """Return the date that counts, and the fields that remember the file's where that does not.

        Parameters
        ----------
        file : str or None
            What the file itself says, as a library keeps it.
        """
        own = None if file is None else DateTaken.of_stored(file)
        xmp, takeout = (self.xmp or {}).get("taken"), (self.takeout or {}).get("taken")
        date = counted_date(
            own,
            None if xmp is None else DateTaken(xmp, DateSource.SIDECAR),
            None if takeout is None else DateTaken(takeout, DateSource.TAKEOUT),
        )
        return None if date is None else date.stored, replace(self, file_date=None if date == own else file)


def counted_notes(file: Metadata, beside: SidecarFields | None, own: Mapping[str, Any]) -> Metadata:
    """Return the notes that count of those of a file, of the files beside it, and of the owner.

    Examples
    --------
    >>> file = Metadata(rating=3, keywords=("Rome",))
    >>> beside = SidecarFields(xmp={"rating": 4, "keywords": ["Summer"]})
    >>> found = counted_notes(file, beside, {"rating": 5})
    >>> found.rating, found.keywords
    (5, ('Summer', 'Rome'))
    """
    made: dict[str, Any] = {}
    if beside is not None:
        xmp, takeout = beside.xmp or {}, beside.takeout or {}
        for name in FIELDS:
            made[name] = xmp.get(name) or getattr(file, name) or takeout.get(name) or getattr(Metadata(), name)
        every = (*xmp.get("keywords", ()), *file.keywords, *takeout.get("keywords", ()))
        made["keywords"] = distinct_words(every)
    made |= {name: own[name] for name in FIELDS if name in own}
    if "keywords" in own:
        made["keywords"] = tuple(own["keywords"])
    noted = replace(file, **made) if made else file
    if own.get("pick", -1) >= 0 and "rating" not in own and noted.rating < 0:
        return replace(noted, rating=0)  # a file says by its stars that it is rejected
    return noted


def distinct_words(words: Iterable[str]) -> tuple[str, ...]:
    """Return keywords, each once, in their order."""
    made: dict[str, str] = {}
    for word in words:
        made.setdefault(word.casefold(), word)
    return tuple(made.values())


def counted_place(file: str, beside: SidecarFields | None) -> str:
    """Return the place that counts, as `Statements` of :mod:`twinlens.features.reading.metadata` has it, or empty."""
    if beside is None:
        return file
    return str((beside.xmp or {}).get("place") or file or (beside.takeout or {}).get("place") or "")


_TEXTS = ("title", "caption", "label")
_BETWEEN = "\n"  # no word has it


class PhotoNotesColumns(NamedTuple):
    """The notes of each photograph as they count.

    Attributes
    ----------
    texts : Numbered
        Folded; number 0 is none.
    labels : Numbered
        Folded; number 0 is none.
    ratings, picks : int8 (n,)
        Stars; -1 of a rejected one. 1 of a picked one, -1 of a rejected one.
    favourites : bool (n,)
    """

    texts: Numbered
    labels: Numbered
    ratings: npt.NDArray[np.int8]
    picks: npt.NDArray[np.int8]
    favourites: BoolMask

    @classmethod
    def of(cls, r: Transaction, basics: Basics) -> Self:
        """Read them, as far as there are any."""
        files = dict(r.camera_notes.having(FIELDS))
        own = {content: json.loads(text) for content, text in r.own_notes.all().items()}
        beside = {one: SidecarFields.of_text(note.fields) for one, note in r.sidecar_notes.all().items()}
        rows = {row for some in basics.rows_of({*files, *own}).values() for row in some}
        rows.update(np.flatnonzero(np.isin(basics.ids, np.fromiter(beside, np.int64))).tolist())
        count = len(basics.ids)
        texts, numbers, labels, label = {"": 0}, np.zeros(count, np.int32), {"": 0}, np.zeros(count, np.int32)
        ratings, picks, favourites = np.zeros(count, np.int8), np.zeros(count, np.int8), np.zeros(count, np.bool_)
        plain = Metadata()
        known = {content: Metadata.of_text(text) for content, text in files.items()}
        for row in rows:
            content = basics.hashes[row].tobytes()
            noted = counted_notes(known.get(content, plain), beside.get(int(basics.ids[row])), own.get(content, {}))
            numbers[row] = texts.setdefault(_words(noted), len(texts))
            label[row] = labels.setdefault(folded(noted.label), len(labels))
            ratings[row], picks[row], favourites[row] = (
                noted.rating,
                noted.pick or min(noted.rating, 0),
                noted.favourite,
            )
        return cls(Numbered(numbers, tuple(texts)), Numbered(label, tuple(labels)), ratings, picks, favourites)

    def passing(self, rating: int | str | None, label: str | None, pick: str | None) -> BoolMask:
        """Return which photographs have so many stars, a label, and are ``favourite``, ``picked`` or ``rejected``."""
        found = np.ones(len(self.ratings), np.bool_)
        if rating is not None:
            found &= self.ratings >= int(rating)
        if label is not None:
            wanted = folded(label)
            found &= self.labels.where(lambda one: one == wanted)
        if pick is not None:
            found &= {"favourite": self.favourites, "picked": self.picks > 0, "rejected": self.picks < 0}[pick]
        return found


def _words(noted: Metadata) -> str:
    return _BETWEEN.join(map(folded, filter(None, (*noted.keywords, *(getattr(noted, name) for name in _TEXTS)))))
