"""The front page: whether each paper's promise holds, what to use today, and what was found in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from science.papers.page.claims import Judged, by_text, counted, of_nature
from science.papers.page.findings import decisive, findings
from science.papers.page.section import PageSection, PageTable
from science.papers.page.tables import cell, table
from science.papers.verdict import ClaimVerdict, Nature

PAGES = "science/papers/pages"
"""The folder of the papers' own pages, seen from the front page."""

READING = "reading.md"

_WHAT = f"""\
Twinlens is built on five papers. Their experiments are repeated here on data that anybody can get, and each claim is \
judged by what was measured: [how to read a verdict]({PAGES}/{READING}). None of the papers' collections of \
photographs can be had, so how large an effect was there is told, not judged. All of it is written by \
`python3 run.py papers`, never by hand."""


def front(
    sections: Sequence[PageSection],
    found: Mapping[str, Sequence[Judged]],
    answers: Sequence[str | PageTable],
    shown: Mapping[str, Sequence[str]],
    how_to: str,
) -> str:
    """Write the front page.

    Parameters
    ----------
    sections : sequence of Section
    found : dict of str to sequence of Judged
        The claims of each section.
    answers : sequence of str and Table
        What to use today.
    shown : dict of str to sequence of str
        The figures of each section, written.
    how_to : str
        How all of it is run again.
    """
    told = [one if isinstance(one, str) else table(one) for one in answers]
    parts = [
        "# Five papers, repeated on open data",
        _WHAT,
        _promises(sections, found),
        "\n\n".join(["## What should I use today?", *told]) if told else "",
        *(_paper_section(section, found[section.key], shown.get(section.key, ())) for section in sections),
        how_to,
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def holds(cases: Sequence[Judged]) -> str:
    """Say whether a promise holds, by all cases of the claims that it stands and falls by."""
    count = counted(cases)
    if count[ClaimVerdict.CONFIRMED] == len(cases):
        return "holds"
    if count[ClaimVerdict.CONFIRMED]:
        return "holds in part"
    return "does not hold" if count[ClaimVerdict.NOT_CONFIRMED] else "cannot be told"


def _promises(sections: Sequence[PageSection], found: Mapping[str, Sequence[Judged]]) -> str:
    rows = []
    for section in sections:
        own = {text: cases for text, cases in by_text(found[section.key]).items() if text in section.main}
        if own:
            all_cases = [case for cases in own.values() for case in cases]
            told = "; ".join(f"{words}: {decisive(own[text])}" for text, words in section.main.items() if text in own)
            link = f"[{section.title}](#{_anchor(section.title)})"
            rows.append(f"| {cell(link)} | {cell(section.promise)} | **{holds(all_cases)}** | {cell(told)} |")
    head = ["| paper | its promise | holds? | in how many of the cases, and by how much |", "| :-- | :-- | :-- | :-- |"]
    return "\n".join([*head, *rows]) if rows else ""


def _paper_section(section: PageSection, found: Sequence[Judged], shown: Sequence[str]) -> str:
    told = findings(found) if section.citation else _own(found)
    more = f"All tables, figures and claims: [{section.title}]({PAGES}/{section.key}.md)."
    cited = f"*{section.citation}*" if section.citation else ""
    parts = [f"## {section.title}", cited, section.intro, told, "\n".join(shown), section.outro, more]
    return "\n\n".join(part.strip() for part in parts if part)


def _own(found: Sequence[Judged]) -> str:
    own = of_nature(found, Nature.OWN)
    return f"{counted(own)[ClaimVerdict.CONFIRMED]} of {len(own)} claims are confirmed." if own else ""


def _anchor(title: str) -> str:
    return "".join(one for one in title.lower() if one.isalnum() or one in " -").replace(" ", "-")
