"""Maintenance of a library: the check for damage and its repair, and copies of it in other places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from twinlens.app.indexes import encoders
from twinlens.app.indexes.fitted_models import fits, load_extractor, make_kinds, usable_indexes
from twinlens.app.library.ingest.ingest import chosen_machines, read_photographs, used_kinds
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import CheckResult, FileResult
from twinlens.app.machine import app_folders
from twinlens.app.machine.output_file import refuse_original
from twinlens.core.errors import TwinlensError
from twinlens.core.files.unfinished_copies import unfinished_copy
from twinlens.core.message import Message, counted, joined
from twinlens.core.progress import Progress, part, silent
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.storage.database.address import Address
from twinlens.storage.database.place import WAIT_S
from twinlens.storage.database.values import PhotographState
from twinlens.storage.integrity.integrity_check import IntegrityReport, check
from twinlens.storage.integrity.mending import Finding, mend_all
from twinlens.storage.library.backup import backup, copy, restore
from twinlens.storage.library.store import Store, Transaction
from twinlens.storage.sqlite import file_copy
from twinlens.storage.sqlite.known_schema import ForeignPartsError
from twinlens.storage.sqlite.library_file import remove_foreign_parts

if TYPE_CHECKING:
    from twinlens.app.library.cluster.cluster import Cluster


def check_library(library: Library, progress: Progress = silent) -> CheckResult:
    """Check whether a library is as it was written, everything in it fits together, and nothing is lacking.

    Parameters
    ----------
    progress : Progress
        May raise ``Cancelled``.
    """
    return _result(library, _look(library, progress))


def _result(library: Library, found: _Found) -> CheckResult:
    every = [*found.findings, *found.lacks]
    return CheckResult(
        library=library.address.shown,
        findings=[joined([finding.sentence, finding.outcome]) for finding in every],
        sentences=[finding.sentence for finding in every],
        repairable=found.repairable,
        damaged=len(found.findings),
    )


@dataclass(frozen=True)
class _Found(IntegrityReport):
    """The result of a check, with what is lacking."""

    lacks: list[Finding] = field(default_factory=list)

    @property
    def mendable(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.mend is not None]

    @property
    def repairable(self) -> int:
        return len(self.mendable) + len(self.lacks)


def _look(library: Library, progress: Progress) -> _Found:
    """Check a library for damage and for what is lacking, as far as it can be read."""
    found = check(library.store, progress, fits)
    lacks: list[Finding] = []
    if found.readable:
        try:
            with library.store.reading() as r:
                lacks = list(_lacks(r))
        except TwinlensError:
            if not found.findings:
                raise
    return _Found(found.findings, found.readable, lacks)


def _lacks(r: Transaction) -> Iterator[Finding]:
    """Yield what photographs and indexes lack, as after a reading or repair that was stopped."""
    counts = r.photographs.counts()
    reading = Message("A repair reads them, as far as their disks are connected.")
    pending = counts[PhotographState.PENDING]
    sentences = [counted("{count} photo waits to be read.", "{count} photos wait to be read.", pending)]
    for kind in used_kinds(r):
        count = len(r.descriptors.lacking(kind))
        if count and not load_extractor(r, kind).unusable():
            sentences.append(
                counted(
                    "{count} photo has no vector of {kind} yet.",
                    "{count} photos have no vectors of {kind} yet.",
                    count,
                    kind=kind.name,
                )
            )
    count = len(r.keypoints.lacking(KEYPOINTS_VERSION))
    sentences.append(counted("{count} photo has no keypoints yet.", "{count} photos have no keypoints yet.", count))
    yield from (Finding(one, reading) for one in sentences if one["count"])
    for index in usable_indexes(r):
        lacking = counts[PhotographState.READY] if index.kind_id is None else encoders.missing_codes(r, index)
        if lacking:
            sentence = counted(
                "The index “{name}” lacks {count} photo.",
                "The index “{name}” lacks {count} photos.",
                lacking,
                name=index.name,
            )
            yield Finding(sentence, Message("A repair completes it."))


_ROUNDS = 4
"""Repeats of the check after repairs: a part of it can fail only once the parts before it are sound."""


def repair_library(
    library: Library, progress: Progress = silent, workers: int | None = None, cluster: Cluster | None = None
) -> CheckResult:
    """Check a library and mend what can be mended; a copy of it as it was is kept beside it.

    A flipped bit is put back. Vectors and keypoints are computed again from their photographs, codes from vectors,
    models of indexes from their samples. A person's own data that is damaged is never removed. A repair that was
    stopped goes on where it was.

    Parameters
    ----------
    workers : int, optional
        Processes that read photographs; by default as many as the person prefers.
    cluster : Cluster, optional
        That reads instead.

    Raises
    ------
    TwinlensError
        If the library can only be read, or there is no space for the copy.
    """
    found = _look(library, part(progress, 0.0, 0.2))
    if not found.repairable:
        return _result(library, found)
    # Nothing is removed where something is lacking only.
    kept = copy_beside(library, part(progress, 0.2, 0.3)) if found.mendable else None
    repaired: list[Message] = []
    lacked = found.lacks
    with library.store.adding("repairing the library"):
        for _ in range(_ROUNDS):
            mended = mend_all(library.store, found.mendable)
            if not mended:
                break
            repaired += mended
            found = _look(library, part(progress, 0.3, 0.5))
        if found.readable:
            _complete(library, found, part(progress, 0.5, 0.9), workers, cluster)
            found = _look(library, part(progress, 0.9, 1.0))
    repaired += [one.sentence for one in lacked if one.sentence not in [left.sentence for left in found.lacks]]
    changed = {"repaired": repaired, "kept": None if kept is None else str(kept)}
    return _result(library, found).model_copy(update=changed)


def _complete(
    library: Library, found: _Found, progress: Progress, workers: int | None, cluster: Cluster | None
) -> None:
    """Compute what is lacking, as far as damage beyond repair permits."""
    try:
        make_kinds(library)
        with chosen_machines(library, workers, cluster) as chosen:
            read_photographs(library, part(progress, 0.0, 0.8), chosen)
            if make_kinds(library):
                read_photographs(library, part(progress, 0.0, 0.8), chosen)
        encoders.bring_indexes_up_to_date(library, part(progress, 0.8, 1.0))
    except TwinlensError:
        if not found.findings:
            raise


def repair_at(
    where: Address | Path | None,
    progress: Progress = silent,
    workers: int | None = None,
    cluster: Cluster | None = None,
) -> CheckResult:
    """Open a library and repair it; foreign parts, for which a library is refused, are removed first.

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
        path = Address.of(app_folders.default_library() if where is None else where).path
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


