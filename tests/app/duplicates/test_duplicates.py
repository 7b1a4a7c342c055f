"""Duplicates of real files: one picture, made from it, taken again, or none; a damaged one is never kept by a rule."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.app.folders import added
from tests.features.copies.bursts import rich
from tests.features.copies.test_damage import jpeg, spoilt
from twinlens.app.duplicates import duplicates
from twinlens.app.duplicates.comparing import candidates
from twinlens.app.duplicates.comparing.compared_contents import ComparedContent
from twinlens.app.duplicates.comparing.comparison import compare_pictures, waiting_pictures
from twinlens.app.duplicates.decisions import (
    fates,
    keep_choices,
    keep_folder,
    refuse_groups,
    refused_pairs,
    release_folder,
    take_back_refusals,
)
from twinlens.app.duplicates.duplicates import Duplicates, decided_again, find_duplicates, known_duplicates, proposed
from twinlens.app.duplicates.grouping import KnownRelations, group
from twinlens.app.duplicates.groups import DuplicateKind, DuplicatesQuery, PhotoGroup, warning
from twinlens.app.duplicates.keeper_rules import Fate, KeeperCandidate, KeeperRules, keep_rules
from twinlens.app.duplicates.side_by_side import difference_words
from twinlens.app.indexes.indexes import find_index, set_default
from twinlens.app.library.ingest.forgotten_folders import forget_for_now
from twinlens.app.library.library import Library
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import Message
from twinlens.features.copies import RelationKind
from twinlens.features.copies.relation import Relation
from twinlens.features.pictures.edits import EDITS
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.comparisons import RelatedRow
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.notes import CameraNote
from twinlens.storage.photographs.photograph_listing import Filter

MADE = {one.name: one for one in EDITS}


def save(rgb: UInt8Pixels, path: Path, quality: int = 92, taken: str = "", camera: str = "Canon EOS") -> None:
    """Write a photograph, with the notes of a camera where there is a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    notes = Image.Exif()
    if taken:
        notes[0x0110] = camera
        notes.get_ifd(0x8769)[0x9003] = taken
    Image.fromarray(rgb).save(path, quality=quality, exif=notes)


