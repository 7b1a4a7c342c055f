"""Evaluating by edited copies: what counts as found, what is drawn, and what the figures come to."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.bench.kept_steps import CachedSteps
from app.cli.evaluate import _write
from app.evaluate import evaluation
from app.evaluate.edited_copies import PhotographOrder
from app.evaluate.evaluation import (
    YARDSTICK,
    EditFigures,
    EvaluatedIndex,
    EvaluateResult,
    Evaluation,
    evaluate,
    recommend_index,
)
from app.evaluate.evaluation_plan import HashedThumbnails
from app.indexes.indexes import NewIndex, create_index, delete_index, rename_index
from app.library.library import Library
from app.machine.output_file import OutputFile
from app.search.searcher import Searcher
from core.errors import Cancelled, Remedy, TwinlensError
from core.progress import silent
from features.pictures.edits import EDITS, FURTHER_EDITS
from tests.app.folders import added, ids_by_name, write_scenes

FEW = Evaluation(photographs=3, edits=("jpeg 50", "mirror", "pasted"))


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder / "some", 9)
    write_scenes(folder / "others", 3, first=20)
    shutil.copyfile(folder / "some" / "0004.jpg", folder / "some" / "same.jpg")
    return folder


@pytest.fixture(scope="module")
def path(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, photographs)
    return path


def measured(path: Path, wanted: Evaluation) -> EvaluateResult:
    with Library.open(path) as library:
        return evaluate(library, wanted)


@pytest.fixture(scope="module")
def few(path: Path) -> EvaluateResult:
    return measured(path, FEW)


def without_time(result: EvaluateResult) -> EvaluateResult:
    timeless = [one.model_copy(update={"seconds": 0.0}) for one in result.indexes]
    return result.model_copy(update={"seconds": 0.0, "indexes": timeless})


def test_every_index_and_the_yardstick_have_figures_of_every_edit(few: EvaluateResult) -> None:
    assert [one.name for one in few.indexes] == ["Automatic", "Colours", YARDSTICK]
    assert (few.photographs, few.questions, few.of, few.library) == (3, 9, 12, 13)
    for one in few.indexes:
        assert [(edit.edit, edit.questions) for edit in one.edits] == [("jpeg 50", 3), ("mirror", 3), ("pasted", 3)]
        assert one.mean.recall["1"] == pytest.approx(np.mean([edit.recall["1"] for edit in one.edits]))
        assert one.mean.map == pytest.approx(np.mean([edit.map for edit in one.edits]))
        for edit in one.edits:
            assert 0 <= edit.recall["1"] <= edit.map <= 1
            assert edit.recall["1"] <= edit.recall["10"]
    automatic, _, yardstick = few.indexes
    assert automatic.edits[0].recall["1"] == yardstick.edits[0].recall["1"] == 1
    assert not few.cancelled


def test_a_copy_of_the_same_bytes_is_right(path: Path, photographs: Path) -> None:
    with Library.open(path) as library:
        draw = PhotographOrder(library, None, 0)
        both = {ids_by_name(path)[name] for name in ("0004.jpg", "same.jpg")}
        (doubled,) = [content for content in draw.contents if len(content.ids) > 1]
        assert set(doubled.ids) == both
        assert len(draw.contents) == 12


def test_what_a_copy_is_pasted_into_is_neither_right_nor_wrong(path: Path) -> None:
    with Library.open(path) as library:
        copies = [copy for some in PhotographOrder(library, None, 0).copies(FEW_EDITS, 12) for copy in some]
    assert all(copy.beside and not copy.beside & copy.right for copy in copies if copy.edit.name == "pasted")
    assert not any(copy.beside for copy in copies if copy.edit.name != "pasted")


FEW_EDITS = tuple(edit for edit in EDITS if edit.name in FEW.edits)


def test_the_same_seed_gives_the_same_figures_and_another_draws_others(path: Path, few: EvaluateResult) -> None:
    forget_steps(path)
    assert without_time(measured(path, FEW)) == without_time(few)
    with Library.open(path) as library:
        orders = [[content.hash for content in PhotographOrder(library, None, seed).contents] for seed in (0, 0, 1)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_the_draw_does_not_depend_on_the_order_of_adding(path: Path, photographs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.twinlens"
    added(other, photographs / "others")
    added(other, photographs / "some")
    copies = []
    for one in (path, other):
        with Library.open(one) as library:
            copies.append(
                [
                    copy.editing.pixels()
                    for some in PhotographOrder(library, None, 3).copies(FEW_EDITS, 2)
                    for copy in some
                ]
            )
    assert len(copies[0]) == 6
    for mine, same in zip(*copies, strict=True):
        np.testing.assert_array_equal(mine, same)


def test_only_what_lies_in_a_folder_is_drawn(path: Path, photographs: Path) -> None:
    with Library.open(path) as library:
        drawn = {one for content in PhotographOrder(library, photographs / "others", 0).contents for one in content.ids}
        assert drawn == {ids_by_name(path)[f"{seed:04}.jpg"] for seed in (20, 21, 22)}
        with pytest.raises(TwinlensError, match="no photos in"):
            PhotographOrder(library, photographs / "nowhere", 0)


def test_a_descriptor_is_measured_exactly_by_the_vectors_of_an_index(path: Path) -> None:
    result = measured(path, Evaluation(("Automatic",), ("colour",), 2, ("turn 180",)))
    assert [(one.name, one.kind) for one in result.indexes] == [
        ("Automatic", "index"),
        ("colour", "descriptor"),
        (YARDSTICK, "yardstick"),
    ]
    with pytest.raises(TwinlensError, match="The library has no vectors of gist") as refused:
        measured(path, Evaluation(descriptors=("gist",)))
    assert refused.value.next_step == Remedy("create index", {"descriptor": "gist"})


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (Evaluation(("Shapes",)), "no index “Shapes”"),
        (Evaluation(edits=("crop 50",)), "Did you mean “crop 50 %”?"),
        (Evaluation(descriptors=("colours",)), "colour"),
    ],
)
def test_what_there_is_not_is_named(path: Path, wanted: Evaluation, sentence: str) -> None:
    with pytest.raises(TwinlensError) as refused:
        measured(path, wanted)
    assert sentence in f"{refused.value.message!s} {refused.value.advice!s}"


def test_an_empty_library_has_nothing_to_evaluate(tmp_path: Path) -> None:
    with (
        Library.open(tmp_path / "empty.twinlens", create=True) as library,
        pytest.raises(TwinlensError, match="No index has photos"),
    ):
        evaluate(library, FEW)


def test_photographs_that_are_gone_are_not_drawn(tmp_path: Path) -> None:
    files = write_scenes(tmp_path / "photographs", 4)
    path = tmp_path / "library.twinlens"
    added(path, tmp_path / "photographs")
    files[1].unlink()
    files[2].write_bytes(files[3].read_bytes())
    result = measured(path, Evaluation(photographs=4, edits=("jpeg 50", "pasted")))
    assert result.photographs == 2
    assert "2 of the drawn photos cannot be read now" in " ".join(map(str, result.notes))
    for file in (files[0], files[2], files[3]):
        file.unlink()
    with pytest.raises(TwinlensError, match="None of the photos can be read"):
        measured(path, FEW)


def test_a_single_photograph_is_pasted_into_grey(tmp_path: Path) -> None:
    write_scenes(tmp_path / "photographs", 1)
    path = tmp_path / "library.twinlens"
    added(path, tmp_path / "photographs")
    result = measured(path, Evaluation(edits=("pasted",)))
    assert result.indexes[0].mean.recall["1"] == 1


def forget_steps(path: Path) -> None:
    with Library.open(path) as library:
        CachedSteps.of(library).forget()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the names of the indexes of every search from now on."""
    found: list[list[str]] = []
    ask = Searcher.ask

    def counted(self: Searcher, question: Any, indexes: Sequence[str], *others: Any) -> Any:
        found.append(list(indexes))
        return ask(self, question, indexes, *others)

    monkeypatch.setattr(Searcher, "ask", counted)
    return found


