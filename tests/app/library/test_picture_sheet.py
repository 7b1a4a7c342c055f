"""A sheet of pictures is one page that fetches nothing, in which names are text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.app.folders import Libraries
from twinlens.app.library.library import Library
from twinlens.app.library.picture_sheet import FoldedTable, SheetBand, SheetFigure, SheetSection, write_sheet
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError
from twinlens.storage.photographs.photograph_listing import Filter

VOID = {"meta", "img", "br"}
HOSTILE = 'a"><script>alert(1)</script>&\u202e\x1b.jpg'


class Page(HTMLParser):
    """Reads a page: its elements, their attributes, and its text."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(file.read_text("utf-8"))
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page(libraries: Libraries, place: Path, *sections: SheetSection, heading: str = "Sheet") -> Page:
    file = place / "sheet.html"
    with Library.open(libraries.of(5)) as library:
        write_sheet(library, sections, OutputFile(file), heading)
    assert [one.name for one in place.iterdir()] == [file.name]
    return Page(file)


def ids(libraries: Libraries) -> list[int]:
    with Library.open(libraries.of(5)) as library, library.store.reading() as r:
        return [int(one) for one in r.photographs.matching(Filter())]


def test_pictures_lie_in_the_page_and_nothing_is_fetched(libraries: Libraries, tmp_path: Path) -> None:
    figures = tuple(SheetFigure(one, str(one)) for one in ids(libraries))
    read = page(libraries, tmp_path, SheetSection("All", bands=(SheetBand("Five", figures),)))
    sources = [value for name, value in read.attributes if name in ("src", "href")]
    assert len(sources) == len(figures)
    assert all(value.startswith("data:image/jpeg;base64,/9j/") for value in sources)
    assert "script" not in read.tags


def test_names_from_outside_are_text(libraries: Libraries, tmp_path: Path) -> None:
    one = SheetFigure(b"", HOSTILE, (HOSTILE,))
    numbers = FoldedTable(HOSTILE, (HOSTILE,), (HOSTILE,), ((HOSTILE,),))
    read = page(
        libraries, tmp_path, SheetSection(HOSTILE, (HOSTILE,), (SheetBand(HOSTILE, (one,)),), numbers), heading=HOSTILE
    )
    assert "script" not in read.tags
    assert read.text.count("<script>alert(1)</script>&") == 11
    assert not {"\u202e", "\x1b"} & set(read.text)


def test_folded_bands_and_numbers_wait_for_a_click_and_empty_bands_are_left_out(
    libraries: Libraries, tmp_path: Path
) -> None:
    one = (SheetFigure(b"", "one"),)
    bands = (SheetBand("seen", one), SheetBand("folded", one, folded=True), SheetBand("empty", ()))
    read = page(
        libraries, tmp_path, SheetSection("All", bands=bands, numbers=FoldedTable("Numbers", (), ("rank",), (("1",),)))
    )
    assert read.tags.count("details") == 2
    assert "empty" not in read.text


def test_a_sheet_that_cannot_be_written_is_refused(libraries: Libraries, tmp_path: Path) -> None:
    with Library.open(libraries.of(5)) as library, pytest.raises(TwinlensError, match="cannot be written"):
        write_sheet(library, (), OutputFile(tmp_path / "missing" / "sheet.html"))
