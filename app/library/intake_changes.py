"""The changes of a batch: gathered photograph by photograph, written table by table.

So the statements of a batch do not grow with its photographs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from app.library.extraction import CompletedPhotograph, ReadPhotograph
from app.library.intake_plan import IngestPlan
from core.arrays import AnyArray
from core.hashing.hash_method import Encoder
from features.keypoints.kept_keypoints import KEYPOINTS_VERSION
from storage.indexes.index_codes import StaleModelError
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction
from storage.photographs.camera_notes import CameraNote
from storage.photographs.photograph_rows import MovedFile, NewFile, PhotographRow, ReadFile
from storage.problems.problems import NewProblem


@dataclass
class BatchChanges:
    """The changes of a batch.

    Attributes
    ----------
    recorded : list of Read
        Facts of photographs.
    described : list of Read or Completed
        Vectors and keypoints.
    decoded : list of Read
        Files that were decoded: cameras have left notes in them.
    replaced : list of int
        Photographs whose old content is not described any more.
    moved : list of MovedFile
    removed : list of int
        Photographs that are none, or are another one that has moved.
    vanished : list of int
    over : list of PhotographRow
        Photographs whose problems are over.
    problems : list of NewProblem
    passed_over : list of PhotographRow
        Files that are no pictures.
    """

    recorded: list[ReadPhotograph] = field(default_factory=list)
    described: list[ReadPhotograph | CompletedPhotograph] = field(default_factory=list)
    decoded: list[ReadPhotograph] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)
    moved: list[MovedFile] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    vanished: list[int] = field(default_factory=list)
    over: list[PhotographRow] = field(default_factory=list)
    problems: list[NewProblem] = field(default_factory=list)
    passed_over: list[PhotographRow] = field(default_factory=list)

    def move(self, new: PhotographRow, old: PhotographRow) -> None:
        """Move a photograph to the place of a file that was just registered."""
        self.removed.append(new.id)
        self.moved.append(MovedFile(old.id, new.volume_id, new.folder_id, new.path, new.size, new.mtime_ns))

    def write(self, w: Transaction, plan: IngestPlan) -> None:
        """Write all of them."""
        w.photographs.mark_missing(self.vanished)
        w.remove(self.removed)
        w.photographs.move(self.moved)
        w.photographs.record([_row_facts(one) for one in self.recorded])
        w.camera_notes.put([CameraNote(one.content_hash, one.facts.place, one.facts.subsecond) for one in self.decoded])
        w.codes.remove(self.replaced)
        w.descriptors.remove(self.replaced)
        _put(w, plan, self.described)
        for volume_id, files in _by_volume(self.over).items():
            w.problems.clear(volume_id, [file.path for file in files])
        w.problems.add(self.problems)
        for volume_id, files in _by_volume(self.passed_over).items():
            w.passed_over.add(volume_id, files)


def _put(w: Transaction, plan: IngestPlan, kept: Sequence[ReadPhotograph | CompletedPhotograph]) -> None:
    """Keep keypoints, vectors and codes."""
    points = {one.photograph_id: one.keypoints for one in kept if one.keypoints is not None}
    w.keypoints.put(list(points), KEYPOINTS_VERSION, list(points.values()))
    w.keypoints.remove([one.photograph_id for one in kept if one.keypoints is None])
    ids: dict[int, list[int]] = {}
    vectors: dict[int, AnyArray] = {}
    for kind in plan.kinds:
        having = [one for one in kept if kind.key in one.vectors]
        blobs = [one.vectors[kind.key] for one in having]
        ids[kind.id] = [one.photograph_id for one in having]
        vectors[kind.id] = np.frombuffer(b"".join(blobs), "<f2").reshape(len(having), kind.dimensions)
        if having:
            w.descriptors.put(kind, ids[kind.id], vectors[kind.id])
    for index, kind, encoder in plan.encoders:
        if ids[kind.id]:
            _put_codes(w, index, encoder, ids[kind.id], vectors[kind.id])


def _put_codes(w: Transaction, index: IndexRow, encoder: Encoder, ids: list[int], vectors: AnyArray) -> None:
    try:
        w.codes.put(index.id, index.model_id or 0, ids, encoder.encode(vectors.astype(np.float32)))
    except StaleModelError:
        return  # fitted anew by another program: it encodes these with its next look


def _by_volume(rows: Sequence[PhotographRow]) -> dict[int, list[NewFile]]:
    files: dict[int, list[NewFile]] = {}
    for row in rows:
        files.setdefault(row.volume_id, []).append(NewFile(row.path, row.size, row.mtime_ns))
    return files


def _row_facts(one: ReadPhotograph) -> ReadFile:
    facts = one.facts
    return ReadFile(
        one.photograph_id,
        one.content_hash,
        facts.format,
        facts.width,
        facts.height,
        facts.orientation,
        facts.taken,
        facts.camera,
    )