def test_what_was_asked_is_kept_when_it_is_stopped(path: Path, few: EvaluateResult, asked: list[list[str]]) -> None:
    said = []

    def stopping(done: float, total: float, text: object) -> None:
        said.append(str(text))
        if "Photo 2" in said[-1]:
            raise Cancelled

    def at_once(done: float, total: float, text: object) -> None:
        raise Cancelled

    forget_steps(path)
    with Library.open(path) as library, pytest.raises(Cancelled):
        evaluate(library, FEW, at_once)
    with Library.open(path) as library:
        result = evaluate(library, FEW, stopping)
    assert result.cancelled
    assert (result.photographs, result.questions, len(asked)) == (1, 3, 3)
    assert said[-1] == "Step 10 of 27: Photo 2: jpeg 50"
    assert without_time(measured(path, FEW)) == without_time(few), "it goes on where it was"
    assert len(asked) == 9
    assert measured(path, replace(FEW, photographs=4)).questions == 12
    assert len(asked) == 12, "only the new photograph is asked with"


def test_what_decides_the_answer_is_asked_again(photographs: Path, tmp_path: Path, asked: list[list[str]]) -> None:
    path = tmp_path / "library.twinlens"
    added(path, photographs / "some")
    wanted = Evaluation(("Automatic", "Colours"), photographs=2, edits=("mirror", "pasted"))
    measured(path, wanted)
    with Library.open(path) as library:
        rename_index(library, "Colours", "Hues")
    again = replace(wanted, indexes=("Automatic", "Hues"))
    measured(path, again)
    assert asked == 4 * [["Automatic", "Colours"]], "another name is no other index"
    with Library.open(path) as library:
        delete_index(library, "Hues")
        create_index(library, NewIndex("colour", "lsh:bits=8", "scan:candidates=10", "Hues"))
    measured(path, again)
    assert [names[-1] for names in asked[4:]] == 4 * ["Hues"], "other codes are another one"
    measured(path, replace(again, check=False, edits=("mirror",)))
    measured(path, replace(again, seed=1, edits=("mirror",)))
    assert len(asked) == 12
    added(path, photographs / "others")
    measured(path, again)
    assert asked[12:] == 4 * [["Automatic", "Hues"]], "others can be found now"


