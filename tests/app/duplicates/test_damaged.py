"""A damaged photograph is named, never kept while another is whole, and never goes by a rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.duplicates.decisions import keep_choices
from app.duplicates.duplicates import find_duplicates, known_duplicates, warning
from app.duplicates.groups import DuplicateKind, KnownRelations, group
from app.duplicates.keeper_rules import Fate, KeeperCandidate, KeeperRules
from app.duplicates.side_by_side import difference_words
from app.library.library import Library
from features.copies.relation import Relation, RelationKind
from tests.app.folders import added
from tests.features.copies.test_damage import jpeg, spoilt
from tests.features.copies.test_relation import rich

HOW = ("bit", "sector", "swapped", "cut")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
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


def test_the_whole_one_is_kept_and_the_damaged_one_named(library: Library) -> None:
    found = find_duplicates(library)
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


def test_a_person_may_keep_it_all_the_same(library: Library) -> None:
    damaged = {
        member.photograph.id
        for each in known_duplicates(library).groups
        for member in each.members
        if member.kind is DuplicateKind.DAMAGED
    }
    before = keep_choices(library, dict.fromkeys(damaged, Fate.BEST))
    try:
        for each in known_duplicates(library).groups:
            assert not [one for one in each.going if one.of.damaged]
    finally:
        keep_choices(library, before)


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
