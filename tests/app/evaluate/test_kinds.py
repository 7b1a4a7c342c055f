"""Evaluating by kinds: folders and marks say what is of one kind, and figures are those of plain searches."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest

from app.evaluate.kind_evaluation import FIRST, KindEvaluation, evaluate_kinds
from app.library.library import Library
from app.marks.marks import mark_pairs
from core.errors import TwinlensError
from tests.app.folders import added, found, ids_by_name, write_scene, write_scenes


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder / "some", 5)
    write_scenes(folder / "others", 3, first=20)
    shutil.copyfile(folder / "some" / "0004.jpg", folder / "some" / "same.jpg")
    write_scene(folder / "alone" / "alone.jpg", 99)
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, folder)
    return path


def test_folders_are_kinds_and_equal_files_no_results(path: Path) -> None:
    with Library.open(path) as library:
        result = evaluate_kinds(library, KindEvaluation("folders", ("Colours",), check=False))
    by_kind = {Path(one.kind).name: one for one in result.kinds}
    assert {name: (one.photographs, one.questions) for name, one in by_kind.items()} == {
        "some": (5, 5),
        "others": (3, 3),
    }
    ids = ids_by_name(path)
    same = {ids["0004.jpg"], ids["same.jpg"]}
    for kind, one in by_kind.items():
        shares = []
        for name, asked in ids.items():
            if name == "same.jpg" or (kind == "some") != (name.startswith("000")) or name == "alone.jpg":
                continue
            equal = same if asked in same else {asked}
            hits = [hit for hit in found(path, asked, "Colours").hits if hit.id not in equal][: one.photographs - 1]
            shares.append(np.mean([Path(hit.path).parent.name == kind for hit in hits]))
        assert one.precision["Colours"] == pytest.approx(float(np.mean(shares)))
    total = sum(one.precision["Colours"] * one.questions for one in result.kinds)
    assert result.precision["Colours"] == pytest.approx(total / 8)
    assert (result.questions, result.first, result.indexes) == (8, FIRST, ["Colours"])


def test_pairs_that_are_marked_similar_hold_a_kind_together(path: Path, tmp_path: Path) -> None:
    copy, ids = Path(shutil.copy(path, tmp_path / "library.twinlens")), ids_by_name(path)
    with Library.open(copy) as library:
        with pytest.raises(TwinlensError, match="No two photos are marked similar"):
            evaluate_kinds(library, KindEvaluation("marks"))
        chain = [ids[name] for name in ("0000.jpg", "0001.jpg", "0002.jpg")]
        mark_pairs(library, list(itertools.pairwise(chain)), similar=True)
        mark_pairs(library, [(ids["0000.jpg"], ids["alone.jpg"])], similar=False)
        result = evaluate_kinds(library, KindEvaluation("marks", check=False))
    assert [(one.photographs, one.questions) for one in result.kinds] == [(3, 3)]
    assert set(result.precision) == {"Automatic", "Colours"}


def test_folders_of_single_photographs_say_nothing(tmp_path: Path) -> None:
    write_scene(tmp_path / "photographs" / "a.jpg", 1)
    added(tmp_path / "library.twinlens", tmp_path / "photographs")
    with (
        Library.open(tmp_path / "library.twinlens") as library,
        pytest.raises(TwinlensError, match="No folder has two different photos"),
    ):
        evaluate_kinds(library, KindEvaluation("folders"))
