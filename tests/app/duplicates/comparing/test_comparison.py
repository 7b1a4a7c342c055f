"""Candidates and pairs of duplicates are the same however they are found, and a bad pair costs one sentence."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app.duplicates.test_duplicates import save
from tests.app.extractors import ABORT, HANG, MEMORY, MishapHashes, MishapLayingOver
from tests.app.folders import added
from tests.features.copies.bursts import rich
from twinlens.app.duplicates.comparing import candidates
from twinlens.app.duplicates.comparing.candidates import turned_pairs
from twinlens.app.duplicates.comparing.compared_contents import ComparedContents
from twinlens.app.duplicates.comparing.comparison import (
    VERSION,
    WORTH_IT,
    PictureFamilies,
    compare_in_process,
    compare_pictures,
    waiting_pictures,
)
from twinlens.app.duplicates.comparing.pair_confirmation import PairConfirmation, ProposedPair
from twinlens.app.duplicates.duplicates import find_duplicates
from twinlens.app.duplicates.groups import DuplicateKind
from twinlens.app.duplicates.side_by_side import align_photographs
from twinlens.app.library.library import Library
from twinlens.app.library.workers import decoders
from twinlens.app.library.workers.decoding_tasks import FactsTask, WorkerLimits
from twinlens.core.errors import Cancelled
from twinlens.core.message import Message
from twinlens.core.progress import silent
from twinlens.features.copies import RelationKind
from twinlens.features.copies.perceptual_hash import ORIENTATIONS, oriented
from twinlens.features.copies.relation import Relation
from twinlens.storage.comparisons import RelatedRow

KINDS = st.sampled_from([RelationKind.SAME, RelationKind.EDITED, RelationKind.SIMILAR, None])
PAIRS = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda both: both[0] < both[1])


class Told(PairConfirmation):
    """What pairs are is known before; some take longer than others."""

    def __init__(self, kinds: dict[tuple[int, int], RelationKind | None], threads: int) -> None:
        library = Library.__new__(Library)
        super().__init__(library, ComparedContents.__new__(ComparedContents), threads)
        self._kinds = kinds

    def _relation(self, pair: ProposedPair) -> Relation | None:
        time.sleep(0.001 * (hash(pair[:2]) % 3))
        kind = self._kinds[pair[:2]]
        return None if kind is None else Relation(kind)


def in_turn(
    kinds: dict[tuple[int, int], RelationKind | None], threads: int
) -> tuple[set[tuple[int, int]], PictureFamilies]:
    families, asked = PictureFamilies(), set()

    def is_wanted(pair: ProposedPair) -> bool:
        return not families.together(pair.first, pair.second)

    with Told(kinds, threads) as confirming:
        pairs = [ProposedPair(*both) for both in kinds]
        for pair, found in confirming.in_turn(pairs, is_wanted, lambda pair: families.of(*pair[:2]), lambda done: None):
            asked.add(pair[:2])
            if found is not None:
                families.put(pair.first, pair.second, found.kind)
    return asked, families


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(PAIRS, KINDS, max_size=30), st.integers(2, 5))
def test_pairs_are_asked_as_if_one_came_after_another(
    kinds: dict[tuple[int, int], RelationKind | None], threads: int
) -> None:
    families, expected = PictureFamilies(), set()
    for both, kind in kinds.items():
        if not families.together(*both):
            expected.add(both)
            if kind is not None:
                families.put(*both, kind)
    asked, found = in_turn(kinds, threads)
    assert asked == expected
    assert all(found.same(one, other) == families.same(one, other) for one in range(10) for other in range(10))
    assert all(found.together(one, other) == families.together(one, other) for one in range(10) for other in range(10))


def test_many_pairs_of_one_family_and_of_many() -> None:
    many: dict[tuple[int, int], RelationKind | None] = {(0, number): RelationKind.SAME for number in range(1, 200)}
    many |= {(number, number + 1): RelationKind.EDITED for number in range(300, 500, 2)}
    asked, families = in_turn(many, 3)
    assert asked == many.keys()
    assert families.copies(5) == 200


def test_it_ends_when_it_is_stopped() -> None:
    confirming = Told({(0, 1): None, (2, 3): None}, 2)
    with confirming:
        next(confirming.all([ProposedPair(0, 1), ProposedPair(2, 3)]))
    with pytest.raises(RuntimeError):
        list(confirming.all([ProposedPair(0, 1)]))


@pytest.fixture
def mishaps(decoder_processes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let comparing do what the widths of two pictures say."""
    monkeypatch.setattr("twinlens.app.duplicates.comparing.pair_confirmation.AlignmentTask", MishapLayingOver)
    monkeypatch.setattr("twinlens.app.duplicates.side_by_side.AlignmentTask", MishapLayingOver)


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
        assert all("could not be compared: one of them" in str(one) for one in found.bounds)
        assert str(tmp_path / "photographs" / f"{ABORT} again.jpg") in str(found.bounds[0])
        assert waiting_pictures(library) == 0