def write_family(folder: Path) -> None:
    """Write an original with copies and edited versions, a burst, and strangers."""
    one, other = rich(1), rich(2)
    save(one, folder / "a.jpg", taken="2023:05:14 11:08:00")
    (folder / "sub").mkdir()
    (folder / "sub" / "a (1).jpg").write_bytes((folder / "a.jpg").read_bytes())
    save(MADE["half size"].apply(one, other, 1), folder / "a-small.jpg")
    save(one, folder / "a-web.jpg", 60)
    save(MADE["crop 50 %"].apply(one, other, 1), folder / "a-crop.jpg")
    save(MADE["mirror"].apply(one, other, 1), folder / "a-mirror.jpg")
    save(MADE["grey"].apply(one, other, 1), folder / "a-grey.jpg")
    rng = np.random.default_rng(0)
    large = rich(7, 800, 600)
    for second in range(3):
        shot = large[second * 9 : second * 9 + 540, 5 * second : 5 * second + 720] + rng.normal(0, 4, (540, 720, 3))
        save(np.clip(shot, 0, 255).astype(np.uint8), folder / f"b{second}.jpg", taken=f"2023:05:14 12:00:0{second}")
    for seed in range(20, 26):
        save(rich(seed), folder / f"s{seed}.jpg")
    save(np.full((90, 120, 3), 130, np.uint8), folder / "blank.jpg")
    save(np.full((90, 120, 3), 131, np.uint8), folder / "blank too.jpg")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with photographs, and beside it a library of them that was compared."""
    folder = tmp_path_factory.mktemp("family")
    write_family(folder / "photographs")
    added(folder / "made.twinlens", folder / "photographs")
    with Library.open(folder / "made.twinlens") as library:
        assert waiting_pictures(library) == 17
        assert compare_pictures(library) == 17
        assert waiting_pictures(library) == 0
        assert compare_pictures(library) == 0
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    """Return a copy of that library; the photographs stay where they are."""
    (tmp_path / "copy.twinlens").write_bytes((made / "made.twinlens").read_bytes())
    with Library.open(tmp_path / "copy.twinlens") as opened:
        yield opened


def named(path: bytes) -> str:
    return path.decode().rpartition("/")[2]


def kinds(group: PhotoGroup) -> dict[str, str]:
    """Return what each photograph of a group is, by its name."""
    return {named(one.photograph.path): one.kind.value for one in group.members}


def family(found: Duplicates) -> PhotoGroup:
    (one,) = [each for each in found.groups if each.kinds & {DuplicateKind.SAME, DuplicateKind.EDITED}]
    return one


def test_a_copy_that_says_more_stays_and_it_is_told_why(library: Library) -> None:
    web = known_content(library, "a-web.jpg")
    with library.store.writing("placing") as w:
        w.camera_notes.put([CameraNote(web, "48.137500,11.575000", "", Metadata(rating=4).text())])
    (one,) = [each for each in find_duplicates(library).groups if each.keeper.path.endswith("a.jpg")]
    assert one.lacking == ["place", "rating"]
    assert str(one.warning) == "Only this copy has: the place, a rating."
    (copy,) = [each for each in one.members if each.only_here]
    assert (Path(copy.path).name, copy.goes, copy.held) == ("a-web.jpg", False, True)
    (refused,) = proposed(library).refused
    assert str(refused.reason).startswith("Only this copy has: the place, a rating.")
    keep_choices(library, {copy.id: Fate.GOES})
    assert not proposed(library).refused, "a person's word"
    with library.store.writing("forgetting") as w:
        w.connection.exec_driver_sql("DELETE FROM camera_note WHERE content = ?", (known_content(library, "a.jpg"),))
    assert not family(known_duplicates(library)).lacking, "nothing is said of what was read before notes were kept"


@pytest.mark.parametrize("kind", [DuplicateKind.IDENTICAL, DuplicateKind.SAME, DuplicateKind.EDITED])
def test_what_the_list_lets_go_of_a_kind_is_what_is_moved(library: Library, kind: DuplicateKind) -> None:
    query = DuplicatesQuery(kinds=(kind,))
    found, plan = find_duplicates(library, query), proposed(library, query)
    listed = list(found.photograph_paths())
    assert len(listed) == found.copies == len(plan.files) + len(plan.refused)
    every = find_duplicates(library)
    of_kind = {one.path for group in every.groups for one in group.members if one.goes and one.kind == kind}
    assert set(listed) == of_kind
    assert any(one.goes for group in every.groups for one in group.members)


def test_a_decision_is_seen_at_once_and_moves_no_group(library: Library) -> None:
    find_duplicates(library)
    found = known_duplicates(library)
    order = [{each.photograph.id for each in one.members} | {one.keeper.id} for one in found.groups]
    keep_choices(library, {one.photograph.id: Fate.STAYS for one in found.going})
    decided = decided_again(library, found)
    assert decided.groups == known_duplicates(library).groups
    assert not decided.going
    touched = {one.photograph.id for one in found.going}
    for (part, before), (_, after) in zip(found.parts, decided.parts, strict=True):
        assert (before is after) is touched.isdisjoint(one.id for one in part.photographs), "others are not made anew"
    assert [{each.photograph.id for each in one.members} | {one.keeper.id} for one in decided.groups] == order
    keep_choices(library, dict.fromkeys((one.photograph.id for one in found.going), None))
    assert decided_again(library, decided).groups == found.groups


def known_content(library: Library, name: str) -> bytes:
    """Return the content of a photograph of the family."""
    one = family(known_duplicates(library))
    every = [one.keeper, *(each.photograph for each in one.members)]
    (found,) = [each.content for each in every if named(each.path) == name]
    return found


def test_groups_are_what_they_have_to_be(library: Library) -> None:
    found = known_duplicates(library)
    one = family(found)
    assert named(one.keeper.path) == "a.jpg"
    assert kinds(one) == {
        "a (1).jpg": "identical",
        "a-small.jpg": "same",
        "a-web.jpg": "same",
        "a-crop.jpg": "edited",
        "a-mirror.jpg": "edited",
        "a-grey.jpg": "edited",
    }
    assert {named(each.photograph.path) for each in one.going} == {"a (1).jpg", "a-small.jpg", "a-web.jpg"}
    assert not one.undecided
    (series,) = [each for each in found.groups if each is not one]
    assert kinds(series).keys() | {named(series.keeper.path)} == {"b0.jpg", "b1.jpg", "b2.jpg"}
    assert series.kinds == {DuplicateKind.SERIES}
    assert not series.going


def test_only_what_may_be_grouped_is_read(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    with library.store.writing("making a RAW of one shot") as w:
        rows = w.photographs.by_id(w.photographs.matching(Filter()))
        (shot,) = [row for row in rows if row.path.endswith(b"s21.jpg")]
        path = shot.path.replace(b"s21.jpg", b"S20.CR2")
        w.connection.exec_driver_sql("UPDATE photograph SET format = 'RAW', path = ? WHERE id = ?", (path, shot.id))
    few = known_duplicates(library)
    with library.store.reading() as r:
        read = duplicates._may_be_grouped(r, set())
        every = r.photographs.matching(Filter(states=(PhotographState.READY,)))
        names = {named(one.path) for one in r.photographs.by_id(read)}
    assert names == {"a.jpg", "a (1).jpg", "s20.jpg", "S20.CR2"}
    monkeypatch.setattr(duplicates, "_may_be_grouped", lambda *_: every)
    whole = known_duplicates(library)
    assert [kinds(one) for one in few.groups] == [kinds(one) for one in whole.groups]
    assert (few.of, few.bounds) == (whole.of, whole.bounds) == (17 + 1, ())
    assert any("s20.jpg" in kinds(one) | {named(one.keeper.path): ""} for one in few.groups)


def test_what_comes_later_is_compared_with_what_was_there(made: Path, tmp_path: Path) -> None:
    every = sorted((made / "photographs").rglob("*.jpg"))
    first = tmp_path / "photographs"
    for path in every[::2]:
        place = first / path.relative_to(made / "photographs")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    added(tmp_path / "later.twinlens", first)
    with Library.open(tmp_path / "later.twinlens") as library:
        compare_pictures(library)
    for path in every[1::2]:
        place = first / path.relative_to(made / "photographs")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    added(tmp_path / "later.twinlens", first)
    with Library.open(tmp_path / "later.twinlens") as library:
        compare_pictures(library)
        assert kinds(family(known_duplicates(library))).keys() | {"a.jpg"} == {
            name for name in (named(str(path).encode()) for path in every) if name.startswith("a")
        }


def test_another_version_compares_anew(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.duplicates.comparing.comparison.VERSION", 999_999)
    with library.store.writing() as w:
        w.comparisons.relate([RelatedRow(bytes(32), bytes([9]) * 32, "same", "{}")])
    assert compare_pictures(library) == 17
    assert len(family(known_duplicates(library)).members) == 6
    with library.store.reading() as r:
        assert r.comparisons.versions() == {999_999}


@pytest.mark.parametrize("index", ["Automatic", "Colours"])
def test_what_is_found_does_not_depend_on_the_index(
    library: Library, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each picture is tried with few others, so that an index has a choice; all is confirmed alike."""
    expected = [kinds(one) for one in known_duplicates(library).groups]
    monkeypatch.setattr("twinlens.app.duplicates.comparing.candidates.NEIGHBOURS", 4)
    with library.store.writing("forgetting") as w:
        w.comparisons.forget_version(-1)
    compare_pictures(library, index)
    assert [kinds(one) for one in known_duplicates(library).groups] == expected


