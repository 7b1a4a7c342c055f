"""Checking a library for damage, and repairing it where possible: ``check --repair``."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.indexes.descriptor_kinds import make_kinds
from app.indexes.encoders import bring_up_to_date
from app.library.chosen_machines import machines
from app.library.intake import read_photographs
from app.library.library import Library
from app.library.results import CheckResult
from app.library.stored_keypoints import fits
from app.machine import places
from core.message import Message, joined
from core.progress import Progress, part, silent
from storage.database.address import Address
from storage.database.place import WAIT_S
from storage.integrity.integrity_check import Checked, check
from storage.integrity.mending import Finding, mend_all
from storage.library.backup import backup
from storage.sqlite import file_copy
from storage.sqlite.checksum_protection import protect
from storage.sqlite.known_schema import ForeignPartsError
from storage.sqlite.schema_mending import remove_foreign_parts

if TYPE_CHECKING:
    from app.library.cluster.cluster import Cluster

_ROUNDS = 4
"""How often the check is made again after something was mended: each part says something only after those before it."""


def check_library(library: Library, progress: Progress = silent) -> CheckResult:
    """Check whether a library is as it was written, and everything in it fits together.

    Parameters
    ----------
    library : Library
    progress : Progress
        May raise ``Cancelled``.
    """
    return _result(library, check(library.store, progress, fits))


def repair_library(
    library: Library, progress: Progress = silent, workers: int | None = None, cluster: Cluster | None = None
) -> CheckResult:
    """Check a library and mend what can be mended; what was there before is kept beside it.

    A flipped bit is put back. What can be computed again is: vectors and keypoints from their photographs, codes from
    vectors, what an index has learned from its sample. A person's own words that are damaged are never removed.

    Parameters
    ----------
    library : Library
    progress : Progress
    workers : int, optional
        Processes that read photographs; by default as many as the person prefers.
    cluster : Cluster, optional
        That reads instead.

    Raises
    ------
    TwinlensError
        If the library can only be read, or there is no space for the copy.
    Cancelled
        If progress says so; what is mended so far is kept.
    """
    found = check(library.store, part(progress, 0.0, 0.2), fits)
    if found.unprotected and library.store.writable:
        protect(library.store, fits, part(progress, 0.2, 0.2), again=True)
        found = replace(found, unprotected=0)
    if not _mendable(found):
        return _result(library, found)
    kept = copy_beside(library, part(progress, 0.2, 0.3))
    repaired: list[Message] = []
    with library.store.adding("repairing the library"):
        for _ in range(_ROUNDS):
            mended = mend_all(library.store, found.findings)
            if not mended:
                break
            repaired += mended
            found = check(library.store, part(progress, 0.3, 0.5), fits)
        if not found.findings:
            make_kinds(library)
            with machines(library, workers, cluster) as chosen:
                read_photographs(library, part(progress, 0.5, 0.8), chosen)
                if make_kinds(library):
                    read_photographs(library, part(progress, 0.5, 0.8), chosen)
            bring_up_to_date(library, part(progress, 0.8, 0.9))
            found = check(library.store, part(progress, 0.9, 1.0), fits)
    return _result(library, found).model_copy(update={"repaired": repaired, "kept": str(kept)})


def repair_at(
    where: Address | Path | None,
    progress: Progress = silent,
    workers: int | None = None,
    cluster: Cluster | None = None,
) -> CheckResult:
    """Open a library and repair it, one that is refused for its foreign parts, too: these are removed first.

    Parameters
    ----------
    where : Address or Path, optional
        As of :meth:`Library.open`.
    progress, workers, cluster
        As of :func:`repair_library`.
    """
    removed: Message | None = None
    kept: Path | None = None
    try:
        library = Library.open(where)
    except ForeignPartsError as error:
        path = Address.of(places.default_library() if where is None else where).path
        kept = _free_name(path)
        file_copy.copy(path, kept, WAIT_S)
        remove_foreign_parts(path, error.difference, WAIT_S)
        removed = error.message
        library = Library.open(where)
    with library:
        result = repair_library(library, progress, workers, cluster)
    if removed is None:
        return result
    return result.model_copy(update={"repaired": [removed, *result.repaired], "kept": str(kept)})


def copy_beside(library: Library, progress: Progress = silent) -> Path:
    """Copy the library as it is into a file beside it, or on this machine where it lies on a server; give its place."""
    path = library.address.path if library.address.is_file else places.data_folder() / "library.twinlens"
    place = _free_name(path)
    backup(library.store, place, progress=progress)
    return place


def _free_name(path: Path) -> Path:
    stem = f"{path.stem} (before repair {datetime.now():%Y-%m-%d %H.%M.%S})"
    names = (stem if n == 1 else f"{stem} {n}" for n in range(1, 1000))
    return next(one for one in (path.with_name(name + path.suffix) for name in names) if not one.exists())


def _mendable(found: Checked) -> list[Finding]:
    return [finding for finding in found.findings if finding.mend is not None]


def _result(library: Library, found: Checked) -> CheckResult:
    return CheckResult(
        library=library.address.shown,
        findings=[joined([finding.sentence, finding.outcome]) for finding in found.findings],
        sentences=[finding.sentence for finding in found.findings],
        unprotected=found.unprotected,
        repairable=len(_mendable(found)),
    )
