"""The guide: both languages say the same, every link leads somewhere, and every command that it shows works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.app.folders import write_scenes
from twinlens.app.cli.main import main
from twinlens.app.guide import GuidePage, containing, read_guide_picture, read_pages
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders
from twinlens.features.concepts.concept_words import read_query

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "twinlens" / "resources" / "guide" / "pictures"
LANGUAGES = ("en", "de")

IN_HAND = {
    "~/Pictures": "{folder}",
    "picture.jpg": "{folder}/0001.jpg",
    "red-dress.jpg": "{folder}/0002.jpg",
    "red-car.jpg": "{folder}/0003.jpg",
    "/media/disk/Pictures.twinlens": "{library}",
    "Pictures-2026.twinlens": "{folder}/../backup.twinlens",
    "map.png": "{folder}/../map.png",
    "edges.npy": "{folder}/../edges.npy",
    "recall.pdf": "{folder}/../recall.pdf",
}
"""What stands in the commands, and what a test puts in its place."""

LONG = "twinlens advise --time 60"
"""Takes the time that it names: its options are read here, and its own tests run it."""
MOST_WORDS = 400
UNKNOWN = {"wedding", "Hochzeit"}
"""Words that no search knows, as examples."""


def words_of_the_program(language: str) -> str:
    with (ROOT / "twinlens" / "resources" / "translations" / "de.po").open("rb") as file:
        entries = [one for one in read_po(file) if one.id]
    texts = [one.id if language == "en" else one.string or "" for one in entries]
    return "\n".join(text if isinstance(text, str) else "\n".join(text) for text in texts).casefold()


def commands(page: GuidePage) -> list[str]:
    return re.findall(r"^    (twinlens .+)$", page.text, re.MULTILINE)


def skeleton(page: GuidePage) -> list[str]:
    """List what is the same in every language: levels of headings, pictures, links, keys and commands."""
    headings = re.findall(r"^#+ ", page.text, re.MULTILINE)
    targets = re.findall(r"\]\(([^)]+)\)", page.text)
    return [*headings, *targets, *re.findall(r"`([^`\n]+)`", page.text), *commands(page)]


def test_both_languages_say_the_same() -> None:
    english, german = (read_pages(language) for language in LANGUAGES)
    for one, other in zip(english, german, strict=True):
        assert one.name == other.name
        assert one.text != other.text
        assert sorted(skeleton(one)) == sorted(skeleton(other)), one.name


def test_a_language_without_a_guide_has_the_english_one() -> None:
    assert read_pages("xx") == read_pages("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_leads_somewhere_and_every_page_has_a_picture(language: str) -> None:
    pages = read_pages(language)
    names = {f"{page.name}.md" for page in pages}
    for page in pages:
        targets = re.findall(r"\]\(([^)]+)\)", page.text)
        pictures = [target for target in targets if not target.endswith(".md")]
        assert pictures, page.name
        assert all(read_guide_picture(picture) for picture in pictures)
        assert set(targets) - set(pictures) <= names


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_short_and_names_things_as_the_window_does(language: str) -> None:
    said = words_of_the_program(language)
    for page in read_pages(language):
        assert len(page.text.split()) <= MOST_WORDS, page.name
        for name in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", page.text):
            searched = name in UNKNOWN or not read_query(name, language).unknown
            assert searched or name.casefold() in said, (page.name, name)


def test_every_picture_is_shown_somewhere() -> None:
    texts = [page.text for language in LANGUAGES for page in read_pages(language)] + [(ROOT / "README.md").read_text()]
    shown = {Path(target).name for text in texts for target in re.findall(r"\]\(([^)]+\.jpg)\)", text)}
    assert {path.name for path in PICTURES.glob("*.jpg")} == shown


def test_pages_are_found_by_all_words_of_a_search() -> None:
    pages = read_pages("en")
    assert containing(pages, "") == pages
    assert [page.name for page in containing(pages, "RESTORE twinlens")] == ["backups"]
    assert containing(pages, "restore xyzzy") == []


def test_every_command_of_the_guide_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "Pictures"
    folder.mkdir()
    write_scenes(folder, 12)
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path / "data"))
    library = tmp_path / "data" / "library.twinlens"
    with Library.open(library, create=True):
        pass
    for command in dict.fromkeys(command for page in read_pages("en") for command in commands(page)):
        words = command
        for written, here in IN_HAND.items():
            words = words.replace(written, here.format(folder=folder, library=library))
        if command == LONG:
            words += " --help"
        with pytest.raises(SystemExit) as ended:
            main(["--library", str(library), *shlex.split(words)[1:]])
        assert ended.value.code in (0, None), command