def test_the_index_of_searches_does_not_matter(library: Library) -> None:
    set_default(library, "Colours")
    with library.store.writing("forgetting") as w:
        w.comparisons.forget_version(-1)
    compare_pictures(library)
    with library.store.reading() as r:
        assert {row.space.split()[1] for row in r.comparisons.reaches()} == {str(find_index(r, "Automatic").kind_id)}, (
            "they were proposed by the automatic index"
        )


@pytest.mark.parametrize(("threads", "turns"), [(1, True), (4, False)])
def test_what_is_found_is_the_same_with_any_number_of_threads_and_turns(
    library: Library, threads: int, turns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if turns:  # the keypoints of few pictures are in memory
        monkeypatch.setattr("twinlens.app.duplicates.comparing.candidates._HELD", 5)
        monkeypatch.setattr("twinlens.app.duplicates.comparing.candidates._PASSING", 3)
    with library.store.writing("forgetting") as w:
        expected = w.comparisons.related()
        w.comparisons.forget_version(-1)
    assert compare_pictures(library, threads=threads) == 17
    with library.store.reading() as r:
        assert r.comparisons.related() == expected


def test_it_can_be_stopped_anywhere_and_goes_on(made: Path, tmp_path: Path) -> None:
    added(tmp_path / "stopped.twinlens", made / "photographs")
    with Library.open(tmp_path / "stopped.twinlens") as library:
        for steps in itertools.chain(range(1, 40, 6), [10_000]):
            left = [steps]

            def stop(done: float, total: float, doing: Message, left: list[int] = left) -> None:
                left[0] -= 1
                if not left[0]:
                    raise Cancelled

            try:
                compare_pictures(library, progress=stop)
            except Cancelled:
                assert steps < 10_000
        assert waiting_pictures(library) == 0
        assert named(family(known_duplicates(library)).keeper.path) == "a.jpg"
        assert len(family(known_duplicates(library)).members) == 6


def test_a_person_decides(library: Library) -> None:
    one = family(known_duplicates(library))
    ids = {named(each.photograph.path): each.photograph.id for each in one.members}
    before = keep_choices(
        library, {ids["a-web.jpg"]: Fate.BEST, ids["a-crop.jpg"]: Fate.GOES, ids["a-small.jpg"]: Fate.STAYS}
    )
    assert before == {ids["a-web.jpg"]: None, ids["a-crop.jpg"]: None, ids["a-small.jpg"]: None}
    changed = family(known_duplicates(library))
    assert named(changed.keeper.path) == "a-web.jpg"
    assert {named(each.photograph.path) for each in changed.going} == {"a (1).jpg", "a.jpg", "a-crop.jpg"}
    keep_choices(library, before)
    with library.store.reading() as r:
        assert fates(r) == {}
    assert family(known_duplicates(library)) == one


def test_what_are_no_duplicates_stays_apart_until_it_is_taken_back(library: Library, made: Path) -> None:
    one = family(known_duplicates(library))
    rows = refuse_groups(library, one)
    assert len(refused_pairs(library)) == len(rows) == 15
    (left,) = [each for each in known_duplicates(library).groups if each.kinds != {DuplicateKind.SERIES}]
    assert kinds(left) == {"a (1).jpg": "identical"}
    forget_for_now(library, made / "photographs")
    assert len(refused_pairs(library)) == 15
    take_back_refusals(library, rows)
    assert refused_pairs(library) == []


def test_folders_that_stay_keep_their_copies(library: Library, made: Path) -> None:
    folder = made / "photographs" / "sub"
    keep_folder(library, folder)
    one = family(known_duplicates(library))
    assert named(one.keeper.path) == "a (1).jpg"
    assert "a.jpg" in {named(each.photograph.path) for each in one.going}
    release_folder(library, folder)
    assert named(family(known_duplicates(library)).keeper.path) == "a.jpg"


def test_rules_are_kept_and_followed(library: Library) -> None:
    keep_rules(library, KeeperRules.of_text("named,never:photographs"))
    assert known_duplicates(library).rules == KeeperRules(("named",), ("photographs",))
    one = family(known_duplicates(library, KeeperRules.of_text("never:photographs")))
    assert named(one.keeper.path) == "a.jpg"  # its folder is below the one named, as all are


def test_the_list_counts_and_filters(library: Library, made: Path) -> None:
    found = find_duplicates(library)
    assert (found.of, found.compared, found.copies, found.undecided) == (18, 0, 3, 0)
    assert found.counts == {"identical": 1, "same": 1, "likely": 0, "damaged": 0, "edited": 1, "series": 1, "raw": 0}
    assert found.bytes == sum(one.bytes for each in found.groups for one in each.members if one.goes)
    assert len(find_duplicates(library, DuplicatesQuery(kinds=(DuplicateKind.SERIES,))).groups) == 1
    assert len(find_duplicates(library, DuplicatesQuery(folder=made / "photographs" / "sub")).groups) == 1


def test_an_empty_library_has_none(tmp_path: Path) -> None:
    with Library.open(tmp_path / "empty.twinlens", create=True) as library, pytest.raises(TwinlensError, match="no ph"):
        find_duplicates(library)


def test_cameras_tell_moments_apart_within_a_second() -> None:
    moment = datetime(2023, 5, 14, 11, 8, 0)
    one, later, same, silent = (
        ComparedContent(b"", 1, (4, 3), 1, "JPEG", moment, said) for said in ("25", "75", "250", "")
    )
    assert one.seconds_from(later) == pytest.approx(0.5)
    assert one.seconds_from(same) == one.seconds_from(silent) == 0
    assert one.at_the_moment_of(same)
    assert not one.at_the_moment_of(later)
    assert not silent.at_the_moment_of(silent)


def test_a_bound_is_told(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_duplicates(library).bounds == []
    with library.store.writing("forgetting") as w:
        w.comparisons.forget_version(-1)
    monkeypatch.setattr(candidates, "NEIGHBOURS", 1)
    monkeypatch.setattr(candidates, "MOST_NEIGHBOURS", 1)
    monkeypatch.setattr(duplicates, "ALL_MEASURED", 3)
    found = find_duplicates(library)
    assert [one.template for one in found.bounds] == [
        "Each photo is compared with the {count} most similar ones, and with more where all of these match.",
        "{count} photo has more than {most} similar ones. It was compared with the nearest only.",
    ]


def test_more_are_tried_where_all_that_were_belong_to_it(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [kinds(one) for one in known_duplicates(library).groups]
    with library.store.writing("forgetting") as w:
        w.comparisons.forget_version(-1)
    monkeypatch.setattr(candidates, "NEIGHBOURS", 2)
    found = find_duplicates(library)
    assert found.bounds == []
    assert [kinds(one) for one in known_duplicates(library).groups] == known


HOW = ("bit", "sector", "swapped", "cut")


@pytest.fixture(scope="module")
def damaged_library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Make pairs of which one is spoilt, the one that rules would keep, and a copy of a whole one."""
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "photographs" / "a").mkdir(parents=True)
    (folder / "photographs" / "z").mkdir()
    for seed, how in enumerate(HOW):
        whole = jpeg(rich(seed))
        (folder / "photographs" / "a" / f"{how}.jpg").write_bytes(spoilt(whole, how, seed))
        (folder / "photographs" / "z" / f"{how} copy.jpg").write_bytes(whole)
    pixels = np.asarray(Image.open(folder / "photographs" / "z" / "bit copy.jpg"))
    (folder / "photographs" / "z" / "bit copy of copy.jpg").write_bytes(jpeg(pixels, 70))
    added(folder / "a.twinlens", folder / "photographs")
    with Library.open(folder / "a.twinlens") as opened:
        yield opened


def test_the_whole_one_is_kept_and_the_damaged_one_named(damaged_library: Library) -> None:
    found = find_duplicates(damaged_library)
    assert len(found.groups) == len(HOW)
    for each in found.groups:
        damaged = [one for one in each.members if one.kind == DuplicateKind.DAMAGED]
        assert [Path(one.path).parent.name for one in damaged] == ["a"]
        assert Path(each.keeper.path).parent.name == "z"
        assert not damaged[0].goes
        assert "damaged from about" in str(damaged[0].differs[0])
        assert "damaged copy is among them" in str(each.warning)
    going = [Path(one.path).name for each in found.groups for one in each.members if one.goes]
    assert going == ["bit copy of copy.jpg"]
    assert found.counts["damaged"] == len(HOW)


def test_a_person_may_keep_it_all_the_same(damaged_library: Library) -> None:
    damaged = {
        member.photograph.id
        for each in known_duplicates(damaged_library).groups
        for member in each.members
        if member.kind is DuplicateKind.DAMAGED
    }
    before = keep_choices(damaged_library, dict.fromkeys(damaged, Fate.BEST))
    try:
        for each in known_duplicates(damaged_library).groups:
            assert not [one for one in each.going if one.of.damaged]
    finally:
        keep_choices(damaged_library, before)


A, B, C = (bytes([one]) * 32 for one in (1, 2, 3))


def candidate(content: bytes, **facts: object) -> KeeperCandidate:
    told = {"width": 100, "height": 80, "bytes": 1000, "format": "JPEG", "taken": None, "camera": None, "changed_ns": 0}
    return KeeperCandidate(content[0], content, b"/p/%d.jpg" % content[0], **(told | facts))  # type: ignore[arg-type]


def test_what_is_whole_comes_before_every_rule() -> None:
    damaged = candidate(A, width=200, height=160, bytes=9000, taken="2020:01:01", camera="Canon", stays=True)
    relations = {
        (A, B): Relation(RelationKind.DAMAGED, second_damaged=False, damaged_from=0.5),
        (A, C): Relation(RelationKind.SAME),
        (B, C): Relation(RelationKind.SAME),
    }
    (made,) = group([damaged, candidate(B), candidate(C, bytes=900)], KnownRelations(relations), KeeperRules())
    assert made.keeper.content == B
    kinds = {one.photograph.content: (one.kind, one.goes) for one in made.members}
    assert kinds == {A: (DuplicateKind.DAMAGED, False), C: (DuplicateKind.SAME, True)}
    assert "damaged copy" in str(warning(made))
    (chosen,) = group(
        [damaged, candidate(B), candidate(C)], KnownRelations(relations, chosen={1: Fate.BEST}), KeeperRules()
    )
    assert not chosen.going
    (unknown,) = group(
        [candidate(A), candidate(B)], KnownRelations({(A, B): Relation(RelationKind.DAMAGED)}), KeeperRules()
    )
    assert [one.kind for one in unknown.members] == [DuplicateKind.DAMAGED]
    assert not unknown.going
    assert "One of these photos is damaged" in str(warning(unknown))
    assert not group(
        [damaged, candidate(B)], KnownRelations({(A, B): relations[A, B]}, refused=[(A, B)]), KeeperRules()
    )


def test_it_is_told_from_both_sides() -> None:
    found = Relation(RelationKind.DAMAGED, second_damaged=True, damaged_from=0.25)
    assert "damaged from about 25 %" in str(difference_words(found)[0])
    assert "the other one is damaged from about 25 %" in str(difference_words(found.turned_around())[0])
    assert found.turned_around().turned_around() == found
