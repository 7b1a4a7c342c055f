"""Vocabularies of the library's own: learned beside the one in use, measured, kept, dropped; and when one is due."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.app.folders import write_scenes
from twinlens.app.cli.main import main
from twinlens.app.indexes.fitted_models import kind_of
from twinlens.app.indexes.index_results import IndexSuggestion
from twinlens.app.indexes.indexes import list_indexes
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.library.maintenance import check_library
from twinlens.app.methods import catalogue
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.app.vocabulary import vocabularies
from twinlens.app.vocabulary.learned_vocabularies import (
    OwnVocabulary,
    VocabularyListResult,
    VocabularyRecord,
    automatic_index,
    has_vocabulary,
    with_vocabulary,
)
from twinlens.app.vocabulary.vocabularies import drop_vocabulary, keep_vocabulary, learn_vocabulary, list_vocabularies
from twinlens.app.vocabulary.vocabulary_quality import quality_summary
from twinlens.app.vocabulary.vocabulary_settings import VocabularySettings
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.progress import Progress, silent
from twinlens.features.pictures.edits import EDITS
from twinlens.storage.database.values import PhotographState

COUNT = 30
SAMPLE, ASKED, AMONG = 16, 8, 14
DESCRIPTOR = "compact-vlad:dimensions=6"
FEW = EDITS[:2]


@pytest.fixture(scope="module", autouse=True)
def few_edits() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("twinlens.app.vocabulary.vocabulary_quality.EDITS", FEW)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library whose automatic index is small."""
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder, COUNT)
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    with Library.open(path, create=True) as library:
        with library.store.writing() as w:
            for index in w.indexes.all():
                if not index.automatic:
                    w.indexes.delete(index.id)
            described = catalogue.written_declaration(catalogue.descriptor(DESCRIPTOR))
            method = catalogue.written_declaration(catalogue.method("lsh:bits=32"))
            w.indexes.describe(
                automatic_index(w).id,
                described,
                method,
                catalogue.written_declaration(catalogue.search_structure("scan")),
            )
        add(library, [folder], Adding(workers=1))
    return path


