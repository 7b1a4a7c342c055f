"""Configuration of mkdocs: nothing of the site comes from a network, and any fault of a link is an error."""

from __future__ import annotations

from typing import Any

from app.language.choice import LANGUAGES
from tools.distribution.guide_site.sources import ROOT, SitePages

_NAMES = {"en": "English", "de": "Deutsch"}
_DOCSTRINGS = {
    "docstring_style": "numpy",
    "docstring_section_style": "list",
    "heading_level": 2,
    "members_order": "source",
    "separate_signature": True,
    "show_bases": False,
    "show_root_heading": True,
    "show_root_full_path": True,
    "show_signature_annotations": True,
    "show_source": False,
}


def folder_of(language: str) -> str:
    """Return the folder of a language in the site: the first lies at the top of it."""
    return "" if language == LANGUAGES[0] else f"{language}/"


def configuration(pages: SitePages, language: str) -> dict[str, Any]:
    """Return the configuration for the pages of a language."""
    top = "../" * folder_of(language).count("/")
    return {
        "site_name": "Twinlens",
        "docs_dir": str(pages.folder),
        "nav": pages.contents,
        "theme": {
            "name": "material",
            "language": language,
            "font": False,  # the fonts of the system: others would come from a network
            "logo": "site/twinlens.svg",
            "favicon": "site/twinlens.svg",
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "custom", "accent": "teal"},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "custom", "accent": "teal"},
            ],
            "features": ["navigation.footer", "navigation.indexes", "navigation.top", "search.highlight"],
        },
        "plugins": [
            {"search": {"lang": sorted({language, LANGUAGES[0]})}},
            "offline",
            {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT)], "options": _DOCSTRINGS}}}},
        ],
        "hooks": [str(ROOT / "tools" / "distribution" / "guide_site" / "roles.py")],
        "markdown_extensions": ["tables", {"toc": {"permalink": True}}, "pymdownx.highlight", "pymdownx.superfences"],
        "extra": {
            "generator": False,
            "alternate": [
                {"name": _NAMES[one], "lang": one, "link": f"{top}{folder_of(one)}index.html"} for one in LANGUAGES
            ],
            "polyfills": ["site/iframe-worker.js"],  # in place of one from a network
        },
        "extra_css": ["site/look.css"],
        "validation": {
            "omitted_files": "warn",
            "absolute_links": "warn",
            "unrecognized_links": "warn",
            "anchors": "warn",
        },
    }
