"""A sheet as a page and as a table: everything is in one file, and what comes from outside is text."""

from __future__ import annotations

import csv
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from app.lab.advice.advice_sheet import sheet_of_advice
from app.lab.lab_sheet import LibraryIndexes, write_csv, write_page
from app.machine.output_file import OutputFile
from core.errors import TwinlensError
from core.message import verbatim
from tests.app.lab.advice.making import PEER, kept

SHEET = sheet_of_advice(kept(peers=[PEER]), LibraryIndexes(), 1_200, "twinlens advise --time 60")


class _Read(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_page_has_everything_and_needs_no_other_file(tmp_path: Path) -> None:
    named = replace(SHEET, warning=verbatim("<script>alert(1)</script>"))
    write_page(named, SHEET.figures, OutputFile(tmp_path / "a.html"), str)
    read = _Read((tmp_path / "a.html").read_text("utf-8"))
    assert read.tags.count("svg") == len(SHEET.figures) == 2
    assert read.tags.count("tr") == len(SHEET.rows) + 1
    assert "script" not in read.tags
    assert all(one.startswith("#") for one in read.addresses)
    said = " ".join(read.words)
    for words in (SHEET.finding, SHEET.about, *SHEET.reasons, *SHEET.notes, SHEET.command, "other program"):
        assert str(words) in said
    with pytest.raises(TwinlensError, match="cannot be written"):
        write_page(SHEET, (), OutputFile(tmp_path / "nowhere" / "a.html"), str)


def test_a_table_has_whole_numbers(tmp_path: Path) -> None:
    write_csv(SHEET, OutputFile(tmp_path / "a.csv"))
    heading, *rows = csv.reader((tmp_path / "a.csv").read_text("utf-8").splitlines())
    assert len(rows) == len(SHEET.rows)
    best = dict(zip(heading, rows[1], strict=True))
    assert (float(best["found@10"]), best["method"], best["note"]) == (0.97, "lsh:bits=256", "proposed")
    with pytest.raises(TwinlensError, match="cannot be written"):
        write_csv(SHEET, OutputFile(tmp_path / "nowhere" / "a.csv"))
