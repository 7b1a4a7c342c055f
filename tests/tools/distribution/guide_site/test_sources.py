"""The sources of the site: each page once in the contents, everything told, and every link leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.main import every_command, option_rows, twinlens
from app.guide import read_pages
from app.language.texts import LANGUAGES, set_language
from app.methods.catalogue import FAMILIES
from core.declaration.reference_page import page
from tests.markdown import dead_links
from tools.distribution.guide_site.site import Contents, SitePages, assemble, configuration


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
