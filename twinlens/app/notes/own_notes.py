"""Own notes: the stars, labels, keywords, titles and captions that a person gives photographs in Twinlens.

They lie in the library by content, so that they survive moves and hold for every copy, and count before what the files
say, field by field. A file is written only on request, and it is never a photograph: an XMP sidecar beside it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from twinlens.app.library.library import Library
from twinlens.app.notes.note_changes import NoteChanges
from twinlens.app.notes.photo_notes import FIELDS, SidecarFields, counted_notes, distinct_words
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.library.store import Transaction

NotesBefore = Mapping[bytes, str | None]
"""The own notes of some contents before a change, for :func:`put_back`."""


def set_notes(library: Library, ids: Sequence[int], **noted: Any) -> NotesBefore:
    """Note something of photographs; their other notes stay.

    Parameters
    ----------
    **noted
        Fields of :data:`twinlens.app.notes.photo_notes.FIELDS`: ``rating`` from 0 to 5, ``favourite``, ``pick`` of 1,
        -1 (rejected) or 0, ``label``, ``keywords`` (all of them), ``title``, ``caption``. None gives a field back to
        the files.

    Returns
    -------
    NotesBefore
        For :func:`put_back`.
    """
    assert noted.keys() <= set(FIELDS)
    with library.store.writing("noting") as w:
        contents = _contents(w, ids)
        own = own_fields(w, contents)
        changed = {content: _without_none({**own.get(content, {}), **noted}) for content in contents}
        return w.own_notes.put({content: json.dumps(one) if one else None for content, one in changed.items()})


def add_keywords(library: Library, ids: Sequence[int], new: Sequence[str], gone: Collection[str] = ()) -> NotesBefore:
    """Add keywords to those that photographs have, and take some away; returns what :func:`set_notes` does."""
    without = {word.casefold() for word in gone}
    with library.store.writing("noting") as w:
        contents, changed = _contents(w, ids), {}
        own, now = own_fields(w, contents), notes_of(w, ids)
        for content in contents:
            words = distinct_words((*now[content].keywords, *new))
            kept = [word for word in words if word.casefold() not in without]
            changed[content] = json.dumps({**own.get(content, {}), "keywords": kept})
        return w.own_notes.put(changed)


def change_notes(library: Library, ids: Sequence[int], changes: NoteChanges) -> NotesBefore:
    """Note all that a command is asked for, and return what :func:`set_notes` does."""
    before = set_notes(library, ids, **changes.fields())
    if changes.keyword or changes.remove_keyword:
        add_keywords(library, ids, changes.keyword, changes.remove_keyword)
    return before


def forget_notes(library: Library, ids: Sequence[int]) -> NotesBefore:
    """Forget the own notes of photographs: what the files say counts again."""
    with library.store.writing("noting") as w:
        return w.own_notes.put(dict.fromkeys(_contents(w, ids)))


def put_back(library: Library, before: NotesBefore) -> NotesBefore:
    """Bring own notes to what they were before a change; returns those of now, to do it again."""
    with library.store.writing("noting") as w:
        return w.own_notes.put(before)


def own_fields(r: Transaction, contents: Collection[bytes]) -> dict[bytes, dict[str, Any]]:
    """Return the own notes of some contents, by field."""
    return {content: json.loads(text) for content, text in r.own_notes.of(contents).items()}


def notes_of(r: Transaction, ids: Sequence[int]) -> dict[bytes, Metadata]:
    """Return the notes that count of some photographs, by content; of copies those of the first."""
    rows = [row for row in r.photographs.by_id(ids) if row.content_hash is not None]
    contents = {row.content_hash or b"" for row in rows}
    files, own, beside = (
        r.camera_notes.of(contents),
        own_fields(r, contents),
        r.sidecar_notes.of([row.id for row in rows]),
    )
    found: dict[bytes, Metadata] = {}
    for row in rows:
        content = row.content_hash or b""
        file = files[content].metadata if content in files else None
        note = SidecarFields.of_text(beside[row.id].fields) if row.id in beside else None
        metadata = Metadata() if file is None else Metadata.of_text(file)
        found.setdefault(content, counted_notes(metadata, note, own.get(content, {})))
    return found


def _contents(r: Transaction, ids: Sequence[int]) -> list[bytes]:
    rows = r.photographs.by_id(ids)
    return list(dict.fromkeys(row.content_hash for row in rows if row.content_hash is not None))


def _without_none(noted: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in noted.items() if one is not None}
