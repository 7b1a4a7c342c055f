"""Writing of the pages: a front page and one for each section in Markdown, with figures as SVG beside them.

The front page says whether each paper's promise holds, what to use today, and the findings in a few words. The last
page says how verdicts are read, on what data and machine, and how to repeat or change the experiments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from science.papers.claims import PAPERS
from science.papers.data_set import STAND_INS, DataSetFacts, in_place_of, lines_of
from science.papers.page.judged_claims import (
    Judged,
    by_text,
    claims_table,
    counted,
    decisive,
    findings,
    judged,
    of_nature,
)
from science.papers.page.section import Block, Item, PageSection, PageTable, Results, cell, generic, table
from science.papers.result import Result
from science.papers.running import code_of, experiment_names, text_of
from science.papers.sections.beyond import answers
from science.papers.size import FULL, QUICK
from science.papers.verdict import COUNTED, FAR, QUIET, ClaimVerdict, Nature
from twinlens.app.lab.figures.drawing import draw_figure
from twinlens.app.lab.figures.figure import Figure

PAGE = "PAPERS.md"
FILES = "science/papers/measured"
"""The folder of what was measured, seen from the front page."""

FIGURES = "figures"
COUNTS = {"searched": "searched", "asked": "asked", "classes": "classes", "queries": "queries", "seeds": "draws"}
"""Counts of studies, with their words."""

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
    """Return the blocks of an item; bare results if methods or cases that it needs were removed."""
    try:
        return list(item.show(results))
    except KeyError:
        return generic([results[name] for name in item.sources if name in results])


def of_what(results: Sequence[Result], stand_ins: Mapping[str, str], told: set[str]) -> str:
    """Return the data and the repetitions of results; results on the same data stand together.

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
    """Return the counts of a study that are equal in each of its cases."""
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
    """Return whether the measured experiment differs from its present file."""
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
    found : dict of str to sequence of Judged
        The claims of each section.
    answers : sequence of str and PageTable
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
    """Say whether a promise holds, by the decided cases of the claims that it stands and falls by."""
    count = counted(cases)
    if count[ClaimVerdict.CONFIRMED] and count[ClaimVerdict.NOT_CONFIRMED]:
        return "holds in part"
    if count[ClaimVerdict.CONFIRMED]:
        return "holds as far as it can be told" if count[ClaimVerdict.CANNOT_TELL] else "holds"
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
    head = [
        "| paper | its promise | holds? | in how many of the decided cases, and by how much |",
        "| :-- | :-- | :-- | :-- |",
    ]
    return "\n".join([*head, *rows]) if rows else ""


def _paper_section(section: PageSection, found: Sequence[Judged], shown: Sequence[str]) -> str:
    told = findings(found) if section.citation else _own(found)
    more = f"All tables, figures and claims: [{section.title}]({PAGES}/{section.key}.md)."
    cited = f"*{section.citation}*" if section.citation else ""
    parts = [f"## {section.title}", cited, section.intro, told, "\n".join(shown), section.outro, more]
    return "\n\n".join(part.strip() for part in parts if part)


def _own(found: Sequence[Judged]) -> str:
    own = of_nature(found, Nature.OWN)
    count = counted(own)
    return f"{count[ClaimVerdict.CONFIRMED]} of {count.total()} claims are confirmed." if count else ""


def _anchor(title: str) -> str:
    return "".join(one for one in title.lower() if one.isalnum() or one in " -").replace(" ", "-")


SIZES = {
    QUICK.name: f"**quick** size (parts of the data, at most {QUICK.queries} queries and {QUICK.seeds} seeds)",
    FULL.name: "**full** size (what their files say)",
}
BACK = "[Five papers, repeated on open data](../../../PAPERS.md)"
BESIDE = (Nature.CERTAIN, Nature.OWN)
"""Natures whose verdicts are not counted."""

_SUMMARY = """\
Counted are the papers' claims that measuring can refute, in each of their cases; an undecided case counts neither \
for a paper nor against it. Apart from them stands how many are borne out of what is a theorem or arithmetic, true or \
false, and of what this program claims beside the papers."""

