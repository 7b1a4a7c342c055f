"""What figures say of what they are of: how much data, what counts as right, and over how many seeds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.bench.results import BenchData
from app.lab.experiments.results import LabRun
from app.lab.figures.names import words_of
from core.kernels import KERNELS

_DISTANCES = {"l2": "Euclidean distance", "cosine": "cosine", "metric": "the metric"}
_KERNELS = {kernel.key: kernel.title for kernel in KERNELS}
_OF_PEOPLE = {"Cauchy", "Gaussian", "Hellinger", "Laplacian"}  # kernels that keep their capital letter
_FIRST = re.compile(r"the ([\d,]+) nearest by .*")


def right_answers(data: BenchData) -> str:
    """Say in a person's words what the right answers are.

    Parameters
    ----------
    data : BenchData

    Examples
    --------
    >>> about = {"base": "photographs", "n": 100, "d": 8, "queries": 10}
    >>> right_answers(BenchData(**about, truth="linear"))
    'what exact search by the linear kernel finds'
    >>> right_answers(BenchData(**about, truth="gaussian:gamma=0.5"))
    'what exact search by the Gaussian kernel with gamma=0.5 finds'
    >>> right_answers(BenchData(**about, truth="marks", relevant="what is marked as similar"))
    'what is marked as similar'
    """
    key, words = words_of(data.truth)
    if data.truth in _DISTANCES:
        return f"what exact search by {_DISTANCES[data.truth]} finds"
    if key in _KERNELS:
        title = _KERNELS[key]
        name = title if title in _OF_PEOPLE else title.lower()
        settings = f" with {', '.join(words)}" if words else ""
        return f"what exact search by the {name} kernel{settings} finds"
    return str(data.relevant) or data.truth


def relevant_first(data: BenchData) -> str:
    """Say how many of the right answers precision and recall count; empty where they count all.

    Examples
    --------
    >>> about = {"base": "photographs", "n": 100, "d": 8, "queries": 10}
    >>> relevant_first(BenchData(**about, truth="linear", relevant="the 50 nearest by linear"))
    'Precision and recall count the first 50 of them.'
    """
    found = _FIRST.fullmatch(str(data.relevant))
    return f"Precision and recall count the first {found[1]} of them." if found else ""


def note_of(runs: Sequence[LabRun]) -> str:
    """Say what figures are of; where runs differ in it, of each."""
    told = {run.name: _of(run, run.data) for run in runs if run.data is not None}
    if len(set(told.values())) < 2:
        return next(iter(told.values()), "")
    return " ".join(f"{name}: {words}" for name, words in told.items())


def _of(run: LabRun, data: BenchData) -> str:
    said = [
        f"{data.n:,} photographs, {data.queries:,} queries.",
        f"Right answers: {right_answers(data)}.",
        _seeds(run),
        "" if run.complete else f"{run.done} of {run.steps} steps are measured.",
    ]
    return " ".join(filter(None, said))


def _seeds(run: LabRun) -> str:
    count = max((len(row.measured.seeds) for row in run.rows), default=0)
    return "One seed." if count == 1 else f"Mean and standard deviation of {count} seeds."
