"""The page says what was measured, of what, and what may be said of it; the one that is kept is that of its results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from science.papers.__main__ import kept_results
from science.papers.claims import PAPERS
from science.papers.data_set import AUTHORS, OWN, STAND_INS, DataSetFacts, File, lines_of
from science.papers.page import writing
from science.papers.page.judged_claims import decisive, findings, takes
from science.papers.page.section import CHANGED, Block, Item, PageSection, PageTable, Results, table
from science.papers.page.writing import FIGURES, FILES, LARGEST, PAGE, PAGES, READING, pages, write
from science.papers.result import RESULTS, ROOT, Result
from science.papers.sections import SECTIONS
from science.papers.sections.bc import table_iii
from science.papers.sections.beyond import answers
from science.papers.sets import DATA_SETS
from science.papers.verdict import QUIET, Claim, ClaimJudgement, ClaimVerdict, Nature
from twinlens.app.lab.figures.figure import Axis, Figure, Series

MACHINE = {
    "processor": "some",
    "processors": 2,
    "system": "Linux",
    "versions": {"python": "3", "faiss": "not installed"},
}
MADE = {"date": "2026-01-02T03:04:05+00:00", "version": "Twinlens 1", "commit": "abc", "machine": MACHINE}


def result(name: str, others: float = 0.0, **more: Any) -> Result:
    """Make a result of a toy data set."""
    files = {"base": File(shape=(30, 4), dtype="float32", sha256="", photographs=3)}
    facts = DataSetFacts(name="toys", title="Toys", version=1, packages=("toys 1",), files=files)
    figures = {"data": {"queries": 7}, "results": [{"seeds": [0, 1]}], **more}
    about = "Toys: 30 x 4 from 3 photographs"
    return Result(name, (facts,), about, figures, "quick", "text", 60.0, others, MADE)


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    """Return the results that are kept."""
    return kept_results(ROOT / FILES / RESULTS)


@pytest.fixture(scope="module")
def kept_pages(results: dict[str, Result]) -> tuple[dict[str, str], dict[str, Figure]]:
    """Return the pages and figures of the results that are kept."""
    return pages(SECTIONS, results)


def test_of_what_cannot_be_told_it_is_said_what_it_takes(results: dict[str, Result]) -> None:
    found = [claim for make in PAPERS.values() for claim in make() if all(one in results for one in claim.sources)]
    assert not [
        claim.text
        for claim in found
        if (judgement := claim.judged(*(results[one] for one in claim.sources)))
        and judgement.verdict is ClaimVerdict.CANNOT_TELL
        and not takes(claim.text, claim.timed)
    ]


def test_of_a_set_with_a_part_the_part_is_told() -> None:
    files = {name: File(shape=(rows, 4), dtype="float32", sha256="") for name, rows in (("base", 30), ("part", 5))}
    sift = DataSetFacts(name="sift", title="SIFT", version=1, packages=(), files=files)
    every = sift.model_copy(update={"title": "All SIFT", "files": {"base": files["base"]}})
    assert lines_of([sift, every]) == "SIFT: 5 x 4; All SIFT: 30 x 4"


def figure(points: int = 3) -> Figure:
    """Make a figure."""
    x = [float(one) for one in range(points)]
    return Figure("curve", "A curve", "It rises.", Axis("x"), Axis("y"), (Series("one", x, x, marked=True),))


def section(show: Sequence[Block], sources: Sequence[str] = ("one",)) -> PageSection:
    """Make a section of one item, which shows something whatever is measured."""

    def shown(results: Results) -> Sequence[Block]:
        assert set(sources) <= set(results)
        return show

    items = (Item("Table 1", "toys", "0.5", sources, shown),)
    main = {"toys are many": "many"}
    return PageSection("toys", "Toys", "Somebody, 2000.", "An intro.", items, "", "Toys.", main, ("curve",))


def page(sections: Sequence[PageSection], results: Results) -> tuple[str, dict[str, Figure]]:
    """Return the page of the first section, and all figures."""
    texts, figures = pages(sections, results)
    return texts[f"{PAGES}/{sections[0].key}.md"], figures


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put claims about toys in the place of all others."""

    def judge(found: Result) -> ClaimJudgement:
        return ClaimJudgement(ClaimVerdict.CONFIRMED, f"{found.name} | 0.6", 60.0, "points")

    def fewer(found: Result) -> ClaimJudgement:
        return ClaimJudgement(ClaimVerdict.NOT_CONFIRMED, "few", -10.0, "points")

    def claims() -> list[Claim]:
        return [
            Claim("toys", "toys are seen", "one", judge, "Table 1"),
            Claim("toys", "toys are fast", "one", judge, "Table 1", timed=True),
            Claim("toys", "toys are many", "one", judge, "Table 1", case="red"),
            Claim("toys", "toys are many", "one", fewer, "Table 1", case="blue"),
            Claim("toys", "toys are elsewhere", "one", judge, "Table 9"),
            Claim("toys", "toys are not measured", "two", judge, "Table 1"),
            Claim("toys", "toys are toys", "one", judge, "Table 1", nature=Nature.CERTAIN),
            Claim("toys", "toys are ours", "one", fewer, "Table 1", nature=Nature.OWN),
        ]

    monkeypatch.setattr(writing, "PAPERS", {"toys": claims})
    monkeypatch.setitem(STAND_INS, "toys", {"toys": "Toys1M"})
    monkeypatch.setitem(AUTHORS, "toys", "Somebody")
    monkeypatch.setattr(writing, "text_of", lambda name: "text")