def _free_name(path: Path) -> Path:
    stem = f"{path.stem} (before repair {datetime.now():%Y-%m-%d %H.%M.%S})"
    names = (stem if n == 1 else f"{stem} {n}" for n in range(1, 1000))
    return next(one for one in (path.with_name(name + path.suffix) for name in names) if not one.exists())


def copy_library(source: Address, target: Address, replace: bool = False, progress: Progress = silent) -> FileResult:
    """Copy a library, while it is in use, to another place; the copy is there when it is complete.

    Parameters
    ----------
    replace : bool
        Whether a library that is there may be replaced; a file is kept beside the new one.
    progress : Progress
        May raise ``Cancelled``: then the target is as it was.

    Raises
    ------
    TwinlensError
        If there is no library to copy, or one that may not be replaced, or one of both cannot be read or written.
    """
    kept: Path | None = None
    if target.is_file:
        refuse_original(target.path)
    if replace and target.is_file and target.path.exists():
        kept = _in_place(source, target.path, progress)
    else:
        copy(source, target, progress, replace=replace)
    with Store.open(target) as store, store.reading() as r:
        return FileResult(
            file=target.shown,
            photographs=r.photographs.counts()[PhotographState.READY],
            bytes=store.place.space(r.dialect).total,
            kept=None if kept is None else str(kept),
        )


def _in_place(source: Address, target: Path, progress: Progress) -> Path | None:
    """Put a copy in the place of a file, as a backup is restored; return where that file is kept now."""
    if source.is_file:
        return restore(target, source.path, progress)
    with unfinished_copy(target.with_name(f"new {target.name}"), "copying a library") as file:
        copy(source, file, part(progress, 0.0, 0.6))
        return restore(target, file, part(progress, 0.6, 1.0))


def copy_beside(library: Library, progress: Progress = silent) -> Path:
    """Copy the library into a file beside it, or on this machine where it is on a server; return the file."""
    path = (
        library.address.path
        if library.address.is_file
        else app_folders.made(app_folders.data_folder()) / "library.twinlens"
    )
    place = _free_name(path)
    backup(library.store, place, progress=progress)
    return place
