"""Groups that are kept are those that are made anew, whatever happens to a library."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.app.made_library import LEARNED, content, histograms, make, put
from twinlens.app.duplicates.comparing.comparison import relation_to_json
from twinlens.app.duplicates.duplicates import decided_again, known_duplicates
from twinlens.app.duplicates.keeper_rules import KeeperRules, keep_rules
from twinlens.app.library.library import Library
from twinlens.features.copies import RelationKind
from twinlens.features.copies.relation import Relation
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.comparisons import RelatedRow
from twinlens.storage.marks import RefusedRow
from twinlens.storage.photographs.notes import CameraNote
from twinlens.storage.photographs.photographs import ReadFile

MOST = 14
ID = st.integers(1, MOST)
PAIR = st.tuples(ID, ID).filter(lambda pair: pair[0] != pair[1]).map(sorted)
KINDS = st.sampled_from([one for one in RelationKind if one is not RelationKind.OTHER])
CHANGES = st.one_of(
    st.tuples(st.just("relate"), PAIR, KINDS),
    st.tuples(st.just("refuse"), PAIR),
    st.tuples(st.just("take back"), PAIR),
    st.tuples(st.just("choose"), ID, st.sampled_from(["goes", "stays", "best", None])),
    st.tuples(st.just("add"), st.integers(1, 3)),
    st.tuples(st.just("vanish"), ID),
    st.tuples(st.just("come back"), ID),
    st.tuples(st.just("read anew"), ID, ID, st.sampled_from(["JPEG", "RAW"])),
    st.tuples(st.just("note"), ID, st.integers(1, 5)),
    st.tuples(st.just("rules"), st.sampled_from(["largest", "oldest,named", "first"])),
)


def change(library: Library, what: str, *how: object) -> None:
    """Change a library as adding, comparing or a person does."""
    if what == "rules":
        keep_rules(library, KeeperRules.of_text(str(how[0])))
        return
    if what == "add":
        with library.store.reading() as r:
            there = sum(r.photographs.counts().values())
        put(library, histograms(int(str(how[0]))), there)
        return
    one = how[0]
    with library.store.writing() as w:
        if isinstance(one, list):
            first, second = sorted(content(each) for each in one)
            if what == "relate":
                kind = RelationKind(str(how[1]))
                facts = relation_to_json(Relation(kind, second_made=kind is RelationKind.SAME or None))
                w.comparisons.relate([RelatedRow(first, second, kind.value, facts)])
            elif what == "refuse":
                w.comparisons.refuse([RefusedRow(first, second, "", "", "")])
            else:
                w.comparisons.take_back([(first, second)])
        elif isinstance(one, int):
            if what == "choose":
                w.comparisons.choose([one], None if how[1] is None else str(how[1]))
            elif what == "vanish":
                w.photographs.mark_missing([one])
            elif what == "come back":
                w.photographs.mark_present([one])
            elif what == "note":
                w.camera_notes.put([CameraNote(content(one), "", "", Metadata(rating=int(str(how[1]))).text())])
            else:
                of = int(str(how[1]))
                file = ReadFile(one, content(of), str(how[2]), 640 + of, 480, 1, "2001-05-14T11:08:00", "Camera")
                w.photographs.record([file])


@settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.lists(CHANGES, min_size=1, max_size=8))
def test_kept_groups_are_those_made_anew(changes: list[tuple[str, ...]]) -> None:
    with TemporaryDirectory() as folder, make(Path(folder) / "made.twinlens", histograms(MOST), [LEARNED]) as library:
        change(library, "relate", [1, 2], RelationKind.SAME)
        change(library, "relate", [3, 4], RelationKind.EDITED)
        kept = known_duplicates(library)
        for one in changes:
            change(library, *one)
            before, kept = kept, known_duplicates(library, before=kept)
            anew = known_duplicates(library)
            assert kept.groups == anew.groups
            assert (kept.of, kept.bounds, kept.decided, kept.rules) == (anew.of, anew.bounds, anew.decided, anew.rules)
            if one[0] in {"relate", "add"}:
                same = [groups for part, groups in before.parts if any(part.equals(now) for now, _ in anew.parts)]
                standing = {id(group) for group in kept.groups}
                assert standing.issuperset(id(group) for groups in same for group in groups), "what stays is kept"
            if one[0] in {"choose", "refuse", "take back"}:
                assert decided_again(library, before).groups == anew.groups