@pytest.mark.usefixtures("toys")
def test_an_item_says_of_what_and_how_often_and_what_may_be_said_of_it() -> None:
    sections = [section(["Words.", PageTable(("", "here"), [("a|b", "1")], "A note."), figure()])]
    text, figures = page(sections, {"one": result("one")})
    assert "## Table 1: toys\n\n**The paper.** 0.5\n\n**Here.**\n\n- Toys: 30 x 4 from 3 photographs" in text
    assert "(in place of Toys1M); 7 queries, 2 seeds; quick size: `one`\n" in text
    assert "| a\\|b | 1 |\n\nA note." in text
    assert "![A curve. It rises.](../measured/figures/toys-curve.svg)" in text
    assert "| toys are seen | (quick) | one \\| 0.6 | **confirmed** |" in text
    assert "| toys are fast (by the clock) | (quick) | one \\| 0.6 | **confirmed** |" in text
    assert "| toys are many | red (quick) | one \\| 0.6 | **confirmed** |\n|  | blue (quick) | few | **not " in text
    assert "| toys are toys (theorem or arithmetic) | (quick) | one" in text
    assert "| toys are ours (not of the paper) | (quick) | few" in text
    assert "## Other claims\n\n| Claim | of | Measured | Verdict |\n| :-- | :-- | :-- | :-- |\n| toys are else" in text
    assert "not measured |" not in text
    assert "**In short.** 4 claims, judged in 5 cases: 4 confirmed, 0 cannot tell, 1 not confirmed.\n" in text
    assert "\n- *Confirmed:* toys are seen: +60.0 points; toys are fast: +60.0 points; toys are elsewhere" in text
    mixed = "toys are many: 1 confirmed (red: +60.0 points), 1 not (blue: -10.0 points)"
    assert f"\n- *Mixed:* {mixed}.\n" in text
    assert "\n- *Theorems and arithmetic, not counted:* toys are toys: 1 confirmed (+60.0 points).\n" in text
    assert "\n- *Not of the paper, not counted:* toys are ours: 1 not (-10.0 points).\n" in text
    assert list(figures) == ["toys-curve.svg"]


