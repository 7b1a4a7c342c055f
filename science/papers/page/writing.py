"""Writing the pages: a front page and one for each section in Markdown, the figures as SVG beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from app.lab.figures.drawing import draw_figure
from app.lab.figures.figure import Figure
from science.papers.claims import PAPERS
from science.papers.data_set import lines_of
from science.papers.keeping import code_of
from science.papers.page.claims import Judged, claims_table, judged
from science.papers.page.findings import findings
from science.papers.page.frame import BACK, how_to, reading
from science.papers.page.front import PAGES, READING, front
from science.papers.page.generic import generic
from science.papers.page.section import Block, Item, PageSection, PageTable, Results
from science.papers.page.tables import table
from science.papers.result import Result
from science.papers.running import experiment_names, text_of
from science.papers.sections.answers import answers
from science.papers.size import FULL
from science.papers.stand_ins import STAND_INS

PAGE = "PAPERS.md"
FILES = "science/papers/measured"
"""The folder of what was measured, seen from the front page."""

FIGURES = "figures"
COUNTS = {"searched": "searched", "asked": "asked", "classes": "classes", "queries": "queries", "seeds": "draws"}
"""What studies count, and what it is called."""

LARGEST = 100_000
"""Bytes of a figure."""


def write(folder: Path, sections: Sequence[PageSection], results: Results) -> Path:
    """Write the pages and their figures; what is no longer among them is removed.

    Raises
    ------
    ValueError
        If a figure is too large to be kept with the pages.
    """
    texts, figures = pages(sections, results)
    drawn = {name: draw_figure(figure, "svg") for name, figure in figures.items()}
    for name, content in drawn.items():
        if len(content) > LARGEST:
            raise ValueError(f"The figure {name} has {len(content):,} bytes, more than {LARGEST:,}: draw fewer points.")
    files = {f"{FILES}/{FIGURES}/{name}": content for name, content in drawn.items()}
    files |= {name: text.encode() for name, text in texts.items()}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    for file in (*(folder / FILES / FIGURES).glob("*.svg"), *(folder / PAGES).glob("*.md")):
        if file.relative_to(folder).as_posix() not in files:
            file.unlink()
    return folder / PAGE


def pages(sections: Sequence[PageSection], results: Results) -> tuple[dict[str, str], dict[str, Figure]]:
    """Return the texts of the front page and of each paper's, and the figures, by the names of their files."""
    figures: dict[str, Figure] = {}
    found = {
        section.key: judged(PAPERS[section.key]() if section.key in PAPERS else (), results) for section in sections
    }
    texts = {
        f"{PAGES}/{section.key}.md": _section(section, found[section.key], results, figures) for section in sections
    }
    texts[f"{PAGES}/{READING}"] = reading(sections, found, results) + "\n"
    shown = {
        section.key: [
            _picture(figures[file], file, FILES)
            for name in section.front
            if (file := f"{section.key}-{name}.svg") in figures
        ]
        for section in sections
    }
    return {PAGE: front(sections, found, answers(results), shown, how_to(results)), **texts}, figures


def _section(section: PageSection, found: Sequence[Judged], results: Results, figures: dict[str, Figure]) -> str:
    of_a_paper = bool(section.citation)
    parts = [f"# {section.title}", section.citation and f"*{section.citation}*", BACK, section.intro]
    if of_a_paper:
        parts.append(findings(found))
    told: set[str] = set()
    for item in section.items:
        own = [one for one in found if one[0].item == item.what]
        parts.append(_item(section, item, own, results, figures, told))
    named = {item.what for item in section.items}
    if rest := [one for one in found if one[0].item not in named]:
        parts.append("## Other claims")
        parts.append(claims_table(rest, results, of_a_paper))
    parts.append(section.outro)
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def _item(
    section: PageSection,
    item: Item,
    found: Sequence[Judged],
    results: Results,
    figures: dict[str, Figure],
    told: set[str],
) -> str:
    parts = [f"## {item.what}: {item.title}", item.reports and f"**The paper.** {item.reports}"]
    sources = dict.fromkeys((*item.sources, *(source for claim, _ in found for source in claim.sources)))
    there = [results[name] for name in sources if name in results]
    lacking = [f"`{name}`" for name in item.sources if name not in results]
    if lacking:
        parts.append(f"**Here.** Not measured yet: {', '.join(lacking)}.")
    if there:
        words = of_what(there, STAND_INS.get(section.key, {}), told)
        here = "**Here.**\n\n" if words.startswith("-") else "**Here.** "
        parts.append(words if lacking else here + words)
    if there and (item.partly or not lacking):
        parts.append(_blocks(section.key, _shown(item, results), figures))
    if found:
        parts.append(claims_table(found, results, bool(section.citation)))
    return "\n\n".join(part for part in parts if part)


