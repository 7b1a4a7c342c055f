"""Choices for many photographs at once: a sort, a folder, the sharpest of a series."""

from __future__ import annotations

from dataclasses import replace

from tests.app.duplicates.test_groups import candidate, related
from twinlens.app.duplicates.decisions import (
    best_of_series,
    keeping,
    leaving_folder,
    likely_copies,
    of_sort,
    only_shot,
    shots_of,
)
from twinlens.app.duplicates.grouping import KnownRelations, group
from twinlens.app.duplicates.groups import DuplicateKind, GroupMember, PhotoGroup
from twinlens.app.duplicates.keeper_rules import Fate, KeeperRules
from twinlens.features.copies import RelationKind
from twinlens.features.pictures.picture import Metadata


def made(*members: GroupMember) -> PhotoGroup:
    return PhotoGroup(members[0].of, (), members, False)


KEPT = candidate(1, 1, name="a", folder="photos")
COPY = candidate(2, 1, name="a", folder="backup/phone")
WEBP = candidate(3, 3, name="a", folder="web", format="WebP")
AVIF = candidate(4, 4, name="a", folder="web", format="AVIF")
SECOND, THIRD = candidate(5, 5, name="b", folder="photos"), candidate(6, 6, name="c", folder="photos")
THIRD_COPY = candidate(7, 6, name="c", folder="backup")
SERIES = made(
    GroupMember(COPY, DuplicateKind.IDENTICAL, KEPT, None, True),
    GroupMember(WEBP, DuplicateKind.LIKELY, KEPT, None, False),
    GroupMember(AVIF, DuplicateKind.LIKELY, KEPT, None, False),
    GroupMember(SECOND, DuplicateKind.SERIES, KEPT, None, False),
    GroupMember(THIRD, DuplicateKind.SERIES, KEPT, None, False),
    GroupMember(THIRD_COPY, DuplicateKind.IDENTICAL, THIRD, None, True),
)


def test_one_that_is_kept_takes_the_place_of_the_one_chosen_before() -> None:
    assert keeping(SERIES, 5, {1: Fate.BEST, 2: Fate.GOES}) == {1: None, 5: Fate.BEST}


def saved_by(program: str, coding: str = "", of: str = "") -> GroupMember:
    one, other = (Metadata(program=name, coding=coding) for name in (program, of))
    kept = replace(KEPT, metadata=other)
    return GroupMember(replace(WEBP, metadata=one), DuplicateKind.LIKELY, kept, None, False)


def test_all_of_one_sort_are_found() -> None:
    assert of_sort([SERIES, SERIES], SERIES.members[1].sort) == [3, 3]
    assert [one.sort.name for one in likely_copies([SERIES])] == ["WebP/JPEG", "AVIF/JPEG"]


def test_a_sort_is_a_format_and_the_program_that_saved_it() -> None:
    assert saved_by("GIMP 2.10", "1f").sort == saved_by("GIMP 2.10", "2f").sort != saved_by("cwebp", "1f").sort
    assert saved_by("", "1f").sort == saved_by("", "1f").sort != saved_by("", "2f").sort
    assert saved_by("GIMP 2.10").sort.name == "WebP/JPEG/GIMP 2.10"
    # What a camera says of itself comes along to each copy that has its notes.
    assert saved_by("Ver.1.02", "1f", of="Ver.1.02").sort == saved_by("", "1f").sort


def test_what_lies_in_a_folder_goes_where_another_copy_stays() -> None:
    assert leaving_folder([SERIES], b"/backup") == {2: Fate.GOES, 7: Fate.GOES}
    assert leaving_folder([SERIES], b"/photos/") == {1: Fate.GOES, 6: Fate.GOES}
    assert leaving_folder([SERIES], b"/back") == leaving_folder([SERIES], b"/web") == {}
    protected = replace(COPY, stays=True)
    assert leaving_folder([made(GroupMember(protected, DuplicateKind.IDENTICAL, KEPT, None, False))], b"/backup") == {}
    going = made(GroupMember(COPY, DuplicateKind.IDENTICAL, KEPT, None, True, chosen=True))
    assert leaving_folder([going], b"/photos") == {}


def test_where_the_kept_one_goes_its_copy_leads() -> None:
    fates = {one: fate for one, fate in leaving_folder([SERIES], b"/photos").items() if fate is not None}
    (one,) = group([KEPT, COPY], KnownRelations({}, (), fates), KeeperRules())
    assert (one.keeper.id, [each.goes for each in one.members]) == (2, [True])


def test_the_sharpest_of_a_series_stays_and_the_others_go_with_their_copies() -> None:
    assert shots_of(SERIES) == [1, 5, 6]
    assert best_of_series(SERIES, {1: 10.0, 5: 30.0, 6: 20.0}) == {
        5: Fate.BEST,
        **dict.fromkeys([1, 2, 6, 7], Fate.GOES),
    }
    assert best_of_series(SERIES, {1: 10.0, 6: 20.0}) == {6: Fate.BEST, 1: Fate.GOES, 2: Fate.GOES}
    assert best_of_series(SERIES, {1: 10.0}) == {}


def test_the_chosen_shot_of_a_series_stays_and_the_others_go_with_their_copies() -> None:
    assert only_shot(SERIES, 6) == {6: Fate.BEST, **dict.fromkeys([1, 2, 5], Fate.GOES)}
    assert only_shot(SERIES, WEBP.id) == only_shot(made(*SERIES.members[:1]), KEPT.id) == {}


def test_a_larger_copy_goes_for_the_one_that_a_person_keeps() -> None:
    large, small = candidate(1, 1, 400), candidate(2, 2, 100)
    known = KnownRelations(related((1, 2, RelationKind.SAME)), (), {2: Fate.BEST})
    (one,) = group([large, small], known, KeeperRules())
    assert (one.keeper.id, [each.goes for each in one.members], one.undecided) == (2, [True], False)