@pytest.mark.usefixtures("toys")
def test_the_front_says_whether_the_promise_holds_and_the_last_page_how_verdicts_are_read() -> None:
    texts, _ = pages([section([figure()])], {"one": result("one")})
    front, reading = texts[PAGE], texts[f"{PAGES}/{READING}"]
    assert "| [Toys](#toys) | Toys. | **holds in part** | many: 1 of 2, -10.0 to +60.0 points |" in front
    assert "![A curve. It rises.](science/papers/measured/figures/toys-curve.svg)" in front
    assert "\n- *Confirmed:* toys are seen: +60.0 points;" in front
    assert "[Toys](science/papers/pages/toys.md)" in front
    assert "| Claim |" not in front
    assert "| all | 4 | 0 | 1 | 1 of 1 | 0 of 1 |" in reading
    assert "| Toys (`toys`) | Toys1M (Somebody) | 30 x 4 | 3 | toys 1 |" in reading
    assert "some, 2 cores, Linux; Python 3; Twinlens 1; 2026-01-02; 1 minute of measuring" in reading


@pytest.mark.usefixtures("toys")
def test_a_clock_is_not_believed_where_others_worked() -> None:
    quiet, _ = page([section([])], {"one": result("one", others=QUIET)})
    assert "| toys are fast (by the clock) | (quick) | one \\| 0.6 | **confirmed** |" in quiet
    busy, _ = page([section([])], {"one": result("one", others=0.8)})
    words = "one \\| 0.6; not believed: other programs used 0.8 cores meanwhile"
    takes = "to decide it takes a machine that nothing else uses"
    assert f"| toys are fast (by the clock) | (quick) | {words} | **cannot tell**; {takes} |" in busy
    assert "| toys are seen | (quick) | one \\| 0.6 | **confirmed** |" in busy
    assert "*Cannot be told here:* toys are fast." in busy


@pytest.mark.usefixtures("toys")
def test_data_are_told_once_in_a_section() -> None:
    items = tuple(Item(f"Table {number}", "toys", "", ("one",), lambda _: []) for number in (1, 2))
    text, _ = page([PageSection("toys", "Toys", "", "", items)], {"one": result("one")})
    assert text.count("- Toys: 30 x 4 from 3 photographs") == 1
    assert "## Table 2: toys\n\n**Here.** Data as above: `one`." in text


@pytest.mark.usefixtures("toys")
def test_what_is_not_measured_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    text, figures = page([section([figure()], ("one", "two"))], {"one": result("one")})
    assert "**Here.** Not measured yet: `two`." in text
    assert not figures
    assert "run it again" not in text
    monkeypatch.setattr(writing, "text_of", lambda name: "another text")
    assert (
        "`one` (*its file has been changed since it was measured: run it again*)"
        in page([section([])], {"one": result("one")})[0]
    )


def test_an_experiment_that_was_changed_shows_what_it_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"method": "lsh:bits=8", "search": "scan", "bits": 8, "seeds": [0], "recall": {"1": 0.25}, "map": 0.5,
           "looked_at": 9.0, "of": 30}  # fmt: skip

    def show(results: Results) -> Sequence[Block]:
        return [str(results["one"].method("lsh:bits=16"))]

    def judge(found: Result) -> ClaimJudgement:
        return ClaimJudgement(ClaimVerdict.CONFIRMED, str(found.method("lsh:bits=16")))

    monkeypatch.setattr(writing, "PAPERS", {"toys": lambda: [Claim("toys", "toys", "one", judge, "Table 1")]})
    monkeypatch.setattr(writing, "text_of", lambda name: "text")
    item = Item("Table 1", "toys", "", ("one",), show)
    text, _ = page([PageSection("toys", "Toys", "", "", (item,))], {"one": result("one", results=[row])})
    assert f"{CHANGED}\n\n| `one` | recall@1 | map | bits | looked at |" in text
    assert "| `lsh:bits=8` | 0.250 | 0.500 | 8 | 9 of 30 |" in text
    assert "Verdict |" not in text


