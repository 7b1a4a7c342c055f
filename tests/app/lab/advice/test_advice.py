"""Advice: figures are those of bench and evaluate, the time is kept, and the proposal follows from its rules."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.app.folders import added, write_scenes
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.app.evaluate import evaluation
from twinlens.app.evaluate.evaluation import evaluate
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.indexes.fitted_models import load_encoder
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.lab.advice import advice, index_plan
from twinlens.app.lab.advice import index_trials as order
from twinlens.app.lab.advice import index_trials as points
from twinlens.app.lab.advice.advice import advise, build_advised_index
from twinlens.app.lab.advice.advice_results import (
    AdvicePoint,
    AdviceResult,
    choose_proposal,
    comparable,
    margin,
    on_frontier,
    speed,
)
from twinlens.app.lab.advice.advice_settings import AdviceSettings, NamedPairs
from twinlens.app.lab.advice.advice_sheet import point_figures
from twinlens.app.lab.advice.index_plan import AdvicePhotographs, IndexPlan
from twinlens.app.lab.advice.index_trials import NO_CHANGE
from twinlens.app.lab.advice.reasons import reasons
from twinlens.app.lab.experiments.runner import experiment_tables
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress
from twinlens.core.systems import system
from twinlens.storage.indexes.indexes import IndexRow

COUNT = 300


@pytest.fixture(scope="module", autouse=True)
def few_candidates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(order, "BITS", (16,))
        patched.setattr(order, "_OTHERS", 3)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "library.twinlens"
    make(path, histograms(COUNT), [FEW_BITS, LEARNED, EXACTLY]).close()
    return path


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    with Library.open(Path(shutil.copy(made, tmp_path))) as library:
        yield library


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured steps belong to one test, since copies of a library share them."""
    monkeypatch.setenv("TWINLENS_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def advised(made: Path, few_candidates: None) -> AdviceResult:
    """Of neighbours, with time enough."""
    with Library.open(made) as library:
        return advise(
            library,
            AdviceSettings(time_limit_s=4_500, descriptors=("colour:levels=1",), truth="neighbours", clock=ticks()),
        )


def described(library: Library) -> list[int]:
    with library.store.reading() as r:
        (kind,) = (one for one in r.descriptors.kinds() if r.descriptors.count(one))
        return [int(one) for one in r.descriptors.ids(kind)]


def ticks(step: float = 1.0) -> Callable[[], float]:
    """Make a clock that goes on by a second whenever it is looked at: what is measured is the same on any machine."""
    now = itertools.count()
    return lambda: step * next(now)


def point(key: str, recall: float, ms: float, size: float, **values: object) -> AdvicePoint:
    made = {
        "key": key, "descriptor": "colour", "search": "scan", "method": f"lsh:bits={int(8 * size)}",
        "bits": int(8 * size), "photographs": 1_000, "questions": 100, "recall": recall, "overlap": recall,
        "seconds": ms / 1000, "speed": speed(ms / 1000), "bytes_per_photograph": size, "bytes": int(1_000 * size),
        "seconds_tenfold": ms / 100, "bytes_tenfold": int(10_000 * size),
    }  # fmt: skip
    return AdvicePoint.model_validate(made | values)


def exact(ms: float, recall: float = 1.0) -> AdvicePoint:
    return point("exact", recall, ms, 464, exact=True, method="", bits=None, search="exact")


# ---- the figures -----------------------------------------------------------------------------------------------------


def test_figures_of_neighbours_are_those_of_bench(library: Library, advised: AdviceResult) -> None:
    few = next(one for one in advised.points if one.index == "Few bits")
    for search, measured in (("scan:candidates=1", few), ("exact", next(one for one in advised.points if one.exact))):
        wanted = Experiment(index="Few bits", methods=("lsh:bits=24",), search=(search,))
        wanted, tables = experiment_tables(library, wanted)
        (found,) = bench(wanted, tables=tables).results
        assert measured.overlap == pytest.approx(found.values["overlap@10"], abs=1e-9)
        assert measured.recall == measured.overlap
        assert measured.questions == 100
    assert 0.2 < few.overlap < 0.999
    assert few.bytes_per_photograph == 3


def test_figures_of_pairs_are_those_of_a_plain_computation(library: Library) -> None:
    """Hash by the index's own hyperplanes, rank one candidate or all, and count, as one would on paper."""
    ids = described(library)
    with library.store.reading() as r:
        (kind,) = (one for one in r.descriptors.kinds() if r.descriptors.count(one))
        stored, _ = r.descriptors.read(kind, ids)
        encoder = load_encoder(r, next(one for one in r.indexes.all() if one.name == "Few bits"))
    assert encoder is not None
    bits = np.unpackbits(encoder.encode(stored.astype(np.float32)), axis=1)
    roots = np.sqrt(stored.astype(np.float64))
    roots /= np.linalg.norm(roots, axis=1, keepdims=True)
    far = np.round(np.sqrt(np.maximum(2 - 2 * roots @ roots.T, 0)), 9)
    hamming = (bits[:, None] != bits[None]).sum(axis=2)
    nearest = [[i for i in np.lexsort((range(COUNT), line)).tolist() if i != row] for row, line in enumerate(far)]
    partner: dict[int, int] = {}
    for place in range(12):  # from the nearest to one that is not among the first ten
        one = next(i for i in range(COUNT) if i not in partner)
        other = next(i for i in nearest[one][2 * place :] if i not in partner)
        partner |= {one: other, other: one}
    match = tuple((ids[one], ids[other]) for one, other in partner.items())
    result = advise(library, AdviceSettings(time_limit_s=5_000, pairs=NamedPairs(match), clock=ticks()))
    found: dict[str, list[float]] = {name: [] for name in ("recall", "overlap", "exact", "precision")}
    for asking, other in partner.items():
        exact = nearest[asking][:10]
        candidates = np.lexsort((range(COUNT), hamming[asking])).tolist()[: evaluation.DEPTH]
        ranked = [i for i in sorted(candidates, key=lambda i: (far[asking, i], i)) if i != asking][:10]
        found["recall"].append(other in ranked)
        found["exact"].append(other in exact)
        found["precision"].append(ranked[:1] == [other])
        found["overlap"].append(np.isin(ranked, exact).mean())
    few, whole = (next(one for one in result.points if one.index == name) for name in ("Few bits", "Exactly"))
    assert (few.questions, whole.questions) == (24, 24)
    assert few.recall == pytest.approx(np.mean(found["recall"]))
    assert few.precision == pytest.approx(np.mean(found["precision"]))
    assert few.overlap == pytest.approx(np.mean(found["overlap"]))
    assert whole.recall == pytest.approx(np.mean(found["exact"]))
    assert 0 < whole.recall < 1


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder, 9)
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, folder)
    return path


