"""The links of a site: each leads to a place that is there, and none asks a network for a part of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

PAPERS = ("https://doi.org/", "https://arxiv.org/")
"""The only places outside that a page may lead to."""


@dataclass
class _Read(HTMLParser):
    """What a page has and what it leads to.

    Attributes
    ----------
    places : set of str
        Anchors.
    links : list of str
        Where a reader may go.
    parts : list of str
        What the browser loads with the page.
    """

    places: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down one element."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif "src" in given or "href" in given:
            self.parts.append(given.get("src") or given.get("href", ""))


def link_faults(site: Path) -> list[str]:
    """Follow every link of a site, and say which lead nowhere or outside."""
    pages = {}
    for file in sorted(site.rglob("*.html")):
        pages[file] = _Read()
        pages[file].feed(file.read_text(encoding="utf-8"))
    found = []
    for file, page in pages.items():
        for target in dict.fromkeys([*page.links, *page.parts]):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                right = target.startswith(PAPERS) and target not in page.parts
            else:
                leads_to = (file.parent / unquote(parts.path)).resolve() if parts.path else file
                right = leads_to.is_file()
                if right and parts.fragment and leads_to in pages:
                    right = unquote(parts.fragment) in pages[leads_to].places
            if not right:
                found.append(f"{file.relative_to(site)}: {target}")
    return found