def test_harder_edits_stand_apart(path: Path) -> None:
    result = measured(path, Evaluation(("Colours",), photographs=1, edits=("mirror",), further=True))
    assert [one.edit for one in result.indexes[0].edits] == ["mirror"]
    assert [one.edit for one in result.indexes[0].further] == [edit.name for edit in FURTHER_EDITS]
    assert result.indexes[0].mean.questions == 1


def test_all_26_edits_by_default() -> None:
    assert [edit.name for edit in evaluation._edits(Evaluation())[0]] == [edit.name for edit in EDITS]
    assert len(EDITS) == 26


def test_the_yardstick_ranks_by_bits_and_id(path: Path) -> None:
    with Library.open(path) as library:
        hashed = HashedThumbnails.of(library, silent)
        assert (len(hashed.ids), len(hashed.lacking)) == (13, 0)
        copy = next(next(PhotographOrder(library, None, 0).copies(FEW_EDITS, 1)))
        asked = copy.made().hash
        assert hashed.ranked(asked)[0] in copy.right
        same = HashedThumbnails(hashed.ids, np.zeros_like(hashed.hashes), hashed.lacking)
        np.testing.assert_array_equal(same.ranked(asked), hashed.ids)


def test_thumbnails_that_the_cache_has_lost_are_made_again(path: Path, few: EvaluateResult) -> None:
    with Library.open(path) as library:
        library.thumbnails.path.unlink()
    forget_steps(path)
    assert without_time(measured(path, FEW)) == without_time(few)


def test_photographs_without_a_thumbnail_count_for_nobody(tmp_path: Path) -> None:
    files = write_scenes(tmp_path / "photographs", 6)
    path = tmp_path / "library.twinlens"
    added(path, tmp_path / "photographs")
    with Library.open(path) as library:
        library.thumbnails.path.unlink()
    for file in files[:2]:
        file.unlink()
    result = measured(path, Evaluation(photographs=6, edits=("jpeg 50",)))
    assert (result.photographs, result.of, result.library) == (4, 4, 4)
    assert [one.mean.recall["1"] for one in result.indexes] == [1, 1, 1]
    assert "2 photos are left out" in " ".join(map(str, result.notes))
    assert not any("2 of the drawn photos" in str(note) for note in result.notes)


def figures(name: str, kind: str, **recall: float) -> EvaluatedIndex:
    edits = [EditFigures(edit=edit, questions=20, recall={"1": one, "10": 1}, map=one) for edit, one in recall.items()]
    return EvaluatedIndex.model_validate(
        {"name": name, "text": name, "kind": kind, "edits": edits, "mean": edits[0], "seconds": 0.1}
    )


def test_the_advice_says_what_to_trust_for_what() -> None:
    sentences = [
        str(one)
        for one in recommend_index(
            [
                figures("Automatic", "index", crop=1, blur=0.7, grey=0.95),
                figures("Colours", "index", crop=1, blur=0.95, grey=0.1),
                figures(YARDSTICK, "yardstick", crop=0.2, blur=0.8, grey=0.95),
            ]
        )
    ]
    assert sentences == [
        "“Automatic” finds 2 of 3 edits. Weak: blur (70 %).",
        "“Colours” finds 2 of 3 edits. Weak: grey (10 %).",
        "The perceptual hash finds 1 of 3 edits. Weak: crop (20 %), blur (80 %).",
        "Better than “Automatic”: “Colours” for blur (95 %).",
        "“Automatic” finds less than the perceptual hash for blur (70 %).",
        "“Colours” finds less than the perceptual hash for grey (10 %).",
    ]
    assert [str(one) for one in recommend_index([figures("Automatic", "index", crop=1)])] == [
        "“Automatic” finds 1 of 1 edits, with at least 90 % of the copies at the first place."
    ]


def test_a_table_has_a_line_for_every_figure(few: EvaluateResult, tmp_path: Path) -> None:
    _write(OutputFile(tmp_path / "figures.csv"), few)
    lines = (tmp_path / "figures.csv").read_text("utf-8").splitlines()
    assert lines[0] == "by,text,edit,questions,recall@1,recall@10,map"
    assert len(lines) == 1 + 3 * 4
    assert lines[1].startswith("Automatic,")
    assert lines[4].split(",")[-5] == "mean"
