"""Forms made from declarations alone: every family of the program, and toys with all that there can be."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import button, choose, chooser, edit, nameless, words
from twinlens.app.gui.forms.declaration_form import DeclarationForm
from twinlens.app.gui.forms.parameter_controls import limits_of, stepped
from twinlens.app.machine.preferences import Preferences
from twinlens.app.methods import catalogue
from twinlens.core.declaration.declaration import Declaration, Nested, parameter
from twinlens.core.kernels.radial_kernels import Gaussian


class Shape(Declaration):
    """Base of the toy's nested choices."""


class Round(Shape):
    """Has no corner. It rolls."""

    key = "round"
    title = "Round thing"
    radius: float | Literal["auto"] = parameter("auto", gt=0, le=10, unit="px", help="Half its width.")


class Square(Shape):
    """Has four corners. It does not roll."""

    key = "square"
    title = "Square thing"


class Toy(Declaration):
    """Has a parameter of every kind. Nothing else."""

    key = "toy"
    title = "Toy"
    paper: ClassVar[str] = "Nobody, nowhere"
    bits: int = parameter(256, ge=1, le=16_384, unit="bits", shown=True, help="Length.")
    shape: Annotated[Shape, Nested(lambda: (Round, Square))] = parameter(Round(), help="How it looks.")
    way: Literal["left", "right"] = parameter("left", help="Where it goes.")
    rank: int | None = parameter(None, ge=1, help="How many.")
    share: float = parameter(0.5, ge=0, le=1, help="Part.")
    fast: bool = parameter(True, help="Whether it is.")
    note: str = parameter("", help="Anything.")


class Other(Declaration):
    """Has some of the same. And less."""

    key = "other"
    title = "Other toy"
    bits: int = parameter(64, ge=1, le=512, unit="bits", help="Length.")


ALL = [(option, options()) for options in catalogue.FAMILIES.values() for option in options()]


def form_of(qtbot: QtBot, *options: type[Declaration]) -> DeclarationForm:
    return shown(qtbot, DeclarationForm(options, "Kind of toy"))


def shown(qtbot: QtBot, form: DeclarationForm) -> DeclarationForm:
    # Held by what closes it, too: a form that nothing holds any more is collected while it is painted.
    qtbot.addWidget(form, before_close_func=partial(_let_go, form))
    form.show()
    return form


def _let_go(form: DeclarationForm, _: QWidget) -> None:
    form.hide()


def type_into(form: DeclarationForm, name: str, text: str) -> None:
    line = edit(form, name)
    line.selectAll()
    QTest.keyClicks(line, text)


@pytest.mark.parametrize(("option", "family"), ALL, ids=[option.key for option, _ in ALL])
def test_every_declaration_of_the_program_has_its_form(
    qtbot: QtBot, option: type[Declaration], family: tuple[type[Declaration], ...]
) -> None:
    form = form_of(qtbot, *family)
    form.set_value(option())
    assert form.value() == option()
    assert edit(form, "As text").text() == option().text()
    assert option.summary() in words(form) or len(family) == 1
    assert nameless(form) == []


def test_preferences_have_theirs_without_a_choice_of_kinds(qtbot: QtBot) -> None:
    form = shown(qtbot, DeclarationForm((Preferences,), "Settings", text_line=False, fold=False))
    assert form.value() == Preferences()
    assert nameless(form) == []
    choose(chooser(form, "Language"), "Deutsch")
    assert form.value() == Preferences(language="de")


def test_every_field_shows_its_unit_limits_and_help(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy, Other)
    shown = words(form)
    assert {"Bits", "bits · 1 to 16,384", "Length.", "Has a parameter of every kind."} <= set(shown)
    assert edit(form, "Bits").accessibleDescription() == "1 to 16,384. Length."


def test_a_limit_that_only_keeps_numbers_finite_is_not_shown() -> None:
    (gamma,) = (about for about in Gaussian.parameters() if about.name == "gamma")
    assert limits_of(gamma) == "above 0"


def test_what_is_typed_and_chosen_makes_the_declaration(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy, Other)
    button(form, "More parameters").click()
    type_into(form, "Bits", "1,024")
    type_into(form, "Share", "0,25")
    choose(chooser(form, "Way"), "right")
    button(form, "Fast").click()
    type_into(form, "Note", "mine")
    type_into(form, "Rank", "7")
    assert form.value() == Toy(bits=1024, share=0.25, way="right", fast=False, note="mine", rank=7)
    assert edit(form, "As text").text() == form.text()


