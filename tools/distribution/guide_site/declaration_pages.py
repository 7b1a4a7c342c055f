"""A page for each declaration, as ``twinlens methods KEY`` writes it, and one that lists them all."""

from __future__ import annotations

from app.language.spoken import _
from app.methods.catalogue import FAMILIES
from core.declaration.reference_page import page
from tools.distribution.guide_site.contents import Contents

_LIST = "methods/index.md"


def declaration_pages() -> tuple[dict[str, str], Contents]:
    """Write the pages, by the name of their file, and their table of contents: the list, then each family."""
    headings = {
        "descriptor": _("Descriptors"),
        "metric": _("Metrics"),
        "method": _("Hash methods"),
        "search": _("Search structures"),
        "kernel": _("Kernels"),
    }
    blocks = ["# " + _("Methods")]
    pages: dict[str, str] = {}
    contents: list[str | dict[str, Contents]] = [_LIST]
    for family, options in FAMILIES.items():
        rows = [f"- [{one.title}]({one.key}.md) (`{one.key}`): {_(one.summary())}" for one in options()]
        blocks += [f"## {headings[family]}", "\n".join(rows)]
        own = {f"methods/{one.key}.md": page(one) for one in options()}
        pages |= own
        contents.append({headings[family]: list(own)})
    return {_LIST: "\n\n".join(blocks) + "\n", **pages}, contents
