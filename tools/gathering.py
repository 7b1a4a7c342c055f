"""Gathering of every text that a person reads from the sources into ``twinlens/resources/translations/*.po``.

``python -m tools.gathering`` brings the files up to date, keeps the translations that are there, and prints what
is not translated yet. Texts are the literals given to `Message`, `counted`, `_`, `_n` and errors, and the words
of declarations and of the command line's help.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po, write_po

from twinlens.app.cli.main import help_texts
from twinlens.app.language.compilation import FOLDER, compile_translations
from twinlens.app.language.texts import LANGUAGES
from twinlens.core.declaration.declaration import Declaration

_ROOT = FOLDER.parents[2]
_PACKAGES = ("twinlens", "tools")
_TEXTS = {"Message": 1, "counted": 2, "_": 1, "_n": 2}
"""Functions that make texts, with the number of arguments that are one text."""
_SHOWN_WORDS = ("on", "off", "none")  # what controls of forms say besides the words of a declaration
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # a date that changes makes every gathering a change


def gathered() -> Catalog:
    """Return every text of the program, without translations."""
    made = Catalog(charset="utf-8")
    for text in texts_in([tree for _, tree in sources()]):
        if _has_words(text):
            made.add(text)
    for text in (*declared_texts(), *help_texts()):
        made.add(text)
    return made


@cache
def sources() -> list[tuple[str, ast.Module]]:
    """Parse the sources in which texts stand, each with its path."""
    paths = [path for package in _PACKAGES for path in sorted((_ROOT / package).rglob("*.py"))]
    return [(path.relative_to(_ROOT).as_posix(), ast.parse(path.read_bytes())) for path in paths]


def texts_in(sources: Sequence[ast.Module]) -> Iterator[str | tuple[str, ...]]:
    """Return the literal texts of sources; both forms of a counted text."""
    nodes = [node for source in sources for node in ast.walk(source)]
    errors = error_names(nodes)
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        literals = [one.value if isinstance(one, ast.Constant) else None for one in node.args[:2]]
        if node.func.id in errors:
            yield from (one for one in literals if isinstance(one, str))
        elif count := _TEXTS.get(node.func.id):
            forms = tuple(one for one in literals[:count] if isinstance(one, str))
            if len(forms) == count:
                yield forms if count > 1 else forms[0]


def error_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names of the errors that take templates."""
    names = {"TwinlensError", "InvalidError"}
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    while new := {one.name for one in classes if {ast.unparse(base) for base in one.bases} & names} - names:
        names |= new
    return frozenset(names)


def declared_texts() -> Iterator[str]:
    """Return every text of the declarations that forms show, each once."""
    from twinlens.app.machine.preferences import Preferences
    from twinlens.app.methods import catalogue

    classes: list[type[Declaration]] = [Preferences]
    for options in catalogue.FAMILIES.values():
        classes += options()
    seen: dict[str, None] = dict.fromkeys(_SHOWN_WORDS)
    for option in classes:
        seen |= dict.fromkeys(_texts_of(option))
    yield from (text for text in seen if text)


def refresh(folder: Path = FOLDER) -> None:
    """Update the files of a folder from the sources; existing translations are kept."""
    template = gathered()
    for language in LANGUAGES[1:]:
        file = folder / f"{language}.po"
        catalogue = _read(file, language)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        catalogue.creation_date = catalogue.revision_date = _NO_DATE
        with file.open("wb") as opened:
            write_po(opened, catalogue, width=0, no_location=True, sort_output=True)


def untranslated(folder: Path = FOLDER) -> list[str]:
    """Return the texts without a translation, with their language."""
    found = []
    for language in LANGUAGES[1:]:
        for entry in _read(folder / f"{language}.po", language):
            forms = entry.string if isinstance(entry.string, list | tuple) else [entry.string]
            if entry.id and (entry.fuzzy or not (forms and all(forms))):
                found.append(f"{language}: {source_of(entry)}")
    return found


def source_of(entry: Entry) -> str:
    """Return the English text of an entry, the first form of a counted one."""
    return entry.id if isinstance(entry.id, str) else str(entry.id[0])


def _read(file: Path, language: str) -> Catalog:
    if not file.exists():
        return Catalog(locale=language, charset="utf-8")
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def _has_words(text: str | tuple[str, ...]) -> bool:
    """Return whether a text has words beside its values; one without is the same in every language."""
    return any(letter.isalpha() for letter in re.sub(r"\{[^}]*\}", "", text if isinstance(text, str) else text[0]))


def _texts_of(option: type[Declaration]) -> Iterable[str]:
    if option.key != "preferences":  # the settings are shown without a title of their own
        yield from (option.title, str(getattr(option, "plain_name", "")))
    yield from (option.summary(), *option.paragraphs())
    for about in option.parameters():
        words = ("system",) if about.name == "language" else about.words
        yield from (about.name.replace("_", " "), about.help, about.unit, about.group, *words)


def main() -> None:
    """Update the translations, compile them, and print the missing ones."""
    refresh()
    compile_translations()
    missing = untranslated()
    for text in missing:
        print(text)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