@pytest.mark.parametrize("gone", [False, True], ids=["files-there", "files-gone"])
def test_pictures_without_thumbnails_are_compared_or_named(tmp_path: Path, gone: bool) -> None:
    """The cache is disposable: without it copies are found by their files, and without these a sentence says so."""
    with Library.open(library_with(tmp_path)) as library:
        with library.store.reading() as r:
            library.thumbnails.remove([row.content_hash or b"" for row in r.photographs.by_id([1, 2])])
        if gone:
            for one in (tmp_path / "photographs").iterdir():
                one.unlink()
        found = find_duplicates(library)
        kinds = [member.kind for group in found.groups for member in group.members]
        assert kinds == ([] if gone else [DuplicateKind.SAME])
        assert ["could not be compared" in str(one) for one in found.bounds] == ([True] if gone else [])


@pytest.mark.parametrize("thumbnails", [True, False], ids=["thumbnails-there", "thumbnails-gone"])
@pytest.mark.parametrize("other_file", [False, True], ids=["nothing", "another-file"])
def test_what_could_not_be_reached_is_compared_again_when_it_can_be(
    tmp_path: Path, thumbnails: bool, other_file: bool
) -> None:
    """Copies are no series because a disk was away, nor because another one had its place."""
    folder, away = tmp_path / "photographs", tmp_path / "away"
    with Library.open(library_with(tmp_path)) as library:
        if not thumbnails:
            with library.store.reading() as r:
                library.thumbnails.remove([row.content_hash or b"" for row in r.photographs.by_id([1, 2])])
        folder.rename(away)
        if other_file:
            folder.mkdir()
            for one in away.iterdir():
                (folder / one.name).write_bytes(b"another")
        found = find_duplicates(library)
        assert not found.groups
        assert "one of them cannot be read now" in str(found.bounds)
        assert waiting_pictures(library) == 0  # or the window would compare for ever
        assert compare_pictures(library) == 0
        shutil.rmtree(folder, ignore_errors=True)
        away.rename(folder)
        assert waiting_pictures(library) == 2
        found = find_duplicates(library)
        assert [member.kind for group in found.groups for member in group.members] == [DuplicateKind.SAME]
        assert not found.bounds
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


@pytest.mark.usefixtures("decoder_processes")
def test_a_thumbnail_that_crashes_costs_its_own_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.duplicates.comparing.compared_contents.ThumbnailHashTask", MishapHashes)
    with Library.open(library_with(tmp_path, 310)) as library:
        compare_pictures(library)
        with library.store.reading() as r:
            hashes = dict(r.comparisons.compared(VERSION))
        thumbnails = library.thumbnails.get_many(list(hashes))
        crashing = {one for one, jpeg in thumbnails.items() if len(jpeg) % 2 == 0}
        assert len(hashes) == 4
        assert crashing == {one for one, made in hashes.items() if made is None}


def made_hashes() -> list[bytes | None]:
    """Draw hashes: of strangers, of near copies, of mirrored and turned ones, and none."""
    rng = np.random.default_rng(0)
    own = rng.integers(0, 1 << 63, 60, np.uint64)
    turned = [oriented(own[:20], orientation) for orientation in ORIENTATIONS[:4]]
    flips = np.uint64(1) << rng.integers(0, 63, 60, np.uint64)
    values = rng.permutation(np.concatenate([own, own ^ flips, *turned]))
    return [None if at % 17 == 5 else int(value).to_bytes(8, "little") for at, value in enumerate(values.tolist())]


