"""Evaluating by edited copies and by kinds: what counts as found, the figures, and photographs that crash work."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.extractors import (
    ABORT,
    MishapBefore,
    MishapEditing,
    MishapLocalFeatures,
    MishapPerceptualHashes,
)
from tests.app.folders import added, found, ids_by_name, write_scene, write_scenes
from tests.features.sample_pictures import encode, scene
from twinlens.app.bench.experiment import Experiment
from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.app.cli.evaluate import _write
from twinlens.app.evaluate import evaluation
from twinlens.app.evaluate.edited_copies import PhotographOrder
from twinlens.app.evaluate.evaluation import (
    YARDSTICK,
    EditFigures,
    EvaluatedIndex,
    EvaluateResult,
    evaluate,
    recommend_index,
)
from twinlens.app.evaluate.evaluation_plan import HashedThumbnails
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.evaluate.kind_evaluation import FIRST, evaluate_kinds
from twinlens.app.indexes.fitted_models import drawn_pictures, load_extractor
from twinlens.app.indexes.indexes import create_index, delete_index, rename_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.lab.advice.advice_queries import EditingTime, edited_queries
from twinlens.app.lab.experiments.runner import experiment_tables
from twinlens.app.library.library import Library
from twinlens.app.library.workers import decoders
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.methods import catalogue
from twinlens.app.search.searcher import Searcher
from twinlens.app.vocabulary.vocabulary_quality import Compared, measure_quality
from twinlens.app.vocabulary.vocabulary_settings import VocabularySettings
from twinlens.core.errors import Cancelled, Remedy, TwinlensError
from twinlens.core.evaluation.measurement import StepMemory
from twinlens.core.progress import silent
from twinlens.core.tuning.attempts import SecondsBudget
from twinlens.features.copies.perceptual_hash import hash_of_jpeg
from twinlens.features.pictures.edits import EDITS, FURTHER_EDITS
from twinlens.features.reading.reading import read

FEW = EvaluationSettings(photographs=3, edits=("jpeg 50", "mirror", "pasted"))


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


def measured(path: Path, wanted: EvaluationSettings) -> EvaluateResult:
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
        assert one.mean.values["found@1"] == pytest.approx(np.mean([edit.values["found@1"] for edit in one.edits]))
        assert one.mean.values["map"] == pytest.approx(np.mean([edit.values["map"] for edit in one.edits]))
        for edit in one.edits:
            assert 0 <= edit.values["found@1"] <= edit.values["map"] <= 1
            assert edit.values["found@1"] <= edit.values["found@10"]
    automatic, _, yardstick = few.indexes
    assert automatic.edits[0].values["found@1"] == yardstick.edits[0].values["found@1"] == 1
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
    result = measured(
        path, EvaluationSettings(indexes=("Automatic",), descriptors=("colour",), photographs=2, edits=("turn 180",))
    )
    assert [(one.name, one.kind) for one in result.indexes] == [
        ("Automatic", "index"),
        ("colour", "descriptor"),
        (YARDSTICK, "yardstick"),
    ]
    with pytest.raises(TwinlensError, match="The library has no vectors of gist") as refused:
        measured(path, EvaluationSettings(descriptors=("gist",)))
    assert refused.value.next_step == Remedy("create index", {"descriptor": "gist"})


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (EvaluationSettings(indexes=("Shapes",)), "no index “Shapes”"),
        (EvaluationSettings(edits=("crop 50",)), "Did you mean “crop 50 %”?"),
        (EvaluationSettings(descriptors=("colours",)), "colour"),
    ],
)
def test_what_there_is_not_is_named(path: Path, wanted: EvaluationSettings, sentence: str) -> None:
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
    result = measured(path, EvaluationSettings(photographs=4, edits=("jpeg 50", "pasted")))
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
    result = measured(path, EvaluationSettings(edits=("pasted",)))
    assert result.indexes[0].mean.values["found@1"] == 1


def forget_steps(path: Path) -> None:
    with Library.open(path) as library:
        CachedSteps.of(library.store.id).forget()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the names of the indexes of every search from now on."""
    found: list[list[str]] = []
    search = Searcher.search_indexes

    def counted(self: Searcher, question: Any, indexes: Sequence[str], *others: Any) -> Any:
        found.append(list(indexes))
        return search(self, question, indexes, *others)

    monkeypatch.setattr(Searcher, "search_indexes", counted)
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
    assert measured(path, FEW.changed(photographs=4)).questions == 12
    assert len(asked) == 12, "only the new photograph is asked with"


