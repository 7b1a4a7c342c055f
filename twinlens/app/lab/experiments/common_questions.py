"""Common questions about hashing, each with the plan of an experiment that decides it for a library."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import util

from twinlens.app.bench.experiment import PEER, Experiment
from twinlens.app.indexes.fitted_models import usable_indexes
from twinlens.app.indexes.indexes import default_row
from twinlens.app.indexes.loaded_index import IndexMeasure, index_measure
from twinlens.app.lab.experiments.runner import LEAST
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.features.pictures.edits import EDITS, FURTHER_EDITS
from twinlens.storage.library.store import Transaction

SEEDS = (0, 1, 2)
_BITS = (16, 32, 64, 128, 256)
_ENOUGH_FOR_BYTES = 1_000  # photographs
_LANDMARKS, _FEW_LANDMARKS = 1_000, 300


@dataclass(frozen=True)
class CommonQuestion:
    """A common question with the plan that decides it.

    Attributes
    ----------
    name : str
        Short and stable, such as ``rank``.
    plan : Experiment
        Holds the question as a sentence.
    """

    name: str
    plan: Experiment


@dataclass(frozen=True)
class QuestionIndex:
    """The index that a question is about, with its photographs and measure.

    Attributes
    ----------
    photographs : int
        Photographs with vectors.
    kernel : str
        Text form; empty without a kernel.
    method : str
        Hash method in text form.
    """

    index: str
    photographs: int
    dimensions: int
    kernel: str
    method: str


def common_questions(library: Library, index: str = "") -> list[CommonQuestion]:
    """Return the questions, with plans for the vectors of an index.

    Parameters
    ----------
    index : str
        Empty for the default one, or another if that has no vectors yet.

    Raises
    ------
    TwinlensError
        If there is no such index, or no photograph has vectors.
    """
    about = question_index(library, index)
    plans = _plans(about) | ({"peers": _peers(about)} if peers_of(about) else {})
    return [CommonQuestion(name, plan.changed(index=about.index)) for name, plan in plans.items()]


def first_experiment(library: Library) -> Experiment:
    """Return a small first experiment, which takes less than half a minute for a thousand photographs."""
    about = question_index(library)
    kernel, landmarks, bits = _with_kernel(about), min(_FEW_LANDMARKS, about.photographs), min(64, about.dimensions)
    kernelized = f"{kernel},landmarks={landmarks}"
    return Experiment(
        index=about.index,
        question="Which method for my photos?",
        methods=(
            f"lsh:bits={bits}",
            f"itq:bits={bits}",
            f"klsh:bits={bits}{kernelized}",
            f"kpca-itq:bits={min(bits, landmarks)}{kernelized}",
        ),
        search=("scan",),
        seeds=(0, 1),
        query_count=100,
    )


def edit_names() -> list[str]:
    """Return the names of all edits, the usual ones first."""
    return [one.name for one in (*EDITS, *FURTHER_EDITS)]


def question_index(library: Library, index: str = "") -> QuestionIndex:
    """Return the index that a question is about; see :func:`common_questions`."""
    with library.store.reading() as r:
        if index:
            return _subject(r, index_measure(r, index))
        default = default_row(r)
        names = [default.name, *(row.name for row in usable_indexes(r) if row.id != default.id)]
        fault: TwinlensError | None = None
        for name in names:
            try:
                found = _subject(r, index_measure(r, name))
            except TwinlensError as error:
                fault = fault or error
                continue
            if found.photographs >= LEAST:
                return found
        raise fault or TwinlensError("The library has too few photos for an experiment.", Remedy("add folder"))


def _subject(r: Transaction, measured: IndexMeasure) -> QuestionIndex:
    kernel = measured.measure.kernel.text() if isinstance(measured.measure, Measure) else ""
    return QuestionIndex(
        measured.row.name,
        len(r.descriptors.ids(measured.kind)),
        measured.descriptor.dimensions,
        kernel,
        catalogue.method(measured.row.method).text(),
    )


def _plans(about: QuestionIndex) -> dict[str, Experiment]:
    kernel, landmarks = _with_kernel(about), min(_LANDMARKS, about.photographs)
    bits = [one for one in _BITS if one <= about.dimensions] or [about.dimensions]
    most, usual = bits[-1], max(one for one in bits if one <= 64)
    ranks = [str(one) for one in (4, 16, 64, 256) if one < landmarks]
    swept = f"{{{','.join(map(str, bits))}}}"
    kernelized = f"{kernel},landmarks={landmarks}"
    return {
        "method": Experiment(
            question="Which method for my photos?",
            methods=(
                f"lsh:bits={most}",
                f"itq:bits={most}",
                f"klsh:bits={most}{kernelized}",
                f"nystrom-lsh:bits={most}{kernelized}",
                f"kpca-itq:bits={min(most, landmarks)}{kernelized}",
            ),
            search=("scan",),
            seeds=SEEDS,
        ),
        "bits": Experiment(
            question="How many bits?",
            methods=(f"lsh:bits={swept}", f"itq:bits={swept}", f"klsh:bits={swept}{kernelized}"),
            search=("scan",),
            seeds=SEEDS,
        ),
        "search": Experiment(
            question="Which search structure?",
            methods=(f"itq:bits={usual}",),
            search=("scan:candidates={100,1000}", "{buckets,multi-index,permuted}:candidates=100"),
            seeds=(0, 1),
        ),
        "edits": Experiment(
            question="What do edits survive?",
            methods=(f"lsh:bits={most}", f"itq:bits={most}", f"klsh:bits={most}{kernelized}"),
            search=("scan",),
            seeds=(0, 1),
            truth="edits",
        ),
        "rank": Experiment(
            question="What does rank do to KLSH?",
            methods=(
                f"klsh:bits=256{kernelized},rank={{{','.join(ranks)}}}",
                f"klsh:bits=256{kernelized}",
                f"nystrom-lsh:bits=256{kernelized}",
            ),
            search=("scan",),
            seeds=SEEDS,
        ),
    }


def _peers(about: QuestionIndex) -> Experiment:
    """Return the plan that compares recent methods with indexes of faiss, each learned within a minute."""
    bits = min(64, about.dimensions)
    return Experiment(
        question="What do indexes of other programs find?",
        methods=(f"itq:bits={bits}", f"lsh:bits={8 * bits}", f"spectral:bits={bits}", *peers_of(about)),
        search=("scan:candidates=100",),
        seeds=(0,),
    )


def peers_of(about: QuestionIndex) -> tuple[str, ...]:
    """Return indexes of faiss that suit the vectors of a subject, the most informative first; none without faiss."""
    if not util.find_spec("faiss"):
        return ()
    bits = min(64, about.dimensions)
    parts = max([one for one in (4, 8, 16) if 4 * one <= about.dimensions], default=1)
    wide = min(about.dimensions, 4 * parts)
    reduced = f"PCA{wide}," if wide < about.dimensions else ""
    short = "" if about.photographs >= _ENOUGH_FOR_BYTES else "x4"  # a byte of a product quantiser has 256 centres
    factories = ("HNSW32", f"{reduced}OPQ{parts}_{wide},PQ{parts}{short}np", "RaBitQ", f"ITQ{bits},LSH")
    return tuple(f"{PEER}{one}" for one in factories)


def _with_kernel(about: QuestionIndex) -> str:
    """Return the kernel of the index as a parameter of a method."""
    if not about.kernel:
        return ""
    name, _, values = about.kernel.partition(":")
    return f",kernel={name}({values})" if values else f",kernel={name}"
