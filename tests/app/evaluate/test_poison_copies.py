"""A photograph that crashes what edits, describes, hashes or learns from it costs itself, wherever that is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.bench.experiment import Experiment
from app.evaluate.evaluation import Evaluation, evaluate
from app.indexes.fitted_models import drawn_pictures, load_extractor
from app.lab.advice.advice_queries import EditingTime, edited_questions
from app.lab.experiments.runner import experiment_tables
from app.library.library import Library
from app.library.workers import decoders
from app.methods import catalogue
from app.vocabulary.learned_vocabularies import VocabularySample
from app.vocabulary.vocabulary_quality import Compared, measure_quality
from core.errors import TwinlensError
from core.evaluation.measurement import StepMemory
from core.progress import silent
from core.tuning.attempts import SecondsBudget
from features.copies.perceptual_hash import hash_of_jpeg
from features.pictures.edits import EDITS
from features.reading.reading import read
from tests.app.extractors import (
    ABORT,
    MishapBefore,
    MishapEditing,
    MishapLocalFeatures,
    MishapPerceptualHashes,
)
from tests.app.folders import added, write_scene
from tests.features.sample_pictures import encode, scene

FEW = ("mirror", "jpeg 50")
WHOLE = 9


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of some photographs, one of them as wide as it is poisonous."""
    folder = tmp_path_factory.mktemp("poison")
    for seed in range(WHOLE):
        write_scene(folder / "photographs" / f"{seed}.jpg", seed, 160, 120)
    write_scene(folder / "photographs" / "bad.jpg", WHOLE, ABORT, 80)
    added(folder / "a.twinlens", folder / "photographs")
    return folder / "a.twinlens"


@pytest.fixture
def library(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """Open it, while editing a photograph does what its width says."""
    monkeypatch.setattr("app.evaluate.edited_copies.Editing", MishapEditing)
    monkeypatch.setattr("app.vocabulary.vocabulary_quality.Editing", MishapEditing)
    decoders.end()
    with Library.open(path) as opened:
        yield opened
    decoders.end()


def asking(name: str = "Colours", photographs: int = WHOLE + 1) -> Evaluation:
    return Evaluation((name,), photographs=photographs, edits=FEW, check=False)


def test_evaluate_measures_all_others_and_says_so(library: Library) -> None:
    result = evaluate(library, asking())
    assert (result.photographs, result.questions) == (WHOLE, WHOLE * len(FEW))
    assert "2 edited copies could not be described, and are left out." in map(str, result.notes)


def test_evaluate_of_that_photograph_alone_is_a_sentence(library: Library, tmp_path: Path) -> None:
    write_scene(tmp_path / "photographs" / "bad.jpg", 1, ABORT, 80)
    added(tmp_path / "b.twinlens", tmp_path / "photographs")
    with Library.open(tmp_path / "b.twinlens") as alone, pytest.raises(TwinlensError, match="2 edited copies could"):
        evaluate(alone, asking())


def test_a_thumbnail_that_crashes_the_yardstick_has_no_hash() -> None:
    even, odd = (encode(scene(80, 60), "JPEG") + b"." * length for length in range(2))
    if len(even) % 2:
        even, odd = odd, even
    first, second, third = decoders.each_asked(MishapPerceptualHashes, (even, odd, b""))
    assert (first, third) == (None, None)
    np.testing.assert_array_equal(second, hash_of_jpeg(odd))
    decoders.end()


def test_an_experiment_asks_with_all_others(library: Library) -> None:
    _, tables = experiment_tables(library, Experiment(index="Colours", truth="edits", edits=FEW))
    assert len(tables.queries) == WHOLE * len(FEW)


def test_an_advice_asks_with_all_others(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.lab.advice.advice_queries.chosen_edits", lambda _: EDITS[:2])
    with library.store.reading() as r:
        kind = next(one for one in r.descriptors.kinds() if one.text.startswith("colour"))
        extractor = load_extractor(r, kind)
    time = EditingTime(SecondsBudget(600), 1.0, silent, StepMemory())
    found = edited_questions(library, {kind.id: (kind, extractor)}, WHOLE + 1, 0, time)
    assert len(found.asked) == WHOLE * 2
    assert "2 edited copies could not be described, and are left out." in map(str, found.notes)


def test_a_vocabulary_is_measured_on_all_others(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.vocabulary.vocabulary_quality.EDITS", EDITS[:2])
    declared = catalogue.descriptor("colour")
    with library.store.reading() as r:
        extractor = load_extractor(r, next(one for one in r.descriptors.kinds() if one.text.startswith("colour")))
    compared = Compared("present", declared, MishapBefore(extractor)), Compared("new", declared, extractor)
    widths = [ABORT, *range(200, 200 + WHOLE)]
    pictures = [read(encode(scene(width, 80, width), "PNG")) for width in widths]
    sample = VocabularySample(asked=WHOLE - 1, among=len(pictures))
    quality = measure_quality(compared, declared.measure, lambda: pictures, sample, silent)
    assert (quality.photographs, quality.among) == (WHOLE - 1, WHOLE)


def test_a_vocabulary_is_learned_from_all_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.library.workers.decoding.WithLocalFeatures", MishapLocalFeatures)
    described = catalogue.descriptor("compact-vlad:dimensions=4,vocabulary=own,samples=10")
    paths = [os.fsencode(one) for one in sorted((path.parent / "photographs").iterdir())]

    def refuse(*_: object) -> None:
        raise AssertionError("local features are looked for in the program's own process")

    monkeypatch.setattr("features.keypoints.sift._find", refuse)
    assert len(list(drawn_pictures(paths, described.caps))) == WHOLE
    described.fit(lambda: drawn_pictures(paths, described.caps), silent)
    decoders.end()