def test_what_decides_the_answer_is_asked_again(photographs: Path, tmp_path: Path, asked: list[list[str]]) -> None:
    path = tmp_path / "library.twinlens"
    added(path, photographs / "some")
    wanted = EvaluationSettings(indexes=("Automatic", "Colours"), photographs=2, edits=("mirror", "pasted"))
    measured(path, wanted)
    with Library.open(path) as library:
        rename_index(library, "Colours", "Hues")
    again = wanted.changed(indexes=("Automatic", "Hues"))
    measured(path, again)
    assert asked == 4 * [["Automatic", "Colours"]], "another name is no other index"
    with Library.open(path) as library:
        delete_index(library, "Hues")
        create_index(
            library, NewIndex(descriptor="colour", method="lsh:bits=8", search="scan:candidates=10", name="Hues")
        )
    measured(path, again)
    assert [names[-1] for names in asked[4:]] == 4 * ["Hues"], "other codes are another one"
    measured(path, again.changed(check=False, edits=("mirror",)))
    measured(path, again.changed(seed=1, edits=("mirror",)))
    assert len(asked) == 12
    added(path, photographs / "others")
    measured(path, again)
    assert asked[12:] == 4 * [["Automatic", "Hues"]], "others can be found now"


def test_harder_edits_stand_apart(path: Path) -> None:
    result = measured(path, EvaluationSettings(indexes=("Colours",), photographs=1, edits=("mirror",), further=True))
    assert [one.edit for one in result.indexes[0].edits] == ["mirror"]
    assert [one.edit for one in result.indexes[0].further] == [edit.name for edit in FURTHER_EDITS]
    assert result.indexes[0].mean.questions == 1


def test_all_26_edits_by_default() -> None:
    assert [edit.name for edit in evaluation._edits(EvaluationSettings())[0]] == [edit.name for edit in EDITS]
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
    result = measured(path, EvaluationSettings(photographs=6, edits=("jpeg 50",)))
    assert (result.photographs, result.of, result.library) == (4, 4, 4)
    assert [one.mean.values["found@1"] for one in result.indexes] == [1, 1, 1]
    assert "2 photos are left out" in " ".join(map(str, result.notes))
    assert not any("2 of the drawn photos" in str(note) for note in result.notes)


def figures(name: str, kind: str, **recall: float) -> EvaluatedIndex:
    edits = [
        EditFigures(edit=edit, questions=20, values={"found@1": one, "found@10": 1, "map": one})
        for edit, one in recall.items()
    ]
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


@pytest.fixture(scope="module")
def kinds_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder / "some", 5)
    write_scenes(folder / "others", 3, first=20)
    shutil.copyfile(folder / "some" / "0004.jpg", folder / "some" / "same.jpg")
    write_scene(folder / "alone" / "alone.jpg", 99)
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, folder)
    return path


def test_folders_are_kinds_and_equal_files_no_results(kinds_library: Path) -> None:
    with Library.open(kinds_library) as library:
        result = evaluate_kinds(library, EvaluationSettings(truth="folders", indexes=("Colours",), check=False))
    by_kind = {Path(one.kind).name: one for one in result.kinds}
    assert {name: (one.photographs, one.questions) for name, one in by_kind.items()} == {
        "some": (5, 5),
        "others": (3, 3),
    }
    ids = ids_by_name(kinds_library)
    same = {ids["0004.jpg"], ids["same.jpg"]}
    for kind, one in by_kind.items():
        shares = []
        for name, asked in ids.items():
            if name == "same.jpg" or (kind == "some") != (name.startswith("000")) or name == "alone.jpg":
                continue
            equal = same if asked in same else {asked}
            hits = [hit for hit in found(kinds_library, asked, "Colours").hits if hit.id not in equal][
                : one.photographs - 1
            ]
            shares.append(np.mean([Path(hit.path).parent.name == kind for hit in hits]))
        assert one.precision["Colours"] == pytest.approx(float(np.mean(shares)))
    total = sum(one.precision["Colours"] * one.questions for one in result.kinds)
    assert result.precision["Colours"] == pytest.approx(total / 8)
    assert (result.questions, result.first, result.indexes) == (8, FIRST, ["Colours"])


def test_pairs_that_are_marked_similar_hold_a_kind_together(kinds_library: Path, tmp_path: Path) -> None:
    copy, ids = Path(shutil.copy(kinds_library, tmp_path / "library.twinlens")), ids_by_name(kinds_library)
    with Library.open(copy) as library:
        with pytest.raises(TwinlensError, match="No two photos are marked similar"):
            evaluate_kinds(library, EvaluationSettings(truth="marks"))
        chain = [ids[name] for name in ("0000.jpg", "0001.jpg", "0002.jpg")]
        mark_pairs(library, list(itertools.pairwise(chain)), similar=True)
        mark_pairs(library, [(ids["0000.jpg"], ids["alone.jpg"])], similar=False)
        result = evaluate_kinds(library, EvaluationSettings(truth="marks", check=False))
    assert [(one.photographs, one.questions) for one in result.kinds] == [(3, 3)]
    assert set(result.precision) == {"Automatic", "Colours"}


def test_one_folder_says_that_it_tells_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    write_scenes(folder, 4)
    added(tmp_path / "library.twinlens", folder)
    with Library.open(tmp_path / "library.twinlens") as library:
        result = evaluate_kinds(library, EvaluationSettings(truth="folders", check=False))
    assert "say nothing" in str(result.notes[0])


def test_folders_of_single_photographs_say_nothing(tmp_path: Path) -> None:
    write_scene(tmp_path / "photographs" / "a.jpg", 1)
    added(tmp_path / "library.twinlens", tmp_path / "photographs")
    with (
        Library.open(tmp_path / "library.twinlens") as library,
        pytest.raises(TwinlensError, match="No folder has two different photos"),
    ):
        evaluate_kinds(library, EvaluationSettings(truth="folders"))


