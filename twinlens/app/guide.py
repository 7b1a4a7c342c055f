"""The guide: short pages that explain the program, in each language, read from ``twinlens/resources/guide``."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

from twinlens.resources import read_bytes, read_text

_FOLDER = "guide"


@dataclass(frozen=True)
class GuidePage:
    """One page of the guide.

    Attributes
    ----------
    name : str
        The name of its file, and of links from other pages: ``[words](name.md)``.
    title : str
        Its first heading.
    text : str
        Markdown, the heading included.
    views : tuple of str
        The views of the window that it is about.
    """

    name: str
    title: str
    text: str
    views: tuple[str, ...]


def read_pages(language: str) -> list[GuidePage]:
    """Read the pages in their order, in a language where it has them, else in English.

    Parameters
    ----------
    language : str
        Such as ``de``.
    """
    found = []
    for row in tomllib.loads(read_text(f"{_FOLDER}/pages.toml"))["page"]:
        text = _read(language, row["name"])
        title = text.split("\n", 1)[0].removeprefix("# ")
        found.append(GuidePage(row["name"], title, text, tuple(row.get("views", ()))))
    return found


def _read(language: str, name: str) -> str:
    try:
        return read_text(f"{_FOLDER}/{language}/{name}.md")
    except FileNotFoundError:
        return read_text(f"{_FOLDER}/en/{name}.md")


def read_guide_picture(name: str) -> bytes:
    """Read a picture of the guide by its file name.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    return read_bytes(f"{_FOLDER}/pictures/{name}")


def containing(pages: Sequence[GuidePage], words: str) -> list[GuidePage]:
    """Return the pages that contain all words, whatever their case; all pages for no words."""
    wanted = words.casefold().split()
    return [page for page in pages if all(word in page.text.casefold() for word in wanted)]