def test_words_stand_beside_the_number(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy)
    auto = button(form, "Radius: Auto")
    assert auto.isChecked()
    type_into(form, "Radius, px", "2.5")
    assert form.value() == Toy(shape=Round(radius=2.5))
    assert not auto.isChecked()
    auto.click()
    assert form.value() == Toy()
    auto.click()
    assert form.value() == Toy(shape=Round(radius=2.5))


def test_nested_choices_are_forms_themselves(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy)
    choose(chooser(form, "Shape"), "Square")
    assert form.value() == Toy(shape=Square())
    choose(chooser(form, "Shape"), "Round")
    type_into(form, "Radius, px", "11")
    assert not form.is_valid()
    assert "Radius must be a number above 0 and of at most 10 or “auto”, not 11.0." in words(form)
    assert form.value() == Toy(shape=Round(radius=1)), "the last one that could be"
    type_into(form, "Radius, px", "10")
    assert form.is_valid()
    assert form.value() == Toy(shape=Round(radius=10))


def test_the_text_form_can_be_typed(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy, Other)
    type_into(form, "As text", "toy:bits=8,shape=round(radius=3),note=x")
    assert form.value() == Toy(bits=8, shape=Round(radius=3), note="x")
    assert edit(form, "Bits").text() == "8"
    assert edit(form, "Note").isVisible(), "what differs from its default is not folded away"
    type_into(form, "As text", "other")
    assert form.value() == Other()


def test_a_text_that_means_nothing_is_told_and_keeps_the_value(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy, Other)
    with qtbot.waitSignal(form.validity_changed) as told:
        type_into(form, "As text", "toi")
    assert told.args == [False]
    assert any("Did you mean “toy”" in text for text in words(form))
    assert form.value() == Toy()
    type_into(form, "As text", "toy:bits=9")
    assert form.is_valid()
    assert not any("Did you mean" in text for text in words(form))


@pytest.mark.parametrize("text", ["0", "16385", "many", "", "1.5"])
def test_a_number_that_cannot_be_is_told_beneath_it(qtbot: QtBot, text: str) -> None:
    form = form_of(qtbot, Toy)
    line = edit(form, "Bits")
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, text)
    assert not form.is_valid()
    assert any(said.startswith("Bits must be a whole number from 1 to 16,384, not") for said in words(form))
    assert isinstance(form.value(), Toy), "the last one that could be"


def test_another_kind_keeps_what_both_have(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy, Other)
    type_into(form, "Bits", "500")
    choose(chooser(form, "Kind of toy"), "Other")
    assert form.value() == Other(bits=500)
    choose(chooser(form, "Kind of toy"), "Toy")
    type_into(form, "Bits", "1000")
    choose(chooser(form, "Kind of toy"), "Other")
    assert form.value() == Other(), "a number that the other kind cannot take is left behind"


def test_a_change_is_told_once_and_setting_is_not_told(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy, Other)
    told: list[Declaration] = []
    form.changed.connect(lambda: told.append(form.value()))
    form.set_value(Toy(bits=3))
    assert told == []
    QTest.keyClicks(edit(form, "Bits"), "2")
    assert told == [Toy(bits=32)]


def test_arrow_keys_step_and_a_wheel_that_scrolls_past_does_not(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy)
    line = edit(form, "Bits")
    QTest.keyClick(line, Qt.Key.Key_Up)
    assert form.value() == Toy(bits=288)
    QTest.keyClick(line, Qt.Key.Key_Down)
    assert form.value() == Toy()
    for widget in (line, chooser(form, "Shape")):
        wheel = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, wheel)
    assert form.value() == Toy()


def test_a_long_form_is_folded(qtbot: QtBot) -> None:
    form = form_of(qtbot, Toy)
    fold = button(form, "More parameters")
    assert isinstance(fold, QPushButton)
    assert fold.text().startswith("▸")
    assert not edit(form, "Note").isVisible()
    fold.click()
    assert edit(form, "Note").isVisible()


NUMBERS = [about for option in (Toy, Preferences) for about in option.parameters() if limits_of(about)]


@pytest.mark.parametrize("about", NUMBERS, ids=lambda about: about.name)
@given(value=st.floats(min_value=0, max_value=1), up=st.booleans())
def test_a_step_stays_within_the_limits_and_moves(about, value: float, up: bool) -> None:  # type: ignore[no-untyped-def]
    low = 0 if about.lower is None else about.lower
    high = 10_000 if about.upper is None else about.upper
    start: float = low + value * (high - low)
    if about.kind.value == "whole number":
        start = int(start)
    after = stepped(about, start, up)
    assert low <= after
    assert about.upper is None or after <= about.upper
    if up:
        assert after > start or start == about.upper
    else:
        assert after < start or start == low
