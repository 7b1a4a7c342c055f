"""Figures of theory say what was computed, and answers say so in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.app.gui.charts.figures import EVERY, density, measured
from tests.app.made_library import LEARNED, histograms, make
from twinlens.app.cli.main import main
from twinlens.app.lab.figures.drawing import HEADING, draw_figure, figure_points
from twinlens.app.lab.figures.figure import figure_text
from twinlens.app.lab.theory.theory import KINDS, theory
from twinlens.app.lab.theory.theory_data import material_of_file, theory_choices
from twinlens.app.lab.theory.theory_results import answer, short_sentence
from twinlens.app.lab.theory.theory_settings import TheorySettings
from twinlens.app.learn.learning import learn_and_keep
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import Message


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Write vectors of four groups, and which group each is of."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 240)
    centres = rng.normal(size=(4, 12)) * 2
    x = (centres[labels] + rng.normal(size=(240, 12)) * np.linspace(2, 0.3, 12)) * rng.uniform(0.4, 2, (240, 1))
    np.save(tmp_path / "x.npy", x.astype(np.float32))
    np.save(tmp_path / "y.npy", labels)
    return str(tmp_path / "x.npy"), str(tmp_path / "y.npy")


def _asked(kind: str, files: tuple[str, str], seed: int = 0) -> TheorySettings:
    method = {"rank": "klsh:bits=16,landmarks=60,samples=10", "hamming": "sik:bits=64", "rotation": "itq:bits=6"}
    return TheorySettings(kind=kind, vectors=files[0], labels=files[1], method=method.get(kind, ""), seed=seed)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_finite_figures_that_say_how_to_read_them_and_are_the_same_again(
    kind: str, files: tuple[str, str]
) -> None:
    found = theory(_asked(kind, files))
    assert found == theory(_asked(kind, files))
    assert len(found.figures) >= 2
    assert len({one.name for one in found.figures}) == len(found.figures)
    for one in found.figures:  # the window says them in the language of the person
        for words in (one.title, one.reading, one.note, one.x.label, one.y.label, *(each.name for each in one.series)):
            assert isinstance(words, Message), words
    for one in (figure_text(each, str) for each in found.figures):
        assert one.title
        assert str(one.reading).endswith(".")
        assert one.x.label
        assert one.y.label
        assert str(found.sample) in str(one.note)
        for series in one.series:
            assert len(series.x) > 0
            assert np.isfinite([*series.x, *series.y, *series.low, *series.high]).all()
            if one.y.log:
                assert min(series.y) > 0
    assert draw_figure(found.figures[0], "svg").startswith(b"<?xml")
    assert json.loads(found.result().model_dump_json())["numbers"].keys() == found.numbers.keys()


def test_the_best_rank_is_marked_and_said(files: tuple[str, str]) -> None:
    found = theory(_asked("rank", files))
    first = found.figures[0]
    recall = first.series[0]
    best = int(recall.x[int(np.argmax(recall.y))])
    assert found.numbers["best rank"] == best
    assert found.numbers["best recall@10"] == max(recall.y)
    assert [marker.at for marker in first.markers] == [best]
    assert all(low <= mean <= high for low, mean, high in zip(recall.low, recall.y, recall.high, strict=True))


def test_bits_follow_the_expected_curve_and_bounds_hold(files: tuple[str, str]) -> None:
    asked = TheorySettings(kind="hamming", vectors=files[0], method="sik:bits=2048")
    found = theory(asked)
    assert abs(found.numbers["single mean error"]) < 0.02
    assert abs(found.numbers["bilinear mean error"]) < 0.02
    assert found.numbers["bilinear upper bound broken"] == found.numbers["bilinear lower bound broken"] == 0
    assert 0 < found.numbers["bilinear condition by chance"] < 1
    cells = found.figures[0].density
    assert cells is not None
    assert np.sum(cells.weight) == found.numbers["pairs"]


def test_a_learned_metric_tells_its_pairs_apart_better(files: tuple[str, str]) -> None:
    numbers = theory(_asked("metric", files)).numbers
    assert numbers["area after"] > numbers["area before"]
    assert numbers["stretched"] > 0


def test_a_sample_of_many_is_said(files: tuple[str, str]) -> None:
    found = material_of_file(files[0], seed=3, size=100)
    assert found.x.shape == (100, 12)
    assert str(found.sample) == f"A sample of 100 of 240 vectors of {files[0]}, drawn with seed 3."


def test_it_stops_when_it_is_told_to(files: tuple[str, str]) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    for kind in KINDS:
        with pytest.raises(Cancelled):
            theory(_asked(kind, files), progress=stop)


def test_what_does_not_fit_is_refused_with_a_way_out(files: tuple[str, str]) -> None:
    with pytest.raises(TwinlensError, match=r"says nothing of lsh"):
        theory(TheorySettings(kind="rank", vectors=files[0], method="lsh"))
    with pytest.raises(TwinlensError, match=r"not positive definite"):
        theory(TheorySettings(kind="bounds", vectors=files[0], method="sigmoid"))
    with pytest.raises(TwinlensError, match=r"no theory"):
        theory(TheorySettings(kind="luck", vectors=files[0]))


def test_the_command_draws_and_writes_the_points_it_tells(
    files: tuple[str, str], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    arguments = ["lab", "theory", "rotation", "--vectors", files[0], "--method", "itq:bits=6", "--json", "-q"]
    table, picture = tmp_path / "points.csv", tmp_path / "turns.svg"
    assert _exit([*arguments, "--csv", str(table), "--svg", str(picture)]) == 0
    told = json.loads(capfdbinary.readouterr().out)
    found = theory(_asked("rotation", files))
    assert told == json.loads(found.result().model_dump_json())
    assert picture.read_bytes() == draw_figure(found.figures[0], "svg")
    rows = table.read_text().splitlines()
    assert rows[0] == "figure,series,x,y,low,high,weight"
    assert len(rows) == 1 + sum(len(series.x) for one in found.figures for series in one.series)
    assert _exit([*arguments, "--svg", str(picture), "--figure", "luck"]) == 2


def _exit(arguments: list[str]) -> object:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


RANK = {
    "best rank": 32.0, "components": 400.0, "best recall@10": 0.80, "recall@10 of all": 0.70, "spread at best": 0.02,
    "enough rank": 24.0, "residual at best": 0.2, "held-out residual at best": 0.4,
}  # fmt: skip


def test_what_low_rank_does_is_answered_by_what_was_measured() -> None:
    said = str(answer("rank", RANK))
    assert said.startswith("Low rank helps: with the first 32 of 400 components, 10 results hold the nearest")
    assert "80.0 %" in said
    assert "70.0 %" in said
    assert "Rank 24 already" in said
    assert "better than what it stands for" in said
    assert str(short_sentence("rank", RANK)) == "rank 32 of 400: 80 %, all: 70 %"
    # What runs differ by is no gain; and the same at every rank is none at all.
    assert str(answer("rank", RANK | {"spread at best": 0.2})).startswith("Low rank helps a little, if at all")
    assert str(answer("rank", RANK | {"recall@10 of all": 0.799})).startswith("Low rank gains little")
    assert "stands well" in str(answer("rank", RANK | {"held-out residual at best": 0.21}))
    scaled = RANK | {"best recall@10 s=3": 0.9, "best rank s=3": 64.0}
    assert "s = 3 helps: 90.0 % at its best rank, 64." in str(answer("rank", scaled))
    assert "s = 3 harms" in str(answer("rank", scaled | {"best recall@10 s=3": 0.7}))
    assert "s = 3 changes little" in str(answer("rank", scaled | {"best recall@10 s=3": 0.81}))


def test_bounds_that_spare_nothing_are_said_to() -> None:
    numbers = {"norms spared k=10": 0.0, "heuristic spared k=10": 0.0, "heuristic lost k=10": 0.0}
    assert "spare nothing" in str(answer("bounds", numbers))
    assert "spare nothing" in str(short_sentence("bounds", numbers))
    some = numbers | {"norms spared k=10": 0.25, "heuristic spared k=10": 0.5, "heuristic lost k=10": 0.125}
    assert "spares 25.0 % of the comparisons and loses none" in str(answer("bounds", some))
    assert "loses 12.50 %" in str(answer("bounds", some))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a library in which photographs of some colours are marked as similar, and a metric is learned of that."""
    path = tmp_path_factory.mktemp("marked") / "made.twinlens"
    vectors = histograms(90, seed=2)
    with make(path, vectors, [LEARNED]) as opened:
        with opened.store.reading() as r:
            ids = [row.id for row in r.photographs.by_id(range(1, 91))]
        near = (vectors @ vectors.T).argsort(axis=1)[:, ::-1]
        mark_pairs(opened, [(ids[i], ids[int(near[i, 1])]) for i in range(0, 36, 2)], similar=True)
        mark_pairs(opened, [(ids[i], ids[int(near[i, -1])]) for i in range(1, 36, 2)], similar=False)
        learn_and_keep(opened, LearningSettings(index="Learned", name="Mine", anyway=True))
    return path


