"""Search for good parameters on given vectors, within a budget.

The result is the proposed declaration with all trials, or an experiment for ``bench`` with the trials as comments.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from pydantic import Field

from twinlens.app.bench.bench_results import MeasuredResult
from twinlens.app.bench.experiment import Experiment
from twinlens.app.bench.tuning_settings import TuningSettings
from twinlens.app.bench.vector_files import open_table
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.app.results import Result
from twinlens.core.errors import DeclarationError, Remedy, TwinlensError
from twinlens.core.evaluation.measurement import StepMemory, StepStore
from twinlens.core.evaluation.measures import by_count
from twinlens.core.evaluation.plan import HeldOutSplits
from twinlens.core.evaluation.truth import KernelDistance, distance_with_width, own_measure, plain_distance
from twinlens.core.hashing.bilinear_hashing import squarest
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import NOTHING, Message, counted
from twinlens.core.progress import Progress, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.tuning.attempts import Attempts, Budget, SecondsBudget, TrialsBudget, in_turn
from twinlens.core.tuning.parameter_search import (
    BITS,
    DeclarationChoice,
    DeclarationSummary,
    Tuning,
    choose_declaration,
    drawn_candidates,
    possible,
    summaries,
    tune,
)
from twinlens.core.vectors import Vectors, as_vectors

MOST = 50_000
"""Most vectors used; a sample of this size is drawn from more."""

LEAST = 50
_WIDTH_ITEMS = 5_000  # by which the widths of kernels are found


class _Subject(NamedTuple):
    """Vectors with their measure and shape."""

    x: Vectors
    name: str
    measure: str
    matrix_shape: tuple[int, int] | None
    left_out: int


def tune_parameters(
    wanted: TuningSettings,
    library: Library | None = None,
    progress: Progress = silent,
    clock: Callable[[], float] = time.monotonic,
    store: StepStore | None = None,
) -> TuneResult:
    """Try declarations on held-out queries, and propose one.

    Parameters
    ----------
    library : Library, optional
        Needed where a descriptor is named.
    progress : Progress
        Told the spent share of the budget; may cancel at any moment, and what was tried gives the answer.
    store : StepStore, optional
        Has what was measured before.

    Raises
    ------
    TwinlensError
        If the vectors cannot be read, a declaration has no meaning, none can be used with these vectors, or the budget
        is too small for any.
    Cancelled
        If it is cancelled before anything was measured.
    """
    began = clock()
    methods = [catalogue.method(text) for text in wanted.methods]
    if not methods:
        raise TwinlensError("No methods to try.", "Name a method, such as klsh.")
    budget: Budget = TrialsBudget(wanted.trials) if wanted.trials else SecondsBudget(wanted.seconds, clock)
    progress(0.0, 1.0, Message("Reading vectors"))
    subject = _subject(wanted, library)
    truth = wanted.truth or own_measure(methods[0]) or subject.measure or "l2"
    defaults = _defaults(methods, wanted.bits, subject)
    every_default = list(chain.from_iterable(group for _, group in defaults))
    held_out = HeldOutSplits(subject.x, _fitted(truth, subject.x, wanted.seed), wanted.queries, wanted.seed)
    sample = subject.x[draw_places(len(subject.x), _WIDTH_ITEMS, np.random.default_rng(wanted.seed))]
    drawn = [
        drawn_candidates(
            method, [one.bits for one in group], sample, subject.matrix_shape, np.random.default_rng(wanted.seed)
        )
        for method, group in defaults
        if group
    ]
    # Methods take turns, so that each has its share of the budget.
    tuning = tune(every_default, in_turn(drawn), held_out, Attempts(budget, store or StepMemory(), progress))
    choice = choose_declaration(tuning, held_out.queries)
    if choice is None:
        for trial in tuning.trials:
            if trial.refused:
                raise TwinlensError(trial.refused)
        raise TwinlensError(
            "No declaration could be measured in {seconds:g} seconds.",
            "Allow more time, or give fewer vectors.",
            seconds=wanted.seconds,
        )
    data = TuneData(
        base=subject.name, n=len(subject.x), d=subject.x.shape[1], left_out=subject.left_out,
        queries=held_out.queries, truth=truth, seed=wanted.seed,
    )  # fmt: skip
    return _result(wanted, data, tuning, choice, clock() - began)


# ---- the vectors -----------------------------------------------------------------------------------------------------
def _subject(wanted: TuningSettings, library: Library | None) -> _Subject:
    if bool(wanted.base) == bool(wanted.descriptor):
        raise TwinlensError(
            "No vectors are named, or two sources of them.",
            "Name either a file of vectors or a descriptor of the library.",
        )
    if wanted.base:
        x: Any = open_table(wanted.base)
        if not isinstance(x, np.ndarray):
            raise TwinlensError(
                "{file} has sparse vectors, which cannot be used for tuning.", "Give dense vectors.", file=wanted.base
            )
        name, measure, shape = wanted.base, "", None
        with suppress(TwinlensError):  # of a prime number of dimensions, say
            shape = squarest(x.shape[1])
    else:
        assert library is not None
        described = catalogue.descriptor(wanted.descriptor)
        x = _stored(library, wanted.descriptor)
        name, measure, shape = described.text(), described.measure.text(), described.matrix_shape
    telling = as_vectors(x[draw_places(len(x), MOST, np.random.default_rng(wanted.seed))], np.float32)
    telling = telling[telling.any(axis=1)]
    if len(telling) < LEAST:
        raise TwinlensError(
            "There are only {vectors} vectors that are not all zeros.",
            "Give at least {least}.",
            vectors=len(telling),
            least=LEAST,
        )
    return _Subject(telling, name, measure, shape, len(x) - len(telling))


def _stored(library: Library, descriptor: str) -> Vectors:
    """Read the library's vectors of a descriptor."""
    wanted = catalogue.descriptor(descriptor)
    with library.store.reading() as r:
        kinds = [kind for kind in r.descriptors.kinds() if catalogue.descriptor(kind.text) == wanted]
        blocks = [vectors.astype(np.float32) for _, vectors in r.descriptors.blocks(kinds[-1])] if kinds else []
    if not blocks:
        raise TwinlensError(
            "The library has no vectors of {descriptors}.",
            Remedy("create index", {"descriptor": wanted.text()}),
            descriptors=wanted.text(),
        )
    return np.concatenate(blocks)


