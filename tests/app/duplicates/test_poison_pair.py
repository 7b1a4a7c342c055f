"""A pair on which comparing crashes, hangs or takes too much memory costs one sentence; all others are compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.duplicates.comparison import VERSION, compare_in_process, compare_pictures, waiting_pictures
from app.duplicates.duplicates import find_duplicates
from app.duplicates.groups import DuplicateKind
from app.duplicates.side_by_side import align_photographs
from app.library.library import Library
from app.library.workers import decoders
from app.library.workers.worker_pool import WorkerLimits
from features.copies.relation import RelationKind
from tests.app.duplicates.test_duplicates import save
from tests.app.extractors import ABORT, HANG, MEMORY, MishapHashes, MishapLayingOver
from tests.app.folders import added
from tests.features.copies.test_relation import rich


@pytest.fixture
def mishaps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let comparing do what the widths of two pictures say."""
    monkeypatch.setattr("app.duplicates.pair_confirmation.AlignmentTask", MishapLayingOver)
    monkeypatch.setattr("app.duplicates.side_by_side.AlignmentTask", MishapLayingOver)
    yield
    decoders.end()


def library_with(folder: Path, *widths: int) -> Path:
    """Add two copies of a picture, and of each width two that do something."""
    for width in (300, *widths):
        picture = rich(width, width, 200)
        save(picture, folder / "photographs" / f"{width}.jpg", 95)
        save(picture, folder / "photographs" / f"{width} again.jpg", 70)
    added(folder / "a.twinlens", folder / "photographs")
    return folder / "a.twinlens"


@pytest.mark.usefixtures("mishaps")
def test_a_pair_that_fails_costs_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkerLimits, "seconds", 2.0)
    widths = (ABORT, HANG, MEMORY)
    with Library.open(library_with(tmp_path, *widths)) as library:
        found = find_duplicates(library)
        (group,) = found.groups
        assert [one.kind for one in group.members] == [DuplicateKind.SAME]
        assert Path(group.keeper.path).name == "300.jpg"
        assert len(found.bounds) == len(widths)
        assert all("could not be compared: the process" in str(one) for one in found.bounds)
        assert str(tmp_path / "photographs" / f"{ABORT} again.jpg") in str(found.bounds[0])
        assert waiting_pictures(library) == 0


@pytest.mark.usefixtures("mishaps")
def test_it_is_not_tried_again_but_where_a_person_looks_at_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(library_with(tmp_path, ABORT)) as library:
        assert compare_in_process(library) == 4
        monkeypatch.undo()  # whatever crashed would do so no longer
        with library.store.reading() as r:
            kinds = {row.kind for row in r.comparisons.related()}
        assert kinds == {RelationKind.SAME, RelationKind.NOT_COMPARED}
        assert compare_pictures(library) == 0
        assert len(find_duplicates(library).bounds) == 1
        assert len(align_photographs(library, [1, 2])) == 2


def test_a_thumbnail_that_crashes_costs_its_own_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.duplicates.pair_confirmation.ThumbnailHashTask", MishapHashes)
    with Library.open(library_with(tmp_path, 310)) as library:
        compare_pictures(library)
        with library.store.reading() as r:
            hashes = r.comparisons.compared(VERSION)
        thumbnails = library.thumbnails.get_many(list(hashes))
        crashing = {one for one, jpeg in thumbnails.items() if len(jpeg) % 2 == 0}
        assert len(hashes) == 4
        assert crashing == {one for one, made in hashes.items() if made is None}
