"""Notes below figures: the amount of data, the right answers, and the number of seeds."""

from __future__ import annotations

from collections.abc import Sequence

from app.bench.results import BenchData
from app.lab.experiments.results import LabRun
from app.lab.figures.names import words_of_declaration
from core.message import NOTHING, Message, counted, joined, verbatim

_DISTANCES = {
    "l2": Message("Euclidean distance"),
    "cosine": Message("cosine"),
    "metric": Message("the metric"),
}
_KERNELS = {
    "linear": Message("the linear kernel"),
    "gaussian": Message("the Gaussian kernel"),
    "laplacian": Message("the Laplacian kernel"),
    "cauchy": Message("the Cauchy kernel"),
    "polynomial": Message("the polynomial kernel"),
    "sigmoid": Message("the sigmoid kernel"),
    "intersection": Message("the histogram intersection kernel"),
    "chi-square": Message("the chi-square kernel"),
    "hellinger": Message("the Hellinger kernel"),
}


def right_answers(data: BenchData) -> Message:
    """Return what the right answers are.

    Parameters
    ----------
    data : BenchData

    Examples
    --------
    >>> about = {"base": "photographs", "n": 100, "d": 8, "queries": 10}
    >>> print(right_answers(BenchData(**about, truth="linear")))
    what exact search by the linear kernel finds
    >>> print(right_answers(BenchData(**about, truth="gaussian:gamma=0.5")))
    what exact search by the Gaussian kernel with gamma=0.5 finds
    >>> print(right_answers(BenchData(**about, truth="marks", relevant="what is marked as similar")))
    what is marked as similar
    """
    key, words = words_of_declaration(data.truth)
    if data.truth in _DISTANCES:
        return Message("what exact search by {measure} finds", measure=_DISTANCES[data.truth])
    if key in _KERNELS and words:
        return Message("what exact search by {measure} with {settings} finds", measure=_KERNELS[key], settings=words)
    if key in _KERNELS:
        return Message("what exact search by {measure} finds", measure=_KERNELS[key])
    return data.relevant or verbatim(data.truth)


def relevant_first(data: BenchData) -> Message:
    """Return how many of the right answers precision and recall count; empty where they count all."""
    count = dict(data.relevant.values).get("count")
    if count is None:
        return NOTHING
    return Message("Precision and recall count the first {count} of them.", count=count)


def figure_note(runs: Sequence[LabRun]) -> Message:
    """Return what figures are of; where runs differ in it, of each."""
    told = {run.name: _of(run, run.data) for run in runs if run.data is not None}
    if len(set(told.values())) < 2:
        return next(iter(told.values()), NOTHING)
    return joined(Message("{run}: {words}", run=name, words=words) for name, words in told.items())


def _of(run: LabRun, data: BenchData) -> Message:
    parts = [
        Message("{photographs} photos, {queries} queries.", photographs=data.n, queries=data.queries),
        Message("Right answers: {answers}.", answers=right_answers(data)),
        _seeds(run),
    ]
    if not run.complete:
        parts.append(Message("{done} of {steps} steps are measured.", done=run.done, steps=run.steps))
    return joined(parts)


def _seeds(run: LabRun) -> Message:
    count = max((len(row.measured.seeds) for row in run.rows), default=0)
    return counted("One seed.", "Mean and standard deviation of {count} seeds.", count)