@pytest.mark.usefixtures("toys")
def test_the_page_is_written_with_its_figures_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / FILES / FIGURES
    there.mkdir(parents=True)
    (there / "old.svg").write_text("<svg/>", "utf-8")
    write(tmp_path, [section([figure()])], {"one": result("one")})
    assert [file.name for file in there.iterdir()] == ["toys-curve.svg"]
    first = (there / "toys-curve.svg").read_bytes()
    write(tmp_path, [section([figure()])], {"one": result("one")})
    assert (there / "toys-curve.svg").read_bytes() == first
    monkeypatch.setattr(writing, "LARGEST", len(first) - 1)
    with pytest.raises(ValueError, match="draw fewer points"):
        write(tmp_path, [section([figure()])], {"one": result("one")})
    with pytest.raises(ValueError, match="Two figures"):
        page([section([figure(), figure()])], {"one": result("one")})


def test_a_claim_is_only_as_sure_as_its_cases() -> None:
    def case(name: str, verdict: ClaimVerdict, effect: float) -> tuple[Claim, ClaimJudgement]:
        judgement = ClaimJudgement(verdict, "", effect, "points")
        return Claim("toys", "they float", "one", lambda _: judgement, case=name), judgement

    sure, open_, against, none = (case(one.value, one, 5.0 * place) for place, one in enumerate(ClaimVerdict))
    assert "*Confirmed:* they float: +0.0 points." in findings([sure, sure])
    assert "*Confirmed in part:* they float (confirmed): +0.0 points." in findings([sure, open_])
    assert "*Cannot be told here:* they float: +5.0 points." in findings([open_])
    assert "*Not confirmed:* they float: +10.0 points." in findings([against, none, against])
    assert decisive([sure, none, open_, against]) == "1 of 2, +0.0 to +10.0 points (1 undecided)"
    many = findings([sure, sure, sure, none, open_, against])
    assert (
        "*Mixed:* they float: 3 confirmed (+0.0 points), 1 cannot tell (cannot tell), 1 not (not confirmed: +10" in many
    )


def test_the_front_begins_with_what_was_found_and_is_read_soon(
    results: dict[str, Result], kept_pages: tuple[dict[str, str], dict[str, Figure]]
) -> None:
    texts, figures = kept_pages
    front = texts[PAGE]
    places = [front.index(words) for words in ("| paper |", "## What should I use today?", "## Kernelized", "## Run")]
    assert places == sorted(places)
    assert len(front.split()) <= 6_000
    vectors, others = answers(results)
    assert isinstance(vectors, PageTable)
    assert [len(row) for row in vectors.rows] == [5, 5, 5]
    assert isinstance(others, str)
    assert others.count("- **") == 5
    assert answers({}) == []
    for section in SECTIONS:
        assert {f"{section.key}-{name}.svg" for name in section.front} <= set(figures)
        texts_of_claims = {claim.text for claim in PAPERS[section.key]()}
        assert set(section.main) <= texts_of_claims
        assert bool(section.main) == bool(section.promise) == bool(section.citation)


def test_every_link_leads_somewhere(kept_pages: tuple[dict[str, str], dict[str, Figure]]) -> None:
    texts, figures = kept_pages
    there = {(ROOT / name).resolve() for name in texts} | {(ROOT / FILES / FIGURES / name) for name in figures}
    for name, text in texts.items():
        heads = {
            re.sub("[^a-zà-ÿ0-9 -]", "", head.lower()).replace(" ", "-") for head in re.findall("^#+ (.*)", text, re.M)
        }
        for link in re.findall(r"\]\(([^)]+)\)", text):
            if link.startswith("#"):
                assert link[1:] in heads, link
            elif not link.startswith("http"):
                assert ((ROOT / name).parent / link).resolve() in there, f"{link} in {name}"


def test_a_study_tells_what_it_searched_where_its_cases_agree() -> None:
    cases = {name: {"searched": 600, "asked": asked, "classes": 40} for name, asked in (("a", 7), ("b", 8))}
    figures = {**cases}
    words = writing.of_what([Result("one", (), "Toys: 30 x 4", figures)], {}, set())
    assert "; 600 searched, 40 classes: " in words


