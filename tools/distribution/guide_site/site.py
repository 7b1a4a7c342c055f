"""Sources of the site in one language, the configuration of mkdocs, and the check of its links.

The sources are the pages of the guide, ``docs``, and the reference that is made from the program: a page for each
command, each declaration and the Python surface. Nothing of the site comes from a network, and a broken link is an
error.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import click

from twinlens.app.cli import documents
from twinlens.app.cli.main import every_command, examples, option_rows, paragraphs, twinlens
from twinlens.app.guide import read_pages
from twinlens.app.language.texts import LANGUAGES, _
from twinlens.app.methods.catalogue import FAMILIES
from twinlens.core.declaration.reference_page import page as declaration_page

ROOT = Path(__file__).parents[3]
_OWN = ROOT / "tools" / "distribution" / "guide_site" / "site"
_PICTURES = ROOT / "twinlens" / "resources" / "guide" / "pictures"
_ICON = ROOT / "twinlens" / "resources" / "desktop" / "twinlens.svg"
Contents = str | Sequence["str | Mapping[str, Contents]"]


@dataclass(frozen=True)
class SitePages:
    """The assembled sources of a site.

    Attributes
    ----------
    contents : Contents
        Each source once.
    """

    folder: Path
    contents: Contents


def assemble(folder: Path, language: str) -> SitePages:
    """Write the sources into a folder, with the reference in the current language.

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
        {_("Commands"): [name for name in commands if name.endswith(".md")]},  # not the schemas
        {_("Methods"): families},
        {_("Python"): "python.md"},
        {_("More"): documents},
    ]
    return SitePages(folder, contents)