_READING = f"""\
A claim is what a paper says, in words that can hold beyond its own data, with the \
tolerance that “as good as” is given here. What is measured is a difference, with its 95 % interval in brackets \
(Student's t over seeds or partitions; over queries and seeds where it was measured pair by pair). “±” is the standard \
deviation of single runs.

- *Comparable, as good*: in any paper, what is lost is at most a tenth of what the other is above chance. *Level, \
nothing changes*: the two differ by at most a twentieth of that. Chance finds the share of right items (mean average \
precision), the commonest class or one of the classes (rates), and next to nothing (recall).
- *Confirmed*: the whole interval lies where the claim says. That no difference was found confirms nothing: two things \
are the same only where their difference surely lies within the tolerance.
- *Not confirmed*: the whole interval lies elsewhere; where a claim is of several differences, an interval as much \
wider as there are chances to find one. That one is *better* is not confirmed either where the two may be the same and \
surely no more than a twentieth (as for *level*) is gained.
- *Cannot tell*: neither.
- *No case*: the claim says nothing of these data, however often they are measured: always guessing does as well, \
both ways find all, a bound has nothing to spare, or a false bound happens to hold. It is shown, and not counted.
- *By the clock*: believed where other programs used at most {QUIET:g} cores meanwhile, or where a thread's processor \
times are apart by {FAR:g} times more than the claim needs (a claim that one is twice as fast: {2 * FAR:g} times); \
else it cannot tell.
- **None of the papers' collections of photographs can be had as a package.** What stands in for one is named by what \
it is, and numbers of a paper and of this page are not to be compared unless the data are the paper's own: how large \
an effect was there is told, but not judged."""


def reading(sections: Sequence[PageSection], found: Mapping[str, Sequence[Judged]], results: Results) -> str:
    """Write how verdicts are read, how many there are, what the results are of, and where they were measured."""
    parts = [
        "# How to read the verdicts; data and machine",
        BACK,
        _READING,
        _summary(sections, found),
        _SUMMARY,
        _sizes(sections, results),
        "## Data and machine",
        _data(results),
        _machine(results),
    ]
    return "\n\n".join(part for part in parts if part)


def how_to(results: Results) -> str:
    """Write how all of it is run again, and changed."""
    return f"""\
## Run it again, change a line

    python3 run.py papers                  # everything: about {_hours(results)}; this page is written anew
    python3 run.py papers --quick          # parts of the data, few seeds: minutes
    python3 run.py papers ykc jqk-sift-bits   # one paper, one experiment
    python3 run.py papers --page           # only write this page again, from the kept results

Data are fetched by package name (Debian, PyPI) into the cache folder and checked each time. Every method, search \
structure and seed is a step that is kept the moment it is measured, under a key of its declaration, its data and the \
version of its code. Ctrl-Z pauses where no clock runs and `fg` goes on; Ctrl-C stops, and the same command goes on \
where it stopped. `--again` measures anew.

To try something else, change one line of a file in `science/papers/experiments` and run it by its name. For example, \
in `ykc-sift.toml` write

    methods = ["itq:bits=64,subspace={{pca,nystrom-uniform,random}}", "lsh:bits=64"]

and run `python3 run.py papers ykc-sift`: what is the same as before is not measured again. More seeds in its line \
`seeds` decide what is undecided for their number. The same file runs with \
`twinlens bench` and in the Lab of the window, once its data are there. `twinlens methods` lists every method with its \
parameters. What is no run of `bench` is a study in `science/papers/studies`; what is claimed and how it is judged \
stands in `science/papers/claims`, what is shown in `science/papers/sections`."""


def _summary(sections: Sequence[PageSection], found: Mapping[str, Sequence[Judged]]) -> str:
    """Count verdicts of what measuring can refute; beside them, how much is borne out of what is not a paper's risk."""
    head = ["", *(verdict.value for verdict in COUNTED), *(f"*{nature.value}*" for nature in BESIDE)]
    rows = ["| " + " | ".join(head) + " |", "| :-- |" + " --: |" * (len(head) - 1)]
    rows += [
        _counts(f"[{section.title}]({section.key}.md)", found[section.key])
        for section in sections
        if found[section.key]
    ]
    rows.append(_counts("all", [one for section in sections for one in found[section.key]]))
    return "\n".join(rows)


