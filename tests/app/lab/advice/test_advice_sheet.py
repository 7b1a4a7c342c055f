"""Sheets of an advice and of runs: words, rows, other programs' indexes; as a page everything is text in one file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.app.lab.advice.making import PEER, POINTS, kept, result
from tests.app.lab.advice.test_advice import advised, few_candidates, made, point  # noqa: F401 (fixtures)
from twinlens.app.lab.advice.advice import KeptAdvice
from twinlens.app.lab.advice.advice_results import AdviceResult
from twinlens.app.lab.advice.advice_settings import NamedPairs
from twinlens.app.lab.advice.advice_sheet import point_figures, sheet_of_advice, sheet_of_nothing, sheet_so_far
from twinlens.app.lab.advice.index_trials import NO_CHANGE, same_command
from twinlens.app.lab.lab_sheet import LabSheet, LibraryIndexes, SheetRow, write_csv, write_page
from twinlens.app.language.texts import set_language, text
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError
from twinlens.core.message import KEPT, NOTHING, Message, verbatim

KNOWN = LibraryIndexes(
    {"colour · lsh:bits=512 · scan": "Automatic", "colour · lsh:bits=1024 · scan": "Long"}, "Automatic"
)


def sheet(now: int = 1_200, hidden: tuple[str, ...] = (), **values: object) -> LabSheet:
    return sheet_of_advice(kept(**values), KNOWN, now, "twinlens advise --time 60", hidden)


def row(shown: LabSheet, key: str) -> SheetRow:
    return next(one for one in shown.rows if one.key == key)


def words(shown: LabSheet, column: str) -> dict[str, str]:
    (one,) = (one for one in shown.columns if one.name == column)
    return {row.key: str(one.words(row)) for row in shown.rows}


def test_the_finding_is_one_sentence_with_numbers_and_every_other_row_has_its_own() -> None:
    shown = sheet()
    assert str(shown.finding) == (
        "lsh:bits=256 finds 97 of 100 edited copies in 2.0\u00a0ms (32 B per photo). "
        "Your current index finds 93 of 100."
    )
    assert str(shown.badge) == "Proposed"
    assert str(shown.reasons[0]) == "It finds 97 % of the exact results."
    assert shown.asks_for_index
    assert row(shown, "best").sentence == NOTHING, "the finding says it"
    assert "It is your current index." in str(row(shown, "now").sentence)
    assert any("exact results" in str(one) for one in row(shown, "worse").reasons)
    assert "1,200 photos" in str(shown.about)
    assert not shown.warning
    assert "has 7 more photos now" in str(sheet(1_207).warning)
    assert "has 1 photo less now" in str(sheet(1_199).warning)
    unchanged = sheet(reasons=[NO_CHANGE])
    assert str(unchanged.badge) == "No change needed"
    assert "It is your current index." in str(unchanged.finding), "a person reads first of what they have"
    assert str(unchanged.reasons[0]).startswith("Another that finds as much: lsh:bits=256 finds 97 of 100")
    assert not sheet(proposed="now").asks_for_index


def test_many_queries_are_told_as_a_share() -> None:
    many = [one.model_copy(update={"questions": 300}) for one in POINTS]
    assert str(sheet(points=many).finding).startswith("lsh:bits=256 finds 97 % of the edited copies in")


def test_rows_say_what_they_are_and_what_they_can_become() -> None:
    shown = sheet()
    assert words(shown, "note") == {"now": "in use", "best": "proposed", "worse": "“Long”", "exact": ""}
    assert words(shown, "found@10")["best"] == "0.97"
    assert words(shown, "method")["exact"] == "exact search"
    assert "precision@10" not in {one.name for one in shown.columns}, "no point has it"
    judged = [one.model_copy(update={"precision": 0.4}) for one in POINTS]
    assert words(sheet(points=judged), "precision@10")["best"] == "0.40"
    best = row(shown, "best").index
    assert best is not None
    assert (best.wanted.method, best.text, best.line) == (
        "lsh:bits=256", "colour · lsh:bits=256 · scan", ("Automatic", "lsh:bits=256", "scan"),
    )  # fmt: skip
    assert str(best.name) == "colours · lsh 256"
    exact = row(shown, "exact").index
    assert exact is not None
    assert not any(exact.line), "exact search has no knobs"


def test_rows_have_the_text_forms_by_which_advice_knows_its_indexes(advised: AdviceResult) -> None:  # noqa: F811
    shown = sheet_of_advice(kept().model_copy(update={"result": advised}), LibraryIndexes(), 0)
    assert {one.key for one in shown.rows} == {one.index.text for one in shown.rows if one.index is not None}


def test_indexes_of_other_programs_stand_beside_and_can_be_nothing_here() -> None:
    shown = sheet(peers=[PEER])
    assert [one.key for one in shown.rows] == ["now", "best", "worse", "exact", "peer"]
    assert row(shown, "peer").index is None
    assert words(shown, "note")["peer"] == "other program"
    assert "finds 99 of 100" in str(row(shown, "peer").sentence)
    for figure in shown.figures:
        line, *others = figure.series
        assert "peer" in [key for one in others for key in one.keys]
        assert PEER.recall not in line.y, "what cannot be made is on no frontier"
        assert "Nothing measured" not in str(figure.reading)
    assert any("other programs" in str(one) for one in shown.notes)


def test_what_is_known_on_the_way_is_provisional() -> None:
    assert not sheet_of_nothing().rows
    assert str(sheet_so_far([], "edits", KNOWN).finding) == "Nothing is measured yet."
    shown = sheet_so_far(POINTS[:3], "edits", KNOWN)
    assert str(shown.badge) == "So far"
    assert str(shown.finding).startswith("≈ lsh:bits=256")
    assert words(shown, "found@10")["best"] == "≈ 0.97"
    assert words(shown, "search")["best"] == "2.00"
    assert all(one.provisional for one in shown.rows)


def test_hidden_rows_are_in_no_figure() -> None:
    for figure in sheet(hidden=("worse",), peers=[PEER]).figures:
        assert {key for one in figure.series for key in one.keys} == {"now", "best", "exact", "peer"}
    assert not sheet_so_far(POINTS[:1], "edits", KNOWN, ("now",)).figures


def test_what_was_left_out_is_told_with_its_reasons() -> None:
    assert [str(one) for one in sheet().notes] == [
        "A note.", "No time for colours (itq:bits=128, lsh:bits=64).", "colour · klsh · scan: why not",
    ]  # fmt: skip


def test_figures_name_what_is_proposed_what_answers_now_and_the_frontier() -> None:
    whole = result()
    figures = point_figures(whole.points, whole.truth, whole.proposed, whole.present, whole.peers)
    for figure in figures:
        labels = {
            key: str(label) for one in figure.series[1:] for key, label in zip(one.keys, one.labels, strict=True)
        }  # fmt: skip
        assert labels["best"] == "proposed: lsh 256"
        assert labels["now"] == "now: lsh 512"
        assert labels["worse"] == "1,024"
        assert labels["exact"] == "exact"
    fewer = point("fewer", 1.0, 1, 16, questions=40)
    with_fewer = point_figures([*POINTS, fewer], "edits")[0]
    assert max(with_fewer.series[0].y) == 1.0, "exact search finds all"
    assert with_fewer.series[0].x[0] == 2.0, "what was asked less is on no frontier"
    assert "measured with 100 queries" in str(with_fewer.note)
    assert not figures[0].note
    so_far = point_figures(POINTS[:2], "edits")[0]
    assert {key for one in so_far.series for key in one.keys} == {"now", "best"}


def test_the_command_gives_the_same() -> None:
    pairs = NamedPairs(((1, 2),), ((3, 4),))
    assert same_command(5, "edits", pairs) == "twinlens advise --time 5 --match '#1' '#2' --differ '#3' '#4'"
    assert same_command(5, "neighbours", None, "/a b/c", ["faiss:PQ8"]) == (
        "twinlens --library '/a b/c' advise --time 5 --truth neighbours --peer faiss:PQ8"
    )


@pytest.fixture
def german() -> Iterator[None]:
    set_language("de")
    yield
    set_language("en")


@pytest.mark.usefixtures("german")
def test_a_kept_advice_speaks_the_language_of_the_window() -> None:
    before = kept(reasons=[NO_CHANGE])
    groups = {
        text(one.name)
        for one in point_figures([*POINTS, point("e", 0.5, 1, 8, descriptor="edges")], "edits")[0].series[1:]
        if isinstance(one.name, Message)
    }
    assert "lsh · Farben" in groups
    again = KeptAdvice.model_validate(before.model_dump(mode="json", context=KEPT))
    assert again == before
    assert text(again.result.reasons[0]).startswith("Ihr ")
    assert again.model_dump(mode="json")["result"]["reasons"] == [str(NO_CHANGE)], "documents are in English"


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
