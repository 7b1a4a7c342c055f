"""Indexes in the window: listed, made, suggested, deleted and brought back."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import MagicMock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, button, choose, chooser, edit, named, nameless, show, words
from tests.app.gui.working import rested, settle, workspace
from tests.app.made_library import EXACTLY, FEW_BITS, histograms, make
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.indexes.indexes_page import IndexesPage
from twinlens.app.gui.indexes.new_index_page import NewIndexPage
from twinlens.app.indexes.index_results import IndexListResult, IndexStatus, IndexSuggestion
from twinlens.app.indexes.index_specification import IndexSpecification
from twinlens.app.indexes.indexes import list_indexes
from twinlens.app.learn.learn_results import MetricStatus
from twinlens.app.library.library import Library
from twinlens.app.vocabulary.learned_vocabularies import VocabularyListResult
from twinlens.core.message import NOTHING, Message, verbatim
from twinlens.core.progress import Progress


def index(name: str, automatic: bool = False, bits: int | None = 256, waiting: int = 0) -> IndexStatus:
    return IndexStatus(
        name=name, text="colour · itq:bits=256 · scan", descriptor="colour",
        automatic=automatic, photographs=12_480, waiting=waiting,
        fitted_on=12_000, bits=bits, bytes=812_345, note=NOTHING,
    )  # fmt: skip


@pytest.fixture
def window() -> MagicMock:
    made = MagicMock()
    made.indexes.result = None
    return made


@pytest.fixture
def page(qtbot: QtBot, window: MagicMock) -> IndexesPage:
    made = IndexesPage(window)
    made.resize(964, 700)
    listed = IndexListResult(indexes=[index("Automatic", automatic=True), index("Colours", waiting=3), index("Few")])
    made.set_indexes(listed, "Automatic", {"Colours": "colours"})
    show(qtbot, made)
    return made


def said(page: IndexesPage) -> str:
    model = page.list.cards
    shown = [model.card(row) for row in range(model.rowCount())]
    return " ".join(line.text for card in shown for line in (card.title, *card.lines)) + "".join(
        card.title.aside + card.spoken for card in shown
    )


def test_each_says_what_it_is(page: IndexesPage) -> None:
    for text in ("Automatic", "searched by default", "maintained by Twinlens", "Compares colours.", "12,480", "812 kB"):
        assert text in said(page)
    assert "3 waiting" in said(page)
    assert nameless(page) == []


def test_the_automatic_one_cannot_be_deleted(page: IndexesPage, window: MagicMock) -> None:
    page.list.go_to(0)
    assert not button(page, "Delete the chosen index").isEnabled()
    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    window.indexes.put_away.assert_not_called()


@pytest.mark.parametrize("by_key", [True, False])
def test_a_deletion_can_be_undone(page: IndexesPage, window: MagicMock, by_key: bool) -> None:
    page.list.go_to(1)
    if by_key:
        QTest.keyClick(page.list, Qt.Key.Key_Delete)
    else:
        button(page, "Delete the chosen index").click()
    window.indexes.put_away.assert_called_once_with("Colours")
    words, undo, __ = window.undoing.offer.call_args.args
    assert words == "“Colours” was deleted."
    undo()
    window.indexes.bring_back.assert_called_once_with("Colours")


def test_renaming_by_keys(qtbot: QtBot, page: IndexesPage, window: MagicMock) -> None:
    page.list.setFocus()
    page.list.go_to(1)
    QTest.keyClick(page.list, Qt.Key.Key_F2)
    line = edit(page, "New name of Colours")
    QTest.keyClick(line, Qt.Key.Key_Delete)  # deletes letters while a name is typed
    window.indexes.put_away.assert_not_called()
    QTest.keyClicks(line, "Hues")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.indexes.rename.called)
    window.indexes.rename.assert_called_once_with("Colours", "Hues")
    qtbot.waitUntil(lambda: not page.list.findChildren(QLineEdit))
    QTest.keyClick(page.list, Qt.Key.Key_F2)
    QTest.keyClick(edit(page, "New name of Colours"), Qt.Key.Key_Escape)
    window.show_view.assert_not_called()
    window.indexes.rename.assert_called_once()


def test_a_name_that_is_being_typed_stays_when_the_list_is_told_anew(page: IndexesPage) -> None:
    page.list.setFocus()
    page.list.go_to(1)
    QTest.keyClick(page.list, Qt.Key.Key_F2)
    QTest.keyClicks(edit(page, "New name of Colours"), "Hue")
    page.set_indexes(IndexListResult(indexes=[index("Automatic", automatic=True), index("Colours")]), "Automatic")
    assert edit(page, "New name of Colours").text() == "Hue"
    page.set_indexes(IndexListResult(indexes=[index("Colours", waiting=1)]), "Automatic")
    assert edit(page, "New name of Colours").text() == "Hue", "of a list of one, too"


def test_making_default_copying_and_new(page: IndexesPage, window: MagicMock) -> None:
    assert not button(page, "Search in the chosen index by default").isEnabled(), "it is the default one"
    page.list.go_to(1)
    button(page, "Search in the chosen index by default").click()
    window.views.get().use_index.assert_called_once_with("Colours")
    QTest.keyClick(page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "colour · itq:bits=256 · scan"
    QTest.keyClick(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    window.show_view.assert_called_once_with("new index")


def test_building_is_shown_and_survives_a_new_list(page: IndexesPage) -> None:
    page.set_progress("Colours", 0.33, "Reading 4,120 of 12,480")
    page.set_indexes(IndexListResult(indexes=[index("Colours")]), "Colours")
    assert page.list.cards.card(0).progress == 0.33
    assert "Reading 4,120 of 12,480" in said(page)
    page.set_progress("Colours", None)
    assert page.list.cards.card(0).progress is None


def names(library: Library) -> list[str]:
    return [one.name for one in list_indexes(library).indexes]


def test_a_deletion_is_undone_done_again_and_happens_when_the_library_is_left(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "made.twinlens"
    library = make(path, histograms(30, seed=5), [FEW_BITS, EXACTLY])
    work = workspace(qtbot, library)
    before = names(library)
    work.show_view("indexes")
    settle(qtbot, work)
    page = work.views.part("indexes").view
    assert isinstance(page, IndexesPage)
    page.list.go_to(work.indexes.names().index("Few bits"))
    button(page, "Delete the chosen index").click()
    settle(qtbot, work)
    assert "Few bits" not in work.indexes.names()
    assert names(library) == before, "it can still be undone"
    work.undoing.undo()
    settle(qtbot, work)
    assert work.indexes.names() == before
    work.undoing.redo()
    settle(qtbot, work)
    work.leave_library()()
    with Library.open(path) as again:
        assert names(again) == [one for one in before if one != "Few bits"]


def test_the_name_of_a_deleted_index_is_free_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    library = make(tmp_path / "made.twinlens", histograms(30, seed=5), [FEW_BITS, EXACTLY])
    work = workspace(qtbot, library)
    work.indexes.put_away("Few bits")
    work.indexes.delete_put_away("Few bits")
    settle(qtbot, work)
    assert "Few bits" not in names(library)
    assert work.opened.put_away == set()
    work.leave_library()()


DUE = IndexSuggestion("learn", "", verbatim("A vocabulary of its own may find copies better."), 60.0)
BETTER = IndexSuggestion("decide", "1", verbatim("It finds more copies."), 60.0)


class Steps:
    """What is due, step by step, and what was done."""

    def __init__(self) -> None:
        self.due: list[IndexSuggestion | None] = [DUE]
        self.done: list[str] = []

    def notice(self, _: Library) -> IndexSuggestion | None:
        return self.due[0]

    def learn(self, _: Library, progress: Progress) -> VocabularyListResult:
        progress(0, 1, Message("Learning"))
        self.done.append("learned")
        self.due[0] = BETTER
        return VocabularyListResult(vocabularies=[])

    def keep(self, _: Library, name: str, progress: Progress) -> VocabularyListResult:
        progress(0, 1, Message("Reading"))
        self.done.append(f"kept {name}")
        self.due[0] = None
        return VocabularyListResult(vocabularies=[])


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    steps = Steps()
    monkeypatch.setattr("twinlens.app.vocabulary.vocabularies.vocabulary_suggestion", steps.notice)
    monkeypatch.setattr("twinlens.app.vocabulary.vocabularies.learn_vocabulary", steps.learn)
    monkeypatch.setattr("twinlens.app.vocabulary.vocabularies.keep_vocabulary", steps.keep)
    return steps


@pytest.fixture
def frame(steps: Steps, frame: MainWindow) -> MainWindow:
    return frame


def asks(frame: MainWindow, one: IndexSuggestion) -> bool:
    return frame.workspace.suggestion.isVisible() and str(one.sentence) in words(frame.workspace.suggestion)


def suggested(frame: MainWindow, text: str) -> QPushButton:
    return next(one for one in frame.workspace.suggestion.findChildren(QPushButton) if one.text() == text)


def test_it_is_learned_then_kept(qtbot: QtBot, frame: MainWindow, steps: Steps) -> None:
    qtbot.waitUntil(lambda: asks(frame, DUE), timeout=LONG)
    assert not any(one.hasFocus() for one in (suggested(frame, "Learn"), suggested(frame, "Not now")))
    suggested(frame, "Learn").click()
    qtbot.waitUntil(lambda: asks(frame, BETTER), timeout=LONG)
    assert steps.done == ["learned"]
    suggested(frame, "Keep").click()
    qtbot.waitUntil(lambda: steps.done == ["learned", "kept 1"] and not frame.workspace.work.busy(), timeout=LONG)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert not frame.workspace.suggestion.isVisible()


def test_what_is_put_off_is_not_asked_again(qtbot: QtBot, frame: MainWindow, steps: Steps) -> None:
    qtbot.waitUntil(lambda: asks(frame, DUE), timeout=LONG)
    suggested(frame, "Not now").click()
    assert not frame.workspace.suggestion.isVisible()
    frame.workspace.suggesting.look()
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert not frame.workspace.suggestion.isVisible()
    assert steps.done == []
    steps.due[0] = BETTER  # another thing is
    frame.workspace.suggesting.look()
    qtbot.waitUntil(lambda: asks(frame, BETTER), timeout=LONG)


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
def new_page(qtbot: QtBot, window: MagicMock) -> NewIndexPage:
    window.indexes.names.return_value = []
    made = NewIndexPage(window)
    made.resize(964, 700)
    show(qtbot, made)
    return made


def text_of(page: NewIndexPage) -> QPlainTextEdit:
    found = named(page, "The index as text")
    assert isinstance(found, QPlainTextEdit)
    return found


def test_what_is_chosen_is_created(new_page: NewIndexPage, window: MagicMock) -> None:
    choose(chooser(new_page, "What is compared"), "Compact VLAD")
    choose(chooser(new_page, "How vectors become bits"), "Random hyperplanes")
    QTest.keyClicks(edit(new_page, "Name of the index"), " Shapes ")
    button(new_page, "Create the index").click()
    descriptor, metric, method, search, name = window.making.create.call_args.args
    assert (descriptor, metric, method, search) == new_page.texts()
    assert (metric, name) == ("", "Shapes")
    assert IndexSpecification.of(descriptor, method, search).name().startswith("compact-vlad:")
    assert (method, search) == ("lsh:bits=256", "scan")


def test_the_whole_text_can_be_typed(new_page: NewIndexPage) -> None:
    text_of(new_page).setPlainText("edges · lsh:bits=64 · scan:candidates=10")
    assert new_page.texts() == ("edges", "", "lsh:bits=64", "scan:candidates=10")
    assert edit(new_page, "Bits").text() == "64"
    text_of(new_page).setPlainText("edges · lsh:bits=32")
    assert new_page.texts() == ("edges", "", "lsh:bits=32", "scan")


def entries(page: NewIndexPage) -> list[str]:
    box = chooser(page, "Which differences count")
    return [box.itemText(i) for i in range(box.count())]


def test_only_metrics_that_can_be_are_offered(new_page: NewIndexPage) -> None:
    new_page.set_texts("edges", "itq", "scan")
    fitted = "Fitted to your photos  ·  Inverse covariance"
    assert entries(new_page) == ["As the descriptor weighs them", fitted]
    new_page.set_metrics(METRICS)
    assert entries(new_page) == ["As the descriptor weighs them", "As in the metric Mine", fitted]
    choose(chooser(new_page, "What is compared"), "Colour")
    assert entries(new_page) == ["As the descriptor weighs them", "As in the metric Other: 2", fitted]
    text_of(new_page).setPlainText("vlad:centres=256 · itq")  # 32,768 dimensions have no covariance
    assert not chooser(new_page, "Which differences count").isVisible()
    assert button(new_page, "Create the index").isEnabled()


def test_a_metric_is_chosen(new_page: NewIndexPage, window: MagicMock) -> None:
    new_page.set_metrics(METRICS)
    new_page.set_texts("edges", "itq", "scan")
    box = chooser(new_page, "Which differences count")
    choose(box, "As in the metric Mine")
    assert text_of(new_page).toPlainText() == "edges · Mine · itq:bits=256 · scan"
    assert any("from G.npy" in line for line in words(new_page))
    choose(box, "Fitted to your photos")
    shrinkage = edit(new_page, "Shrinkage")
    shrinkage.selectAll()
    QTest.keyClicks(shrinkage, "0.5")
    assert text_of(new_page).toPlainText() == "edges · whitening:shrinkage=0.5 · itq:bits=256 · scan"
    button(new_page, "Create the index").click()
    assert list(window.making.create.call_args.args) == [
        "edges",
        "whitening:shrinkage=0.5",
        "itq:bits=256",
        "scan",
        "",
    ]
    shrinkage.selectAll()
    QTest.keyClicks(shrinkage, "1001")
    assert not button(new_page, "Create the index").isEnabled()
    choose(box, "As the descriptor weighs them")
    assert button(new_page, "Create the index").isEnabled()
    assert new_page.texts() == ("edges", "", "itq:bits=256", "scan")
    assert nameless(new_page) == []


def test_a_metric_leaves_with_its_descriptor(new_page: NewIndexPage) -> None:
    new_page.set_metrics(METRICS)
    new_page.set_texts("edges", "itq", "scan", "Mine")
    assert new_page.texts()[1] == "Mine"
    new_page.set_metrics(METRICS)
    assert new_page.texts()[1] == "Mine"
    choose(chooser(new_page, "What is compared"), "Colour")
    assert new_page.texts()[1] == ""
    assert text_of(new_page).toPlainText() == "colour · itq:bits=256 · scan"


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
def test_a_metric_can_be_typed(new_page: NewIndexPage, text: str, texts: tuple[str, str, str, str]) -> None:
    new_page.set_metrics(METRICS)
    text_of(new_page).setPlainText(text)
    descriptor, metric, method, search = new_page.texts()
    assert (descriptor, metric, method if texts[2] else "", search) == texts
    assert button(new_page, "Create the index").isEnabled()


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
def test_a_metric_that_cannot_be_is_told(new_page: NewIndexPage, text: str, sentence: str) -> None:
    new_page.set_metrics(METRICS)
    before = new_page.texts()
    text_of(new_page).setPlainText(text)
    assert any(sentence in line for line in words(new_page)), words(new_page)
    assert not button(new_page, "Create the index").isEnabled()
    assert new_page.texts() == before


def test_an_exact_search_has_no_method(new_page: NewIndexPage) -> None:
    assert chooser(new_page, "How vectors become bits").isVisible()
    text_of(new_page).setPlainText("colour · exact")
    assert new_page.texts()[3] == "exact"
    assert not chooser(new_page, "How vectors become bits").isVisible()
    choose(chooser(new_page, "How the bits are searched"), "Scan")
    assert chooser(new_page, "How vectors become bits").isVisible()


@pytest.mark.parametrize("text", ["", "colour", "colours · itq", "colour · itq:bits=0", "colour · itq · scan · scan"])
def test_a_text_that_means_nothing_cannot_be_created(new_page: NewIndexPage, text: str) -> None:
    before = new_page.texts()
    create = button(new_page, "Create the index")
    text_of(new_page).setPlainText(text)
    assert not create.isEnabled()
    assert new_page.texts() == before
    text_of(new_page).setPlainText("colour · itq")
    assert create.isEnabled()


def test_a_name_that_is_taken_is_told_at_once(new_page: NewIndexPage) -> None:
    new_page.set_taken(["Colours"])
    QTest.keyClicks(edit(new_page, "Name of the index"), "Colours")
    assert "An index with this name already exists." in words(new_page)
    assert not button(new_page, "Create the index").isEnabled()
    QTest.keyClicks(edit(new_page, "Name of the index"), " 2")
    assert button(new_page, "Create the index").isEnabled()


def test_the_cost_is_estimated_when_it_is_quiet(qtbot: QtBot, new_page: NewIndexPage, window: MagicMock) -> None:
    estimates = window.jobs.latest().begin
    rested(qtbot, new_page)  # the form itself has just changed
    before = estimates.call_count
    choose(chooser(new_page, "What is compared"), "Edge histogram")
    assert estimates.call_count == before
    qtbot.waitUntil(lambda: estimates.call_count > before)
    new_page.set_estimate("About 14 minutes.")
    assert "About 14 minutes." in words(new_page)


def test_everything_by_keys(new_page: NewIndexPage, window: MagicMock) -> None:
    new_page.setFocus()
    QTest.keyClick(new_page.focusWidget(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    window.making.create.assert_called_once()
    window.show_view.reset_mock()
    QTest.keyClick(new_page.focusWidget(), Qt.Key.Key_Escape)
    window.show_view.assert_called_once_with("indexes")
    assert nameless(new_page) == []


def test_an_index_to_begin_with(new_page: NewIndexPage) -> None:
    new_page.set_texts("vlad:centres=64", "lsh:bits=1024", "scan")
    new_page.set_name("Places")
    assert text_of(new_page).toPlainText() == "vlad:centres=64 · lsh:bits=1024 · scan"
    new_page.set_error("The method cannot learn from so few photos.")
    assert "The method cannot learn from so few photos." in words(new_page)