TWO_EDITS = ("mirror", "jpeg 50")
WHOLE = 9


@pytest.fixture(scope="module")
def poisoned_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of some photographs, one of them as wide as it is poisonous."""
    folder = tmp_path_factory.mktemp("poison")
    for seed in range(WHOLE):
        write_scene(folder / "photographs" / f"{seed}.jpg", seed, 160, 120)
    write_scene(folder / "photographs" / "bad.jpg", WHOLE, ABORT, 80)
    added(folder / "a.twinlens", folder / "photographs")
    return folder / "a.twinlens"


@pytest.fixture
def library(poisoned_library: Path, decoder_processes: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """Open it, while editing a photograph does what its width says."""
    monkeypatch.setattr("twinlens.app.evaluate.edited_copies.Editing", MishapEditing)
    monkeypatch.setattr("twinlens.app.vocabulary.vocabulary_quality.Editing", MishapEditing)
    with Library.open(poisoned_library) as opened:
        yield opened


def asking(name: str = "Colours", photographs: int = WHOLE + 1) -> EvaluationSettings:
    return EvaluationSettings(indexes=(name,), photographs=photographs, edits=TWO_EDITS, check=False)


def test_evaluate_measures_all_others_and_says_so(library: Library) -> None:
    result = evaluate(library, asking())
    assert (result.photographs, result.questions) == (WHOLE, WHOLE * len(TWO_EDITS))
    assert "2 edited copies could not be described, and are left out." in map(str, result.notes)


def test_evaluate_of_that_photograph_alone_is_a_sentence(library: Library, tmp_path: Path) -> None:
    write_scene(tmp_path / "photographs" / "bad.jpg", 1, ABORT, 80)
    added(tmp_path / "b.twinlens", tmp_path / "photographs")
    with Library.open(tmp_path / "b.twinlens") as alone, pytest.raises(TwinlensError, match="2 edited copies could"):
        evaluate(alone, asking())


@pytest.mark.usefixtures("decoder_processes")
def test_a_thumbnail_that_crashes_the_yardstick_has_no_hash() -> None:
    even, odd = (encode(scene(80, 60), "JPEG") + b"." * length for length in range(2))
    if len(even) % 2:
        even, odd = odd, even
    first, second, third = decoders.run_each(MishapPerceptualHashes, (even, odd, b""))
    assert (first, third) == (None, None)
    np.testing.assert_array_equal(second, hash_of_jpeg(odd))


def test_an_experiment_asks_with_all_others(library: Library) -> None:
    _, tables = experiment_tables(library, Experiment(index="Colours", truth="edits", edits=TWO_EDITS))
    assert len(tables.queries) == WHOLE * len(TWO_EDITS)


def test_an_advice_asks_with_all_others(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.lab.advice.advice_queries.chosen_edits", lambda _: EDITS[:2])
    with library.store.reading() as r:
        kind = next(one for one in r.descriptors.kinds() if one.text.startswith("colour"))
        extractor = load_extractor(r, kind)
    time = EditingTime(SecondsBudget(600), 1.0, silent, StepMemory())
    found = edited_queries(library, {kind.id: (kind, extractor)}, WHOLE + 1, 0, time)
    assert len(found.queries) == WHOLE * 2
    assert "2 edited copies could not be described, and are left out." in map(str, found.notes)


def test_a_vocabulary_is_measured_on_all_others(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.vocabulary.vocabulary_quality.EDITS", EDITS[:2])
    declared = catalogue.descriptor("colour")
    with library.store.reading() as r:
        extractor = load_extractor(r, next(one for one in r.descriptors.kinds() if one.text.startswith("colour")))
    compared = Compared("present", declared, MishapBefore(extractor)), Compared("new", declared, extractor)
    widths = [ABORT, *range(200, 200 + WHOLE)]
    pictures = [read(encode(scene(width, 80, width), "PNG")) for width in widths]
    sample = VocabularySettings(asked=WHOLE - 1, among=len(pictures))
    quality = measure_quality(compared, declared.measure, lambda: pictures, sample, silent)
    assert (quality.photographs, quality.among) == (WHOLE - 1, WHOLE)


@pytest.mark.usefixtures("decoder_processes")
def test_a_vocabulary_is_learned_from_all_others(poisoned_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.library.workers.decoding.WithLocalFeatures", MishapLocalFeatures)
    described = catalogue.descriptor("compact-vlad:dimensions=4,vocabulary=own,samples=10")
    paths = [os.fsencode(one) for one in sorted((poisoned_library.parent / "photographs").iterdir())]

    def refuse(*_: object) -> None:
        raise AssertionError("local features are looked for in the program's own process")

    monkeypatch.setattr("twinlens.features.keypoints.sift._find", refuse)
    assert len(list(drawn_pictures(paths, described.caps))) == WHOLE
    described.fit(lambda: drawn_pictures(paths, described.caps), silent)
