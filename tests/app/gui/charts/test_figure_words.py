"""Figures in German: every word that they are made with is known; in English they are shown as they come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bench.results import BenchData
from app.gui.charts.chart import Chart
from app.gui.charts.figure_texts import SENTENCES, WORDS
from app.gui.charts.figure_words import said, sentences, shown
from app.gui.process.language import install_language
from app.lab.figures.figure import Axis, Figure, Marker, Series
from app.lab.figures.truth_words import right_answers
from app.lab.theory.theory import KINDS, Asked, theory
from tests.app.gui.charts.figures import density, measured

_SAME = re.compile(r"Recall@(R|\d+)|recall@\d+|mAP|bits [01]{2}|ms|B|")  # the same in every language, or a name

_BETWEEN = re.compile(r"(?<=\.) (?=[^a-z])")


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    install_language(qapp, "de")
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)


def words_of(figure: Figure) -> list[str]:
    """Return titles, axes, names, and what lines say."""
    axes = [text for axis in (figure.x, figure.y) for text in (axis.label, axis.unit)]
    return [figure.title, *axes, *(one.name for one in figure.series), *(one.label for one in figure.markers)]


def test_english_figures_are_shown_as_they_come() -> None:
    figure = density()
    assert shown(figure) is figure
    assert said("space") == "space"
    assert sentences("Bars: least and most.") == "Bars: least and most."


@pytest.mark.usefixtures("german")
def test_every_text_is_found_with_whatever_stands_in_its_places() -> None:
    for text in (*WORDS, *SENTENCES):
        places = re.findall(r"\{\d\}", text)
        filled = text.format(*(f"7{one}.5%" for one in range(len(places))))
        told = sentences(filled)
        assert told != filled or _SAME.fullmatch(filled), filled
        assert all(f"7{one}.5%" in told for one in range(len(places))), told


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    "truth", ["linear", "chi-square", "gaussian:gamma=0.5", "polynomial:degree=3,offset=1", "l2", "cosine", "metric"]
)
def test_what_is_right_is_said_in_german_words(truth: str) -> None:
    data = BenchData(base="photographs", n=1200, d=8, queries=40, truth=truth)
    (told,) = {sentences(f"Right answers: {right_answers(data)}.")}
    assert told.startswith("Richtige Antworten: was die exakte Suche ")
    assert not {"exact", "search", "by", "the", "with", "finds"} & set(re.findall(r"\w+", told)), told
    both = sentences(f"A · run: 1,200 photographs, 40 queries. Right answers: {right_answers(data)}. One seed.")
    assert not {"photographs", "queries", "seed"} & set(re.findall(r"\w+", both)), both


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("kind", KINDS)
def test_figures_of_theory_have_no_english_words_left(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 90)
    x = rng.normal(size=(90, 16)) * rng.uniform(0.4, 2, (90, 1)) + labels[:, None]
    np.save(tmp_path / "x.npy", x.astype(np.float32))
    np.save(tmp_path / "y.npy", labels)
    method = {"rank": "klsh:bits=16,landmarks=40,samples=10", "hamming": "sik:bits=64", "rotation": "itq:bits=6"}
    asked = Asked(kind, vectors=str(tmp_path / "x.npy"), labels=str(tmp_path / "y.npy"), method=method.get(kind, ""))
    found = theory(asked)
    assert said(found.short_answer) != found.short_answer
    for sentence in _BETWEEN.split(found.answer):
        assert sentence not in sentences(found.answer), sentence
    for figure in found.figures:
        german = shown(figure)
        for before, after in zip(words_of(figure), words_of(german), strict=True):
            assert after != before or _SAME.fullmatch(before), before
        for sentence in _BETWEEN.split(figure.reading):
            assert sentence not in german.reading, sentence
        assert replace(german, title="", reading="", note="") != replace(figure, title="", reading="", note="")
        assert [one.y for one in german.series] == [one.y for one in figure.series]


@pytest.mark.usefixtures("german")
def test_names_of_methods_and_unknown_words_stay() -> None:
    figure = Figure(
        "map-landmarks", "mAP against landmarks", "Longer codes rank better and take more space: a curve that rises no "
        "more says how many bits are enough.", Axis("landmarks"), Axis("mean average precision"),
        [Series("klsh:rank=16 · scan", [1.0], [0.5], labels=["proposed: exact"],
                points=[{"recall@10": "0.5", "seen": "7"}])],
        [Marker(3, "lsh:bits=64")], note="Codes of 64 bits; 1,200 other rows are in the table. Nobody says this.",
    )  # fmt: skip
    found = shown(figure)
    assert found.title == "mAP gegen Landmarken"
    assert found.x.label == "Landmarken"
    assert found.reading.startswith("Längere Codes ordnen besser")
    assert found.note == "Codes von 64 Bit; 1,200 weitere Zeilen stehen in der Tabelle. Nobody says this."
    assert found.series[0].name == "klsh:rank=16 · scan"
    assert dict(found.series[0].points[0]) == {"Recall@10": "0.5", "seen": "7"}
    assert found.markers[0].label == "lsh:bits=64"
    assert found.series[0].labels == ["empfohlen: genau"]


@pytest.mark.usefixtures("german")
def test_a_chart_says_it_and_keeps_the_figure_for_files(qtbot: QtBot) -> None:
    chart = Chart()
    qtbot.addWidget(chart)
    chart.resize(700, 420)
    chart.show(measured())
    assert chart.plot.accessibleName() == "Recall gegen Zeit"
    assert chart.plot.figure is not None
    assert chart.plot.figure.y.label == "Recall@10"
    assert chart.figure == measured()
    chart.show_nothing("")
    assert chart.plot.figure is None
