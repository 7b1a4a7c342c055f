"""Bits learned from marks: judged by photographs that they have not seen, kept as an index, and searched by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.indexes.indexes import create_index
from app.indexes.new_index import NewIndex
from app.learn.learned_codes import learn_codes
from app.learn.learning_settings import LearningSettings
from app.library.library import Library
from app.marks.mark_file import NamedPair
from app.marks.marks import mark_pairs
from core.errors import Remedy, TwinlensError
from tests.app.learn.test_learning import BY_OWN_MEASURE, COLOURS, precision, two_kinds
from tests.app.made_library import make

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
        result = learn_codes(library, SETTINGS)
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
        result = learn_codes(library, SETTINGS)
        assert (result.sure, result.kept_index) == (False, None)
        assert "Not enough marks yet" in str(result.advice)
        assert learn_codes(library, SETTINGS.changed(anyway=True)).kept_index == "Mine"


def test_without_marks_and_of_other_methods_it_refuses(tmp_path: Path) -> None:
    x, kind = two_kinds(160)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        for refused in (
            lambda: learn_codes(library, SETTINGS),
            lambda: create_index(library, NewIndex(descriptor=COLOURS, method="ksh:bits=8")),
        ):
            with pytest.raises(TwinlensError, match=r"no marks yet|none yet") as error:
                refused()
            assert error.value.next_step == Remedy("mark pairs")
        marked(library, kind)
        with pytest.raises(TwinlensError, match="itq:bits=8 does not learn from marks"):
            learn_codes(library, SETTINGS.changed(method="itq:bits=8"))
        with pytest.raises(TwinlensError, match="not from a file"):
            learn_codes(library, SETTINGS.changed(named=[NamedPair(1, "1", "2", True)]))


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