def _fitted(text: str, x: Vectors, seed: int) -> str:
    """Return a truth that needs no labels, metric or radius, with the width of its kernel resolved."""
    try:
        named = plain_distance(text)
    except DeclarationError as error:
        raise TwinlensError(
            "The truth “{truth}” is not possible: {reason}",
            "Give l2, cosine, or the text form of a kernel.",
            truth=text,
            reason=error.message,
        ) from None
    distance = distance_with_width(named, x, _WIDTH_ITEMS, seed)
    if not isinstance(distance, KernelDistance):
        return text
    distance.kernel.check(x)
    return distance.kernel.text()


def _defaults(
    methods: Sequence[HashMethod], bits: Sequence[int], subject: _Subject
) -> list[tuple[HashMethod, list[HashMethod]]]:
    """Return each method with every possible length of codes."""
    found = []
    for method in methods:
        usual = type(method)().bits
        lengths = sorted(set(bits)) or (list(BITS) if method.bits == usual else [method.bits])
        group = [possible(method, {"bits": one}, subject.x.shape[1], subject.matrix_shape) for one in lengths]
        made = [one for one in group if one is not None]
        if not made and not bits and method.bits == usual:
            longest = possible(method, {"bits": subject.x.shape[1]}, subject.x.shape[1], subject.matrix_shape)
            made = [] if longest is None else [longest]
        if not made:
            method.changed(bits=lengths[0]).check(subject.x.shape[1], subject.matrix_shape)
        found.append((method, made))
    return found


# ---- the answer ------------------------------------------------------------------------------------------------------
def _result(
    wanted: TuningSettings, data: TuneData, tuning: Tuning, choice: DeclarationChoice, seconds: float
) -> TuneResult:
    text = choice.chosen.method.text()
    if wanted.descriptor:
        command = ["twinlens", "index", "create", "--descriptor", data.base, "--method", text]
    else:
        command = ["twinlens", "bench", data.base, "--method", text, "--truth", data.truth]
    compared = {one.method for one in choice.compared}
    others = [one for one in summaries(tuning.trials) if one.method not in compared]
    rows = [
        *sorted(choice.compared, key=lambda one: -one.judged),
        *sorted(others, key=lambda one: (bool(one.refused), -one.items, -one.judged)),
    ]
    return TuneResult(
        data=data,
        tried=[_trial(one, choice) for one in rows],
        trials=len(tuning.trials),
        budget=_budget(wanted),
        seconds=seconds,
        chosen=text,
        reason=choice.reason(),
        recall=choice.chosen.judged,
        default="" if choice.default is None else choice.default.method.text(),
        default_recall=None if choice.default is None else choice.default.judged,
        command=shlex.join(command),
        notes=_notes(data, tuning, choice),
        cancelled=tuning.cancelled,
    )


def _budget(wanted: TuningSettings) -> Message:
    if wanted.trials:
        return counted("{count} trial", "{count} trials", wanted.trials)
    return Message("{seconds:g} seconds", seconds=wanted.seconds)


