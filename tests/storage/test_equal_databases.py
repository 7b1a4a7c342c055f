"""The same changes give the same rows, ids and answers in a file and on a server."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from tests.postgres import Server
from tests.storage.making import BYTES, DIMENSIONS, codes, index, new_store, vectors
from twinlens.core.message import Message
from twinlens.storage.comparisons import ComparedRow, ReachRow, RelatedRow
from twinlens.storage.database import values
from twinlens.storage.database.schema import (
    TABLES,
    descriptor,
    facts,
    library,
)
from twinlens.storage.disposals import NewDisposal
from twinlens.storage.library.store import Store, Transaction
from twinlens.storage.marks import NewMark, RefusedRow
from twinlens.storage.photographs.notes import CameraNote, SidecarNote
from twinlens.storage.photographs.photograph_listing import Filter, MarkFilter, PictureShape
from twinlens.storage.photographs.photographs import ChangedFile, MovedFile, NewFile, ReadFile
from twinlens.storage.photographs.problems import NewProblem

_PATHS = [folder + b"/" + name for folder in (b"a", b"a/b", b"ab", b"\xff") for name in (b"B", b"\xe9")]
_TEXTS = ["Canon", "canon 5D", "Pentaflex É", "a\0b", "", "--", "Z", "ä", "100%_x"]
_DATES = [None, "2023-05-14T11:08:00", "2021-12-31T23:59:59", "2023", "nonsense"]

Change = Callable[[Transaction, list[int]], Any]
"""Changes a library by numbers that are drawn; what it returns is compared."""

_Changes = list[tuple[Change, list[int]]]


def _some(w: Transaction, picks: list[int]) -> list[int]:
    """Return photographs that are there."""
    there = w.dialect.ids("SELECT id FROM photograph").tolist()
    return sorted({there[pick % len(there)] for pick in picks}) if there else []


def _content(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _file(pick: int) -> NewFile:
    return NewFile(_PATHS[pick % len(_PATHS)], pick % 3, 2**40 + pick % 4)


def _files(picks: list[int]) -> list[NewFile]:
    return sorted({_file(pick).path: _file(pick) for pick in picks}.values())


def _register(w: Transaction, picks: list[int]) -> Any:
    volume_id = picks[0] % 2 + 1
    folder_id = w.folders.add(volume_id, b"a", ["*.tif"]) if picks[0] % 3 else None
    return w.photographs.register(volume_id, folder_id, _files(picks)).tolist()


def _record(w: Transaction, picks: list[int]) -> Any:
    pick = picks[0]
    sides = (pick % 3 + 1, pick % 2 + 1)
    said = (_DATES[pick % len(_DATES)], _TEXTS[pick % len(_TEXTS)] if pick % 4 else None)
    read = [ReadFile(i, _content(i % 4 + pick % 2), "JPEG", *sides, 1, *said) for i in _some(w, picks)]
    w.photographs.record(read)
    w.camera_notes.put([CameraNote(file.content_hash, _TEXTS[pick % len(_TEXTS)], "25") for file in read])


def _state(w: Transaction, picks: list[int]) -> Any:
    ids = _some(w, picks)
    change = (w.photographs.mark_missing, w.photographs.mark_present, w.photographs.mark_pending)[picks[0] % 3]
    change(ids)
    w.photographs.mark_changed([ChangedFile(i, picks[0], -picks[-1]) for i in ids[:1]])


def _move(w: Transaction, picks: list[int]) -> Any:
    for i in _some(w, picks[:1]):
        file = NewFile(b"moved/%d" % i, 7, picks[0])
        w.photographs.move([MovedFile(i, 2, None, *file)])


def _remove(w: Transaction, picks: list[int]) -> Any:
    w.remove(_some(w, picks[:3]))
    return w.forget(picks[0] % 2 + 1, _PATHS[picks[-1] % len(_PATHS)].rpartition(b"/")[0]) if picks[0] % 3 == 0 else 0


def _problems(w: Transaction, picks: list[int]) -> Any:
    owners = [None, *_some(w, picks)]
    found = [
        NewProblem(1, file.path, Message("Broken {n}.", n=pick), Message("Wait."), pick % 3 or None, pick % 2, owner)
        for pick, file, owner in ((pick, _file(pick), owners[pick % len(owners)]) for pick in picks)
    ]
    w.problems.add(found)
    w.problems.ignore([row.id for row in w.problems.all()[: picks[0] % 3]])
    w.problems.clear(1, [_file(picks[-1]).path])
    return w.problems.retry(None if picks[0] % 2 else [row.id for row in w.problems.all(None)][:2]).tolist()


def _passed_over(w: Transaction, picks: list[int]) -> Any:
    w.passed_over.add(picks[0] % 2 + 1, _files(picks))
    w.passed_over.remove(1, [_file(pick).path for pick in picks[:2]])
    if picks[0] % 5 == 0:
        w.passed_over.remove_in(2, b"a")


def _arrays(w: Transaction, picks: list[int]) -> Any:
    kind, known, model = index(w)
    ids = _some(w, picks)
    w.descriptors.put(kind, ids, vectors(ids).reshape(-1, DIMENSIONS) + picks[0] % 2)
    w.keypoints.put(ids[:3], picks[0] % 2, [b"%d" % i for i in ids[:3]])
    w.codes.put(known.id, model, ids, codes(ids).reshape(-1, BYTES))
    w.keypoints.remove(ids[:1])
    w.codes.remove(ids[-1:])
    w.descriptors.remove(ids[1:2])


def _marks(w: Transaction, picks: list[int]) -> Any:
    pairs = [(pick % 5, other % 5) for pick, other in itertools.pairwise(picks) if pick % 5 != other % 5]
    made = w.marks.put(
        NewMark(_content(one), _content(other), "a\0", "é", bool(one % 2), "asked") for one, other in pairs
    )
    removed = w.marks.remove([row.id for row in w.marks.all()[: picks[0] % 3]])
    return made, removed, w.marks.restore(removed[:1])


def _duplicates(w: Transaction, picks: list[int]) -> Any:
    one, other = picks[0] % 3, picks[0] % 3 + 1 + picks[-1] % 2
    pair = (_content(one), _content(other))
    w.comparisons.put([ComparedRow(content, None if one else b"hash") for content in pair], picks[-1] % 2)
    w.comparisons.reached([ReachRow(pair[0], "space", 0.1 * picks[0], bool(one))])
    w.comparisons.relate([RelatedRow(*pair, "same", "{}")])
    w.comparisons.refuse([RefusedRow(pair[1], pair[0], "a", "b")])
    w.comparisons.choose(_some(w, picks), ("goes", "stays", None)[one])
    plan = w.disposals.plan(
        [
            NewDisposal(1, b"p/%d" % pick, 1, 2, pair[0], pair[1], "kept", None, None, (), {"photograph": pick})
            for pick in picks
        ]
    )
    w.disposals.done(plan[0].id, b"/there", (), {"photograph": picks[0]})
    w.disposals.undone(plan[-1].id)
    return plan, w.disposals.came_back(picks), w.disposals.of_contents(pair), w.comparisons.of(pair)


def _notes(w: Transaction, picks: list[int]) -> Any:
    before = w.own_notes.put({_content(pick % 4): f'{{"rating": {pick % 5}}}' if pick % 3 else None for pick in picks})
    w.sidecar_notes.put([SidecarNote(i, f"{picks[0]}", "{}") for i in _some(w, picks)])
    w.sidecar_notes.remove(_some(w, picks[:1]))
    return before, w.own_notes.all(), w.own_notes.of([_content(1)]), w.sidecar_notes.of(_some(w, picks))


def _albums(w: Transaction, picks: list[int]) -> Any:
    names = {row.name: row for row in w.albums.all()}
    name = _TEXTS[picks[0] % len(_TEXTS)].replace("\0", "")
    row = names.get(name) or w.albums.make(name, "{}" if picks[0] % 2 else None)
    added = w.albums.add(row.id, {_content(pick % 5): f"{pick}" for pick in picks})
    taken = w.albums.take_out(row.id, [_content(pick % 5) for pick in picks[:2]])
    w.albums.put_back(taken[:1])
    holding = w.albums.holding([_content(1), _content(2)])
    if picks[-1] % 3 == 0:
        removed = w.albums.remove(row.id)
        if picks[-1] % 2:
            w.albums.restore(row, removed)
    elif picks[-1] % 3 == 1:
        w.albums.change(row.id, row.name, "{}")
    return added, taken, holding, w.albums.all(), w.albums.counts()


def _names(w: Transaction, picks: list[int]) -> Any:
    name = _TEXTS[picks[0] % len(_TEXTS)]
    w.settings.put(name, {"value": picks, "text": name})
    w.settings.remove(_TEXTS[picks[-1] % len(_TEXTS)])
    run = w.lab.by_name(f"run {picks[0] % 3}") or w.lab.add(f"run {picks[0] % 3}", "plan", ["step", name])
    removed = w.lab.delete(run.id) if picks[-1] % 2 else None
    return run, removed, removed and w.lab.restore(*removed) if picks[-1] % 3 else None


_CHANGES: list[Change] = [
    *(_register, _record, _state, _move, _remove, _problems, _passed_over, _arrays, _marks, _duplicates),
    *(_notes, _albums, _names),
]
_batches = st.lists(
    st.tuples(
        st.lists(
            st.tuples(st.sampled_from(_CHANGES), st.lists(st.integers(0, 60), min_size=2, max_size=9)), max_size=6
        ),
        st.booleans() | st.just(True),
    ),
    min_size=1,
    max_size=6,
)


def _answers(r: Transaction) -> dict[str, Any]:
    """Ask everything that gives many rows, or depends on the order of text."""
    ids = r.dialect.ids("SELECT id FROM photograph")
    kind = r.descriptors.kind("kind")
    filters = [
        Filter(camera="CANON"),
        Filter(camera="é"),
        Filter(camera=""),
        Filter(folders=((1, b"a"), (2, b"\xff"))),
        Filter(since="2021", until="2023-05"),
        Filter(shape=PictureShape.LANDSCAPE, marked=MarkFilter.ANY),
        Filter(marked=MarkFilter.DIFFERENT),
    ]
    basics = r.listing.basics()
    cameras, paths = r.listing.cameras(), r.listing.paths(basics.ids)
    return {
        "filters": [r.photographs.matching(choice).tolist() for choice in filters],
        "known": [list(r.photographs.known(volume_id)) for volume_id in (1, 2)],
        "passed over": [list(r.passed_over.known(1, b"a")), list(r.passed_over.all()), r.passed_over.count()],
        "cameras": r.photographs.cameras(),
        "counts": r.photographs.counts(),
        "contents": [np.asarray(part).tolist() for part in r.photographs.contents(ids)[:1]],
        "by id": r.photographs.by_id(ids),
        "by hash": r.photographs.by_hash(_content(1), _content(2)),
        "basics": {name: column.tolist() for name, column in vars(basics).items()},
        "listed cameras": (cameras.numbers.tolist(), cameras.texts),
        "paths": (paths.by_path.tolist(), paths.folder.tolist(), paths.folders, paths.names),
        "problems": [r.problems.all(None), r.problems.under(1, b"a"), r.problems.count()],
        "vectors": None if kind is None else [one.tolist() for one in r.descriptors.read(kind, ids)],
        "blocks": None if kind is None else [(i.tolist(), v.tolist()) for i, v in r.descriptors.blocks(kind, 3)],
        "lacking": None if kind is None else r.descriptors.lacking(kind).tolist(),
        "keypoints": [r.keypoints.read(ids, version) for version in (0, 1)],
        "with keypoints": [r.keypoints.ids(0).tolist(), r.keypoints.lacking(1).tolist()],
        "codes": [(r.codes.load(one.id).ids.tolist(), r.codes.load(one.id).codes.tolist()) for one in r.indexes.all()],
        "bytes": [(r.codes.bytes(one.id), r.codes.lacking(one.id, kind).tolist()) for one in r.indexes.all() if kind],
        "marks": [r.marks.all(), r.marks.counts(), r.marks.contradicted(), r.marks.photographs()],
        "settings": list(r.settings.all().items()),
        "duplicates": [
            r.comparisons.related(),
            r.comparisons.refused(),
            sorted(r.comparisons.reaches()),
            r.comparisons.choices(),
        ],
        "given": [r.dialect.last_given(table) for table in ("photograph", "mark", "lab_run", "disposal", "album")],
    }


def _rows(r: Transaction) -> dict[str, Any]:
    """Return every row but what is drawn at random or counts transactions."""
    found = {}
    for table in TABLES:
        columns = [column for column in facts(table) if column.name != "codes_token"]
        ordered = select(*columns).order_by(*table.primary_key)
        if table is not library:
            found[table.name] = [tuple(row) for row in r.connection.execute(ordered)]
    assert set(found) > {descriptor.name}
    return found


class _OneMoment(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return datetime(2026, 11, 26, 12, tzinfo=UTC)


class _Taken(Exception):  # noqa: N818
    """A batch is taken back."""


def _change(store: Store, changes: _Changes, kept: bool) -> list[Any]:
    answers: list[Any] = []
    try:
        with store.writing() as w:
            for volume in ("one", "two"):
                w.volumes.seen(volume, volume, b"/" + volume.encode())
            answers += [change(w, picks) for change, picks in changes]
            if not kept:
                raise _Taken
    except _Taken:
        answers.append("taken back")
    return answers


@settings(max_examples=12)  # a library each
@example(batches=[([(_duplicates, [0, 1]), (_duplicates, [0, 0])], True)])  # several refused within a second
@example(batches=[([(_names, [3, 1])], True)])  # a key that holds NUL is asked for
@given(batches=_batches)
def test_both_say_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    postgres: Server,
    batches: list[tuple[_Changes, bool]],
) -> None:
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setattr(values, "datetime", _OneMoment)
        stack.callback(postgres.tidy)
        file = stack.enter_context(new_store(Path(tmp_path_factory.mktemp("equal"))))
        server = stack.enter_context(Store.open(postgres.empty_library()))
        first: _Changes = [(_register, list(range(7))), (_record, [1, 2, 3, 4]), (_problems, [1, 2, 3])]
        for changes, kept in [(first, True), *batches]:
            assert _change(file, changes, kept) == _change(server, changes, kept)
        with file.reading() as here, server.reading() as there:
            assert _rows(here) == _rows(there)
            assert _answers(here) == _answers(there)
