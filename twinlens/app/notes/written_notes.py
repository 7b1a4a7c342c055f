"""Own notes in files: on request they are written into XMP sidecar files, which other programs read.

A photograph is never written to. The sidecar of another program keeps all that it holds besides
(:mod:`twinlens.features.reading.xmp_sidecar`); one that cannot take the notes up, or changes meanwhile, stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import Field

from twinlens.app.library import volumes
from twinlens.app.library.library import Library
from twinlens.app.notes.own_notes import own_fields
from twinlens.app.notes.sidecar_names import FolderNames
from twinlens.app.results import Result
from twinlens.core.errors import TwinlensError
from twinlens.core.files.unfinished_copies import take_name, unfinished_copy
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, verbatim
from twinlens.core.progress import Progress, silent
from twinlens.storage.photographs.photograph_listing import Filter

_WRITTEN = ("rating", "label", "pick", "keywords", "title", "caption")  # XMP has no favourites


class WrittenNotes(Result):
    """The sidecar files that own notes were written to."""

    files: list[str] = Field(default_factory=list, description="paths")
    refused: list[Message] = Field(default_factory=list, description="a sentence for each that was not written")


def write_sidecars(library: Library, ids: Sequence[int] | None = None, progress: Progress = silent) -> WrittenNotes:
    """Write the own notes of photographs, by default of all, into XMP sidecar files beside them.

    Parameters
    ----------
    progress : Progress
        May raise ``Cancelled``; no file is half written.
    """
    with library.store.reading() as r:
        rows = r.photographs.by_id(r.photographs.matching(Filter()) if ids is None else ids)
        own = own_fields(r, {row.content_hash for row in rows if row.content_hash is not None})
        noted = [row for row in rows if row.content_hash in own]
        paths, known = library.paths(r, noted), library.volumes(r)
    files, refused = [], []
    for done, (row, path) in enumerate(zip(noted, paths, strict=True)):
        progress(done, len(noted), verbatim(shown(os.path.basename(path))))
        if not volumes.is_present(known[row.volume_id]) or not os.path.isfile(path):
            refused.append(Message("{name} is not there now.", name=shown(path)))
            continue
        try:
            files.append(shown(_write(path, own[row.content_hash or b""])))
        except TwinlensError as error:
            refused.append(error.message)
    return WrittenNotes(files=files, refused=refused)


def _write(photograph: bytes, noted: dict[str, object]) -> bytes:
    from twinlens.features.reading.metadata import Statements
    from twinlens.features.reading.sidecar_notes import contents
    from twinlens.features.reading.xmp_sidecar import CannotMergeError, with_statements

    folder, name = os.path.split(photograph)
    written = {one: value for one, value in noted.items() if one in _WRITTEN}
    statements = Statements(**written | {"keywords": tuple(written.get("keywords", ()))})  # type: ignore[arg-type]
    try:
        path = volumes.joined(folder, FolderNames(os.listdir(folder)).xmp_of(name))
        before = contents(path) if os.path.lexists(path) else None
        after = with_statements(before, statements, replacing=True)
        if after != before:
            _put(Path(os.fsdecode(path)), before, after)
    except CannotMergeError as error:
        raise TwinlensError(
            "The XMP file beside {name} cannot take your notes up.", "Open it with its own program.", name=shown(name)
        ) from error
    except OSError as error:
        raise TwinlensError(
            "The XMP file beside {name} cannot be written: {why}.",
            "Check the permissions of its folder.",
            name=shown(name),
            why=error.strerror or error,
        ) from error
    return path


def _put(target: Path, before: bytes | None, after: bytes) -> None:
    """Put a file in the place of one that is still as it was, or of none."""
    from twinlens.features.reading.sidecar_notes import contents

    with unfinished_copy(target, "writing notes") as part:
        part.write_bytes(after)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        if before is None:
            take_name(part, target)
            return
        with suppress(OSError):
            part.chmod(target.stat().st_mode & 0o777)
        if contents(os.fsencode(target)) != before:
            raise OSError(0, "it is being changed")
        part.replace(target)
