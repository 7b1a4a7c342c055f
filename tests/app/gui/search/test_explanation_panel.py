"""Why this match: what there is to show, and lines between two pictures."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import button, do_key
from tests.app.gui.search.pictures import image, jpeg
from twinlens.app.gui.look.buttons import Link
from twinlens.app.gui.look.labels import Sentence, breakable, plain_sentence
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.look.theme import DARK, LIGHT, theme
from twinlens.app.gui.pictures.photograph import fact_lines, written_date
from twinlens.app.gui.search.explanation_panel import CodeBits, ColourOverlay, ExplanationPanel
from twinlens.app.gui.search.match_pictures import MOST_LINES, Line, MatchOverlay, MatchPair, nearest_line, spread_lines
from twinlens.app.library.browsing.photographs import Photograph
from twinlens.app.search.explanation import CodeAgreement, ColourShare, Explanation, MatchLines
from twinlens.core.date_taken import DateSource
from twinlens.core.message import NOTHING, Message, verbatim
from twinlens.features.pictures.picture import Metadata

DIFFER = tuple(bit % 8 == 0 for bit in range(256))
CODE = CodeAgreement(256, DIFFER, 32, 0.92, Message("cosine"), Message("The bits are signs."))
COLOURS = (ColourShare("#ff0000", 0.5, 0.25), ColourShare("#202020", 0.5, 0.75), ColourShare("#00ff00", 0.0, 0.001))
PLACES = np.array([[0.1, 0.1], [0.5, 0.5]], np.float32)
MATCH = MatchLines(0, PLACES, PLACES + np.float32(0.1), 143, mirrored=True)
EXPLANATION = Explanation(0.94, 0.06, verbatim("linear"), code=CODE, colours=COLOURS, overlap=0.75)
PHOTOGRAPH = Photograph(
    7, "/a/b/DSC_0412.JPG", "DSC_0412.JPG", "2023 Netherlands", b"7" * 32, "2023-05-14T11:08:00", "Canon EOS 300D",
    3072, 2048, 2_900_000, "JPEG", False,
)  # fmt: skip


@pytest.fixture
def panel(qtbot: QtBot) -> ExplanationPanel:
    made = ExplanationPanel()
    made.show_detail(True)
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    made.show()
    return made


def _said(panel: ExplanationPanel) -> list[str]:
    return [label.accessibleName() or label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def _there(panel: ExplanationPanel, kind: type[QWidget]) -> bool:
    return any(widget.isVisible() for widget in panel.findChildren(kind))


def test_nothing_chosen_is_a_hint_and_no_empty_box(panel: ExplanationPanel) -> None:
    assert _said(panel) == ["Why this result", "Choose a result to see why it was found."]
    assert not any(_there(panel, kind) for kind in (MatchPair, CodeBits, ColourOverlay))


def test_all_that_is_known_is_said(panel: ExplanationPanel) -> None:
    panel.set_explanation(EXPLANATION, jpeg(48, 64), jpeg(64, 48))
    panel.set_facts(PHOTOGRAPH)
    assert _said(panel) == [
        "Why this result",
        "Similarity 0.94 · distance 0.060 (linear)",
        "Code, 256 bits",
        "32 bits differ · estimated cosine 0.92",
        "Colours",
        "75 % of the colours are shared (above: your photo)",
        "Photo",
        "DSC_0412.JPG",
        "14 May 2023, 11:08 · Canon EOS 300D",
        "3072 × 2048 · 2.9 MB · JPEG",
        "2023 Netherlands",
    ]
    panel.grab()


def test_numbers_and_bits_are_one_click_deeper(panel: ExplanationPanel) -> None:
    panel.set_explanation(EXPLANATION, jpeg(48, 64), jpeg(64, 48))
    panel.show_detail(False)
    assert _said(panel) == ["Why this result", "Colours", "75 % of the colours are shared (above: your photo)"]
    assert not _there(panel, CodeBits)


def test_bits_that_estimate_nothing_say_what_they_tell(panel: ExplanationPanel) -> None:
    code = replace(CODE, estimate=None, estimate_of=NOTHING)
    panel.set_explanation(replace(EXPLANATION, code=code, colours=None, overlap=None), None, jpeg())
    assert "32 bits differ" in _said(panel)
    assert "The bits are signs." in _said(panel)
    assert not _there(panel, ColourOverlay)


def test_lines_are_said_only_where_there_are_any(panel: ExplanationPanel) -> None:
    panel.set_explanation(replace(EXPLANATION, code=None), jpeg(), jpeg())
    assert not any("Same picture" in words for words in _said(panel))
    assert not _there(panel, Link)
    panel.set_explanation(replace(EXPLANATION, match=MATCH), jpeg(), jpeg())
    assert "Same picture: 143 matching points, mirrored" in _said(panel)
    panel.grab()
    panel.set_explanation(EXPLANATION, jpeg(), jpeg())
    assert not any("Same picture" in words for words in _said(panel))


def test_lines_are_hidden_and_shown_again_and_stay_so(qtbot: QtBot, panel: ExplanationPanel) -> None:
    pair = panel.findChild(MatchPair)
    assert isinstance(pair, MatchPair)
    panel.set_explanation(replace(EXPLANATION, match=MATCH), jpeg(), jpeg())
    assert len(pair.lines()) == 2
    with qtbot.waitSignal(panel.lines_shown, timeout=2000) as told:
        button(panel, "hide the lines").click()
    assert told.args == [False]
    assert pair.lines() == ()
    panel.set_explanation(EXPLANATION, jpeg(), jpeg())
    panel.set_explanation(replace(EXPLANATION, match=MATCH), jpeg(), jpeg())
    assert pair.lines() == ()
    assert not panel.shows_lines()
    button(panel, "show the lines").click()
    assert len(pair.lines()) == 2


def test_only_the_part_that_was_asked_with_is_shown(panel: ExplanationPanel) -> None:
    pair = panel.findChild(MatchPair)
    assert isinstance(pair, MatchPair)
    panel.set_explanation(replace(EXPLANATION, match=MATCH), jpeg(80, 60), jpeg(), (0.5, 0.0, 1.0, 0.5))
    assert pair.pictures()[0].size().toTuple() == (40, 30)


def test_both_pictures_are_seen_large(qtbot: QtBot, panel: ExplanationPanel) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(900, 600)
    over.show()
    large = MatchOverlay(over)
    panel.set_explanation(replace(EXPLANATION, match=MATCH), jpeg(64, 48), jpeg(48, 64))
    with qtbot.waitSignal(panel.large_wanted, timeout=2000):
        button(panel, "enlarge").click()
    large.open(*panel.match())
    pair = large.findChild(MatchPair)
    assert isinstance(pair, MatchPair)
    assert len(pair.lines()) == 2
    assert pair.height() > 300
    large.sharpen(image(640, 480), image(480, 640))
    large.grab()
    do_key(pair, Qt.Key.Key_L)
    assert pair.lines() == ()
    do_key(pair, Qt.Key.Key_Escape)
    assert large.isHidden()


def test_two_pictures_fill_the_width_uncut(qtbot: QtBot) -> None:
    pair = MatchPair()
    qtbot.addWidget(pair)
    pair.resize(264, 100)
    pair.show()
    pair.set_pictures(jpeg(30, 60), jpeg(60, 40))
    left, right = pair.boxes()
    assert right.right() == pytest.approx(264, abs=2)
    assert left.width() / left.height() == pytest.approx(0.5)
    assert right.width() / right.height() == pytest.approx(1.5)


@pytest.mark.parametrize(("bits", "pitch"), [(1, 8), (256, 8), (1000, 5), (16384, 1)])
def test_any_number_of_bits_has_room(qtbot: QtBot, bits: int, pitch: int) -> None:
    field = CodeBits()
    qtbot.addWidget(field)
    field.resize(264, 10)
    field.show()
    field.set_bits([True] * bits)
    assert field.height() <= 128
    drawn = field.grab().toImage()
    assert drawn.pixelColor(max(0, pitch - 2), 0) == QColor(theme().warn)  # so wide is a bit at least


def test_each_bit_is_drawn_at_its_place(qtbot: QtBot) -> None:
    field = CodeBits()
    qtbot.addWidget(field)
    field.resize(264, 10)
    field.show()
    field.set_bits(DIFFER)
    assert field.accessibleName() == "32 of 256 bits differ"
    drawn = field.grab().toImage()
    for bit, differs in enumerate(DIFFER):
        row, column = divmod(bit, 32)
        colour = QColor(theme().warn if differs else theme().accent)
        assert drawn.pixelColor(column * 8 + 3, row * 8 + 3) == colour
    at = QPoint(3, 3)
    assert QApplication.sendEvent(field, QHelpEvent(QEvent.Type.ToolTip, at, field.mapToGlobal(at)))


def test_colours_stand_over_each_other(qtbot: QtBot) -> None:
    overlay = ColourOverlay()
    qtbot.addWidget(overlay)
    overlay.resize(200, 72)
    overlay.show()
    overlay.set_colours(COLOURS)
    drawn = overlay.grab().toImage()
    line = round(87 * sqrt(0.5) / (sqrt(0.5) + sqrt(0.75)))
    assert drawn.pixelColor(6, line - 4) == drawn.pixelColor(6, line + 4) == QColor("#ff0000")  # both have it
    pale = drawn.pixelColor(6, 2)  # only the query has so much
    assert pale.red() > pale.green() > 0
    nothing = drawn.pixelColor(6, 85)
    assert nothing.red() == nothing.green()
    assert drawn.pixelColor(50, line - 4) == nothing  # too little to be drawn


def test_colours_follow_the_scheme(qtbot: QtBot) -> None:
    sentence, hidden = Sentence("**36** bits differ"), Sentence("**5** bits differ")
    qtbot.addWidget(sentence)
    qtbot.addWidget(hidden)
    sentence.show()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    try:
        for scheme, colours in (("dark", DARK), ("light", LIGHT)):
            apply_theme(application, scheme)
            assert colours.ink in sentence.text()
            assert colours.quiet in sentence.text()
            hidden.show()
            assert colours.ink in hidden.text()
            hidden.hide()
    finally:
        application.setProperty("twinlens-scheme", None)
        apply_theme(application)


def test_facts_leave_out_what_is_not_known() -> None:
    bare = replace(PHOTOGRAPH, taken=None, camera=None, width=0, size=0, format="")
    assert fact_lines(bare) == []
    assert written_date("some day") == "some day"
    assert written_date(None) == ""


def test_facts_tell_the_settings_of_the_camera_and_the_zone_of_its_clock() -> None:
    noted = Metadata(offset="+02:00", lens="EF 35mm", aperture=2.8, exposure_s=0.004, iso=400, focal_length_mm=35.0)
    lines = fact_lines(replace(PHOTOGRAPH, dated_by=DateSource.EXIF, notes_text=noted.text()))
    assert lines[0].split(" · ")[0].endswith(" +02:00")
    assert lines[2] == "f/2.8 · 1/250 s · ISO 400 · 35 mm · EF 35mm"
    slow = fact_lines(replace(PHOTOGRAPH, notes_text=Metadata(exposure_s=1.3).text()))
    assert slow[2] == "1.3 s"


def test_sentences_are_words_whatever_stands_in_them(qtbot: QtBot) -> None:
    sentence = Sentence()
    qtbot.addWidget(sentence)
    sentence.say("**3** <b>of</b> **5**")
    assert sentence.accessibleName() == "3 <b>of</b> 5" == plain_sentence("**3** <b>of</b> **5**")
    assert "&lt;b&gt;" in sentence.text()
    sentence.tell("2**3.jpg", loud=True)
    assert sentence.accessibleName() == "2**3.jpg"
    assert "2**3.jpg" in sentence.text()
    assert breakable("short name") == "short name"
    assert breakable("x" * 30).replace("\u200b", "") == "x" * 30


ACROSS: list[Line] = [((0.2, y), (0.8, y)) for y in (0.2, 0.5, 0.8)]


@pytest.fixture
def pair(qtbot: QtBot) -> MatchPair:
    made = MatchPair()
    qtbot.addWidget(made)
    made.resize(264, 100)
    made.show()
    made.set_pictures(jpeg(64, 48, "#202020"), jpeg(64, 48, "#202020"))
    made.set_lines(ACROSS)
    return made


def test_of_many_lines_those_are_kept_that_lie_apart() -> None:
    places = np.random.default_rng(3).random((300, 4)) * 0.05
    places[:4] = [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1], [1, 0, 1, 0]]
    lines: list[Line] = [((a, b), (c, d)) for a, b, c, d in places.tolist()]
    kept = spread_lines(lines)
    assert len(kept) == MOST_LINES
    assert set(lines[:4]) <= set(kept)
    assert spread_lines(lines[:5]) == tuple(lines[:5])
    assert spread_lines([]) == ()


def test_the_nearest_line_is_found_if_it_is_near() -> None:
    ends = [(QPointF(0, y), QPointF(100, y)) for y in (0.0, 20.0, 40.0)]
    assert nearest_line(ends, QPointF(50, 22)) == 1
    assert nearest_line(ends, QPointF(50, 30)) is None
    assert nearest_line(ends, QPointF(120, 20)) is None
    assert nearest_line([], QPointF(0, 0)) is None


def test_the_line_under_the_pointer_stands_out_and_is_calm_again(qtbot: QtBot, pair: MatchPair) -> None:
    start, end = pair.ends()[1]
    middle = (start + end) / 2
    QTest.mouseMove(pair, middle.toPoint())
    qtbot.waitUntil(lambda: pair.bright() == 1, timeout=5000)
    drawn = pair.grab().toImage()
    assert drawn.pixelColor(start.toPoint()) == QColor(theme().warn)
    QTest.mouseMove(pair, QPoint(2, 2))
    qtbot.waitUntil(lambda: pair.bright() is None, timeout=5000)
    assert pair.grab().toImage().pixelColor(start.toPoint()) != QColor(theme().warn)


def test_keys_go_from_line_to_line(qtbot: QtBot, pair: MatchPair) -> None:
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
        do_key(pair, key)
        seen.append(pair.bright())
    assert seen == [0, 1, 0, 2]
    with qtbot.waitSignal(pair.pressed, timeout=2000):
        do_key(pair, Qt.Key.Key_Return)
    with qtbot.waitSignal(pair.pressed, timeout=2000):
        QTest.mouseClick(pair, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))


def test_without_lines_there_is_nothing_to_press(qtbot: QtBot, pair: MatchPair) -> None:
    assert "3 line" in pair.accessibleName()
    pair.set_lines(())
    assert pair.focusPolicy() == Qt.FocusPolicy.NoFocus
    with qtbot.assertNotEmitted(pair.pressed):
        QTest.mouseClick(pair, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
