"""The spoken language: texts, plurals, numbers and days; translations are complete, and each remedy has its command."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po

from tools import gathering
from twinlens.app.cli import terminal_text
from twinlens.app.cli.session import Session, fail
from twinlens.app.language.compilation import FOLDER, compile_translations
from twinlens.app.language.texts import (
    LANGUAGES,
    _,
    _n,
    chosen_language,
    current_language,
    number,
    set_language,
    text,
    typed_number,
)
from twinlens.app.machine.preferences import Preferences
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message

TRANSLATED = LANGUAGES[1:]
MAKE_TEXT = {"Message": 1, "counted": 2, "_": 1, "_n": 2}


def entries(language: str) -> Iterator[Entry]:
    with (FOLDER / f"{language}.po").open("rb") as file:
        yield from (entry for entry in read_po(file, locale=language) if entry.id)


def calls(*names: str) -> list[tuple[str, ast.Call]]:
    """Find all calls of some names in the sources, each with the path of its file."""
    return [
        (path, node)
        for path, tree in gathering.sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]


def test_every_text_is_translated() -> None:
    assert gathering.untranslated() == []


def test_the_files_are_in_step_with_the_sources(tmp_path: Path) -> None:
    folder = tmp_path / "translations"
    shutil.copytree(FOLDER, folder)
    gathering.refresh(folder)
    for made in folder.glob("*.po"):
        now, kept = (path.read_bytes().splitlines() for path in (made, FOLDER / made.name))
        # When this fails: python -m tools.gathering, then translate what it names. pytest would compare the files for
        # a quarter of an hour, so it is given what differs alone.
        assert sorted(set(now) ^ set(kept))[:10] == []
        in_order = now == kept
        assert in_order, made.name


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_names_the_values_of_its_english(language: str) -> None:
    marks = r"\{\w*(?::[^}]*)?\}|\*\*"
    for entry in entries(language):
        english = [entry.id] if isinstance(entry.id, str) else list(entry.id)
        translated = [entry.string] if isinstance(entry.string, str) else list(entry.string or ())
        for source, translation in zip(english, translated, strict=True):
            wanted, found = (sorted(re.findall(marks, one)) for one in (source, translation))
            assert wanted == found, (source, translation)


def test_texts_are_literals() -> None:
    """What is put together elsewhere is not gathered, and stays English."""
    wrong = []
    for path, call in calls(*MAKE_TEXT):
        assert isinstance(call.func, ast.Name)
        made = call.args[: MAKE_TEXT[call.func.id]]
        wrong += [f"{path}:{call.lineno}" for one in made if isinstance(one, ast.JoinedStr | ast.BinOp)]
    assert wrong == []


def test_an_error_gives_its_templates_what_they_name_and_no_more() -> None:
    errors = gathering.error_names(node for _path, tree in gathering.sources() for node in ast.walk(tree))
    wrong = []
    for path, call in calls(*errors):
        if any(one.arg is None for one in call.keywords):
            continue
        texts = [one.value for one in call.args[:2] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        named = {name for text in texts for name in re.findall(r"(?<!\{)\{(\w+)[^{}]*\}", text.replace("{{", ""))}
        if named != {one.arg for one in call.keywords}:
            wrong.append(f"{path}:{call.lineno}")
    assert wrong == []


def test_declarations_are_gathered() -> None:
    texts = set(gathering.declared_texts())
    assert {"bits", "training items", Preferences.parameters()[0].help, "shapes and places"} <= texts
    assert texts <= {gathering.source_of(entry) for entry in entries("de")}


def test_help_is_gathered() -> None:
    found = {gathering.source_of(entry) for entry in entries("de")}  # which is in step with what is gathered
    assert {"Find the look-alikes of a picture.", "Rename the index OLD to NEW.", "Show no progress."} <= found


def test_what_changed_is_compiled_anew(tmp_path: Path) -> None:
    source = tmp_path / "de.po"
    source.write_text('msgid "a"\nmsgstr "b"\n', encoding="utf-8")
    compile_translations(tmp_path)
    made = source.with_suffix(".mo")
    first = made.stat().st_mtime_ns
    compile_translations(tmp_path)
    assert made.stat().st_mtime_ns == first
    assert b"b" in made.read_bytes()


@pytest.mark.parametrize(
    ("preferred", "system", "spoken"),
    [
        ("system", ["de_AT.UTF-8"], "de"),
        ("system", ["fr-FR", "de"], "de"),
        ("system", ["fr_FR"], "en"),
        ("system", [], "en"),
        ("en", ["de_DE"], "en"),
        ("xx", ["de_DE"], "de"),
    ],
)
def test_which_language_is_spoken(preferred: str, system: list[str], spoken: str) -> None:
    assert chosen_language(preferred, system) == spoken


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language("en")


def test_german() -> None:
    set_language("de")
    assert current_language() == "de"
    assert _("Settings") == "Einstellungen"
    one = "“{folder}” is back in the library, with {count} photo."
    many = "“{folder}” is back in the library, with {count} photos."
    assert [_n(one, many, count, folder="Alpen") for count in (1, 2000)] == [
        "„Alpen“ ist wieder in der Bibliothek, mit 1 Foto.",
        "„Alpen“ ist wieder in der Bibliothek, mit 2.000 Fotos.",
    ]
    assert number(1234.5, ",.1f") == "1.234,5"
    assert text(Message("{day}", day=date(2026, 3, 1))) == "1. März 2026"


def test_english_is_spoken_again() -> None:
    set_language("de")
    set_language("en")
    assert (_("Settings"), number(1234.5)) == ("Settings", "1,234.5")
    assert text(TwinlensError("Gone.", "Look.")) == "Gone. Look."


@pytest.mark.parametrize(
    ("language", "typed", "meant"),
    [
        *[("en", typed, meant) for typed, meant in (("0,5", "0.5"), ("1,000", "1000"), ("12,000.5", "12000.5"))],
        *[("de", typed, meant) for typed, meant in (("0,5", "0.5"), ("1.000", "1000"), ("12.000,5", "12000.5"))],
        *[(key, typed, typed) for key in ("en", "de") for typed in ("0.05", "1000", "auto")],
    ],
)
def test_a_typed_number_is_read_in_the_form_of_the_language(language: str, typed: str, meant: str) -> None:
    set_language(language)
    assert typed_number(typed) == meant


def raised() -> set[str]:
    """Find the names of all remedies in the sources."""
    named = (
        call.args[0] for _, call in calls("Remedy") if isinstance(call.func, ast.Name) and call.func.id == "Remedy"
    )
    return {str(name.value) for name in named if isinstance(name, ast.Constant)}


def test_every_remedy_has_a_command() -> None:
    assert raised() <= set(terminal_text.COMMANDS)


@pytest.mark.parametrize("name", sorted(terminal_text.COMMANDS))
def test_a_command_is_a_sentence_with_and_without_values(name: str) -> None:
    bare = terminal_text.remedy_command(Remedy(name))
    full = terminal_text.remedy_command(Remedy(name, {"descriptor": "a b", "key": "itq", "name": "x"}))
    for words in (bare, full):
        assert words.endswith(".")
        assert "{" not in words
        assert "--descriptor`" not in words


def test_advice_names_the_library_that_the_command_named() -> None:
    token = terminal_text.named_library.set("/media/a disk/Pictures.twinlens")
    try:
        words = terminal_text.remedy_command(Remedy("add folder"))
        assert words == "Run `twinlens add FOLDER --library '/media/a disk/Pictures.twinlens'`."
        assert terminal_text.remedy_command(Remedy("choose another library")) == "Run `twinlens --library FILE`."
    finally:
        terminal_text.named_library.reset(token)


def test_an_error_in_json_has_its_remedy(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    error = TwinlensError("{n} are missing.", Remedy("create index", {"descriptor": "colour"}), n=2)
    fail(Session(as_json=True), error)
    out, err = capsysbinary.readouterr()
    document = json.loads(out)["error"]
    assert document["sentence"] == "2 are missing."
    assert document["next_step"] == "Run `twinlens index create --descriptor colour`."
    assert document["message"] == {"template": "{n} are missing.", "values": {"n": 2}}
    assert document["remedy"] == {"name": "create index", "values": {"descriptor": "colour"}}
    assert b"2 are missing." in err
