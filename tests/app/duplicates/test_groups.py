"""Groups as a function of what is known, and the rules that say which copy is kept, and why."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.app.duplicates.grouping import KnownRelations, by_copies, components, group
from twinlens.app.duplicates.groups import COPIES, DuplicateKind, LostNote, PhotoGroup, warning
from twinlens.app.duplicates.keeper_rules import (
    CRITERIA,
    Fate,
    KeeperCandidate,
    KeeperCriterion,
    KeeperRanks,
    KeeperRules,
)
from twinlens.app.duplicates.sidecar_files import SidecarFile
from twinlens.app.notes.sidecar_names import SidecarKind
from twinlens.core.errors import TwinlensError
from twinlens.features.copies import RelationKind
from twinlens.features.copies.relation import Relation
from twinlens.features.pictures.picture import Metadata


def content(number: int) -> bytes:
    return bytes([number]) * 32


def candidate(
    number: int, of: int, width: int = 100, name: str = "", folder: str = "p", **more: Any
) -> KeeperCandidate:
    """Make a photograph of a content."""
    path = f"/{folder}/{name or number}.jpg".encode()
    made = KeeperCandidate(number, content(of), path, width, 100, 1000, "JPEG", None, None, 0)
    return replace(made, **more)


def related(*pairs: tuple[int, int, RelationKind]) -> dict[tuple[bytes, bytes], Relation]:
    return {(content(min(a, b)), content(max(a, b))): Relation(kind, 1.0, 1.0) for a, b, kind in pairs}


@st.composite
def libraries(draw: st.DrawFn) -> tuple[list[KeeperCandidate], KnownRelations]:
    formats = draw(st.lists(st.sampled_from(["JPEG", "PNG", "RAW"]), min_size=7, max_size=7))
    facts = st.tuples(st.integers(1, 6), st.sampled_from([100, 200]), st.integers(0, 5))
    photographs = [
        candidate(number, of, width, stays=stays == 0, format=formats[of])
        for number, (of, width, stays) in enumerate(draw(st.lists(facts, min_size=2, max_size=9)), 1)
    ]
    kinds = st.sampled_from([RelationKind.SAME, RelationKind.EDITED, RelationKind.SIMILAR])
    pairs = draw(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), kinds), max_size=10))
    fates = draw(st.dictionaries(st.integers(1, len(photographs)), st.sampled_from(list(Fate)), max_size=3))
    refused = draw(st.sets(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=2))
    return photographs, KnownRelations(
        related(*((a, b, kind) for a, b, kind in pairs if a != b)),
        {(content(min(pair)), content(max(pair))) for pair in refused},
        fates,
    )


def photographs_of(one: PhotoGroup) -> list[int]:
    return [one.keeper.id, *(each.photograph.id for each in one.members)]


@settings(max_examples=300, deadline=None)
@given(libraries(), st.randoms())
def test_whatever_is_known_groups_are_sound(
    library: tuple[list[KeeperCandidate], KnownRelations], random: Random
) -> None:
    photographs, known = library
    groups = group(photographs, known, KeeperRules())
    every = [one for each in groups for one in photographs_of(each)]
    assert len(every) == len(set(every))
    fates = known.chosen
    for each in groups:
        assert each.members
        beside = [one.of.id for one in each.members if one.kind in COPIES]
        assert len([a for a, b in itertools.pairwise(beside) if a != b]) == max(0, len(set(beside)) - 1)
        for one in each.members:
            if one.kind is DuplicateKind.IDENTICAL:
                assert one.photograph.content == one.of.content
            if one.goes and one.photograph.id not in fates:
                assert one.kind in (DuplicateKind.IDENTICAL, DuplicateKind.SAME)
                assert not one.photograph.stays
                assert one.of.id not in {other.photograph.id for other in each.members if other.goes} or (
                    fates.get(one.of.id) is Fate.GOES
                )
            if one.kind is DuplicateKind.SAME:
                assert known.between(one.of.content, one.photograph.content) is not None
    # Identical files are always together.
    for copy in photographs:
        same = {other.id for other in photographs if other.content == copy.content}
        if len(same) > 1:
            assert any(same <= set(photographs_of(each)) for each in groups)
    shuffled = list(photographs)
    random.shuffle(shuffled)
    assert group(shuffled, known, KeeperRules()) == groups
    parts = components(shuffled, known.relations)
    apart = [
        each for one in parts for each in group(one.photographs, replace(known, relations=one.relations), KeeperRules())
    ]
    assert sorted(apart, key=by_copies) == groups


def test_a_chain_brings_no_strangers_together() -> None:
    photographs = [candidate(1, 1, 300), candidate(2, 2, 200), candidate(3, 3, 100)]
    (one,) = group(
        photographs, KnownRelations(related((1, 2, RelationKind.SAME), (2, 3, RelationKind.SAME))), KeeperRules()
    )
    assert photographs_of(one) == [1, 2]


def test_what_nothing_tells_apart_is_undecided() -> None:
    photographs = [candidate(1, 1, name="x"), candidate(2, 2, name="y")]
    (one,) = group(photographs, KnownRelations(related((1, 2, RelationKind.SAME))), KeeperRules())
    assert one.undecided
    assert not one.going
    (one,) = group(photographs, KnownRelations(related((1, 2, RelationKind.SAME)), (), {2: Fate.BEST}), KeeperRules())
    assert (one.keeper.id, one.undecided, [each.photograph.id for each in one.going]) == (2, False, [1])


def test_raw_and_jpeg_of_one_shot_belong_together() -> None:
    photographs = [
        candidate(1, 1, name="IMG_1", format="RAW"),
        candidate(2, 2, name="img_1"),
        candidate(3, 3, name="IMG_1", folder="q"),
    ]
    (one,) = group(photographs, KnownRelations({}), KeeperRules())
    assert sorted(photographs_of(one)) == [1, 2]
    assert one.kinds == {DuplicateKind.RAW}
    assert not one.going


def test_raw_and_jpeg_that_look_the_same_are_never_copies() -> None:
    photographs = [
        candidate(1, 1, 300, format="RAW", folder="raw"),
        candidate(2, 2, 300, folder="jpg"),
        candidate(3, 3, 100, folder="small"),
    ]
    known = KnownRelations(related((1, 2, RelationKind.SAME), (1, 3, RelationKind.SAME), (2, 3, RelationKind.SAME)))
    (one,) = group(photographs, known, KeeperRules())
    assert {each.photograph.id: (each.kind, each.of.id) for each in one.members if each.goes} == {
        3: (DuplicateKind.SAME, 2)
    }
    assert {one.keeper.id, *(each.photograph.id for each in one.members if each.kind is DuplicateKind.RAW)} == {1, 2}


def test_an_original_stands_for_versions_that_are_larger() -> None:
    photographs = [
        candidate(1, 1, 300, taken="2023-05-14T11:08:00", camera="Canon"),
        candidate(2, 2, 900),
        candidate(3, 3, 100),
    ]
    known = KnownRelations(
        related((1, 2, RelationKind.EDITED), (1, 3, RelationKind.EDITED), (2, 3, RelationKind.EDITED))
    )
    (one,) = group(photographs, known, KeeperRules())
    assert one.keeper.id == 1


def dated(number: int, second: int, **more: Any) -> KeeperCandidate:
    taken = f"2023-05-14T11:08:{second:02d}"
    return candidate(number, number, more.pop("width", 300), taken=taken, camera="Canon", **more)


def test_an_original_its_copies_its_edits_and_its_series_are_one_group_that_the_original_leads() -> None:
    photographs = [
        dated(1, 0),
        candidate(2, 2, 100, folder="sent"),  # a copy of the original
        candidate(3, 3, 90, name="crop"),
        candidate(4, 4, 80, name="detail of the crop"),
        dated(5, 2, name="next"),  # the next shot
        candidate(6, 6, 90, name="of the next"),
    ]
    relations = related((1, 2, RelationKind.SAME), (1, 5, RelationKind.SIMILAR), (5, 6, RelationKind.EDITED))
    relations |= related((1, 3, RelationKind.EDITED), (2, 3, RelationKind.EDITED), (3, 4, RelationKind.EDITED))
    relations |= related((2, 5, RelationKind.EDITED))  # a copy without a date looks like a crop of the next shot
    (one,) = group(photographs, KnownRelations(relations), KeeperRules())
    assert one.keeper.id == 1
    assert [(each.photograph.id, each.kind.value, each.of.id) for each in one.members] == [
        (2, "same", 1),
        (3, "edited", 1),
        (4, "edited", 1),
        (5, "series", 1),
        (6, "edited", 5),
    ]
    assert [[each.id for each in files] for files in one.pictures] == [[1, 2], [3], [4], [5], [6]]


def test_a_collage_joins_no_two_originals() -> None:
    photographs = [dated(1, 0), dated(2, 50), candidate(3, 3, 900, name="collage")]
    relations = related((1, 3, RelationKind.EDITED), (2, 3, RelationKind.EDITED))
    (one,) = group(photographs, KnownRelations(relations), KeeperRules())
    assert photographs_of(one) in ([1, 3], [2, 3])


def test_the_first_generation_stays_though_a_copy_of_it_is_larger() -> None:
    photographs = [candidate(1, 1, 300, name="x"), candidate(2, 2, 900, bytes=90_000, name="y")]
    relations = {(content(1), content(2)): Relation(RelationKind.SAME, 1.0, 1.0, second_made=True)}
    (one,) = group(photographs, KnownRelations(relations), KeeperRules())
    assert (one.keeper.id, [each.photograph.id for each in one.going]) == (1, [2])
    turned = {pair: relation.turned_around() for pair, relation in relations.items()}
    (one,) = group(photographs, KnownRelations(turned), KeeperRules())
    assert (one.keeper.id, [each.photograph.id for each in one.going]) == (2, [1])


def test_a_jpeg_developed_from_a_raw_is_the_first_of_its_own_copies() -> None:
    photographs = [candidate(1, 1, 600, format="RAW", folder="raw"), candidate(2, 2, 600), candidate(3, 3, 300)]
    relations = related((2, 3, RelationKind.SAME))
    relations[content(1), content(2)] = Relation(RelationKind.SAME, 1.0, 1.0, second_made=True)
    (one,) = group(photographs, KnownRelations(relations), KeeperRules())
    assert {each.photograph.id: (each.kind.value, each.of.id) for each in one.members if each.goes} == {3: ("same", 2)}


def test_a_larger_copy_stays_where_nothing_says_that_it_was_enlarged() -> None:
    photographs = [dated(1, 0, width=100), candidate(2, 2, 300)]
    (one,) = group(photographs, KnownRelations(related((1, 2, RelationKind.SAME))), KeeperRules())
    assert (one.keeper.id, one.undecided, one.going) == (1, True, ())
    relations = {(content(1), content(2)): Relation(RelationKind.SAME, 1.0, 1.0, second_made=True)}
    (one,) = group(photographs, KnownRelations(relations), KeeperRules())
    assert (one.keeper.id, [each.photograph.id for each in one.going]) == (1, [2])


def test_what_is_only_probably_the_same_never_goes_by_a_rule() -> None:
    photographs = [candidate(1, 1, 300), candidate(2, 2, 200)]
    (one,) = group(photographs, KnownRelations(related((1, 2, RelationKind.LIKELY))), KeeperRules())
    assert [(each.kind, each.goes) for each in one.members] == [(DuplicateKind.LIKELY, False)]


def test_a_person_makes_any_member_the_one_that_stays() -> None:
    photographs = [dated(1, 0), candidate(2, 2, 100, folder="sent"), candidate(3, 3, 90), dated(5, 2)]
    relations = related((1, 2, RelationKind.SAME), (1, 3, RelationKind.EDITED), (1, 5, RelationKind.SIMILAR))
    for chosen in (1, 2, 3, 5):
        (one,) = group(photographs, KnownRelations(relations, (), {chosen: Fate.BEST}), KeeperRules())
        assert one.keeper.id == chosen
        assert sorted(photographs_of(one)) == [1, 2, 3, 5]


def test_what_a_person_lets_go_stands_for_nothing() -> None:
    photographs = [candidate(1, 1, 900), candidate(2, 2, 100), candidate(3, 3, 50)]
    known = related((1, 2, RelationKind.SAME), (1, 3, RelationKind.SAME), (2, 3, RelationKind.SAME))
    (one,) = group(photographs, KnownRelations(known, (), {1: Fate.GOES}), KeeperRules())
    assert one.keeper.id == 2
    assert {each.photograph.id for each in one.going} == {1, 3}


def test_raw_and_jpeg_can_be_said_to_be_no_duplicates() -> None:
    photographs = [candidate(1, 1, name="IMG_1", format="RAW"), candidate(2, 2, name="img_1")]
    assert group(photographs, KnownRelations({}, {(content(1), content(2))}), KeeperRules()) == []


def test_a_picture_lacks_what_only_its_copy_says() -> None:
    kept = candidate(1, 1, 200, place="")
    copy = candidate(2, 2, 100, taken="2023-05-14T11:08:00", place="48.137500,11.575000")
    rules = KeeperRules(order=("largest", "dated"))
    (one,) = group([kept, copy], KnownRelations(related((1, 2, RelationKind.SAME))), rules)
    assert one.keeper is kept
    assert one.lacking == {LostNote.DATE, LostNote.PLACE}
    (one,) = group([kept, copy], KnownRelations(related((1, 2, RelationKind.SAME))), KeeperRules(order=("dated",)))
    assert (one.keeper, one.lacking) == (copy, frozenset())
    (one,) = group([kept, copy], KnownRelations(related((1, 2, RelationKind.EDITED))), rules)
    assert not one.lacking, "an edited version stays"


def test_a_copy_that_says_or_holds_more_stays_until_a_person_lets_it_go() -> None:
    known = related((1, 2, RelationKind.SAME))
    for said, note in (
        (Metadata(rating=5), LostNote.RATING),
        (Metadata(keywords=("Places|Rome",)), LostNote.KEYWORDS),
        (Metadata(film=True), LostNote.FILM),
        (Metadata(gain_map=True), LostNote.GAIN_MAP),
        (Metadata(depth=16), LostNote.DEPTH),
        (Metadata(transparent=True), LostNote.TRANSPARENCY),
    ):
        photographs = [candidate(1, 1, 200, metadata=Metadata()), candidate(2, 2, 100, metadata=said)]
        rules = KeeperRules(order=("largest",))
        (one,) = group(photographs, KnownRelations(known), rules)
        (copy,) = one.members
        assert copy.only_here == {note}
        assert (one.keeper.id, copy.goes, copy.held) == (1, False, True)
        (one,) = group(photographs, KnownRelations(known, (), {2: Fate.GOES}), rules)
        assert (one.members[0].goes, one.members[0].held) == (True, False), "a person's word"
        unknown = [photographs[0], replace(photographs[1], metadata=None)]
        (one,) = group(unknown, KnownRelations(known), rules)
        assert not one.members[0].only_here, "what is not known is not more"


def test_a_keyword_of_a_hierarchy_is_the_keyword_alone() -> None:
    kept = candidate(1, 1, 200, metadata=Metadata(keywords=("Rome",)))
    copy = candidate(2, 2, 100, metadata=Metadata(keywords=("Places|Italy|Rome",)))
    (one,) = group([kept, copy], KnownRelations(related((1, 2, RelationKind.SAME))), KeeperRules(order=("largest",)))
    assert not one.members[0].only_here


PLAIN = KeeperCandidate(1, b"c", b"/p/DSC_1.jpg", 100, 100, 1000, "JPEG", None, None, 0)
BETTER: dict[str, dict[str, Any]] = {
    "first": {},
    "largest": {"width": 200, "bytes": 2000},
    "companions": {"beside": (SidecarFile(b"/p/DSC_2.jpg.xmp", 1, 1, SidecarKind.EDITS),)},
    "dated": {"camera": "Canon"},
    "original": {"format": "RAW"},
    "finest": {"bytes": 3000},
    "oldest": {"taken": "2001-01-01T00:00:00"},
    "named": {},
    "earliest": {"changed_ns": -1},
}


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda one: one.key)
def test_each_criterion_decides_and_says_so(criterion: KeeperCriterion) -> None:
    key = criterion.key
    better = replace(PLAIN, id=2, path=b"/p/DSC_2.jpg", **BETTER[key])
    worse = replace(PLAIN, path=b"/p/DSC_2 (1).jpg") if key == "named" else replace(PLAIN, derived=key == "first")
    kept = KeeperRanks(KeeperRules((key,)), {}).keeper([worse, better], b"c")
    assert kept.best is better
    assert kept.reasons == (criterion.reason_for(better, [worse]),)


def test_of_two_dates_the_first_counts_more_than_bytes() -> None:
    shot = replace(PLAIN, taken="2005-07-01T10:00:00", camera="Canon")
    saved_again = replace(shot, id=2, path=b"/p/DSC_2.jpg", taken="2019-01-01T10:00:00", bytes=9000)
    assert KeeperRanks(KeeperRules(), {}).keeper([shot, saved_again], b"c").best is shot


def test_a_heic_that_no_camera_saved_was_made_of_the_jpeg() -> None:
    made = replace(PLAIN, id=2, path=b"/p/DSC_2.heic", format="HEIC", bytes=500)
    assert KeeperRanks(KeeperRules(), {}).keeper([made, PLAIN], b"c").best is PLAIN
    shot, sent = replace(made, camera="Apple iPhone 12"), replace(PLAIN, camera="Apple iPhone 12")
    assert KeeperRanks(KeeperRules(), {}).keeper([shot, sent], b"c").best is shot


def test_rules_have_a_text_form() -> None:
    rules = KeeperRules(("oldest", "largest"), ("Backup",), ("Photos/2019", "/media/old"))
    assert KeeperRules.of_text(rules.text()) == rules
    assert KeeperRules.of_text("") == KeeperRules()
    assert set(BETTER) == {one.key for one in CRITERIA}
    with pytest.raises(TwinlensError, match="no rule “bigger”"):
        KeeperRules.of_text("bigger")
    for folderless in ("largest,never:", "prefer: ,oldest"):
        with pytest.raises(TwinlensError, match="names no folder"):
            KeeperRules.of_text(folderless)


@pytest.mark.parametrize("name", ["Rome, 2019", 'the "best"', "a\nb", "a\rb", "never:", "—,"])
def test_any_name_of_a_folder_has_a_text_form(name: str) -> None:
    rules = KeeperRules(("largest",), ("Backup", name))
    assert KeeperRules.of_text(rules.text()) == rules


def test_a_name_with_a_comma_is_given_in_quotes() -> None:
    assert KeeperRules.of_text('largest, "never:Rome, 2019",oldest') == KeeperRules(
        ("largest", "oldest"), ("Rome, 2019",)
    )


def test_a_folder_that_comes_last_loses_to_any_other() -> None:
    far = replace(PLAIN, id=2, path=b"/p/Backup/2020/DSC_1.jpg", width=900)
    kept = KeeperRanks(KeeperRules.of_text("largest,never:backup"), {}).keeper([far, PLAIN], b"c")
    assert kept.best is PLAIN
    assert str(kept.reasons[0]) == "in the better folder, “p”"


def test_preferred_folders_count_in_their_order_and_by_their_paths() -> None:
    copies = [
        replace(PLAIN, id=at, path=path)
        for at, path in enumerate((b"/x/2019/a.jpg", b"/y/Photos/2019/b.jpg", b"/y/Phone/c.jpg", b"/z/Phone/d.jpg"))
    ]

    def kept(text: str, *ids: int) -> int:
        return KeeperRanks(KeeperRules.of_text(text), {}).keeper([copies[one] for one in ids], b"c").best.id

    assert kept("prefer:photos/2019,prefer:phone", 0, 1, 2) == 1
    assert kept("prefer:/y/Phone,prefer:2019", 0, 1, 2) == 2
    assert kept("prefer:/z,prefer:/y", 0, 2, 3) == 3
    assert kept("never:/x/2019", 0, 3) == 3
    folders = {one.path.rpartition(b"/")[0] for one in copies}
    KeeperRules.of_text("prefer:Phone").check_folders(folders)
    for unknown in ("never:/y/Pho", "prefer:hone"):
        with pytest.raises(TwinlensError, match="No photo of the library lies in a folder"):
            KeeperRules.of_text(unknown).check_folders(folders)


@pytest.mark.parametrize(
    "name",
    ["IMG_2 2", "Copy of IMG_6", "Copy 2 of IMG_6", "IMG_7-bearbeitet", "Kopie von Urlaub", "IMG_8 - Kopie (2)",
     "IMG_9 (edited)", "IMG_10~2", "IMG_3 (1)", "IMG_3 copy", "IMG_3-edited", "photo - Copy"],
)  # fmt: skip
def test_a_plain_name_is_kept_rather_than_that_of_a_copy(name: str) -> None:
    copy, plain = replace(PLAIN, path=b"/p/%s.jpg" % name.encode()), replace(PLAIN, id=2, path=b"/q/Holiday_2.jpg")
    kept = KeeperRanks(KeeperRules(), {}).keeper([copy, plain], b"c")
    assert (kept.best, [str(one) for one in kept.reasons]) == (plain, ["original file name"])


@pytest.mark.parametrize("name", ["IMG_2", "Rome", "2019-05-14 11.08.00", "PXL_20210102_030405678", "Photocopy"])
def test_a_plain_name_is_none_of_a_copy(name: str) -> None:
    plain, other = replace(PLAIN, path=b"/p/%s.jpg" % name.encode()), replace(PLAIN, id=2, path=b"/q/DSC_1.jpg")
    assert KeeperRanks(KeeperRules(), {}).keeper([plain, other], b"c").reasons == ()


def test_a_person_comes_before_every_rule() -> None:
    large = replace(PLAIN, id=2, width=900)
    assert KeeperRanks(KeeperRules(), {1: Fate.BEST}).keeper([large, PLAIN], b"c").best is PLAIN
    assert KeeperRanks(KeeperRules(), {2: Fate.GOES}).keeper([large, PLAIN], b"c").best is PLAIN
    assert KeeperRanks(KeeperRules(), {}).keeper([large, PLAIN], b"c").best is large


def beside(*sorts: SidecarKind) -> tuple[SidecarFile, ...]:
    return tuple(SidecarFile(b"/p/%d" % at, at, 1, sort) for at, sort in enumerate(sorts))


@pytest.mark.parametrize(
    ("own", "others", "words"),
    [
        ([SidecarKind.FILM], [], "has its film"),
        ([SidecarKind.EDITS, SidecarKind.FILM], [], "has its film"),
        ([SidecarKind.EDITS, SidecarKind.FILM], [SidecarKind.FILM], "has its edits"),
        ([SidecarKind.NOTES], [], "has its notes"),
        ([SidecarKind.VOICE, SidecarKind.NOTES], [SidecarKind.NOTES], "has its voice note"),
        ([SidecarKind.EDITS, SidecarKind.NOTES], [SidecarKind.FILM], "has its edits"),
    ],
)
def test_what_has_more_beside_it_is_kept(own: list[SidecarKind], others: list[SidecarKind], words: str) -> None:
    first = replace(PLAIN, path=b"/a/DSC_1.jpg", beside=beside(*others))
    more = replace(PLAIN, id=2, path=b"/b/DSC_1.jpg", beside=beside(*own))
    for rules in (KeeperRules(), KeeperRules(("largest",)), KeeperRules(("oldest", "named"))):
        kept = KeeperRanks(rules, {}).keeper([first, more], b"c")
        assert kept.best is more
        assert [str(one) for one in kept.reasons] == [words]


def test_a_film_is_never_proposed_for_removal_nor_a_photo_for_it() -> None:
    film, again, identical = (
        candidate(number, of, format="Film", stays=True) for number, of in ((1, 1), (2, 2), (3, 1))
    )
    photo = candidate(4, 4, width=90)
    same = [(1, 2, RelationKind.SAME), (1, 4, RelationKind.SAME), (2, 4, RelationKind.LIKELY)]
    groups = group([film, again, identical, photo], KnownRelations(related(*same)), KeeperRules())
    assert {number for one in groups for number in photographs_of(one)} == {1, 2, 3, 4}
    for one in groups:
        assert not one.going
        assert str(warning(one)) == "Films are compared by their first frame, and never proposed for removal."
        assert {each.kind for each in one.members} <= {DuplicateKind.IDENTICAL, DuplicateKind.EDITED}


@pytest.mark.parametrize("larger", [1, 2])
def test_what_lacks_a_part_is_never_kept_in_place_of_a_whole_one(larger: int) -> None:
    whole = candidate(1, 1, width=200 if larger == 1 else 100)
    cut = candidate(2, 2, width=200 if larger == 2 else 100, damaged=True)
    (one,) = group([cut, whole], KnownRelations(related((1, 2, RelationKind.SAME))), KeeperRules())
    assert one.keeper.id == 1
    assert [each.kind for each in one.members] == [DuplicateKind.DAMAGED]
    assert not one.going