@pytest.fixture(scope="module")
def learned(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the library with a vocabulary that was learned and measured."""
    path = tmp_path_factory.mktemp("learned") / "library.twinlens"
    shutil.copy(made, path)
    with Library.open(path) as library:
        learn(library)
    return path


@pytest.fixture
def library(learned: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copy(learned, tmp_path / "library.twinlens")
    with Library.open(tmp_path / "library.twinlens") as opened:
        yield opened


@pytest.fixture
def fresh(made: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copy(made, tmp_path / "fresh.twinlens")
    with Library.open(tmp_path / "fresh.twinlens") as opened:
        yield opened


def learn(library: Library, progress: Progress = silent) -> VocabularyListResult:
    return learn_vocabulary(library, VocabularySettings(sample=SAMPLE, asked=ASKED, among=AMONG), progress)


def states(result: VocabularyListResult) -> list[tuple[str, str]]:
    return [(one.name, one.state) for one in result.vocabularies]


def answer(library: Library) -> list[tuple[int, float]]:
    """Return how far every photograph is from one of them, whatever moves them up besides."""
    return sorted(
        (hit.id, hit.distance)
        for hit in search(library, [3], options=SearchOptions(k=COUNT, exact=True)).results[0].hits
    )


def test_learning_changes_nothing_in_use(made: Path, library: Library) -> None:
    with Library.open(made) as before:
        assert answer(library) == answer(before)
    assert [index.name for index in list_indexes(library).indexes] == [AUTOMATIC]
    result = list_vocabularies(library)
    assert states(result) == [("ready-made", "in use"), ("1", "learned")]
    one = result.vocabularies[1]
    assert one.descriptor == f"{DESCRIPTOR},vocabulary=own,samples={SAMPLE}" or "vocabulary=own" in one.descriptor
    assert (one.photographs, one.sample) == (COUNT, SAMPLE)
    assert check_library(library).findings == []


def test_what_it_changes_is_measured_and_said(library: Library) -> None:
    quality = list_vocabularies(library).vocabularies[1].quality
    assert quality is not None
    assert (quality.photographs, quality.questions, quality.among) == (ASKED, ASKED * len(FEW), COUNT - SAMPLE)
    assert [one.edit for one in quality.edits] == [edit.name for edit in FEW]
    assert quality.present == pytest.approx(np.mean([one.present for one in quality.edits]))
    assert quality.new == pytest.approx(np.mean([one.new for one in quality.edits]))
    assert quality.present_interval[0] <= quality.present <= quality.present_interval[1]
    assert f"of {ASKED * len(FEW)} edited copies of {ASKED} photos" in str(quality.sentence)


def test_learning_again_learns_nothing_and_tells_the_same(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list_vocabularies(library)
    monkeypatch.setattr("twinlens.app.vocabulary.vocabularies.measure_quality", None)
    monkeypatch.setattr("twinlens.app.indexes.fitted_models.drawn_pictures", None)
    assert learn(library) == before


def test_photographs_that_it_is_measured_with_were_not_learned_from(
    fresh: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[bytes]] = []

    def told(paths: list[bytes]) -> Iterator[object]:
        from twinlens.app.indexes.fitted_models import drawn_pictures

        read.append(list(paths))
        return drawn_pictures(paths)

    monkeypatch.setattr("twinlens.app.vocabulary.vocabularies.drawn_pictures", told)
    learn(fresh)
    with fresh.store.reading() as r:
        kind = r.descriptors.kinds()[-1]
        assert kind.model_id is not None
        digest = r.models.by_id(kind.model_id).sample_digest
    from twinlens.app.indexes.fitted_models import DrawnPhotographs

    drawn = DrawnPhotographs.of(fresh, SAMPLE, 0)
    assert drawn.digest == digest
    assert len(read) == 1
    assert len(read[0]) == AMONG
    assert not set(read[0]) & set(drawn.paths)


@pytest.mark.parametrize("stop", ["Finding local features", "Measuring the new vocabulary"])
def test_what_was_stopped_goes_on(fresh: Library, stop: str, library: Library) -> None:
    def progress(done: float, total: float, text: object = "") -> None:
        if str(text).startswith(stop):
            raise Cancelled

    with pytest.raises(Cancelled):
        learn(fresh, progress)
    learned_already = stop.startswith("Measuring")
    assert states(list_vocabularies(fresh))[1:] == ([("1", "learned")] if learned_already else [])
    shares: list[float] = []
    result = learn(fresh, lambda done, total, text: shares.append(done / total))
    assert shares == sorted(shares)
    assert (shares[0] > 0.05) == learned_already
    assert [one.quality for one in result.vocabularies] == [
        one.quality for one in list_vocabularies(library).vocabularies
    ]


def test_kept_it_takes_the_place_of_the_automatic_index_and_one_can_go_back(library: Library) -> None:
    before = answer(library)
    with library.store.reading() as r:
        first = kind_of(r, automatic_index(r))
    assert states(keep_vocabulary(library, workers=1)) == [("ready-made", "learned"), ("1", "in use")]
    (index,) = list_indexes(library).indexes
    assert (index.name, index.automatic, index.photographs, index.waiting) == (AUTOMATIC, True, COUNT, 0)
    assert "vocabulary=own" in index.text
    assert index.fitted_on == COUNT
    after = answer(library)
    assert after != before
    assert (3, 0.0) in after
    with library.store.reading() as r:
        assert first not in r.descriptors.kinds()
    with pytest.raises(TwinlensError, match="Vocabulary 1 is already in use"):
        keep_vocabulary(library, "1", workers=1)
    with pytest.raises(TwinlensError, match="in use by “Automatic”") as caught:
        drop_vocabulary(library, "1")
    assert "ready-made" in str(caught.value.advice)
    assert states(keep_vocabulary(library, "ready-made", workers=1)) == [("ready-made", "in use"), ("1", "learned")]
    assert answer(library) == before
    with library.store.reading() as r:
        assert [kind.key for kind in r.descriptors.kinds() if kind.id != automatic_index(r).kind_id]  # to go on again
    assert check_library(library).findings == []


def test_a_stopped_adoption_leaves_the_old_one_in_use_and_goes_on(library: Library) -> None:
    before = answer(library)

    def progress(done: float, total: float, text: object = "") -> None:
        if done / total > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        keep_vocabulary(library, "1", progress, workers=1)
    result = list_vocabularies(library)
    assert states(result) == [("ready-made", "in use"), ("1", "being adopted")]
    assert result.notice is not None
    assert "not complete yet" in str(result.notice)
    assert answer(library) == before
    assert states(keep_vocabulary(library, workers=1)) == [("ready-made", "learned"), ("1", "in use")]
    assert [index.name for index in list_indexes(library).indexes] == [AUTOMATIC]


def test_a_stopped_adoption_can_be_dropped(library: Library) -> None:
    def progress(done: float, total: float, text: object = "") -> None:
        if done / total > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        keep_vocabulary(library, "1", progress, workers=1)
    assert states(drop_vocabulary(library)) == [("ready-made", "in use"), ("1", "dropped")]
    assert [index.name for index in list_indexes(library).indexes] == [AUTOMATIC]
    assert check_library(library).findings == []


def test_dropped_it_is_gone_but_remembered(library: Library) -> None:
    with library.store.reading() as r:
        size = len(r.descriptors.kinds())
    result = drop_vocabulary(library, "1")
    assert states(result) == [("ready-made", "in use"), ("1", "dropped")]
    assert result.vocabularies[1].quality is not None
    with library.store.reading() as r:
        assert len(r.descriptors.kinds()) == size - 1
    for wrong in (drop_vocabulary, keep_vocabulary):
        with pytest.raises(TwinlensError, match="No vocabulary waits"):
            wrong(library)
        with pytest.raises(TwinlensError, match=r"no vocabulary “1”\. Choose one of ready-made"):
            wrong(library, "1")
    assert states(learn(library)) == [("ready-made", "in use"), ("1", "learned")]


def test_too_few_photographs_is_a_sentence_with_a_next_step(tmp_path: Path) -> None:
    with Library.open(tmp_path / "empty.twinlens", create=True) as empty:
        with pytest.raises(TwinlensError, match="0 photos, too few") as caught:
            learn_vocabulary(empty)
        assert str(caught.value.advice)
        assert vocabularies.vocabulary_suggestion(empty) is None


def test_too_few_to_learn_from_is_said_before_any_is_read(fresh: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.indexes.fitted_models.drawn_pictures", None)
    with pytest.raises(TwinlensError, match="from at least 7 photos, not from 6") as caught:
        learn_vocabulary(fresh, VocabularySettings(sample=6))
    assert str(caught.value.advice) == "Learn from more photos."


def test_parts_of_a_fusion_change_their_vocabulary_and_others_stay() -> None:
    fused = catalogue.descriptor("fusion:first=compact-vlad(dimensions=12),second=colour,third=vlad")
    own = with_vocabulary(fused, "own", 50, seed=3)
    assert own.learns
    assert own.sample_size == 50
    assert own.seed == 3  # type: ignore[attr-defined]
    assert own.second == fused.second  # type: ignore[attr-defined]
    assert own.third.vocabulary == "own"  # type: ignore[attr-defined]
    assert with_vocabulary(own, "ready-made") == fused
    assert not has_vocabulary(catalogue.descriptor("colour"))
    with pytest.raises(TwinlensError, match="which needs no vocabulary"):
        with_vocabulary(catalogue.descriptor("fusion:first=colour,second=edges"), "own")


def test_one_is_due_when_the_library_has_outgrown_the_last(
    library: Library, fresh: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def notice(of: Library, photographs: int) -> IndexSuggestion | None:
        monkeypatch.setattr(
            "twinlens.storage.photographs.photographs.Photographs.counts",
            lambda _: dict.fromkeys(PhotographState, 0) | {PhotographState.READY: photographs},
        )
        return vocabularies.vocabulary_suggestion(of)

    assert notice(fresh, vocabularies.LEAST - 1) is None
    due = notice(fresh, vocabularies.LEAST)
    assert due is not None
    assert (due.step, due.name) == ("learn", "")
    assert due.seconds > 60
    assert "5,000 photos" in str(due.sentence)
    assert "nothing changes until you keep it" in str(due.sentence)
    drop_vocabulary(library, "1")
    assert notice(library, 4 * COUNT - 1) is None
    grown = notice(library, 4 * COUNT)
    assert grown is not None
    assert grown.step == "learn"


def test_only_one_that_is_better_by_more_than_chance_is_brought_up(library: Library) -> None:
    better = np.ones((30, len(FEW)), np.bool_)
    worse = np.random.default_rng(0).random(better.shape) < 0.7
    for present, new, step in ((worse, better, "decide"), (better, worse, None), (better, better, None)):
        with library.store.writing() as w:
            shelf = VocabularyRecord.of(w)
            (one,) = shelf.own
            shelf.with_own(one.model_copy(update={"quality": quality_summary(present, new, 100, 0)})).keep(w)
        told = vocabularies.vocabulary_suggestion(library)
        assert (None if told is None else told.step) == step


def test_the_sentence_says_what_chance_decides() -> None:
    rng = np.random.default_rng(1)
    half = rng.random((40, len(FEW))) < 0.5
    more = half | (rng.random(half.shape) < 0.5)
    other = rng.random(half.shape) < 0.5
    assert str(quality_summary(half, more, 1_000, 0).sentence).endswith("Keep the new one.")
    assert str(quality_summary(more, half, 1_000, 0).sentence).endswith("The one in use is better.")
    assert "may be chance" in str(quality_summary(half, other, 1_000, 0).sentence)
    assert quality_summary(half, more, 1_000, 0) == quality_summary(half, more, 1_000, 0)


def test_copies_of_one_photograph_are_resampled_together() -> None:
    """The interval of copies that stand and fall together is that of as many photographs, not of as many copies."""
    photographs = np.random.default_rng(2).random(100) < 0.5
    together = np.repeat(photographs[:, None], len(FEW), axis=1)
    low, high = quality_summary(together, together, 1_000, 0).present_interval
    assert high - low == pytest.approx(2 * 1.96 * 0.05, rel=0.1)


def test_on_the_command_line(learned: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "library.twinlens"
    shutil.copy(learned, path)

    def told(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["vocabulary", *words, "--library", str(path)])
        return int(ended.value.code or 0), capfdbinary.readouterr().out.decode()

    code, said = told("list")
    assert code == 0
    assert "edited copies of 8 photos" in said
    for words, state in (
        (("learn", "--photographs", str(SAMPLE), "--questions", str(ASKED)), ["in use", "learned"]),
        (("keep", "--workers", "1"), ["learned", "in use"]),
        (("keep", "ready-made", "--workers", "1"), ["in use", "learned"]),
        (("drop",), ["in use", "dropped"]),
    ):
        code, said = told(*words, "--json")
        assert code == 0
        assert [one.state for one in VocabularyListResult.model_validate_json(said).vocabularies] == state
    code, said = told("keep", "7")
    assert code == 2


def test_numbers_are_never_given_twice() -> None:
    one = OwnVocabulary(number=1, descriptor="", kind="a", learned="", photographs=1, sample=1)
    shelf = VocabularyRecord().with_own(one).with_own(one.model_copy(update={"number": 2}))
    assert [other.number for other in shelf.with_own(one).own] == [1, 2]
