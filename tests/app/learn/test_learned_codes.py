"""Bits learned from marks: judged by photographs that they have not seen, kept as an index, and searched by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.learn.test_learning import BY_OWN_MEASURE, COLOURS, precision, two_kinds
from tests.app.made_library import make
from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.indexes.index_results import IndexStatus
from twinlens.app.indexes.indexes import create_index, list_indexes
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.learn.learning import learn_and_keep
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.marks.pair_file import NamedPair
from twinlens.core.errors import Remedy, TwinlensError

SETTINGS = LearningSettings(index="Own", method="lda-itq:bits=8", name="Mine")


def marked(library: Library, kind: np.ndarray) -> None:
    """Mark pairs of the first 80 photographs by their kinds."""
    rows = np.random.default_rng(5).integers(0, 80, (160, 2))
    rows = rows[rows[:, 0] < rows[:, 1]]
    same = kind[rows[:, 0]] == kind[rows[:, 1]]
    for similar in (True, False):
        pairs = [(one + 1, other + 1) for one, other in np.unique(rows[same == similar], axis=0).tolist()]
        mark_pairs(library, pairs, similar)


def test_bits_are_learned_kept_as_an_index_and_searched_by(tmp_path: Path) -> None:
    x, kind = two_kinds(160)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        marked(library, kind)
        result = learn_and_keep(library, SETTINGS)
        assert result.sure
        assert result.better > result.worse
        assert result.kept_index == "Mine"
        assert result.learned_by == "lda-itq:bits=8"
        assert [one.metric for one in result.tried] == ["itq:bits=8", "lda-itq:bits=8"]
        assert precision(library, "Mine", kind) > precision(library, "Own", kind) + 0.1


def test_marks_at_random_teach_nothing_and_nothing_is_kept(tmp_path: Path) -> None:
    x, _ = two_kinds(160)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        marked(library, np.random.default_rng(2).random(160) < 0.5)
        result = learn_and_keep(library, SETTINGS)
        assert (result.sure, result.kept_index) == (False, None)
        assert "Not enough marks yet" in str(result.advice)
        assert learn_and_keep(library, SETTINGS.changed(anyway=True)).kept_index == "Mine"


def test_without_marks_and_of_other_methods_it_refuses(tmp_path: Path) -> None:
    x, kind = two_kinds(160)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        for refused in (
            lambda: learn_and_keep(library, SETTINGS),
            lambda: create_index(library, NewIndex(descriptor=COLOURS, method="ksh:bits=8")),
        ):
            with pytest.raises(TwinlensError, match=r"no marks yet|none yet") as error:
                refused()
            assert error.value.next_step == Remedy("mark pairs")
        marked(library, kind)
        with pytest.raises(TwinlensError, match="itq:bits=8 does not learn from marks"):
            learn_and_keep(library, SETTINGS.changed(method="itq:bits=8"))
        with pytest.raises(TwinlensError, match="a file is not kept"):
            learn_and_keep(library, SETTINGS.changed(named=[NamedPair(1, "1", "2", True)]))


@pytest.mark.parametrize("method", ["lda-itq:bits=8", "cca-itq:bits=8", "ksh:bits=8"])
def test_an_index_of_marks_is_made_and_loaded_again(tmp_path: Path, method: str) -> None:
    x, kind = two_kinds(160)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        marked(library, kind)
        create_index(library, NewIndex(descriptor=COLOURS, method=method, search="scan:candidates=20", name="Mine"))
        assert precision(library, "Mine", kind) > precision(library, "Own", kind)


def test_folders_teach_where_the_method_says_so(tmp_path: Path) -> None:
    x, _ = two_kinds(60)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        made = create_index(library, NewIndex(descriptor=COLOURS, method="lda-itq:bits=8,labels=folders"))
        assert "Nothing says yet which items belong together" in str(made.note)  # all are in one folder


def test_an_index_learns_again_when_its_marks_have_changed(tmp_path: Path) -> None:
    """It says so until then; learning by the same method brings it up to date instead of making another one."""
    x, kind = two_kinds(160)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        marked(library, kind)
        method = NewIndex(descriptor=COLOURS, method="lda-itq:bits=8")
        made = create_index(library, method)
        assert not made.note
        similar = np.flatnonzero(kind[80:] == 1)[:6] + 81
        mark_pairs(library, [(int(one), int(similar[0])) for one in similar[1:]], True)

        def status() -> IndexStatus:
            return next(one for one in list_indexes(library).indexes if one.name == made.name)

        assert "Marks have changed" in str(status().note)
        kept = learn_and_keep(library, SETTINGS.changed(name=None, anyway=True)).kept_index
        assert kept == made.name
        assert not status().note
        assert len(list_indexes(library).indexes) == 3
        mark_pairs(library, [(1, int(similar[0]))], False)
        bring_indexes_up_to_date(library)
        assert not status().note