def test_figures_of_edits_are_those_of_evaluate(scenes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "PHOTOGRAPHS", 2)
    monkeypatch.setattr(order, "FEW", 100)
    for module in (index_plan, points):
        monkeypatch.setattr(module, "FIRST", 1)  # of nine photographs ten find everything
    with Library.open(scenes) as library:
        create_index(
            library, NewIndex(descriptor="colour", method="lsh:bits=6", search="scan:candidates=1", name="Six")
        )
        result = advise(library, AdviceSettings(time_limit_s=30_000, descriptors=("colour",), clock=ticks()))
        told = evaluate(library, EvaluationSettings(indexes=("Six", "Colours"), photographs=2, check=False))
    assert result.questions == told.questions
    six, colours = (next(one for one in result.points if one.index == name) for name in ("Six", "Colours"))
    for mine, theirs in ((six, told.indexes[0]), (colours, told.indexes[1])):
        assert mine.recall == pytest.approx(theirs.mean.values["found@1"], abs=1e-9)
        assert 0.3 < mine.recall < 1
        assert mine.questions == told.questions


def test_where_time_is_short_more_photographs_are_edited_in_fewer_ways(
    scenes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "_EDITING", 0.008)
    monkeypatch.setattr(system, "processors", lambda: 2)  # as many copies as these describe are one turn
    with Library.open(scenes) as library:
        result = advise(library, AdviceSettings(time_limit_s=8_000, descriptors=("colour",), clock=ticks()))
        again = advise(library, AdviceSettings(time_limit_s=7_500, descriptors=("colour",), clock=ticks(3.0)))
    assert 5 * 9 <= result.questions < 26 * 9
    assert any("in some ways" in str(note) for note in result.notes)
    assert not any("time to edit" in str(note) for note in result.notes), "all nine had their turn"
    assert again.questions == result.questions, "the next advice asks the same, though it is slower"


# ---- the answer ------------------------------------------------------------------------------------------------------


