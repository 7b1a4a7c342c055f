"""``python -m tests.papers [NAME...]``: run experiments, keep results, judge the papers' claims.

A name is that of a paper (all it claims), of an experiment (a file in ``experiments``) or of a study. Data and results
are kept in the user's cache; an experiment ends in minutes on two cores, all of them in an hour or two. ``--quick``
runs everything on a small part of the data, to see that it runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from app.places import compiled_cache_folder
from core import compilation
from core.errors import TwinlensError
from tests.papers.claims import PAPERS
from tests.papers.data_set import ready
from tests.papers.debian_files import papers_folder
from tests.papers.quick import home
from tests.papers.result import Result
from tests.papers.running import experiment_names, run, study_names
from tests.papers.sets import DATA_SETS
from tests.papers.verdict import Claim, Judgement, Verdict

TELL_S = 10.0
"""Seconds between two words of what is being done."""


class Telling:
    """Says on standard error, now and then, how far the work is."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._told = time.monotonic()

    def __call__(self, done: float, total: float, text: str) -> None:
        """Say it, where it is some time since the last word."""
        if time.monotonic() - self._told >= TELL_S:
            self._told = time.monotonic()
            share = f"{100 * done / total:3.0f} %" if total else "    "
            print(f"  {self._name} {share} {text}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    """Run what is named, or all, and print a line for each claim."""
    everything = (*PAPERS, *experiment_names(), *study_names())
    parser = argparse.ArgumentParser(prog="run.py papers", description="Repeat the experiments of the papers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which; all unless named: {', '.join(everything)}")
    parser.add_argument("--quick", action="store_true", help="a small part of the data: shows that it runs, no more")
    parser.add_argument("--kept", action="store_true", help="judge kept results where text and data are the same")
    parser.add_argument("--data", action="store_true", help="make the data sets, and run nothing")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in everything]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(everything)}")
    try:
        if chosen.data:
            return make_data()
        return judge(claims_of(chosen.names), again=not chosen.kept, quickly=chosen.quick)
    except TwinlensError as error:
        print(f"{error.sentence} {error.next_step}".strip(), file=sys.stderr)
        return 2


def make_data() -> int:
    """Make every data set, and say what it is."""
    for data_set in DATA_SETS:
        facts = ready(data_set, Telling(data_set.name))
        of = f" (stands in for {facts.stands_for})" if facts.stands_for else ""
        print(f"{facts.name}: {facts.line()}{of}; {', '.join(facts.packages)}")
    return 0


def claims_of(names: list[str]) -> list[Claim]:
    """Give the claims of papers, experiments and studies, or all."""
    found = [(paper, claim) for paper, make in PAPERS.items() for claim in make()]
    return [claim for paper, claim in found if not names or paper in names or claim.source in names]


def judge(claims: list[Claim], again: bool, quickly: bool = False) -> int:
    """Run what the claims are judged by, each once, and print claim, numbers and verdict."""
    compilation.prepare(compiled_cache_folder())
    compilation.ready(wait=True)  # else what is timed would be plain at first, and compiled later
    began = time.monotonic()
    results: dict[str, Result] = {}
    counted: Counter[Verdict] = Counter()
    for source in dict.fromkeys(claim.source for claim in claims):
        results[source] = run(source, again, Telling(source), quickly)
        print(f"\n{source} ({results[source].about})")
        for claim in claims:
            if claim.source == source:
                judged = claim.judge(results[source])
                counted[judged.verdict] += 1
                print(f"  {line(claim, judged)}", flush=True)
    print("\n" + ", ".join(f"{count} {verdict.value}" for verdict, count in counted.items()))
    minutes = (time.monotonic() - began) / 60
    if quickly:
        print("Of a small part of the data, with two draws: it shows that all of it runs, not what is true.")
    kept_in = (home() if quickly else papers_folder()) / "results"
    print(f"{minutes:.0f} minutes. Kept in {kept_in}", file=sys.stderr)
    return 0


def line(claim: Claim, judged: Judgement) -> str:
    """Write a claim, its numbers and its verdict."""
    return f"{claim.paper}: {claim.text}: {judged.numbers}: {judged.verdict.value}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