def test_a_metric_of_the_library_is_drawn_over_its_marks(library: Path) -> None:
    with Library.open(library) as opened:
        assert theory_choices(opened).metrics == ("Mine",)
        found = theory(TheorySettings(kind="metric", metric="Mine"), opened)
    assert [one.name for one in found.figures] == ["metric-spectrum", "pairs-before", "pairs-after"]
    assert found.numbers["pairs"] > 20
    assert 0.5 < found.numbers["area after"] <= 1
    assert f"{100 * found.numbers['area after']:.1f}" in str(found.answer)
    for one in found.figures:
        assert draw_figure(one, "svg", dark=True).startswith(b"<?xml")


def test_what_is_asked_takes_the_place_of_the_methods_own(library: Path) -> None:
    with Library.open(library) as opened:
        (index,) = (one for one in theory_choices(opened).indexes if one.name == "Learned")
        assert (index.kernel, index.photographs) == ("hellinger", 90)
        ranks = theory(
            TheorySettings(kind="rank", index="Learned", kernel="chi-square", bits=16, landmarks=30, scales=(2.0,)),
            opened,
        )
        turned = theory(TheorySettings(kind="rotation", index="Learned", bits=8), opened)
        plain = theory(TheorySettings(kind="rank", index="Learned", bits=16, landmarks=30, scales=()), opened)
    assert "kernel=chi-square" in ranks.declaration
    assert {str(series.name) for series in ranks.figures[1].series} == {"as it is", "transform, s = 2"}
    assert ranks.numbers["components"] <= 30
    assert turned.declaration == "itq:bits=8"
    assert [str(series.name) for series in plain.figures[1].series] == ["as it is"]
    assert "transform" not in str(plain.answer)


def test_points_and_cells_stand_in_one_table() -> None:
    rows = [line.split(",") for line in figure_points([measured(), density()]).splitlines()]
    assert tuple(rows[0]) == HEADING
    assert ["recall-time", "klsh", "8", "0.4", "0.35", "0.45", ""] in rows
    assert ["cloud", "", "0.225", "0.175", "", "", "1"] in rows
    assert len(rows) == 1 + 3 + 3 + 30 + 2


@pytest.mark.parametrize("make_figure", EVERY)
def test_every_figure_is_drawn_into_a_file_without_complaint(make_figure: object) -> None:
    assert callable(make_figure)
    assert draw_figure(make_figure(), "svg") != draw_figure(make_figure(), "svg", dark=True)  # warnings are errors
