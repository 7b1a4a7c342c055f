"""The languages of the window: installing one, and making the files of translations anew.

``python -m app.gui.translations`` gathers every text from the sources and from the declarations into
``resources/translations/*.ts`` and compiles these to ``.qm``. English has plurals alone; what stands in the sources is
English already.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

import resources

if TYPE_CHECKING:
    from core.declaration import Declaration

# What making the files needs is imported there: the window that only speaks a language starts without it.

LANGUAGES = ("en", "de")
"""Those that the window speaks; the first is spoken where the system's is none of them."""

_ROOT = Path(__file__).resolve().parents[2]
_FOLDER = _ROOT / "resources" / "translations"
_SHOWN_WORDS = ("on", "off", "none")  # what controls of forms say besides the words of a declaration


def chosen_language(preferred: str) -> str:
    """Give the language to speak: the preferred one, or for "system" that of the system where it is spoken."""
    if preferred in LANGUAGES:
        return preferred
    for name in QLocale.system().uiLanguages():
        language = name.replace("_", "-").split("-")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def install_translation(application: QCoreApplication, preferred: str = "system") -> str:
    """Let the application speak a language; the one it spoke before is taken away.

    Parameters
    ----------
    application : QCoreApplication
    preferred : str
        "system" or one of `LANGUAGES`. Widgets made before this keep the language they were made in.

    Returns
    -------
    str
        The language that is spoken now.
    """
    language = chosen_language(preferred)
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    of_qt = QTranslator(application)
    if of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    ours = QTranslator(application)
    if ours.load(_compiled(language)):
        application.installTranslator(ours)
    return language


@cache
def _compiled(language: str) -> bytes:
    """Read the compiled texts; Qt reads them where they lie, so they are kept."""
    return resources.read_bytes(f"translations/twinlens_{language}.qm")


def declared_texts() -> Iterator[str]:
    """Give every text of the declarations that forms show, each once."""
    from app.machine.preferences import Preferences
    from app.methods import catalogue

    classes: list[type[Declaration]] = [Preferences]
    for options in catalogue.FAMILIES.values():
        classes += options()
    seen: dict[str, None] = dict.fromkeys(_SHOWN_WORDS)
    for option in classes:
        seen |= dict.fromkeys(_texts_of(option))
    yield from (text for text in seen if text)


def _texts_of(option: type[Declaration]) -> Iterable[str]:
    from app.gui.forms.declaration_words import names_languages

    # The settings are shown without a title of their own; families show title and summary to choose by.
    if option.key != "preferences":
        yield from (option.title, option.summary(), str(getattr(option, "plain_name", "")))
    for about in option.parameters():
        words = ("system",) if names_languages(about) else about.words
        yield from (about.name.replace("_", " "), about.help, about.unit, *words)


def refresh(folder: Path = _FOLDER) -> None:
    """Gather all texts into the files of a folder, and compile them; translations that are there are kept.

    Raises
    ------
    subprocess.CalledProcessError
        If Qt's tools cannot do it.
    """
    import tempfile

    from app.gui.forms.declaration_words import CONTEXT

    with tempfile.TemporaryDirectory() as made:
        declared = Path(made) / "declarations.py"
        lines = [f"QCoreApplication.translate({CONTEXT!r}, {_literal(text)})" for text in declared_texts()]
        declared.write_text("\n".join(lines) + "\n", encoding="utf-8")
        sources = [str(path) for path in sorted((_ROOT / "app" / "gui").rglob("*.py"))]
        for language in LANGUAGES:
            only_plurals = ["-pluralonly"] if language == "en" else []
            options = ["-locations", "none", "-no-obsolete", "-source-language", "en", "-target-language", language]
            _run("lupdate", *only_plurals, *options, *sources, str(declared), "-ts", str(_ts(folder, language)))
    for language in LANGUAGES:
        _run("lrelease", "-silent", str(_ts(folder, language)), "-qm", str(_qm(folder, language)))


def unfinished(folder: Path = _FOLDER) -> list[str]:
    """Give the texts that lack a translation, with their language."""
    import xml.etree.ElementTree as ET

    found = []
    for language in LANGUAGES:
        for message in ET.parse(_ts(folder, language)).getroot().iter("message"):  # noqa: S314 (our own files)
            translation = message.find("translation")
            forms = [] if translation is None else (translation.findall("numerusform") or [translation])
            complete = bool(forms) and all((form.text or "").strip() for form in forms)
            if not complete or (translation is not None and translation.get("type") == "unfinished"):
                found.append(f"{language}: {message.findtext('source')}")
    return found


def _ts(folder: Path, language: str) -> Path:
    return folder / f"twinlens_{language}.ts"


def _qm(folder: Path, language: str) -> Path:
    return folder / f"twinlens_{language}.qm"


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _run(tool: str, *arguments: str) -> None:
    import subprocess

    import PySide6

    folder = Path(PySide6.__file__).parent
    program = next(path for path in (folder / tool, folder / f"{tool}.exe") if path.exists())
    subprocess.run([str(program), *arguments], check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def main() -> None:
    """Make the files of translations anew, and say what is not translated yet."""
    refresh()
    missing = unfinished()
    for text in missing:
        print(text)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
