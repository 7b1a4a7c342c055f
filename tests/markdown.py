"""What a Markdown file shows and leads to: its links, its headings, and the commands in it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

_CODE = re.compile(r"^    .*$|`[^`\n]*`", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def dead_links(file: Path) -> list[str]:
    """Return the links of a file that lead to no file and no heading; those to a network are not followed."""
    dead = []
    for target in _LINK.findall(_CODE.sub("", file.read_text(encoding="utf-8"))):
        path, _, place = unquote(target).partition("#")
        leads_to = file.parent / path if path else file
        if "://" not in target and not (leads_to.exists() and (not place or place in headings(leads_to))):
            dead.append(target)
    return dead


def headings(file: Path) -> set[str]:
    """Return the headings of a file as links name them."""
    titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def shown_commands(text: str, program: str) -> list[str]:
    """Return the lines that show how a program is called, without what is said of them behind."""
    lines = re.findall(rf"^ {{4,6}}(?:\S*/)?({program}(?: .*)?)$", text, re.MULTILINE)
    return [re.split(r" {3,}| \| (?=xargs|twinlens)", line)[0] for line in lines]


def quoted(text: str) -> list[str]:
    """Return what stands in backquotes."""
    return re.findall(r"`([^`\n]+)`", text)
