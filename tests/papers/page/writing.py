"""Writing the page: every section in Markdown, its figures as SVG beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.lab.drawing import draw
from app.lab.figure import Figure
from tests.papers.busy import QUIET
from tests.papers.claims import PAPERS
from tests.papers.page.frame import before, how_to
from tests.papers.page.generic import generic
from tests.papers.page.section import Block, Item, Results, Section, Table
from tests.papers.page.tables import cell, table
from tests.papers.result import Result
from tests.papers.running import text_of
from tests.papers.verdict import Claim, Judgement, Verdict

PAGE = "PAPERS.md"
FILES = "tests/papers/measured"
"""The folder beside the page."""

FIGURES = "figures"
LARGEST = 100_000
"""Bytes of a figure."""

Judged = tuple[Claim, Judgement]


def write(folder: Path, sections: Sequence[Section], results: Results) -> Path:
    """Write the page and its figures; figures that are no longer on it are removed.

    Raises
    ------
    ValueError
        If a figure is too large to be kept with the page.
    """
    text, figures = page(sections, results)
    there = folder / FILES / FIGURES
    there.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        drawn = draw(figure, "svg")
        if len(drawn) > LARGEST:
            raise ValueError(f"The figure {name} has {len(drawn):,} bytes, more than {LARGEST:,}: draw fewer points.")
        (there / name).write_bytes(drawn)
    for file in there.glob("*.svg"):
        if file.name not in figures:
            file.unlink()
    file = folder / PAGE
    file.write_text(text, "utf-8")
    return file


def page(sections: Sequence[Section], results: Results) -> tuple[str, dict[str, Figure]]:
    """Give the text of the page, which ends with the last section, and its figures by the names of their files."""
    figures: dict[str, Figure] = {}
    judged = {section.key: judge(section.key, results) for section in sections}
    parts = [before(sections, {key: counted(found) for key, found in judged.items()}, results)]
    written = [_section(section, judged[section.key], results, figures) for section in sections]
    parts += [*written[:-1], how_to(), *written[-1:]]
    return "\n\n".join(part.strip() for part in parts) + "\n", figures


def judge(paper: str, results: Results) -> list[Judged]:
    """Judge the claims of a paper whose source is there, and still measures what they are judged by."""
    claims = PAPERS[paper]() if paper in PAPERS else []
    there = [(claim, claim.judged(results[claim.source])) for claim in claims if claim.source in results]
    return [(claim, judgement) for claim, judgement in there if judgement is not None]


def counted(judged: Iterable[Judged]) -> Counter[Verdict]:
    """Count verdicts."""
    return Counter(judgement.verdict for _, judgement in judged)


def _section(section: Section, judged: Sequence[Judged], results: Results, figures: dict[str, Figure]) -> str:
    parts = [f"## {section.title}", section.citation and f"*{section.citation}*", section.intro]
    for item in section.items:
        own = [one for one in judged if one[0].item == item.what]
        parts.append(_item(section.key, item, own, results, figures))
    named = {item.what for item in section.items}
    if rest := [one for one in judged if one[0].item not in named]:
        parts.append("### Other claims")
        parts.append(claims_table(rest, results))
    parts.append(section.outro)
    return "\n\n".join(part.strip() for part in parts if part)


def _item(key: str, item: Item, judged: Sequence[Judged], results: Results, figures: dict[str, Figure]) -> str:
    parts = [f"### {item.what}: {item.title}", item.reports and f"**The paper.** {item.reports}"]
    sources = dict.fromkeys((*item.sources, *(claim.source for claim, _ in judged)))
    there = [results[name] for name in sources if name in results]
    lacking = [f"`{name}`" for name in item.sources if name not in results]
    if lacking:
        parts.append(f"**Here.** Not measured yet: {', '.join(lacking)}.")
    if there:
        parts.append(of_what(there) if lacking else f"**Here.**\n\n{of_what(there)}")
    if there and (item.partly or not lacking):
        parts += [_block(key, block, figures) for block in _shown(item, results)]
    if judged:
        parts.append(claims_table(judged, results))
    return "\n\n".join(part for part in parts if part)


def _shown(item: Item, results: Results) -> Sequence[Block]:
    """Give what an item shows; where methods or cases were taken out of what it is made of, what there is."""
    try:
        return list(item.show(results))
    except KeyError:
        return generic([results[name] for name in item.sources if name in results])


def of_what(results: Sequence[Result]) -> str:
    """Say of what data and how often things were measured; those of the same data stand together."""
    together: dict[str, list[str]] = {}
    for result in results:
        words = f"`{result.name}`"
        if changed(result):
            words += " (*its file has been changed since it was measured: run it again*)"
        together.setdefault(_circumstances(result), []).append(words)
    return "\n".join(f"- {words}: {', '.join(names)}" for words, names in together.items())


def _circumstances(result: Result) -> str:
    stands = ", ".join(dict.fromkeys(one.stands_for for one in result.sets if one.stands_for))
    words = result.about + (f" (in place of {stands})" if stands else "")
    data = result.figures.get("data")
    if isinstance(data, dict) and "queries" in data:
        words += f"; {data['queries']:,} queries"
    count = max((len(one["seeds"]) for one in result.figures.get("results", ())), default=0)
    if count:
        words += f", {count} seed{'s' if count > 1 else ''}"
    return f"{words}; {result.size} size"


def changed(result: Result) -> bool:
    """Say whether what is measured is another thing now."""
    try:
        return text_of(result.name) != result.text
    except (ImportError, OSError):
        return True


def _block(key: str, block: Block, figures: dict[str, Figure]) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, Table):
        return table(block)
    name = f"{key}-{block.name}.svg"
    if name in figures:
        raise ValueError(f"Two figures of {key} are called {block.name}.")
    figures[name] = block
    words = f"{block.title}. {block.reading}".replace("[", "(").replace("]", ")")
    return f"![{words}]({FILES}/{FIGURES}/{name})"


def claims_table(judged: Sequence[Judged], results: Results) -> str:
    """Write claims, what was measured, and the verdicts; a clock is not believed without saying how busy it was."""
    rows = ["| Claim | Measured | Verdict |", "| :-- | :-- | :-- |"]
    for claim, judgement in judged:
        cells = (claim.text, judgement.numbers, told(claim, judgement, results[claim.source]))
        rows.append("| " + " | ".join(cell(one) for one in cells) + " |")
    return "\n".join(rows)


def told(claim: Claim, judgement: Judgement, result: Result) -> str:
    """Say a verdict, and of one that a clock gave, how busy the machine was."""
    words = f"**{judgement.verdict.value}**"
    if not claim.timed:
        return words
    busy = f"other programs used {result.others:.1f} cores meanwhile"
    return f"{words} (by the clock{f'; {busy}' if result.others > QUIET else ''})"