def test_what_is_proposed_is_on_the_frontier_of_the_charts(library: Library, advised: AdviceResult) -> None:
    assert advised.point().frontier
    exactly = next(one for one in advised.points if one.exact)
    assert build_advised_index(library, advised.model_copy(update={"proposed": exactly.key})).name == "Exactly"
    assert AdviceResult.model_validate_json(advised.model_dump_json()) == advised
    front = [one for one in advised.points if one.frontier]
    assert front
    assert {one.key for one in front} <= {one.key for one in advised.points}
    for figure in point_figures(advised.points, advised.truth, advised.proposed, advised.present):
        line, *series = figure.series
        assert sorted(key for one in series for key in one.keys) == sorted(one.key for one in advised.points)
        assert list(line.y) == sorted(line.y)


def test_the_proposal_is_made_an_index(library: Library, advised: AdviceResult) -> None:
    hashed = next(one for one in advised.points if not one.exact and not one.index)
    made = build_advised_index(library, advised.model_copy(update={"proposed": hashed.key}), "Advised")
    assert (made.name, made.text) == ("Advised", hashed.key)
    again = advise(
        library, AdviceSettings(time_limit_s=2_000, descriptors=("colour:levels=1",), truth="neighbours", clock=ticks())
    )  # its own indexes come first
    there = next(one for one in again.points if one.index == "Advised")
    if there.questions == hashed.questions:
        assert there.recall == pytest.approx(hashed.recall, abs=1e-9)


def test_a_large_library_is_sampled_first(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "SAMPLE", 120)
    whole = advise(
        library, AdviceSettings(time_limit_s=4_500, descriptors=("colour:levels=1",), truth="neighbours", clock=ticks())
    )
    assert whole.point().photographs == COUNT
    assert {one.photographs for one in whole.points} <= {120, COUNT}
    monkeypatch.setattr(order, "_EXACT_SHARE", 0.0)  # no time for the truth over all of it
    sampled = advise(
        library, AdviceSettings(time_limit_s=3_000, descriptors=("colour:levels=1",), truth="neighbours", clock=ticks())
    )
    assert {one.photographs for one in sampled.points} == {120}
    assert any(f"There was no time to search all {COUNT}" in str(note) for note in sampled.notes)


def test_pairs_say_what_should_match_and_what_should_not(library: Library) -> None:
    ids = described(library)
    pairs = NamedPairs(match=((ids[0], ids[1]),), differ=((ids[0], ids[2]),))
    result = advise(library, AdviceSettings(time_limit_s=500, pairs=pairs, clock=ticks()))
    assert result.truth == "pairs"
    assert result.questions == 3
    x = histograms(COUNT)
    roots = np.sqrt(x)
    order = np.argsort(-(roots @ roots.T), axis=1)
    found = [ids[other] in [ids[i] for i in order[one] if i != one][:10] for one, other in ((0, 1), (1, 0))]
    told = next(one for one in result.points if one.exact)
    assert told.recall == pytest.approx(np.mean(found))
    wrong = [ids[other] in [ids[i] for i in order[one] if i != one][:10] for one, other in ((0, 2), (2, 0))]
    assert told.wrong == pytest.approx(np.mean(wrong))
    assert any("too few for a reliable choice" in str(note) for note in result.notes)
    with pytest.raises(TwinlensError, match="should match"):
        advise(library, AdviceSettings(time_limit_s=3, pairs=NamedPairs(differ=((ids[0], ids[2]),))))


def test_marks_are_a_truth_where_there_are_some(library: Library) -> None:
    with pytest.raises(TwinlensError, match="No photos are marked"):
        advise(library, AdviceSettings(time_limit_s=2, truth="marks"))
    ids = described(library)
    mark_pairs(library, [(ids[0], ids[8]), (ids[3], ids[4])], similar=True)
    result = advise(library, AdviceSettings(time_limit_s=500, truth="marks", clock=ticks()))
    assert (result.truth, result.questions) == ("marks", 4)


def test_the_time_is_kept_and_what_was_not_tried_is_told(library: Library) -> None:
    now = itertools.count()
    result = advise(library, AdviceSettings(time_limit_s=1_250, truth="neighbours", clock=lambda: float(next(now))))
    assert next(now) < 1_275
    assert result.not_tried
    assert any("no time to try everything" in str(note) for note in result.notes)
    assert not {one.key for one in result.not_tried} & {one.key for one in result.points}


def test_without_time_an_index_is_measured_all_the_same(library: Library) -> None:
    result = advise(library, AdviceSettings(time_limit_s=0.5, truth="neighbours", clock=ticks()))
    assert {one.exact for one in result.points} == {True, False}
    assert result.point() in result.points