def _counts(name: str, found: Sequence[Judged]) -> str:
    count = counted(of_nature(found, Nature.MEASURED))
    cells = [str(count[verdict]) if count else "" for verdict in COUNTED]
    for nature in BESIDE:
        own = counted(of_nature(found, nature))
        cells.append(f"{own[ClaimVerdict.CONFIRMED]} of {own.total()}" if own else "")
    return "| " + " | ".join([name, *cells]) + " |"


def _sizes(sections: Sequence[PageSection], results: Results) -> str:
    count = Counter(result.size for result in results.values())
    if not count:
        return ""
    sizes = ", ".join(f"{number} at {SIZES[name]}" for name, number in count.most_common())
    wanted = {source for section in sections for item in section.items for source in item.sources}
    lacking = sorted(wanted - set(results))
    every = wanted | set(results)
    told = f"**Sizes.** Of {len(every)} experiments and studies are measured: {sizes}."
    if lacking:
        told += f" Not yet: {', '.join(f'`{one}`' for one in lacking)}."
    return f"{told} Together they took {_hours(results)}."


def _hours(results: Results) -> str:
    """Say how long measuring took."""
    spent = sum(one.seconds for one in results.values())
    return f"{spent / 3600:.1f} hours" if spent >= 3600 else _minutes(spent)


def _machine(results: Results) -> str:
    made = [result.made for result in results.values() if result.made]
    if not made:
        return ""
    machines = dict.fromkeys(_told(one["machine"]) for one in made)
    versions = dict.fromkeys(one["version"].partition(" · ")[0] for one in made)
    dates = sorted(one["date"][:10] for one in made)
    when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    spent = sum(result.seconds for result in results.values())
    busy = sum(result.seconds * result.others for result in results.values()) / max(spent, 1e-9)
    return (
        f"**Machine.** {'; '.join(machines)}; {', '.join(versions)}; {when}; {_minutes(spent)} of measuring, "
        f"while other programs used {busy:.1f} cores on average."
    )


def _minutes(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes:,} minute{'s' if minutes > 1 else ''}"


def _told(machine: Mapping[str, Any]) -> str:
    packages = {name: version for name, version in machine["versions"].items() if version != "not installed"}
    python = packages.pop("python", "")
    listed = ", ".join([f"Python {python}", *(f"{name} {version}" for name, version in packages.items())])
    return f"{machine['processor']}, {machine['processors']} cores, {machine['system']}; {listed}"


def _data(results: Results) -> str:
    """Tell of every data set once: of its last version, the largest that was used."""
    sets: dict[str, DataSetFacts] = {}
    for result in results.values():
        for one in result.sets:
            sets[one.name] = max(sets.get(one.name, one), one, key=lambda facts: (facts.version, _items(facts)))
    rows = [_row(sets[name]) for name in sorted(sets)]
    return table(PageTable(("what it is", "in place of", "items x numbers", "source photographs", "packages"), rows))


def _items(facts: DataSetFacts) -> int:
    return facts.files["base"].shape[0]


def _row(facts: DataSetFacts) -> tuple[str, ...]:
    base, queries = facts.files["base"], facts.files.get("queries")
    items = f"{base.shape[0]:,} x {int(np.prod(base.shape[1:])):,}"
    part = facts.files.get("part", base)
    if part.shape[0] < base.shape[0]:
        items += f" (most read a part of {part.shape[0]:,})"
    photographs = f"{base.photographs:,}" if base.photographs else ""
    if queries is not None:
        items += f", and {queries.shape[0]:,} that ask"
        photographs += f", and {queries.photographs:,} others that ask" if queries.photographs else ""
    named = f"{facts.title} (`{facts.name}`)"
    return named, in_place_of(facts.name) or "none", items, photographs or "none", ", ".join(facts.packages)
