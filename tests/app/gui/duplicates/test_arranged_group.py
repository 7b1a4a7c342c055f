"""Where the photographs of groups stand, and that decisions move none of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.app.duplicates.test_groups import candidate, content, related
from twinlens.app.duplicates.duplicates import Duplicates
from twinlens.app.duplicates.grouping import KnownRelations, components, group
from twinlens.app.duplicates.groups import GroupFilter
from twinlens.app.duplicates.keeper_rules import Fate, KeeperCandidate, KeeperRules
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup, GroupOrder, SectionKind, arrange, in_order
from twinlens.app.gui.duplicates.group_model import badge, key_hints, section_heading, what_it_is
from twinlens.features.copies import RelationKind
from twinlens.features.copies.relation import Relation

ORIGINAL = candidate(
    1, 1, 400, "IMG_1", "photos/a", taken="2020-05-01T10:00:00", camera="Canon", format="JPEG", bytes=5000
)
FILES = [
    ORIGINAL,
    replace(ORIGINAL, id=2, path=b"/backup/IMG_1.jpg", changed_ns=5),
    candidate(3, 3, 200, "small", "web"),
    candidate(4, 4, 400, "again", "web", format="WebP"),
    candidate(5, 5, 300, "crop", "edits"),
    replace(ORIGINAL, id=6, content=content(6), path=b"/photos/a/IMG_2.jpg", taken="2020-05-01T10:00:03"),
    candidate(7, 7, 100, "pair", "photos/b"),
    candidate(8, 7, 100, "pair", "web"),
]
RELATIONS = related(
    (1, 3, RelationKind.SAME),
    (1, 4, RelationKind.LIKELY),
    (1, 5, RelationKind.EDITED),
    (1, 6, RelationKind.SIMILAR),
)


def found(chosen: dict[int, Fate] | None = None, refused: tuple[int, ...] = (), **rules: object) -> Duplicates:
    """Return the groups of the files as a person decided."""
    pairs = {(content(one), content(other)) for one in refused for other in refused if one < other}
    decided = KnownRelations({}, pairs, chosen or {})
    kept = KeeperRules(**rules)  # type: ignore[arg-type]
    parts = tuple(
        (part, tuple(group(part.photographs, replace(decided, relations=part.relations), kept)))
        for part in components(FILES, RELATIONS)
    )
    every = tuple(one for _, some in parts for one in some)
    return Duplicates(every, kept, len(FILES), decided=decided, parts=parts)


def of(groups: list[ArrangedGroup], photograph: KeeperCandidate) -> ArrangedGroup:
    return next(one for one in groups if photograph.id in one.ids)


def test_a_group_has_its_files_its_versions_and_its_series() -> None:
    one = of(arrange(found(), None, ()), ORIGINAL)
    assert one.ids == (1, 2, 3, 4, 5, 6)
    assert [section.kind for section in one.sections] == [SectionKind.SAME, SectionKind.MADE, SectionKind.SERIES]
    assert [section_heading(one, section) for section in one.sections] == [
        "The same picture · 4 files, 2 go",
        "Made from it · 1, stays",
        "Series · 2 shots in 3 seconds, stay",
    ]
    badges = [badge(one, place) for place in range(6)]
    assert badges == ["Keep", "Remove", "Remove", "Probably the same", "Edited", "Series"]
    assert what_it_is(one.photographs[1], one.member(1)) == "byte for byte the same"
    assert ("B", "keep the sharpest") in key_hints(one)


def test_a_heading_is_true_of_each_photograph_below_it() -> None:
    """Versions of a shot stand in its series, and are counted apart; what shows more was not made from it."""
    shots = [ORIGINAL, FILES[5], candidate(9, 9, 300, "IMG_2 crop", "edits"), candidate(5, 5, 300, "crop", "edits")]
    pairs = (1, 6, RelationKind.SIMILAR), (6, 9, RelationKind.EDITED), (1, 5, RelationKind.EDITED)
    relations = related(*pairs)
    versions = content(1), content(5)
    crop = Relation(RelationKind.EDITED, first_seen=0.7, second_seen=1.0)

    def headings(version: Relation) -> list[str]:
        (made,) = group(shots, KnownRelations({**relations, versions: version}), KeeperRules())
        one = ArrangedGroup(made)
        return [section_heading(one, section) for section in one.sections]

    series = "Series · 2 shots in 3 seconds, 1 other version, stay"
    assert headings(crop) == ["Made from it · 1, stays", series]
    assert headings(crop.turned_around()) == ["Other versions · 1, stays", series]


def test_what_comparing_makes_something_else_is_arranged_anew() -> None:
    photographs = [ORIGINAL, FILES[5], candidate(9, 9, 300, "IMG_2 crop", "edits")]

    def compared(kind: RelationKind) -> Duplicates:
        relations = related((1, 6, RelationKind.SIMILAR), (1, 9, RelationKind.SIMILAR), (6, 9, kind))
        parts = tuple(
            (part, tuple(group(part.photographs, KnownRelations(part.relations), KeeperRules())))
            for part in components(photographs, relations)
        )
        return Duplicates(tuple(one for _, some in parts for one in some), KeeperRules(), 3, parts=parts)

    before, after = compared(RelationKind.SIMILAR), compared(RelationKind.EDITED)
    (one,) = arrange(after, before, arrange(before, None, ()))
    assert not one.decided
    assert [badge(one, place) for place in range(3)] == ["Keep", "Edited", "Series"]
    assert [section_heading(one, section) for section in one.sections] == [
        "Made from it · 1, stays",
        "Series · 2 shots in 3 seconds, stay",
    ]


def test_arranged_anew_what_stands_as_it_came_stays_the_same_object() -> None:
    before = found()
    standing = arrange(before, None, ())
    assert all(one is again for one, again in zip(standing, arrange(before, None, standing), strict=True))
    decided = found({3: Fate.BEST})
    moved = arrange(decided, before, standing)
    anew = arrange(decided, None, moved)
    assert [one.group for one in anew] == list(decided.groups)
    assert not any(one.decided for one in anew)
    assert of(anew, ORIGINAL) is not of(moved, ORIGINAL)


@pytest.mark.parametrize("fate", list(Fate))
@pytest.mark.parametrize("photograph", [1, 2, 3, 4, 5, 6])
def test_a_decision_moves_no_photograph(photograph: int, fate: Fate) -> None:
    before = found()
    standing = arrange(before, None, ())
    one = of(arrange(found({photograph: fate}), before, standing), ORIGINAL)
    assert one.ids == (1, 2, 3, 4, 5, 6)
    place = one.ids.index(photograph)
    assert one.goes(place) is (fate is Fate.GOES)
    assert badge(one, place) == ("Remove" if fate is Fate.GOES else "Keep")
    assert one.staying > 0
    if fate is Fate.BEST:
        assert one.keeps(place)
        assert [str(reason) for reason in one.group.reasons] == ["your choice"]


def test_it_is_arranged_anew_by_other_rules_and_when_it_is_opened() -> None:
    before, now = found(), found({5: Fate.BEST})
    standing = arrange(before, None, ())
    assert of(arrange(now, None, ()), ORIGINAL).ids[0] == 5
    assert of(arrange(now, before, standing), ORIGINAL).ids[0] == 1
    other = found({5: Fate.BEST}, preferred=("edits",))
    assert of(arrange(other, before, standing), ORIGINAL).ids[0] == 5


def test_what_is_refused_leaves_and_the_others_stay() -> None:
    before = found()
    standing = arrange(before, None, ())
    now = arrange(found(refused=(1, 3, 4, 5, 6)), before, standing)
    assert sorted(one.ids for one in now) == [(1, 2), (7, 8)]


def test_orders_and_words() -> None:
    groups = arrange(found(), None, ())
    assert [one.ids[0] for one in in_order(groups, GroupOrder.GAIN)] == [1, 7]
    assert [one.ids[0] for one in in_order(groups, GroupOrder.DATE)] == [1, 7]
    assert [one.ids[0] for one in in_order(groups, GroupOrder.NAME)] == [1, 7]
    assert [one.ids[0] for one in in_order(groups, GroupOrder.FOLDER)] == [1, 7]
    assert [one.passes(GroupFilter(words="crop EDITS")) for one in groups] == [1 in one.ids for one in groups]
    assert not any(one.passes(GroupFilter(words="crop web")) for one in groups)
    dates = {one.taken[:7] for each in groups for one in each.photographs if one.taken}
    assert dates
    assert all(any(one.passes(GroupFilter(words=date)) for one in groups) for date in dates)
    assert not any(one.passes(GroupFilter(words="1811-01")) for one in groups)


def test_a_group_that_was_undecided_stays_on_its_tab() -> None:
    one = of(arrange(found(), None, ()), FILES[6])
    undecided = replace(one.arranged, undecided=True)
    assert ArrangedGroup(undecided, (one.arranged,)).passes(GroupFilter(undecided=True))