def test_what_the_library_has_is_measured_in_full_before_anything_else(library: Library) -> None:
    told: list[AdvicePoint] = []
    result = advise(library, AdviceSettings(time_limit_s=4_500, truth="neighbours", clock=ticks()), found=told.append)
    full = next(number for number, one in enumerate(told) if one.questions == 100)
    assert all(one.exact or one.method in {"lsh:bits=24", "itq:bits=40"} for one in told[: full + 3])
    assert {one.index for one in result.points if one.questions == 100} >= {"Few bits", "Learned", "Exactly"}
    assert {one.key for one in told} == {one.key for one in result.points}


def test_one_method_does_not_take_the_time_of_all(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    learned = AdvicePhotographs.index
    asked = []

    def slowly(
        photographs: AdvicePhotographs, row: IndexRow, progress: Progress
    ) -> tuple[LoadedIndex, dict[str, float]]:
        if row.method.count("klsh"):
            asked.append(row.method)
            for _ in range(10_000):
                progress(0, 1, NOTHING)
        return learned(photographs, row, progress)

    monkeypatch.setattr(AdvicePhotographs, "index", slowly)
    monkeypatch.setattr(order, "BITS", (16, 24))
    monkeypatch.setattr(advice, "NEIGHBOUR_QUERIES", 12)
    result = advise(library, AdviceSettings(time_limit_s=6_000, truth="neighbours", clock=ticks()))
    assert len(asked) == 1  # and its other lengths wait until the end, for which it takes too long
    assert any("klsh" in one.key for one in result.not_tried)
    assert any(one.method.startswith("kpca-itq") for one in result.points)


def test_what_would_take_longer_than_is_left_is_not_begun(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    learned, now, limit, each = AdvicePhotographs.index, [0.0], 1_000.0, 450.0
    asked = []

    def slowly(
        photographs: AdvicePhotographs, row: IndexRow, progress: Progress
    ) -> tuple[LoadedIndex, dict[str, float]]:
        if row.method and not photographs.has_codes(row):
            asked.append(row.method)
            now[0] += each  # in one step, in which nobody looks at the clock
        return learned(photographs, row, progress)

    def clock() -> float:
        now[0] += 0.1
        return now[0]

    monkeypatch.setattr(AdvicePhotographs, "index", slowly)
    monkeypatch.setattr(advice, "NEIGHBOUR_QUERIES", 12)
    result = advise(library, AdviceSettings(time_limit_s=limit, truth="neighbours", clock=clock))
    assert result.seconds <= limit, "it is kept, though one step is nearly half of it"
    assert asked
    tried = {one.method.partition(":")[0] for one in result.points}
    (note,) = [one for one in result.notes if "no time to learn" in str(one)]
    told = {word for word in ("itq", "lsh", "klsh", "kpca-itq") if f" {word} (" in str(note)}
    assert told
    assert not told & tried
    assert all(any(f"· {word}" in one.key for one in result.not_tried) for word in told)


def test_nothing_is_learned_late_while_nothing_tells_how_long_it_takes(library: Library) -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 0.1
        return now[0]

    def found(point: AdvicePoint) -> None:
        now[0] = max(now[0], 600.0)  # exact search is slow here

    result = advise(library, AdviceSettings(time_limit_s=1_000, truth="neighbours", clock=clock), found=found)
    assert result.seconds <= 1_000
    own = {"", "lsh:bits=24", "itq:bits=40"}  # of which the library has codes
    assert {one.method for one in result.points} <= own
    assert result.not_tried


def test_photographs_that_are_not_there_do_not_hold_it_up(library: Library) -> None:
    now = itertools.count()
    # Enough that exact search and a first index, which are measured however long they take, end before it.
    result = advise(library, AdviceSettings(time_limit_s=1000, clock=lambda: float(next(now))))
    assert next(now) < 1010
    assert result.truth == "neighbours"
    assert any("can be read now" in str(note) for note in result.notes)


def test_stopping_keeps_what_is_known(library: Library) -> None:
    def stop_at(limit: int) -> AdviceResult:
        told = itertools.count()

        def progress(done: float, total: float, text: object = "") -> None:
            if next(told) > limit:
                raise Cancelled

        return advise(library, AdviceSettings(time_limit_s=500, truth="neighbours"), progress)

    with pytest.raises(Cancelled):
        stop_at(3)
    result = stop_at(150)
    assert result.cancelled
    assert result.points


def plain(one: AdvicePoint) -> dict[str, object]:
    """Return what does not depend on how busy the machine was."""
    timed = {"seconds", "speed", "seconds_tenfold", "frontier"}
    return one.model_dump(exclude=timed)


def test_what_was_stopped_goes_on_where_it_was(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "NEIGHBOUR_QUERIES", 12)
    monkeypatch.setattr(order, "FEW", 5)
    wanted = AdviceSettings(time_limit_s=100_000, truth="neighbours", clock=ticks())
    made = []
    index = AdvicePhotographs.index

    def counted(
        photographs: AdvicePhotographs, row: IndexRow, progress: Progress
    ) -> tuple[LoadedIndex, dict[str, float]]:
        made.append(row.method)
        return index(photographs, row, progress)

    monkeypatch.setattr(AdvicePhotographs, "index", counted)
    told: list[AdvicePoint] = []

    def found(point: AdvicePoint) -> None:
        told.append(point)
        if len(told) == 12:
            raise Cancelled

    stopped = advise(library, wanted, found=found)
    assert stopped.cancelled
    before = len(made)
    again = advise(library, wanted.changed(clock=ticks()))
    after = len(made)
    monkeypatch.setenv("TWINLENS_CACHE", str(library.address.path.with_name("empty")))
    whole = advise(library, wanted.changed(clock=ticks()))
    assert sorted(made[:before]) != sorted(made[before:after])
    assert len(made) - after == after, "no index was measured twice"
    assert {one.key: plain(one) for one in again.points} == {one.key: plain(one) for one in whole.points}
    assert not again.not_tried


def test_where_everything_is_kept_nothing_is_searched(scenes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "PHOTOGRAPHS", 1)
    monkeypatch.setattr(order, "FEW", 10)
    with Library.open(scenes) as library:
        wanted = AdviceSettings(time_limit_s=100_000, descriptors=("colour",), clock=ticks())
        first = advise(library, wanted)
        monkeypatch.delattr(IndexPlan, "load")
        told: list[AdvicePoint] = []
        again = advise(library, wanted.changed(time_limit_s=400_000.0, clock=ticks()), found=told.append)
        assert [plain(one) for one in again.points] == [plain(one) for one in first.points]
        assert again.questions == first.questions
        assert {one.key for one in told} == {one.key for one in again.points}
        with pytest.raises(AttributeError):
            advise(library, wanted.changed(seed=1, clock=ticks()))


def test_other_vectors_are_measured_anew(library: Library) -> None:
    wanted = AdviceSettings(time_limit_s=2_000, truth="neighbours", clock=ticks())
    first = advise(library, wanted)
    with library.store.writing() as w:
        (kind,) = (one for one in w.descriptors.kinds() if w.descriptors.count(one))
        w.descriptors.put(kind, w.descriptors.ids(kind), histograms(COUNT, seed=1))
    again = advise(library, wanted.changed(clock=ticks()))
    few = [next(one for one in result.points if one.index == "Few bits") for result in (first, again)]
    assert few[0].overlap != few[1].overlap


def test_what_cannot_be_is_refused(library: Library) -> None:
    with pytest.raises(TwinlensError, match="no vectors of edges"):
        advise(library, AdviceSettings(time_limit_s=2, descriptors=("edges",)))
    with pytest.raises(TwinlensError, match="truth must be one of"):
        advise(library, AdviceSettings(time_limit_s=2, truth="labels"))  # type: ignore[arg-type]


# ---- the choice ------------------------------------------------------------------------------------------------------


def test_exact_search_is_proposed_unless_hashing_is_felt() -> None:
    code = point("code", 0.99, 0.5, 32)
    assert choose_proposal([exact(4), code]).exact
    assert choose_proposal([exact(120), code]) == code
    assert choose_proposal([exact(120), code.model_copy(update={"seconds": 0.11})]).exact


def test_the_fewest_bytes_are_chosen_of_what_finds_as_much() -> None:
    points = [exact(900), point("long", 0.996, 3, 64), point("short", 0.992, 5, 16), point("bad", 0.6, 1, 8)]
    assert choose_proposal(points).key == "short"
    slower = [one.model_copy(update={"seconds": 1.4 * one.seconds}) for one in points[1:]]
    assert choose_proposal([points[0], *slower]).key == "short"


def test_a_small_library_is_told_to_hash_nothing_where_exact_search_finds_more() -> None:
    points = [exact(4), point("code", 0.99, 0.5, 32)]
    assert "Hash codes are not needed" in str(reasons(points, choose_proposal(points), 300, "neighbours")[0])


def test_nothing_is_proposed_that_the_charts_show_to_be_worse() -> None:
    """Neither exact search, only because it hashes nothing, nor what agrees more with exact search and finds less."""
    code = point("code", 1.0, 0.5, 32)
    assert choose_proposal([exact(4), code]) == code
    best = point("best", 0.97, 3, 16, overlap=0.9)
    true = point("true", 0.96, 9, 32, overlap=0.99)
    assert choose_proposal([exact(900, 0.95), best, true]) == best


def test_the_present_index_stays_where_it_finds_as_much_is_as_fast_and_nothing_beats_it() -> None:
    present, other = point("now", 0.99, 3, 64), point("short", 0.992, 2, 16)
    assert choose_proposal([exact(900), present, other]) == other
    assert choose_proposal([exact(900), present, other], "now") == other, "a chart shows it to be beaten in all"
    sharper = present.model_copy(update={"recall": 0.995})
    assert choose_proposal([exact(900), sharper, other], "now") == sharper
    slow = present.model_copy(update={"seconds": 0.3})
    assert choose_proposal([exact(900), slow, other], "now") == other
    worse = present.model_copy(update={"recall": 0.9})
    assert choose_proposal([exact(900), worse, other], "now") == other


def test_only_what_was_asked_as_much_is_held_against_another() -> None:
    asked, lucky = point("asked", 0.95, 3, 32), point("lucky", 1.0, 2, 16, questions=40)
    small = point("sample", 1.0, 1, 8, photographs=400)
    assert comparable([asked, lucky, small]) == [asked]
    assert choose_proposal([asked, lucky, small]) == asked
    nearly = point("nearly", 0.97, 3, 32, photographs=990)  # some photographs have no vector of this descriptor
    assert comparable([asked, nearly]) == [asked, nearly]


def test_chart_and_proposal_follow_from_the_same_numbers(library: Library) -> None:
    ids = described(library)
    roots = np.sqrt(histograms(COUNT))
    nearest = int(np.argsort(-(roots @ roots[0]))[1])
    pairs = NamedPairs(match=((ids[0], ids[1]), (ids[4], ids[5])), differ=((ids[0], ids[nearest]),))
    result = advise(library, AdviceSettings(time_limit_s=2_000, pairs=pairs, clock=ticks()))
    assert any(one.wrong for one in result.points)
    by_key = {one.key: one for one in result.points}
    for figure in point_figures(result.points, result.truth, result.proposed, result.present):
        for series in figure.series[1:]:
            assert [by_key[key].judged for key in series.keys] == list(series.y)
        assert figure.y.low is not None
        assert figure.y.low <= min(one.judged for one in result.points)
    same = comparable(result.points)
    assert result.point() in same
    assert result.point().frontier
    assert [one.key for one in same if one.frontier] == [
        one.key for one, best in zip(same, on_frontier(same), strict=True) if best
    ]
    if result.proposed == result.present:
        assert result.reasons[0] == NO_CHANGE


def test_the_frontier_has_what_no_other_is_better_than() -> None:
    points = [
        exact(100),
        point("a", 0.9, 3, 32),
        point("b", 0.9, 3.2, 64),
        point("c", 0.8, 30, 16),
        point("d", 0.8, 3, 16),
    ]
    assert on_frontier(points) == [True, True, False, False, True]
    # Times of one class are equal, and of what is equal throughout the first stays.
    assert on_frontier([point("a", 0.9, 2.1, 32), point("b", 0.9, 3.9, 32)]) == [True, False]


def test_reasons_say_what_bits_would_change() -> None:
    points = [exact(600), point("64", 0.9, 50, 8), point("256", 0.98, 50, 32), point("512", 0.99, 60, 64)]
    said = [str(one) for one in reasons(points, points[2], 100_000, "neighbours")]
    assert said[0].startswith("It finds 98 % of the exact results, 12 times as fast (50\u00a0ms)")
    assert said[1:] == [
        "512 bits would find 1 % more and take 2.0 times the space.",
        "64 bits would find 8 % less and take 0.2 times the space.",
    ]


def test_chance_is_bounded() -> None:
    assert margin(0.5, 10) == 0.03
    assert margin(1.0, 10) == 0.01
    assert 0.01 < margin(0.95, 200) < 0.03
