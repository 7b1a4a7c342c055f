"""Figures of theory: what they say is what was computed, and the same every time."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli.main import main
from app.lab.figures.drawing import draw_figure
from app.lab.figures.figure import figure_text
from app.lab.theory.theory import KINDS, TheorySettings, theory
from app.lab.theory.theory_data import material_of_file
from core.errors import Cancelled, TwinlensError
from core.message import Message


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
    return TheorySettings(kind, vectors=files[0], labels=files[1], method=method.get(kind, ""), seed=seed)


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
    asked = TheorySettings("hamming", vectors=files[0], method="sik:bits=2048")
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
        theory(TheorySettings("rank", vectors=files[0], method="lsh"))
    with pytest.raises(TwinlensError, match=r"not positive definite"):
        theory(TheorySettings("bounds", vectors=files[0], method="sigmoid"))
    with pytest.raises(TwinlensError, match=r"no theory"):
        theory(TheorySettings("luck", vectors=files[0]))


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
