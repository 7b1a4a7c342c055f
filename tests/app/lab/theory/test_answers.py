"""Answers say in sentences what the numbers say, and theory can be asked of what a library has."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.lab.figures.drawing import HEADING, draw_figure, figure_points
from app.lab.theory.theory import TheorySettings, theory
from app.lab.theory.theory_data import theory_choices
from app.lab.theory.theory_results import answer, short_sentence
from app.learn.learning import LearningSettings, learn_and_keep
from app.library.library import Library
from app.marks.marks import mark_pairs
from tests.app.gui.charts.figures import EVERY, density, measured
from tests.app.made_library import LEARNED, histograms, make

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
        found = theory(TheorySettings("metric", metric="Mine"), opened)
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
            TheorySettings("rank", "Learned", kernel="chi-square", bits=16, landmarks=30, scales=(2.0,)), opened
        )
        turned = theory(TheorySettings("rotation", "Learned", bits=8), opened)
        plain = theory(TheorySettings("rank", "Learned", bits=16, landmarks=30, scales=()), opened)
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
