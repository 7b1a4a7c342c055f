"""The site of the guide: each page once in the contents, and every link leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.markdown import dead_links
from tools.distribution.guide_site.site import Contents, SitePages, assemble, configuration, link_faults
from twinlens.app.cli.main import every_command, option_rows, twinlens
from twinlens.app.guide import read_pages
from twinlens.app.language.texts import LANGUAGES, set_language
from twinlens.app.methods.catalogue import FAMILIES
from twinlens.core.declaration.reference_page import page


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SitePages]:
    set_language(request.param)
    yield assemble(tmp_path_factory.mktemp("site") / "pages", request.param)
    set_language(LANGUAGES[0])


def files(contents: Contents) -> Iterator[str]:
    if isinstance(contents, str):
        yield contents
        return
    for one in contents:
        for inner in [one] if isinstance(one, str) else one.values():
            yield from files(inner)


def test_each_page_is_in_the_contents_once(pages: SitePages) -> None:
    assert sorted(files(pages.contents)) == sorted(
        path.relative_to(pages.folder).as_posix() for path in pages.folder.rglob("*.md")
    )


def test_every_link_leads_to_a_page_or_a_picture(pages: SitePages) -> None:
    found = {path: dead_links(path) for path in pages.folder.rglob("*.md")}
    assert {path.name: links for path, links in found.items() if links} == {}


def test_every_command_and_option_is_told(pages: SitePages) -> None:
    root, *others = every_command(twinlens, "twinlens")
    listed = (pages.folder / "commands" / "index.md").read_text(encoding="utf-8")
    for name in twinlens.list_commands(root):
        assert f"[`twinlens {name}`]({name}.md)" in listed
    for ctx in others:
        text = (pages.folder / "commands" / f"{ctx.command_path.split()[1]}.md").read_text(encoding="utf-8")
        section = text[text.index(f"# {ctx.command_path}\n") :]
        for option, _help in option_rows(ctx):
            assert f"\n- `{option}`: " in section + listed, ctx.command_path


def test_every_declaration_has_the_page_that_the_command_line_shows(pages: SitePages) -> None:
    for options in FAMILIES.values():
        for one in options():
            file = pages.folder / "methods" / f"{one.key}.md"
            assert file.read_text(encoding="utf-8") == page(one)


def test_the_guide_is_there_with_its_pictures(pages: SitePages) -> None:
    names = {path.stem for path in (pages.folder / "guide").glob("*.md")}
    assert names == {page.name for page in read_pages("en")}


def test_each_language_leads_to_the_others() -> None:
    links = {one: configuration(SitePages(Path(), []), one)["extra"]["alternate"] for one in LANGUAGES}
    assert [row["link"] for row in links["en"]] == ["index.html", "de/index.html"]
    assert [row["link"] for row in links["de"]] == ["../index.html", "../de/index.html"]


@pytest.mark.parametrize(
    "link",
    [
        '<a href="other.html">',
        '<a href="sub/p%C3%A4ge.html#there">',
        '<a href="#here">',
        '<img src="picture.jpg">',
        '<a href="https://doi.org/10.1000/1">',
        '<a href="https://arxiv.org/abs/1"></a>',
    ],
)
def test_what_is_there_is_no_fault(tmp_path: Path, link: str) -> None:
    make(tmp_path, link)
    assert link_faults(tmp_path) == []


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ('<a href="gone.html">', "gone.html"),
        ('<a href="sub">', "sub"),
        ('<a href="#there">', "#there"),
        ('<a href="sub/p%C3%A4ge.html#here">', "sub/p%C3%A4ge.html#here"),
        ('<a href="https://example.org/">', "https://example.org/"),
        ('<script src="https://doi.org/script.js"></script>', "https://doi.org/script.js"),
        ('<link href="//fonts.example.org/font.css">', "//fonts.example.org/font.css"),
        ('<a href="/other.html">', "/other.html"),
    ],
)
def test_what_leads_nowhere_or_outside_is_named(tmp_path: Path, link: str, target: str) -> None:
    make(tmp_path, link)
    assert link_faults(tmp_path) == [f"index.html: {target}"]


def make(site: Path, link: str) -> None:
    (site / "sub").mkdir()
    (site / "index.html").write_text(f'<h1 id="here">{link}', encoding="utf-8")
    (site / "sub" / "päge.html").write_text('<h1 id="there">', encoding="utf-8")
    (site / "other.html").write_text("", encoding="utf-8")
    (site / "picture.jpg").write_bytes(b"")
