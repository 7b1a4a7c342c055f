"""Batches: their statements do not grow with photographs, and they keep what one photograph at a time would keep."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.library.ingest import batches as intake_batch
from app.library.ingest import ingest
from app.library.ingest.adding import Adding, add
from app.library.library import Library
from app.library.workers import readers
from app.library.workers.extraction import FileReadingTask, KnownContent, Outcome, ReadPhotograph, UnreadableFile
from core.message import Message
from features.descriptor import Extractor
from features.keypoints.keypoints import KEYPOINTS_VERSION, keypoint_bytes
from features.pictures.picture import Picture, PictureFacts
from storage.photographs.photograph_listing import Filter
from tests.statements import counted

MOST = 40
"""Statements of a batch of 256 photographs."""

_FLAT = Picture(np.zeros((48, 64, 3), np.uint8), None, PictureFacts("JPEG", 640, 480))
_NOTHING_SEEN = keypoint_bytes(_FLAT)


class Pretended:
    """Workers that decode nothing: what a file's bytes say decides what becomes of it, its hash gives the vectors."""

    def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: object) -> None:
        self._lengths = {key: len(one.extract(_FLAT)) for key, one in extractors.items()}

    def __enter__(self) -> Pretended:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def run(self, tasks: Iterable[FileReadingTask], waiting: Callable[[], None]) -> Iterator[Outcome]:
        for task in tasks:
            waiting()
            yield self._outcome(task)

    def _outcome(self, task: FileReadingTask) -> Outcome:
        path = Path(os.fsdecode(task.path))
        data = path.read_bytes()
        if data.startswith(b"vanishes"):
            path.unlink()
            return UnreadableFile(task.photograph_id, task.path, Message("It is gone."), Message("Look."), lost=True)
        if data.startswith((b"broken", b"note")):
            wrong = data.startswith(b"note")
            return UnreadableFile(task.photograph_id, task.path, Message("Cut off."), Message("Mend it."), wrong)
        digest = hashlib.sha256(data).digest()
        if digest in task.known:
            return KnownContent(task.photograph_id, task.path, digest)
        rng = np.random.default_rng(list(digest))
        vectors = {key: rng.random(self._lengths[key]).astype("<f2").tobytes() for key in task.wanted}
        facts = PictureFacts("JPEG", 640, 480, camera=f"Camera {digest[0] % 3}")
        return ReadPhotograph(task.photograph_id, task.path, digest, facts, b"", vectors, _NOTHING_SEEN)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library without photographs, with one index that is soon made."""
    path = tmp_path_factory.mktemp("empty") / "family.twinlens"
    with Library.open(path, create=True) as library, library.store.writing() as w:
        for index in w.indexes.all():
            if index.automatic:
                w.indexes.delete(index.id)
        w.indexes.add("Automatic", "colour:levels=1", "lsh:bits=64", "scan", automatic=True)
    return path


@pytest.fixture
def _pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "Workers", Pretended)
    monkeypatch.setattr(ingest, "TWICE", 10**9)
    monkeypatch.setattr(intake_batch, "BATCH_SECONDS", 10**9)


def taken_in(library: Library, folder: Path) -> int:
    """Add a folder, and count the statements of it."""
    with counted() as sent:
        add(library, [folder], Adding(workers=1))
    return len(sent)


def write(path: Path, content: str, moment: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    os.utime(path, ns=(moment, moment))


@pytest.mark.usefixtures("_pretended")
def test_the_statements_of_adding_grow_by_batches_not_by_photographs(tmp_path: Path, empty: Path) -> None:
    folder, size = tmp_path / "photographs", intake_batch.BATCH_PHOTOGRAPHS
    with Library.open(Path(shutil.copy(empty, tmp_path))) as library:
        write(folder / "first", "one")
        taken_in(library, folder)  # vocabularies are made once
        sent = []
        for batches in (1, 3):
            for i in range(batches * size):
                write(folder / f"{batches}" / f"{i:04}", f"{batches} {i}")
            sent.append(taken_in(library, folder))
        assert sent[1] - sent[0] <= 2 * MOST
        with library.store.reading() as r:
            assert len(r.photographs.matching(Filter())) == 1 + 4 * size


@pytest.mark.usefixtures("_pretended")
def test_a_batch_of_everything_that_can_become_of_a_file_is_few_statements(
    tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, count = tmp_path / "photographs", intake_batch.BATCH_PHOTOGRAPHS // 8
    batches: list[int] = []

    def commit(batch: intake_batch.IngestBatch) -> None:
        with counted() as sent:
            _commit(batch)
        batches.append(len(sent))

    _commit = intake_batch.IngestBatch.commit
    monkeypatch.setattr(intake_batch.IngestBatch, "commit", commit)
    with Library.open(Path(shutil.copy(empty, tmp_path))) as library:
        for i in range(8 * count):
            write(folder / f"{i:04}", f"photograph {i}")
        taken_in(library, folder)
        names = iter(sorted(folder.iterdir()))
        for i in range(count):
            next(names).rename(folder / f"moved {i:04}")
            write(next(names), f"another one {i}", 2)
            write(next(names), f"photograph {5 * count + i}", 3)
            os.utime(next(names), ns=(4, 4))
            write(next(names), "broken", 5)
            write(next(names), "vanishes", 6)
            write(folder / f"copy {i:04}", f"photograph {7 * count + i}", 7)
            write(folder / f"note {i:04}", "note", 8)
        taken_in(library, folder)
    assert max(batches) <= MOST


def everything(library: Library) -> list[object]:
    """Return all that a library knows of its photographs."""
    with library.store.reading() as r:
        ids = r.photographs.matching(Filter())
        indexes = [r.codes.load(index.id) for index in r.indexes.all()]
        problems = [(one.path, one.photograph_id, one.reason, one.attempts) for one in r.problems.all()]
        return [
            [(row.id, row.path, row.state, row.content_hash, row.camera) for row in r.photographs.by_id(ids)],
            [[block.tobytes() for block in r.descriptors.read(kind, ids)] for kind in r.descriptors.kinds()],
            r.keypoints.read(ids, KEYPOINTS_VERSION),
            [(one.ids.tolist(), one.codes.tobytes()) for one in indexes],
            problems,
            list(r.passed_over.all()),
        ]


CONTENTS = st.sampled_from(["one", "two", "three", "four", "broken", "note", "vanishes"])
FOLDERS = st.lists(st.dictionaries(st.integers(0, 9), CONTENTS, max_size=10), min_size=2, max_size=4)


@pytest.mark.usefixtures("_pretended")
@settings(max_examples=10)
@given(states=FOLDERS)
def test_a_batch_keeps_what_its_photographs_one_by_one_would(
    tmp_path_factory: pytest.TempPathFactory, empty: Path, states: list[dict[int, str]]
) -> None:
    found = []
    for size in (1, 256):
        here = tmp_path_factory.mktemp("batches")
        folder = here / "photographs"
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch, Library.open(Path(shutil.copy(empty, here))) as library:
            patch.setattr(intake_batch, "BATCH_PHOTOGRAPHS", size)
            seen = []
            for moment, state in enumerate(states, 1):
                for path in folder.iterdir():
                    if int(path.name) not in state:
                        path.unlink()
                for name, content in state.items():
                    path = folder / str(name)
                    if not path.exists() or path.read_text() != content:
                        write(path, content, moment)
                add(library, [folder], Adding(workers=1))
                seen.append(everything(library))
        found.append([_below(str(here), one) for one in seen])
    assert found[0] == found[1]


def _below(here: str, found: list[object]) -> str:
    """Write what was found without the place where it was."""
    return repr(found).replace(here.rsplit("/", 1)[-1], "")