def _blocks(key: str, blocks: Iterable[Block], figures: dict[str, Figure]) -> str:
    """Write blocks; figures that follow each other stand together."""
    text = ""
    before_it: Block = ""
    for block in blocks:
        both = isinstance(block, Figure) and isinstance(before_it, Figure)
        text += ("\n" if both else "\n\n") + _block(key, block, figures)
        before_it = block
    return text.strip()


def _shown(item: Item, results: Results) -> Sequence[Block]:
    """Return what an item shows; where methods or cases were taken out of what it is made of, what there is."""
    try:
        return list(item.show(results))
    except KeyError:
        return generic([results[name] for name in item.sources if name in results])


def of_what(results: Sequence[Result], stand_ins: Mapping[str, str], told: set[str]) -> str:
    """Say of what data and how often things were measured; those of the same data stand together.

    What a section has told already, it does not tell again; ``told`` grows.
    """
    together: dict[str, list[str]] = {}
    for result in results:
        words = f"`{result.name}`"
        if changed(result):
            words += " (*its file has been changed since it was measured: run it again*)"
        together.setdefault(_circumstances(result, stand_ins), []).append(words)
    lines = [f"- {words}: {', '.join(names)}" for words, names in together.items() if words not in told]
    again = [name for words, names in together.items() if words in told for name in names]
    told |= set(together)
    if not lines:
        return f"Data as above: {', '.join(again)}."
    return "\n".join([*lines, *([f"- Data as above: {', '.join(again)}"] if again else [])])


def _circumstances(result: Result, stand_ins: Mapping[str, str]) -> str:
    stands = ", ".join(dict.fromkeys(stand_ins[one.name] for one in result.sets if one.name in stand_ins))
    about = result.about if "data" in result.figures else lines_of(result.sets)
    words = about + (f" (in place of {stands})" if stands else "")
    data = result.figures.get("data")
    if isinstance(data, dict) and "queries" in data:
        words += f"; {data['queries']:,} queries"
    if count := result.seeds:
        words += f", {count} seed{'s' if count > 1 else ''}"
    words = f"{words}{_of_all_cases(result)}" or "no data set: what is asked is computed"
    return words if result.size == FULL.name else f"{words}; {result.size} size"


def _of_all_cases(result: Result) -> str:
    """Say how much a study has searched and asked, where that is the same in each of its cases."""
    if "data" in result.figures:
        return ""
    cases = [one for one in result.figures.values() if isinstance(one, dict)]
    told = []
    for name, words in COUNTS.items():
        found = {one.get(name) for one in cases}
        if len(found) == 1 and isinstance(count := next(iter(found)), int):
            told.append(f"{count:,} {words}")
    return f"; {', '.join(told)}" if told else ""


def changed(result: Result) -> bool:
    """Return whether what is measured is another thing now."""
    try:
        kept = result.text if result.name in experiment_names() else code_of(result.text)
        return text_of(result.name) != kept
    except (SyntaxError, ImportError, OSError):
        return True


def _block(key: str, block: Block, figures: dict[str, Figure]) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, PageTable):
        return table(block)
    name = f"{key}-{block.name}.svg"
    if name in figures:
        raise ValueError(f"Two figures of {key} are called {block.name}.")
    figures[name] = block
    return _picture(block, name, "../measured")


def _picture(figure: Figure, file: str, beside: str) -> str:
    words = f"{figure.title}. {figure.reading}".replace("[", "(").replace("]", ")")
    return f"![{words}]({beside}/{FIGURES}/{file})"
