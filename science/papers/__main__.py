"""``python -m science.papers [NAME...]``: run experiments, keep results, judge the papers' claims, write the page.

A name is that of a paper, of an experiment (a file in ``experiments``) or of a study. Steps are kept in the user's
cache, results beside the page: whatever ends a run, the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from science.papers.claims import PAPERS
from science.papers.data_set import in_place_of
from science.papers.page.judged_claims import counted, judged
from science.papers.page.section import PageTable, generic
from science.papers.page.writing import FILES, write
from science.papers.result import RESULTS, ROOT, Result, keep, kept
from science.papers.running import RunSettings, experiment_names, run, study_names
from science.papers.sections import SECTIONS
from science.papers.sets import DATA_SETS
from science.papers.size import FULL, QUICK, Size, ready_at
from science.papers.telling import Pausing, ProgressTelling
from science.papers.verdict import Claim, ClaimJudgement
from twinlens.app.machine.app_folders import compiled_cache_folder
from twinlens.core.compilation import compilation
from twinlens.core.errors import TwinlensError


def main(arguments: list[str]) -> int:
    """Run what is named, or all, print a line for each claim, and write the page."""
    everything = (*_papers(), *experiment_names(), *study_names())
    parser = argparse.ArgumentParser(prog="run.py papers", description="Repeat the experiments of the papers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which; all unless named: {', '.join(everything)}")
    parser.add_argument("--quick", action="store_true", help="a part of the data and few seeds: minutes, not hours")
    parser.add_argument("--again", action="store_true", help="measure anew what is kept")
    parser.add_argument("--page", action="store_true", help="only write the page from kept results")
    parser.add_argument("--data", action="store_true", help="only make the data sets")
    parser.add_argument("--out", type=Path, default=ROOT, help="folder of the page, its figures and the results")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in everything]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(everything)}")
    size = QUICK if chosen.quick else FULL
    pausing = Pausing()
    pausing.listen()
    try:
        if chosen.data:
            return make_data(size)
        if not chosen.page:
            measure(sources_of(chosen.names), RunSettings(size, chosen.again), chosen.out, pausing)
        return write_page(chosen.out)
    except TwinlensError as error:
        print(f"{error.message!s} {error.advice!s}".strip(), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped; what was measured is kept, and the same command goes on there.", file=sys.stderr)
        return 130


def make_data(size: Size) -> int:
    """Make every data set, and say what it is."""
    for data_set in DATA_SETS:
        facts = ready_at(size, data_set, ProgressTelling([data_set.name]).of(data_set.name))
        of = f" (in place of {stands})" if (stands := in_place_of(facts.name)) else ""
        print(f"{facts.name}: {facts.line()}{of}; {', '.join(facts.packages)}")
    return 0


def sources_of(names: Sequence[str]) -> list[str]:
    """Return the experiments and studies of papers, and the named ones; all without a name."""
    every = dict.fromkeys((*_shown(), *experiment_names(), *study_names()))
    return [source for source in every if not names or source in names or any(source in _of(name) for name in names)]


def measure(sources: Sequence[str], asked: RunSettings, out: Path, pausing: Pausing) -> None:
    """Run what is lacking of each, keep its result, and print its claims."""
    compilation.prepare(compiled_cache_folder())
    compilation.ready(wait=True)  # else what is timed would be plain at first, and compiled later
    folder = out / FILES / RESULTS
    known = {
        name: before.seconds for name in sources if (before := kept(name, folder)) and before.size == asked.size.name
    }
    telling = ProgressTelling(sources, known)
    for source in sources:
        result = run(source, asked, pausing.within(telling.of(source)))
        telling.done(source, result.seconds)
        keep(result, folder)
        print(f"\n{source} ({result.about}; {result.size} size)")
        for claim in _claims():
            if claim.sources == (source,):
                print(f"  {line(claim, claim.judged(result))}", flush=True)
        if source not in _shown():
            print("\n".join(f"  {one}" for one in own_lines(result)), flush=True)


def own_lines(result: Result) -> list[str]:
    """Write what an experiment of one's own measured, which the page has no place for."""
    return [
        ", ".join(f"{name} {value}" if name else value for name, value in zip(("", *table.head[1:]), row, strict=True))
        for table in generic([result])
        if isinstance(table, PageTable)
        for row in table.rows
    ]


def write_page(out: Path) -> int:
    """Write the page from all results that are kept, and count the verdicts."""
    results = kept_results(out / FILES / RESULTS)
    file = write(out, SECTIONS, results)
    verdicts = counted(judged(_claims(), results))
    print("\n" + (", ".join(f"{count} {verdict.value}" for verdict, count in verdicts.items()) or "no claims"))
    print(f"The page is {file}", file=sys.stderr)
    return 0


def kept_results(folder: Path) -> dict[str, Result]:
    """Return all results of experiments and studies that there are."""
    found = {name: kept(name, folder) for name in (*experiment_names(), *study_names())}
    return {name: result for name, result in found.items() if result is not None}


def line(claim: Claim, judgement: ClaimJudgement | None) -> str:
    """Write a claim, its numbers and its verdict."""
    words = f"{claim.paper}: {claim.text}" + (f" ({claim.case})" if claim.case else "")
    if judgement is None:
        return f"{words}: not judged, for this is not measured any more"
    return f"{words}: {judgement.numbers}: {judgement.verdict.value}"


def _papers() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(section.key for section in SECTIONS), *PAPERS)))


def _claims() -> list[Claim]:
    return [claim for make in PAPERS.values() for claim in make()]


def _of(paper: str) -> set[str]:
    """Name what a paper's section and claims need."""
    shown = {
        source for section in SECTIONS if section.key == paper for item in section.items for source in item.sources
    }
    return shown | ({source for claim in PAPERS[paper]() for source in claim.sources} if paper in PAPERS else set())


def _shown() -> list[str]:
    return [source for section in SECTIONS for item in section.items for source in item.sources]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
