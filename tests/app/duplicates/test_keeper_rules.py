"""Rules say which copy is kept, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.duplicates.keeper_rules import CRITERIA, Fate, KeeperCandidate, KeeperCriterion, KeeperRules, choose_keeper
from app.duplicates.sidecar_files import SidecarFile, SidecarKind
from core.errors import TwinlensError

PLAIN = KeeperCandidate(1, b"c", b"/p/DSC_1.jpg", 100, 100, 1000, "JPEG", None, None, 0)
BETTER: dict[str, dict[str, Any]] = {
    "largest": {"width": 200, "bytes": 2000},
    "companions": {"beside": (SidecarFile(b"/p/DSC_2.jpg.xmp", 1, 1, SidecarKind.EDITS),)},
    "dated": {"camera": "Canon"},
    "original": {"format": "RAW"},
    "finest": {"bytes": 3000},
    "oldest": {"taken": "2001-01-01T00:00:00"},
    "named": {},
}


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda one: one.key)
def test_each_criterion_decides_and_says_so(criterion: KeeperCriterion) -> None:
    key = criterion.key
    better = replace(PLAIN, id=2, path=b"/p/DSC_2.jpg", **BETTER[key])
    worse = replace(PLAIN, path=b"/p/DSC_2 (1).jpg") if key == "named" else PLAIN
    kept = choose_keeper([worse, better], b"c", KeeperRules((key,)), {})
    assert kept.best is better
    assert kept.reasons == (criterion.told(better, [worse]),)


def test_rules_have_a_text_form() -> None:
    rules = KeeperRules(("oldest", "largest"), ("Backup",))
    assert KeeperRules.of_text(rules.text()) == rules
    assert KeeperRules.of_text("") == KeeperRules()
    assert KeeperRules.of_text("largest,never:") == KeeperRules(("largest",))
    assert set(BETTER) == {one.key for one in CRITERIA}
    with pytest.raises(TwinlensError, match="no rule “bigger”"):
        KeeperRules.of_text("bigger")


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
    kept = choose_keeper([far, PLAIN], b"c", KeeperRules.of_text("largest,never:backup"), {})
    assert kept.best is PLAIN
    assert str(kept.reasons[0]) == "in the better folder"


def test_a_person_comes_before_every_rule() -> None:
    large = replace(PLAIN, id=2, width=900)
    assert choose_keeper([large, PLAIN], b"c", KeeperRules(), {1: Fate.BEST}).best is PLAIN
    assert choose_keeper([large, PLAIN], b"c", KeeperRules(), {2: Fate.GOES}).best is PLAIN
    assert choose_keeper([large, PLAIN], b"c", KeeperRules(), {}).best is large


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
        kept = choose_keeper([first, more], b"c", rules, {})
        assert kept.best is more
        assert [str(one) for one in kept.reasons] == [words]


def test_what_lies_beside_a_smaller_copy_does_not_let_the_larger_one_go() -> None:
    small = replace(PLAIN, id=2, width=10, beside=beside(SidecarKind.EDITS))
    assert choose_keeper([small, PLAIN], b"c", KeeperRules(), {}).best is PLAIN