def test_parts_of_what_is_found_once_are_what_each_part_finds() -> None:
    hashes = made_hashes()
    places = np.random.default_rng(1).permutation(len(hashes))
    old, fresh = np.sort(places[:50]), np.sort(places[50:])
    once = turned_pairs(hashes, fresh, silent)
    known = np.zeros(len(hashes), np.bool_)
    known[old] = True
    found = 0
    for start in range(0, len(fresh), 30):
        some = fresh[start : start + 30]
        seen = known.copy()
        seen[some] = True
        alone = turned_pairs([one if seen[at] else None for at, one in enumerate(hashes)], some, silent)
        part = once.of(some, known)
        np.testing.assert_array_equal(part.pairs, alone.pairs)
        np.testing.assert_array_equal(part.orientation, alone.orientation)
        known, found = seen, found + len(part.pairs)
    assert found == len(once.pairs) > 100


def test_a_few_new_ones_are_paired_as_many_are(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes, fresh = made_hashes(), np.random.default_rng(2).permutation(200)[:60]
    few = turned_pairs(hashes, fresh, silent)
    monkeypatch.setattr(candidates, "FEW", 0)
    many = turned_pairs(hashes, fresh, silent)
    np.testing.assert_array_equal(few.pairs, many.pairs)
    np.testing.assert_array_equal(few.orientation, many.orientation)
    assert len(few.pairs) > 50


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aside")
    for seed in range(3):
        save(rich(seed), folder / "photographs" / f"{seed}.jpg")
    save(rich(1), folder / "photographs" / "copy.jpg", 60)
    added(folder / "made.twinlens", folder / "photographs")
    return folder / "made.twinlens"


def found(path: Path, worth_it: int) -> tuple[int, list[RelatedRow]]:
    with Library.open(path) as library:
        count = compare_in_process(library, worth_it=worth_it)
        assert waiting_pictures(library) == 0
        with library.store.reading() as r:
            return count, list(r.comparisons.related())


@pytest.mark.usefixtures("separate_processes")
def test_both_ways_find_the_same(made: Path, tmp_path: Path) -> None:
    told = []
    for number, worth_it in enumerate((1, WORTH_IT)):
        path = tmp_path / f"{number}.twinlens"
        path.write_bytes(made.read_bytes())
        told.append(found(path, worth_it))
    assert told[0] == told[1]
    count, related = told[0]
    assert count == 4
    assert len(related) == 1


@pytest.mark.usefixtures("separate_processes")
def test_it_stops_when_that_is_wanted(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "stopped.twinlens"
    path.write_bytes(made.read_bytes())

    def stop(done: float, total: float, doing: Message) -> None:
        raise Cancelled

    with Library.open(path) as library:
        with pytest.raises(Cancelled):
            compare_in_process(library, stop, worth_it=1)
        assert waiting_pictures(library) == 4
        assert compare_pictures(library) == 4  # no lock is left behind


def test_what_files_say_is_read_before_their_copies_count_as_compared(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "killed.twinlens"
    path.write_bytes(made.read_bytes())

    def killed(task: Any) -> Any:
        if isinstance(task, FactsTask):
            raise KeyboardInterrupt
        return ask(task)

    ask = decoders.ask
    with Library.open(path) as library:
        with library.store.writing() as w:  # added by a version that did not keep it
            w.dialect.execute("DELETE FROM file_metadata")
        with monkeypatch.context() as patch:
            patch.setattr(decoders, "ask", killed)
            with pytest.raises(KeyboardInterrupt):
                compare_pictures(library)
        assert compare_pictures(library) == 4
        with library.store.reading() as r:
            said = {content for content, note in r.camera_notes.all().items() if note.metadata is not None}
            assert said == {one for row in r.comparisons.related() for one in (row.first, row.second)}
            assert len(said) == 2


def test_what_has_gone_while_pictures_are_compared_stops_nothing(tmp_path: Path) -> None:
    with Library.open(library_with(tmp_path, 320)) as library:
        every = ComparedContents(library)
        gone, changed = every.ids[1:3].tolist()
        with library.store.writing() as w:
            w.dialect.execute("DELETE FROM photograph WHERE id = ?", (gone,))
            w.dialect.execute("UPDATE photograph SET content_hash = ? WHERE id = ?", (bytes(32), changed))
        assert [every[place].content for place in range(4)] == every.contents
        assert [every[place].format for place in range(4)] == ["JPEG", "", "", "JPEG"]
