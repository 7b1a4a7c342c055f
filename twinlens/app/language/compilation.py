"""Compilation of the translations: every ``twinlens/resources/translations/*.po`` into the ``.mo`` that gettext reads.

``run.py`` and the build call it, and ``python -m twinlens.app.language.compilation`` does it by hand. It needs only
Babel.
"""

from __future__ import annotations

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "translations"


def compile_translations(folder: Path = FOLDER) -> None:
    """Compile the translations that changed since they were compiled."""
    for source in sorted(folder.glob("*.po")):
        made = source.with_suffix(".mo")
        if made.exists() and made.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.stem)
        part = made.with_suffix(".part")
        with part.open("wb") as file:
            write_mo(file, catalogue)
        part.replace(made)


if __name__ == "__main__":
    compile_translations()
