"""The scan of sidecar files: what lies beside photographs is read when it is new, and again when it has changed.

The walk through a folder has met these files. Whose each is tells its name; whether it has changed, a stamp of names,
sizes and times that is kept with the note. They are read in a worker process, and a photograph that is unchanged
itself gets the date that counts now.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from twinlens.app.library import volumes
from twinlens.app.library.ingest.batches import dated_by_file
from twinlens.app.library.library import Library
from twinlens.app.notes.photo_notes import FIELDS, SidecarFields
from twinlens.app.notes.sidecar_names import FolderNames, may_be_picture, original_of
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.dialect import pieces
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.notes import SidecarNote
from twinlens.storage.photographs.photographs import NewFile

if TYPE_CHECKING:
    from twinlens.features.reading.metadata import Statements

_VERSION = 1  # of what is read from them: another one reads all of them again
_AT_ONCE = 200
_READING = Message("Reading the notes beside the photos")
_KEPT = (*FIELDS, "place", "taken")


class _Beside(NamedTuple):
    """The sidecar files of a photograph, best first."""

    photograph_id: int
    name: bytes
    folder: bytes
    files: tuple[NewFile, ...]

    @property
    def stamp(self) -> str:
        seen = repr((_VERSION, [(os.path.basename(one.path), *one[1:]) for one in self.files]))
        return hashlib.sha256(seen.encode()).hexdigest()[:32]


def read_sidecars(
    library: Library, folder: bytes, found: Sequence[NewFile], progress: Progress = silent, deep: bool = True
) -> int:
    """Read the sidecar files in a folder that was walked, as far as they are new or changed.

    Parameters
    ----------
    folder : bytes
        Full path.
    found : sequence of NewFile
        All of them, by their path on the volume.
    deep : bool
        Whether folders below it were walked, too.

    Returns
    -------
    int
        Photographs whose notes have changed.
    """
    with library.store.reading() as r:
        known = r.sidecar_notes.all()
        place = library.place(r, folder)
        if place is None or not (found or known):
            return 0
        volume = library.volumes(r)[place[0]]
        new, gone = _changed(r, place, found, known, deep)
    from twinlens.app.library.workers.decoders import run_each  # here, since most folders have nothing to read
    from twinlens.app.library.workers.decoding_tasks import SidecarsTask
    from twinlens.features.reading.metadata import Statements

    for some in pieces(new, _AT_ONCE):
        progress(0, 0, _READING)
        read = [(one, path) for one in some for path in one.files if not path.path.lower().endswith(b".aae")]
        files = tuple((volumes.locate(volume, path.path), one.name) for one, path in read)
        stated: dict[int, list[tuple[bytes, Statements]]] = {}
        for (one, path), statements in zip(read, run_each(SidecarsTask, files) if files else (), strict=True):
            stated.setdefault(one.photograph_id, []).append((path.path, statements or Statements()))
        with library.store.writing("noting what lies beside photos") as w:
            _keep(w, {one.photograph_id: (one, _fields(one, stated.get(one.photograph_id, ()))) for one in some})
    if gone:
        with library.store.writing("noting what lies beside photos") as w:
            _keep(w, dict.fromkeys(gone))
    return len(new) + len(gone)


def sidecars_differ(r: Transaction, place: tuple[int, bytes], found: Sequence[NewFile], deep: bool) -> bool:
    """Return whether sidecar files in a folder that was walked are not as the library knows them."""
    return any(_changed(r, place, found, r.sidecar_notes.all(), deep))


def _changed(
    r: Transaction,
    place: tuple[int, bytes],
    found: Sequence[NewFile],
    known: Mapping[int, SidecarNote],
    deep: bool,
) -> tuple[list[_Beside], list[int]]:
    """Return the photographs with new or changed sidecar files, and those that have none any more."""
    near: dict[bytes, dict[bytes, NewFile]] = {}
    for file in found:
        parent, name = os.path.split(file.path)
        near.setdefault(parent, {})[name] = file
    new, gone = [], []
    pictures: dict[bytes, list[tuple[int, bytes]]] = {}
    for photograph in r.photographs.known(*place):
        parent, name = os.path.split(photograph.path)
        if photograph.state is PhotographState.MISSING or not may_be_picture(name):
            continue
        if not (deep or parent == place[1]):
            continue
        if parent in near:
            pictures.setdefault(parent, []).append((photograph.id, name))
        elif photograph.id in known:
            gone.append(photograph.id)
    for parent, here in pictures.items():
        files = near[parent]
        names = FolderNames([*files, *(name for _, name in here)])
        for photograph_id, name in here:
            beside = _Beside(photograph_id, name, parent, tuple(files[one] for one in _of(names, name, files)))
            note = known.get(photograph_id)
            if beside.files and (note is None or note.stamp != beside.stamp):
                new.append(beside)
            elif not beside.files and note is not None:
                gone.append(photograph_id)
    return new, gone


def _of(names: FolderNames, photograph: bytes, files: Collection[bytes]) -> Iterator[bytes]:
    """Yield the names of the sidecar files of a photograph, best first; an edited one shares the original's JSON."""
    own = [one for one in names.sidecars(photograph) if one.name in files and not one.fit.between]
    yield from (one.name for one in sorted(own, key=lambda one: -one.fit.rank))
    original = original_of(photograph)
    if original is not None and not any(one.name.lower().endswith(b".json") for one in own):
        shared = names.sidecars(original)
        yield from (one.name for one in shared if one.name in files and one.name.lower().endswith(b".json"))


def _fields(one: _Beside, stated: Sequence[tuple[bytes, Statements]]) -> SidecarFields:
    from twinlens.features.reading.metadata import Statements

    xmp, takeout = Statements(), Statements()
    for path, statements in stated:
        if path.lower().endswith(b".xmp"):
            xmp = xmp.or_else(statements)
        else:
            takeout = takeout.or_else(statements)
    edits = ("AAE",) if any(file.path.lower().endswith(b".aae") for file in one.files) else ()
    return SidecarFields(_by_field(xmp), _by_field(takeout), edits)


def _by_field(stated: Statements) -> dict[str, Any]:
    return {name: value for name in _KEPT if (value := getattr(stated, name))}


def _keep(w: Transaction, changed: Mapping[int, tuple[_Beside, SidecarFields] | None]) -> None:
    """Keep notes, or none, and date the photographs that were read by them."""
    before = w.sidecar_notes.of(list(changed))
    rows = {row.id: row for row in w.photographs.by_id(list(changed))}
    dates, notes = {}, []
    for photograph_id, one in changed.items():
        row = rows.get(photograph_id)
        if row is None:
            continue  # forgotten meanwhile
        fields = SidecarFields() if one is None else one[1]
        if row.content_hash is not None:
            old = before.get(photograph_id)
            file_date = row.taken if row.date is not None and row.date.in_file else None
            if old is not None:
                file_date = SidecarFields.of_text(old.fields).file_date or file_date
            taken, fields = dated_by_file(row, file_date, fields)
            if taken != row.taken:
                dates[photograph_id] = taken
        if one is not None:
            notes.append(SidecarNote(photograph_id, one[0].stamp, fields.text()))
    w.sidecar_notes.remove([photograph_id for photograph_id, one in changed.items() if one is None])
    w.sidecar_notes.put(notes)
    w.photographs.date(dates)
