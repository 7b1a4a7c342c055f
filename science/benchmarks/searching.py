"""Searching with the check, against reading the picture once; and what such a search finds among the demo photographs.

The floor decodes, runs the network and finds keypoints, once, of the same file. Kinds are the folders of the demo
photographs; edited copies are asked for as ``twinlens evaluate`` does, among far fewer photographs than in
``python -m science.benchmarks.edits``.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import cv2

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.app.demo.photographs import fetch_photographs
from twinlens.app.evaluate.evaluation import evaluate
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.evaluate.kind_evaluation import evaluate_kinds
from twinlens.app.indexes.standard_indexes import best_descriptor
from twinlens.app.library.ingest.adding import add
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.methods import catalogue
from twinlens.app.search.searcher import Searcher
from twinlens.features.fusion import FusionExtractor
from twinlens.features.keypoints.sift import local_features
from twinlens.features.network.network import NetworkExtractor
from twinlens.features.reading.reading import read

KINDS, RECALL = 0.62, 0.974
"""Goals: precision@10 by kinds, and recall@1 of edited copies."""


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines: time of both kinds of search, and what they find."""
    for what, own, must, stretch in (
        ("search with the check, a photograph of the library", True, 2.0, 1.0),
        ("search with the check, a file from outside", False, 5.0, 3.0),
    ):
        yield SpeedComparison(
            what,
            "decode + network + SIFT of the same file, once",
            Peer(whole_search, {"own": own}, 1),
            Peer(floor, {}, 1),
            must,
            stretch,
            at_most=True,
            seconds=90,
        )
    photographs = 60 if quick else 300
    yield SpeedComparison(
        "kinds: precision@10 of the demo photographs by their folders",
        f"{KINDS}",
        Peer(kinds, {"photographs": photographs}, warm_up=False),
        Peer(goal, {"share": KINDS}),
        1.0,
        1.1,
        "share",
        rounds=1,
        seconds=photographs / 8,
    )
    photographs = 4 if quick else 20
    yield SpeedComparison(
        "edited copies: recall@1 with the check among the demo photographs",
        f"{RECALL}",
        Peer(edits, {"photographs": photographs}, warm_up=False),
        Peer(goal, {"share": RECALL}),
        1.0,
        1.02,
        "share",
        rounds=1,
        seconds=photographs * 5,
    )


def make_library() -> Path:
    """Add the demo photographs to a library; kept for the other lines and later runs."""
    file = Path(tempfile.gettempdir()) / "twinlens-benchmark-searching" / "demo.twinlens"
    if not (file.parent / "done").exists():
        shutil.rmtree(file.parent, ignore_errors=True)
        file.parent.mkdir()
        with Library.open(file, create=True) as library:
            add(library, [fetch_photographs().folder])
        (file.parent / "done").touch()
    return file


def files() -> list[Path]:
    """Return the files that are searched with: too many for what was compared with one to be still known next time."""
    photographs = fetch_photographs()
    return sorted(photographs.folder / one.path for one in photographs.photographs)


def whole_search(own: bool) -> Run:
    """Search with one photograph after the other, by its path or, as from outside, by its bytes."""
    searcher = Searcher(Library.open(make_library()))
    # A picture that was asked with a moment ago is known: each comes with other bytes at its end than before.
    number = 0
    asked = cycle(files())

    def run() -> None:
        nonlocal number
        number += 1
        file = next(asked)
        result = searcher.search(file if own else file.read_bytes() + number.to_bytes(4, "big"))
        assert result.checked, result

    return run


def floor() -> Run:
    """Read one photograph after the other, and look at each as a new one is looked at."""
    cv2.setNumThreads(1)
    declared = catalogue.descriptor(best_descriptor())
    fitted = declared.fit(lambda: ())
    assert isinstance(fitted, FusionExtractor)
    networks = [one for one in fitted.parts if isinstance(one, NetworkExtractor)]
    asked = cycle(files())

    def run() -> None:
        file = next(asked)
        picture = read(file.read_bytes(), file.name)
        for cap in declared.caps:
            local_features(picture, cap)
        for network in networks:
            network.extract(picture)

    return run


def kinds(photographs: int) -> Run:
    """Return the share of the first ten that lie in the folder of the photograph that is asked with."""

    def run() -> dict[str, float]:
        with Library.open(make_library()) as library:
            CachedSteps.of(library.store.id).forget()  # of an earlier program of the same version
            found = evaluate_kinds(
                library, EvaluationSettings(truth="folders", indexes=(AUTOMATIC,), photographs=photographs)
            )
        return {"share": found.precision[AUTOMATIC]}

    return run


def edits(photographs: int) -> Run:
    """Return the share of edited copies that have their photograph at the first place."""

    def run() -> dict[str, float]:
        with Library.open(make_library()) as library:
            CachedSteps.of(library.store.id).forget()  # of an earlier program of the same version
            found = evaluate(library, EvaluationSettings(indexes=(AUTOMATIC,), photographs=photographs))
        (automatic,) = (one for one in found.indexes if one.name == AUTOMATIC)
        return {"share": automatic.mean.values["found@1"]}

    return run


def goal(share: float) -> Run:
    """Return the goal."""
    return lambda: {"share": share}