def _write(folder: Path, pages: Mapping[str, str]) -> None:
    for name, text in pages.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _start(language: str) -> str:
    """Write the first page: what Twinlens does and how it is installed, with a picture, then the list of all others."""
    pages = [f"- [{page.title}](guide/{page.name}.md)" for page in read_pages(language)]
    rest = [
        f"- [{_('Commands')}](commands/index.md)",
        f"- [{_('Methods')}](methods/index.md)",
        f"- [{_('Python')}](python.md)",
    ]
    blocks = [
        "# Twinlens",
        _("Twinlens finds every copy, crop and look-alike of a photo in your own collection, on your own computer."),
        f"![{_('A search: copies of a photo are found first, each with a tick')}](guide/same.jpg)",
        "\n".join(f"- {line}" for line in _abilities()),
        _("Your photos never leave your computer, and Twinlens never changes them."),
        "## " + _("Install"),
        _("On Debian 12 or later, with the window and everything it needs:"),
        "    sudo apt install ./twinlens_*_amd64.deb",
        _("On any Linux with Python 3.11 or later:"),
        '    pipx install "$(ls ./twinlens-*-none-any.whl)[app]"',
        _("From the sources, with photos to try it on:"),
        "    python3 run.py demo",
        "## " + _("Guide"),
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


def _abilities() -> list[str]:
    return [
        _("Finds copies, crops, mirrored and recoloured versions of a photo, compared point by point."),
        _("Clears up copies: you see what goes and why, it moves only when you say so, and can be undone."),
        _("Searches by colour, by a sketch, and by words in English and German, without fetching anything."),
        _("Keeps stars, keywords, albums, places and a timeline in a library beside your photos."),
        _("Is a workbench for hashing and similarity search: methods as their papers say, measured fairly."),
    ]


def command_pages() -> dict[str, str]:
    """Write the pages of the commands in the current language, by file name, the list first."""
    root, *others = every_command(twinlens, "twinlens")
    shared = option_rows(root)
    names = twinlens.list_commands(root)
    rows = [f"- [`twinlens {name}`]({name}.md): {escaped(twinlens.summary(root, name))}" for name in names]
    blocks = [
        "# " + _("Commands"),
        *_told(root),
        "\n".join(rows),
        "## " + _("Options of every command"),
        *_options(shared),
        *_examples(root),
    ]
    pages = {"commands/index.md": blocks}
    for ctx in others:
        outer = ctx.parent is root
        blocks = pages.setdefault(f"commands/{ctx.command_path.split()[1]}.md", [])
        blocks += [f"{'#' if outer else '##'} {ctx.command_path}", *_told(ctx)]
        blocks += _options([row for row in option_rows(ctx) if row not in shared])
        blocks += _examples(ctx)
        name = ctx.command_path.partition(" ")[2]
        if name in documents.commands():
            schema = documents.schema_of(name)
            file = f"schemas/{name.replace(' ', '-')}.json"
            pages[f"commands/{file}"] = [json.dumps(schema, indent=2)]
            blocks += _document(schema, file)
    return {name: "\n\n".join(blocks) + "\n" for name, blocks in pages.items()}


def _told(ctx: click.Context) -> Iterator[str]:
    """Yield the lines of a command: its usage and its help."""
    yield " ".join([f"    {ctx.command_path}", *ctx.command.collect_usage_pieces(ctx)])
    yield from (escaped(_(paragraph)) for paragraph in paragraphs(ctx.command))


def _options(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Write the options as one list, if there are any."""
    lines = [f"- `{option}`: {escaped(' '.join(words.split()))}" for option, words in rows]
    return ["\n".join(lines)] if lines else []


def _examples(ctx: click.Context) -> Iterator[str]:
    yield _("Examples:")
    yield "\n".join(f"    {command}" for command in examples(ctx.command))


def _document(schema: Mapping[str, Any], file: str) -> Iterator[str]:
    """Write what a command prints with --json: the keys of each object."""
    version = documents.VERSION
    yield _(
        "With `--json` it prints one document (version {version}): {schema}.",
        version=version,
        schema=f"[JSON Schema]({file})",
    )
    for name, meaning, keys in documents.described(schema):
        yield " ".join([f"`{name}`:" if name else "", escaped(meaning)]).strip()
        yield "\n".join(f"- `{key}` ({kind}){': ' * bool(told)}{escaped(told)}" for key, kind, told in keys)


def escaped(text: str) -> str:
    r"""Escape a text for Markdown, except for backquotes around code.

    Examples
    --------
    >>> escaped("[1<=x] of *.jpg, see `twinlens lab_x`")
    '\\[1&lt;=x\\] of \\*.jpg, see `twinlens lab_x`'
    """
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(
        one if one.startswith("`") else re.sub(r"([\\*_\[\]#])", r"\\\1", one.replace("<", "&lt;")) for one in pieces
    )


_LIST = "methods/index.md"


def declaration_pages() -> tuple[dict[str, str], Contents]:
    """Write the pages of the declarations, by file name, with their contents: the list, then each family."""
    headings = {
        "descriptor": _("Descriptors"),
        "metric": _("Metrics"),
        "method": _("Hash methods"),
        "search": _("Search structures"),
        "quantizer": _("Quantizers"),
        "kernel": _("Kernels"),
    }
    blocks = ["# " + _("Methods")]
    pages: dict[str, str] = {}
    contents: list[str | dict[str, Contents]] = [_LIST]
    for family, options in FAMILIES.items():
        rows = [f"- [{one.title}]({one.key}.md) (`{one.key}`): {_(one.summary())}" for one in options()]
        blocks += [f"## {headings[family]}", "\n".join(rows)]
        own = {f"methods/{one.key}.md": declaration_page(one) for one in options()}
        pages |= own
        contents.append({headings[family]: list(own)})
    return {_LIST: "\n\n".join(blocks) + "\n", **pages}, contents


_SURFACE = (
    "twinlens.core.workbench",
    "twinlens.workbench.bench",
    "twinlens.workbench.BenchTable",
    "twinlens.workbench.describe",
    "twinlens.workbench.load_vectors",
    "twinlens.core.estimators.DeclaredEstimator",
    "twinlens.core.hashing.hash_method.HashMethod",
    "twinlens.core.hashing.hash_method.Encoder",
    "twinlens.core.metrics.metric.Metric",
    "twinlens.core.metrics.metric.FittedMetric",
    "twinlens.core.kernels.kernel.Kernel",
    "twinlens.core.search.search_structure.Search",
)
"""The class that scripts begin with, and the classes that it returns."""


def python_page() -> str:
    """Write the source of the page of the Python surface."""
    return "\n\n".join(["# Python", *(f"::: {name}" for name in _SURFACE)]) + "\n"


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


PAPERS = ("https://doi.org/", "https://arxiv.org/")
"""The only places outside that a page may lead to."""


def link_faults(site: Path) -> list[str]:
    """Follow every link of a site, and return the broken ones and those that lead outside."""
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


@dataclass
class _Read(HTMLParser):
    """The anchors and the links of a page.

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
        """Record one element."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif "src" in given or "href" in given:
            self.parts.append(given.get("src") or given.get("href", ""))
