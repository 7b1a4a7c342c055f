"""The sources of the site in one language: the pages of the guide, ``docs``, and the reference."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.guide.pages import read_pages
from app.language.choice import LANGUAGES
from app.language.spoken import _
from tools.distribution.guide_site.command_pages import command_pages
from tools.distribution.guide_site.contents import Contents
from tools.distribution.guide_site.declaration_pages import declaration_pages
from tools.distribution.guide_site.python_page import python_page

ROOT = Path(__file__).parents[3]
_OWN = ROOT / "tools" / "distribution" / "guide_site" / "site"
_PICTURES = ROOT / "resources" / "guide" / "pictures"
_ICON = ROOT / "resources" / "desktop" / "twinlens.svg"


@dataclass(frozen=True)
class SitePages:
    """Sources that lie ready.

    Attributes
    ----------
    folder : Path
    contents : Contents
        Each source once.
    """

    folder: Path
    contents: Contents


def assemble(folder: Path, language: str) -> SitePages:
    """Write the sources into a folder; the reference is in the language that the process speaks.

    Parameters
    ----------
    folder : Path
        Made anew.
    language : str
        Of the pages of the guide.
    """
    shutil.copytree(_PICTURES, folder / "guide")
    shutil.copytree(_OWN, folder / "site")
    shutil.copy(_ICON, folder / "site")
    shutil.copytree(ROOT / "docs", folder / "docs")
    guide = {f"guide/{page.name}.md": page.text for page in read_pages(language)}
    commands, (declarations, families) = command_pages(), declaration_pages()
    _write(folder, {"index.md": _start(language), "python.md": python_page(), **guide, **commands, **declarations})
    documents = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
    contents: Contents = [
        {"Twinlens": "index.md"},
        {_("Guide"): list(guide)},
        {_("Commands"): list(commands)},
        {_("Methods"): families},
        {_("Python"): "python.md"},
        {_("More"): documents},
    ]
    return SitePages(folder, contents)


def _write(folder: Path, pages: Mapping[str, str]) -> None:
    for name, text in pages.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _start(language: str) -> str:
    """Write the first page: what there is."""
    pages = [f"- [{page.title}](guide/{page.name}.md)" for page in read_pages(language)]
    rest = [
        f"- [{_('Commands')}](commands/index.md)",
        f"- [{_('Methods')}](methods/index.md)",
        f"- [{_('Python')}](python.md)",
    ]
    blocks = [
        "# Twinlens",
        _("Twinlens finds every copy, crop and look-alike of a photo in your own collection, on your own computer."),
        _("In the program, F1 opens these pages, together with all keys."),
        "\n".join(pages),
        "## " + _("Full reference"),
        "\n".join(rest),
        _(
            "The photos in the pictures are CC0 or in the public domain: {credits}.",
            credits="[credits](guide/credits.txt)",
        ),
    ]
    if language != LANGUAGES[0]:
        blocks.insert(-2, _("Methods, Python and the documents are in English."))
    return "\n\n".join(blocks) + "\n"