def _notes(data: TuneData, tuning: Tuning, choice: DeclarationChoice) -> list[Message]:
    notes = []
    searched = data.n - data.queries
    if choice.chosen.items < searched:
        notes.append(
            Message(
                "There was no time for all {vectors} vectors, so the proposal rests on {items} of them. More time may "
                "give another one.",
                vectors=searched,
                items=choice.chosen.items,
            )
        )
    elif not tuning.is_complete:
        notes.append(Message("Not every finalist was measured on every split. More time gives a surer proposal."))
    if choice.default is None:
        notes.append(Message("There was no time to compare it with the requested declaration at as many bits."))
    if data.left_out:
        notes.append(
            counted(
                "{count} vector was left out: all zeros, or beyond the first {most}.",
                "{count} vectors were left out: all zeros, or beyond the first {most}.",
                data.left_out,
                most=MOST,
            )
        )
    if choice.default is not None and choice.default.method != choice.chosen.method:
        gain = choice.chosen.judged - choice.default.judged
        if abs(gain) <= choice.margin:
            notes.append(Message("The measured gain of {gain:+.3f} may be chance.", gain=gain))
        else:
            notes.append(Message("The measured gain of {gain:+.3f} is likely somewhat too high.", gain=gain))
    return notes


def _trial(one: DeclarationSummary, choice: DeclarationChoice) -> TuneTrial:
    fronts = {"bytes": choice.by_bytes, "seconds": choice.by_seconds}
    values, spread = ({}, {}) if one.measured is None else (one.measured.values, one.measured.spread)
    return TuneTrial(
        method=one.method.text(),
        bits=one.method.bits,
        default=one.is_default,
        items=one.items,
        splits=list(one.splits),
        values={**_NOTHING, **_without(values), "bytes code": one.code_bytes},
        spread=_without(spread),
        best_for=[name for name, front in fronts.items() if one in front],
        refused=one.refused,
    )


def _without(values: Mapping[str, float]) -> dict[str, float]:
    """Leave out what is only measured of many vectors."""
    return {key: value for key, value in values.items() if key != "recall@1000"}


_NOTHING = {"seconds encode": 0.0, "seconds query": 0.0, "seconds fit": 0.0, "bytes model": 0}


class TuneData(Result):
    """Data of a search for good parameters."""

    base: str = Field(description="file of the vectors, or descriptor of the library")
    n: int = Field(description="vectors including held-out queries")
    d: int
    left_out: int = Field(description="all-zero vectors, and vectors beyond the sample")
    queries: int = Field(description="queries held out of each split")
    truth: str = Field(description="truth by which the true neighbours were found")
    seed: int = Field(description="split i is drawn from seed + i; candidates are drawn from seed")


class TuneTrial(MeasuredResult):
    """One declaration on the most vectors it was tried on; the spread is over the splits."""

    LAYOUT = (
        "method", "bits", "default", "items", "splits", "recall@", ("spread@", "±recall@"),
        ("encode_seconds", "seconds encode"), ("query_seconds", "seconds query"), ("fit_seconds", "seconds fit"),
        ("code_bytes", "bytes code"), ("model_bytes", "bytes model"), "best_for", "refused",
    )  # fmt: skip

    method: str
    bits: int
    default: bool = Field(description="the requested declaration, except for the bits")
    items: int = Field(description="searched vectors")
    splits: list[int] = Field(description="measured splits; empty if it could not be measured")
    best_for: list[str] = Field(description="costs (bytes, seconds) for which no other has better recall")
    refused: Message = Field(NOTHING, description="why it could not be measured")


class TuneResult(Result):
    """Result of ``tune``."""

    data: TuneData
    tried: list[TuneTrial]
    trials: int = Field(description="number of measurements")
    budget: Message = Field(description="limit of time or trials")
    seconds: float = Field(description="time taken")
    chosen: str = Field(description="proposed declaration")
    reason: Message
    recall: float = Field(description="its recall@10")
    default: str = Field(description="requested declaration with as many bits; empty if not measured")
    default_recall: float | None
    command: str = Field(description="command that uses the proposal")
    notes: list[Message] = Field(default_factory=list)
    cancelled: bool = Field(default=False, description="stopped early; the proposal rests on the trials so far")


def tuning_file(wanted: TuningSettings, result: TuneResult) -> str:
    """Return the result as TOML.

    For vectors of a file it is an experiment of the proposed and the default declaration. For vectors of a library it
    names descriptor and method.
    """
    lines = [f"{result.chosen}: {result.reason}", result.command, f"Of {result.budget}, {result.trials} measurements:"]
    for one in result.tried:
        figures = ", ".join(f"recall@{count} {value:.4f}" for count, value in by_count(one.values, "recall@").items())
        lines.append(f"{one.method} on {one.items} vectors, splits {one.splits}: {one.refused or figures}")
    comments = "".join(f"# {line}\n" for text in lines for line in text.splitlines())
    methods = tuple(dict.fromkeys(text for text in (result.chosen, result.default) if text))
    if wanted.base:
        return comments + Experiment(base=wanted.base, methods=methods, truth=result.data.truth).to_toml()
    # A text form has neither quotes nor backslashes.
    return comments + f'descriptor = "{result.data.base}"\nmethod = "{result.chosen}"\n'