def test_a_table_needs_no_note() -> None:
    assert table(PageTable(("", "x"), [("a", "1")])) == "|  | x |\n| :-- | --: |\n| a | 1 |"


def test_the_pages_that_are_kept_are_those_of_the_kept_results(
    kept_pages: tuple[dict[str, str], dict[str, Figure]],
) -> None:
    texts, figures = kept_pages
    for name, text in texts.items():
        assert (ROOT / name).read_text("utf-8") == text, "write it anew by `python3 run.py papers --page`"
        assert CHANGED not in text
    assert {file.name for file in (ROOT / PAGES).iterdir()} == {Path(name).name for name in texts if name != PAGE}
    files = {file.name: file for file in (ROOT / FILES / FIGURES).iterdir()}
    assert set(files) == set(figures)
    assert all(file.stat().st_size <= LARGEST for file in files.values())


def test_what_is_kept_says_nothing_of_where_it_was_made() -> None:
    pathlike = re.compile(r"(?<![\w`(/])/(home|root|tmp|work|usr|var|mnt)\b")
    for file in (ROOT / PAGE, *(ROOT / PAGES).iterdir(), *(ROOT / FILES).rglob("*.*")):
        text = file.read_text("utf-8")
        assert not pathlike.search(text), file.name
        assert not re.search(r"Linux-\d", text), f"{file.name} names a build of the kernel"


def test_no_stand_in_goes_by_the_name_of_what_it_stands_for() -> None:
    titles = {one.name: one.title.lower() for one in DATA_SETS}
    for paper, sets in STAND_INS.items():
        for name, taken in sets.items():
            own = taken.lower()
            assert own not in {name, titles[name], *re.split(r"[,(]", titles[name])}
            assert name not in OWN.get(paper, ())


def test_every_set_of_a_paper_is_its_own_or_stands_in_for_one_that_is_named(results: dict[str, Result]) -> None:
    for section in SECTIONS:
        if section.key not in STAND_INS:
            continue
        known = {*STAND_INS[section.key], *OWN.get(section.key, ())}
        for source in (source for item in section.items for source in item.sources if source in results):
            assert {one.name for one in results[source].sets} <= known, source


def test_a_papers_numbers_stand_beside_its_own_data_alone() -> None:
    text = (ROOT / PAGES / "bc.md").read_text("utf-8")
    table_iii = text.partition("## Table III")[2].partition("\n## ")[0]
    heads = [line for line, below in pairwise(table_iii.splitlines()) if below.startswith("| :--")]
    assert [head for head in heads if "paper" in head and "here" in head] == [heads[0]]
    assert "DNA" in heads[0]


def test_a_row_is_of_one_table_alone(results: dict[str, Result]) -> None:
    bounds, buckets = results["bc-bounds"], results["bc-buckets"]
    for searched, filled in ((None, True), (7, False)):
        figures = {name: {**one, "searched": searched or buckets.figures[name]["searched"]}
                   for name, one in bounds.figures.items()}  # fmt: skip
        blocks = table_iii({**results, "bc-bounds": replace(bounds, figures=figures)})
        compared, times = (one for one in blocks[2:4] if isinstance(one, PageTable))
        assert {bool(row[1]) for row in (*compared.rows, *times.rows)} == {filled}
        assert ("another number of items, Digits (7)" in compared.note) is not filled
        assert all(row[0].endswith(f", {buckets.figures[name]['searched']:,}")
                   for name, row in zip(buckets.figures, compared.rows, strict=True))  # fmt: skip


def test_every_claim_can_be_judged_from_kept_results(results: dict[str, Result]) -> None:
    as_measured = {name for name, result in results.items() if not writing.changed(result)}
    for make in PAPERS.values():
        for claim in make():
            if as_measured.issuperset(claim.sources):
                judged = claim.judge(*(results[source] for source in claim.sources))
                assert judged.numbers, claim.text
