"""The languages of the window: complete, in step with the sources, and spoken when they are asked for."""

from __future__ import annotations

import ast
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui import translations
from app.gui.indexes.indexes_page import IndexesPage
from app.gui.settings.settings_page import SettingsPage
from app.machine.preferences import Preferences
from app.results import IndexListResult
from tests.app.gui.looking import button, edit, words

FOLDER = Path(translations.__file__).parents[2] / "resources" / "translations"


@pytest.fixture
def speaking(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)


def messages(language: str) -> Iterator[tuple[str, str, list[str]]]:
    """Give context, source and every form of its translation."""
    for context in ET.parse(FOLDER / f"twinlens_{language}.ts").getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            forms = [form.text or "" for form in translation.findall("numerusform")] or [translation.text or ""]
            yield context.findtext("name") or "", message.findtext("source") or "", forms


def test_every_text_is_translated() -> None:
    assert translations.unfinished() == []


def test_the_files_are_in_step_with_the_sources(tmp_path: Path) -> None:
    folder = tmp_path / "translations"
    shutil.copytree(FOLDER, folder)
    translations.refresh(folder)
    for made in folder.iterdir():
        # When this fails: python -m app.gui.translations, then translate what it names.
        assert made.read_bytes() == (FOLDER / made.name).read_bytes(), made.name


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_what_is_filled_in_is_filled_in_in_every_language(language: str) -> None:
    for context, source, forms in messages(language):
        for form in forms:
            marks = r"\{\w*\}|%n|\*\*|·"
            wanted, found = (sorted(re.findall(marks, text)) for text in (source, form))
            assert wanted == found, (context, source, form)


def asked_for(tree: ast.AST, owner: str = "") -> Iterator[tuple[str, str]]:
    """Give context and source of every text that a module translates."""
    for node in ast.iter_child_nodes(tree):
        yield from asked_for(node, node.name if isinstance(node, ast.ClassDef) else owner)
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        wanted = {"tr": 1, "translate": 2}.get(called, 0)
        words = [one.value for one in node.args[:wanted] if isinstance(one, ast.Constant)]
        if wanted and len(words) == wanted and all(isinstance(word, str) for word in words):
            yield str(words[0]) if wanted == 2 else owner, str(words[-1])


def test_every_text_that_is_asked_for_is_gathered() -> None:
    """Qt's tool sees none within an f-string, or asked for by another name: these would stay English."""
    gathered = {(context, source) for context, source, _ in messages("de")}
    modules = sorted(Path(translations.__file__).parent.rglob("*.py"))
    for module in modules:
        text = module.read_text(encoding="utf-8")
        for wanted in asked_for(ast.parse(text)):
            assert wanted in gathered, (module, wanted)
        assert not re.search(r"(?<!\btranslate) = (QCoreApplication\.translate|self\.tr)$", text, re.M), module


def test_declarations_are_gathered() -> None:
    texts = set(translations.declared_texts())
    assert {"bits", "training items", Preferences.parameters()[0].help, "shapes and places"} <= texts
    sources = {source for context, source, _ in messages("de") if context == "Declarations"}
    assert texts == sources


def test_german(qtbot: QtBot, speaking: QApplication) -> None:
    assert translations.install_translation(speaking, "de") == "de"
    page = SettingsPage(Preferences())
    qtbot.addWidget(page)
    page.show()
    said = words(page)
    assert "Nichts verlässt diesen Rechner." in said
    assert "Prozesse · 1 bis 256" in said
    assert edit(page, "Prozesse").isVisible()
    assert button(page, "Alle Tasten zeigen").text() == "Tasten"


def test_plurals_in_both_languages(qtbot: QtBot, speaking: QApplication) -> None:
    for language, sentence in (("en", "0 indexes, side by side"), ("de", "0 Indexe nebeneinander")):
        translations.install_translation(speaking, language)
        page = IndexesPage()
        qtbot.addWidget(page)
        page.set_indexes(IndexListResult(indexes=[]), "")
        assert any(text.startswith(sentence) for text in words(page)), (sentence, words(page))


def test_one_language_takes_the_place_of_the_other(speaking: QApplication) -> None:
    translations.install_translation(speaking, "de")
    translations.install_translation(speaking, "en")
    assert QCoreApplication.translate("SettingsPage", "Settings") == "Settings"


@pytest.mark.parametrize(
    ("preferred", "system", "spoken"),
    [("system", "de_AT", "de"), ("system", "fr_FR", "en"), ("en", "de_DE", "en"), ("xx", "de_DE", "de")],
)
def test_which_language_is_spoken(monkeypatch: pytest.MonkeyPatch, preferred: str, system: str, spoken: str) -> None:
    locale = QLocale(system)
    monkeypatch.setattr(QLocale, "system", lambda: locale)
    assert translations.chosen_language(preferred) == spoken
