"""The page where an index is put together."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.gui.indexes.new_index_page import NewIndexPage
from app.indexes.index_specification import IndexSpecification
from app.learn.learn_results import MetricStatus
from tests.app.gui.looking import button, choose, chooser, edit, named, nameless, show, words

METRICS = [
    MetricStatus(
        name=name,
        descriptor=descriptor,
        learned_by=None,
        dimensions=80,
        out_dimensions=80,
        ranking="distance",
        bytes=25600,
        created="2026-11-21T10:00:00Z",
        indexes=[],
        note="from G.npy",
    )
    for name, descriptor in (("Mine", "edges"), ("Other: 2", "colour"))
]


@pytest.fixture
def page(qtbot: QtBot) -> NewIndexPage:
    made = NewIndexPage()
    made.resize(964, 700)
    show(qtbot, made)
    return made


def text_of(page: NewIndexPage) -> QPlainTextEdit:
    found = named(page, "The index as text")
    assert isinstance(found, QPlainTextEdit)
    return found


def test_what_is_chosen_is_created(qtbot: QtBot, page: NewIndexPage) -> None:
    choose(chooser(page, "What is compared"), "Compact VLAD")
    choose(chooser(page, "How vectors become bits"), "Random hyperplanes")
    QTest.keyClicks(edit(page, "Name of the index"), " Shapes ")
    with qtbot.waitSignal(page.create_wanted) as told:
        button(page, "Create the index").click()
    descriptor, metric, method, search, name = told.args
    assert (descriptor, metric, method, search) == page.texts()
    assert (metric, name) == ("", "Shapes")
    assert IndexSpecification.of(descriptor, method, search).name().startswith("compact-vlad:")
    assert (method, search) == ("lsh:bits=256", "scan")


def test_the_whole_text_can_be_typed(page: NewIndexPage) -> None:
    text_of(page).setPlainText("edges · lsh:bits=64 · scan:candidates=10")
    assert page.texts() == ("edges", "", "lsh:bits=64", "scan:candidates=10")
    assert edit(page, "Bits").text() == "64"
    text_of(page).setPlainText("edges · lsh:bits=32")
    assert page.texts() == ("edges", "", "lsh:bits=32", "scan")


def entries(page: NewIndexPage) -> list[str]:
    box = chooser(page, "Which differences count")
    return [box.itemText(i) for i in range(box.count())]


def test_only_metrics_that_can_be_are_offered(page: NewIndexPage) -> None:
    page.set_texts("edges", "itq", "scan")
    fitted = "Fitted to your photos  ·  Inverse covariance"
    assert entries(page) == ["As the descriptor weighs them", fitted]
    page.set_metrics(METRICS)
    assert entries(page) == ["As the descriptor weighs them", "As in the metric Mine", fitted]
    choose(chooser(page, "What is compared"), "Colour")
    assert entries(page) == ["As the descriptor weighs them", "As in the metric Other: 2", fitted]
    text_of(page).setPlainText("vlad:centres=256 · itq")  # 32,768 dimensions have no covariance
    assert not chooser(page, "Which differences count").isVisible()
    assert button(page, "Create the index").isEnabled()


def test_a_metric_is_chosen(qtbot: QtBot, page: NewIndexPage) -> None:
    page.set_metrics(METRICS)
    page.set_texts("edges", "itq", "scan")
    box = chooser(page, "Which differences count")
    choose(box, "As in the metric Mine")
    assert text_of(page).toPlainText() == "edges · Mine · itq:bits=256 · scan"
    assert any("from G.npy" in line for line in words(page))
    choose(box, "Fitted to your photos")
    shrinkage = edit(page, "Shrinkage")
    shrinkage.selectAll()
    QTest.keyClicks(shrinkage, "0.5")
    assert text_of(page).toPlainText() == "edges · whitening:shrinkage=0.5 · itq:bits=256 · scan"
    with qtbot.waitSignal(page.create_wanted) as told:
        button(page, "Create the index").click()
    assert told.args == ["edges", "whitening:shrinkage=0.5", "itq:bits=256", "scan", ""]
    shrinkage.selectAll()
    QTest.keyClicks(shrinkage, "1001")
    assert not button(page, "Create the index").isEnabled()
    choose(box, "As the descriptor weighs them")
    assert button(page, "Create the index").isEnabled()
    assert page.texts() == ("edges", "", "itq:bits=256", "scan")
    assert nameless(page) == []


def test_a_metric_leaves_with_its_descriptor(page: NewIndexPage) -> None:
    page.set_metrics(METRICS)
    page.set_texts("edges", "itq", "scan", "Mine")
    assert page.texts()[1] == "Mine"
    page.set_metrics(METRICS)
    assert page.texts()[1] == "Mine"
    choose(chooser(page, "What is compared"), "Colour")
    assert page.texts()[1] == ""
    assert text_of(page).toPlainText() == "colour · itq:bits=256 · scan"


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("edges · Mine · lsh:bits=8", ("edges", "Mine", "lsh:bits=8", "scan")),
        ("edges · Mine · exact", ("edges", "Mine", "", "exact")),
        ("colour · Other: 2 · itq:bits=8 · scan", ("colour", "Other: 2", "itq:bits=8", "scan")),
        ("colour · whitening · lsh:bits=8", ("colour", "whitening", "lsh:bits=8", "scan")),
        ("colour · whitening:shrinkage=0.2 · exact", ("colour", "whitening:shrinkage=0.2", "", "exact")),
    ],
)
def test_a_metric_can_be_typed(page: NewIndexPage, text: str, texts: tuple[str, str, str, str]) -> None:
    page.set_metrics(METRICS)
    text_of(page).setPlainText(text)
    descriptor, metric, method, search = page.texts()
    assert (descriptor, metric, method if texts[2] else "", search) == texts
    assert button(page, "Create the index").isEnabled()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("colour · Mine · itq", "The metric “Mine” measures edges."),
        ("vlad:centres=256 · whitening · itq", "too many"),
        ("colour · whitening:shrinkage=-1 · itq", "shrinkage"),
        ("colour · Nobody · itq", "There is no metric “Nobody”"),
        ("colour · Nobody · itq · scan", "There is no metric “Nobody”"),
    ],
)
def test_a_metric_that_cannot_be_is_told(page: NewIndexPage, text: str, sentence: str) -> None:
    page.set_metrics(METRICS)
    before = page.texts()
    text_of(page).setPlainText(text)
    assert any(sentence in line for line in words(page)), words(page)
    assert not button(page, "Create the index").isEnabled()
    assert page.texts() == before


def test_an_exact_search_has_no_method(page: NewIndexPage) -> None:
    assert chooser(page, "How vectors become bits").isVisible()
    text_of(page).setPlainText("colour · exact")
    assert page.texts()[3] == "exact"
    assert not chooser(page, "How vectors become bits").isVisible()
    choose(chooser(page, "How the bits are searched"), "Scan")
    assert chooser(page, "How vectors become bits").isVisible()


@pytest.mark.parametrize("text", ["", "colour", "colours · itq", "colour · itq:bits=0", "colour · itq · scan · scan"])
def test_a_text_that_means_nothing_cannot_be_created(page: NewIndexPage, text: str) -> None:
    before = page.texts()
    create = button(page, "Create the index")
    text_of(page).setPlainText(text)
    assert not create.isEnabled()
    assert page.texts() == before
    text_of(page).setPlainText("colour · itq")
    assert create.isEnabled()


def test_a_name_that_is_taken_is_told_at_once(page: NewIndexPage) -> None:
    page.set_taken(["Colours"])
    QTest.keyClicks(edit(page, "Name of the index"), "Colours")
    assert "An index with this name already exists." in words(page)
    assert not button(page, "Create the index").isEnabled()
    QTest.keyClicks(edit(page, "Name of the index"), " 2")
    assert button(page, "Create the index").isEnabled()


def test_the_estimate_is_asked_for_when_it_is_quiet(qtbot: QtBot, page: NewIndexPage) -> None:
    with qtbot.waitSignal(page.estimate_wanted) as told:
        choose(chooser(page, "What is compared"), "Edge histogram")
    assert told.args == list(page.texts())
    page.set_estimate("About 14 minutes.")
    assert "About 14 minutes." in words(page)


def test_everything_by_keys(qtbot: QtBot, page: NewIndexPage) -> None:
    page.setFocus()
    with qtbot.waitSignal(page.create_wanted):
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(page.cancelled):
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_Escape)
    assert nameless(page) == []


def test_an_index_to_begin_with(page: NewIndexPage) -> None:
    page.set_texts("vlad:centres=64", "lsh:bits=1024", "scan")
    page.set_name("Places")
    assert text_of(page).toPlainText() == "vlad:centres=64 · lsh:bits=1024 · scan"
    page.set_error("The method cannot learn from so few photos.")
    assert "The method cannot learn from so few photos." in words(page)
