"""Learning a metric from judged pairs: which photographs they are, what is worth learning, and the metric itself."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app import catalogue, models
from app.index_metric import content_key, named_metric
from app.learn_results import LearnedChoice, LearnedThreshold, LearnResult
from app.library import AUTOMATIC, Library
from app.loaded_index import LoadedIndex
from app.marked_pairs import MarkedPairs, named_pairs, pairs_for
from app.metrics import refuse_name
from app.pair_files import NamedPair
from app.searching import Searcher
from core.errors import TwinlensError
from core.learning.choosing import Choice, Tried, choose, pair_distances, with_background
from core.learning.threshold import LEAST_OF_EACH, threshold
from core.measure import Measure
from core.metrics import FittedMetric, Itml, Pairs
from core.metrics.constraints import Telling
from core.metrics.itml import Learned
from core.progress import Progress, part, silent
from storage.transaction import Transaction

BACKGROUND = 2_000
"""Photographs drawn from the library, that bounds and spread are found from."""

Rows = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class _Material:
    """What there is to learn from.

    Attributes
    ----------
    table : ndarray of float32, (c + b, d)
        The photographs in pairs, then others.
    marked : int
        c.
    pairs : Pairs
        Of rows of the table.
    left_out : list of str
    """

    table: Vectors
    marked: int
    pairs: Pairs
    left_out: list[str]


def learn(
    library: Library,
    named: Sequence[NamedPair] | None = None,
    index: str = AUTOMATIC,
    name: str | None = None,
    anyway: bool = False,
    wrong: float = 0.02,
    seed: int = 0,
    progress: Progress = silent,
) -> LearnResult:
    """Learn a metric from pairs and keep it, if it is better on photographs that it has not seen.

    Parameters
    ----------
    library : Library
    named : sequence of NamedPair, optional
        By default the library's own marks.
    index : str
        The metric is for its descriptor, and better is than its measure.
    name : str, optional
        Of the metric; by default “Learned” with the first free number.
    anyway : bool
        Keep the best metric even if it may be better by chance only.
    wrong : float
        Share of wrong pairs that the threshold is to mean.
    seed : int
        Of what is held out, and of the photographs that are drawn.
    progress : Progress

    Raises
    ------
    TwinlensError
        If there is no such index, there are no marks or no pair can be learned from, or the name is taken.
    Cancelled
        If progress says so.
    """
    started = time.perf_counter()
    if name is not None:
        refuse_name(name.strip())
    searcher = Searcher(library)
    with searcher.moment() as moment:
        loaded = searcher.index(moment, index)
        if name is not None and named_metric(moment.r, name.strip()) is not None:
            raise TwinlensError(f"There is already a metric named “{name.strip()}”.", "Choose another name.")
        material = _material(library, moment.r, loaded, named, seed)
    x, background = material.table[: material.marked], material.table[material.marked :]
    choice = choose(x, material.pairs, background, loaded.measure, seed, part(progress, 0.0, 0.9))
    wanted = choice.metric or (_best_or_plain(choice) if anyway else None)
    learned = kept = None
    if wanted is not None:
        learned = _learned(wanted, material, seed, part(progress, 0.9, 1.0))
        kept = _keep(library, loaded, learned, wanted, name, choice.sentence())
    measure = loaded.measure if learned is None else learned.metric
    similar = int(material.pairs.similar.sum())
    return LearnResult(
        index=loaded.row.name,
        descriptor=loaded.descriptor.text(),
        pairs=len(material.pairs.rows),
        similar=similar,
        different=len(material.pairs.rows) - similar,
        advice=choice.sentence(),
        better=choice.better,
        worse=choice.worse,
        of=choice.of,
        apart=choice.apart,
        more=choice.more,
        tried=[_told(one) for one in choice.tried],
        metric=kept,
        learned_by=None if wanted is None else wanted.text(),
        violated=0 if learned is None else learned.violated,
        sweeps=0 if learned is None else learned.projected.sweeps,
        threshold=_threshold(measure, material, wrong, seed),
        left_out=material.left_out,
        seconds=time.perf_counter() - started,
    )


def _material(
    library: Library, r: Transaction, index: LoadedIndex, named: Sequence[NamedPair] | None, seed: int
) -> _Material:
    """Find the photographs of the pairs, and draw others."""
    pairs = _own_marks(r, index) if named is None else named_pairs(library, r, named)
    ids, left_out = pairs.ids, pairs.left_out
    vectors, present = r.descriptors.read(index.kind, ids)
    x = vectors.astype(np.float32)
    left_out += [
        f"Photograph {photograph} has no descriptor of this index yet: run `twinlens rescan`."
        for photograph in ids[~present].tolist()
    ]
    telling = Telling.of(Pairs(pairs.rows, pairs.similar), np.asarray(~x.any(axis=1)))
    if telling.sentence():
        left_out.append(telling.sentence())
    others = np.setdiff1d(r.descriptors.ids(index.kind), ids, assume_unique=True)
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.choice(others, min(BACKGROUND, len(others)), replace=False))
    more, _ = r.descriptors.read(index.kind, drawn)
    background = more.astype(np.float32)
    background = background[background.any(axis=1)]
    return _Material(np.concatenate([x, background]), len(x), telling.pairs, left_out)


def _own_marks(r: Transaction, index: LoadedIndex) -> MarkedPairs:
    """Give the library's own marks.

    Raises
    ------
    TwinlensError
        If there are none, or none of them can be used.
    """
    count = r.marks.count()
    if not count:
        raise TwinlensError(
            "The library has no marks yet.",
            "Make some with `twinlens mark PICTURE PICTURE --similar` and `--different`, or name a FILE of pairs.",
        )
    pairs = pairs_for(r, index.kind)
    if not len(pairs.rows):
        raise TwinlensError(
            " ".join(
                [f"Of the library's {count:,} mark{'' if count == 1 else 's'} none can be used.", *pairs.left_out]
            ),
            "See `twinlens marks list`.",
        )
    return pairs


def _learned(wanted: Itml, material: _Material, seed: int, progress: Progress) -> Learned:
    """Learn from all pairs what was chosen by some of them."""
    count = len(material.table) - material.marked
    others = material.marked + np.random.default_rng(seed).integers(0, max(1, count), (len(material.pairs.rows), 2))
    others = others[others[:, 0] != others[:, 1]] if count else others[:0]
    return wanted.learn(material.table, with_background(material.pairs, others), progress)


def _best_or_plain(choice: Choice) -> Itml:
    return choice.best.metric or Itml()


def _keep(library: Library, index: LoadedIndex, learned: Learned, wanted: Itml, name: str | None, advice: str) -> str:
    with library.store.writing("keeping a metric") as w:
        chosen = name.strip() if name is not None else _free_name(w)
        model_id = models.keep(w, content_key(learned.metric), catalogue.written(wanted), learned.metric)
        w.metrics.add(
            chosen,
            catalogue.written(index.descriptor),
            model_id,
            declaration=catalogue.written(wanted),
            note=f"from {len(learned.pairs.pairs.rows):,} pairs. {advice}",
        )
    return chosen


def _free_name(r: Transaction) -> str:
    taken = {row.name.casefold() for row in r.metrics.all()}
    return next(name for number in range(1, len(taken) + 2) if (name := f"Learned {number}").casefold() not in taken)


def _threshold(
    measure: Measure | FittedMetric, material: _Material, wrong: float, seed: int
) -> LearnedThreshold | None:
    similar = material.pairs.similar
    if min(int(similar.sum()), int((~similar).sum())) < LEAST_OF_EACH:
        return None
    found = threshold(pair_distances(measure, material.table, material.pairs.rows), similar, wrong, seed)
    return LearnedThreshold(
        similarity=float(measure.similarities(np.array([found.distance]))[0]),
        distance=found.distance,
        low=found.low,
        high=found.high,
        wrong=found.wrong,
        kept=found.kept,
    )


def _told(one: Tried) -> LearnedChoice:
    return LearnedChoice(
        metric=None if one.metric is None else one.metric.text(),
        area=one.area.mean,
        low=max(0.0, one.area.low) if np.isfinite(one.area.error) else 0.0,
        high=min(1.0, one.area.high) if np.isfinite(one.area.error) else 1.0,
        gain=one.gain.mean,
        gain_low=max(-1.0, one.gain.low),
        gain_high=min(1.0, one.gain.high),
    )
