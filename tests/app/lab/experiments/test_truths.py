"""What is right by edits and by a learned metric, against plain computations that share no line with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.bench.experiment import Experiment
from app.indexes.fitted_models import load_extractor
from app.indexes.index_specification import load_metric, named_metric
from app.indexes.indexes import NewIndex, create_index
from app.indexes.loaded_index import index_measure
from app.lab.experiments.experiment_file import open_experiment, run_again, write_experiment
from app.lab.experiments.run_sheet import make_index
from app.lab.experiments.runner import run_experiment
from app.learn.learning import LearningSettings, keep_metric, propose_metric
from app.library.library import Library
from app.machine.output_file import OutputFile
from app.marks.marks import mark_pairs
from app.methods import catalogue
from app.search.search_query import SearchOptions
from app.search.searcher import Searcher
from core.hashing.method_under_metric import under
from features.pictures.picture import Picture, PictureFacts
from tests.app.folders import added, write_scenes
from tests.app.lab.experiments.test_runner import tied_precision
from tests.app.lab.making import STORED, new_library

EDITS = ("mirror", "upside down")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile nothing: figures are the same."""
    monkeypatch.setenv("TWINLENS_PLAIN", "1")


def test_edited_copies_are_asked_as_a_plain_computation_asks_them(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    write_scenes(folder, 6)
    shutil.copyfile(folder / "0004.jpg", folder / "same.jpg")  # both are right for a copy of either
    added(tmp_path / "library.twinlens", folder)
    with Library.open(tmp_path / "library.twinlens") as library:
        create_index(
            library, NewIndex(descriptor="pixels:rows=4,columns=4", method="lsh:bits=12", search="scan", name="Small")
        )
        plan = Experiment(index="Small", methods=("lsh:bits=12",), truth="edits", edits=EDITS, query_count=6)
        found = run_experiment(library, plan.changed(search=("scan",)), "edits")
        with library.store.reading() as r:
            measured = index_measure(r, "Small")
            ids = np.asarray(r.descriptors.ids(measured.kind), np.int64)
            base = np.asarray(r.descriptors.read(measured.kind, ids)[0], np.float32)
            rows = {Path(bytes(one.path).decode()).name: one.id for one in r.photographs.by_id(ids.tolist())}
            extractor = load_extractor(r, measured.kind)
    place = {name: int(np.flatnonzero(ids == one)[0]) for name, one in rows.items()}
    codes = np.unpackbits(catalogue.method("lsh:bits=12,seed=0").fit(base).encode(base), axis=1)
    fitted = catalogue.method("lsh:bits=12,seed=0").fit(base)
    recalls: dict[int, list[float]] = {1: [], 3: []}
    precisions = []
    for name in sorted(set(rows) - {"same.jpg"}):
        pixels = np.asarray(Image.open(folder / name).convert("RGB"))
        right = {place[name], place["same.jpg"]} if name == "0004.jpg" else {place[name]}
        for turned in (pixels[:, ::-1], pixels[::-1]):
            height, width = turned.shape[:2]
            picture = Picture(np.ascontiguousarray(turned), None, PictureFacts("BMP", width, height))
            vector = extractor.extract(picture).astype(measured.kind.stored()).astype(np.float32)
            code = np.unpackbits(fitted.encode(vector[None]), axis=1)
            hamming = (codes != code).sum(axis=1)
            for first, values in recalls.items():
                shares = []
                for one in right:
                    nearer, tied = (hamming < hamming[one]).sum(), (hamming == hamming[one]).sum()
                    shares.append(np.clip((first - nearer) / tied, 0, 1))
                values.append(float(np.mean(shares)))
            precisions.append(tied_precision(hamming, np.isin(np.arange(len(ids)), list(right))))
    (row,) = found.rows
    assert found.data is not None
    assert (found.data.queries, found.data.n) == (12, 7)
    assert 0.05 < row.measured.recall["1"] < 0.95, "what tells nothing"
    assert row.measured.recall["1"] == pytest.approx(np.mean(recalls[1]))
    assert dict(row.recall_curve)[3] == pytest.approx(np.mean(recalls[3]))
    assert row.measured.map == pytest.approx(np.mean(precisions))


def test_a_learned_metric_ranks_a_plan_as_it_ranks_a_search(tmp_path: Path) -> None:
    roots = np.sqrt(STORED.astype(np.float64))
    away = np.square(roots[:, None] - roots[None]).sum(axis=2)
    order = np.argsort(away, axis=1)
    with new_library(tmp_path) as library:
        mark_pairs(library, [(i + 1, int(order[i, 1]) + 1) for i in range(14)], similar=True)
        mark_pairs(library, [(i + 1, int(order[i, -1]) + 1) for i in range(10)], similar=False)
        name = keep_metric(library, propose_metric(library, LearningSettings(index="Learned", anyway=True)))
        plan = Experiment(
            index="Learned", metric=name, methods=("lsh:bits=32",), search=("scan",), seeds=(0,), query_count=20
        )
        found = run_experiment(library, plan, "learned")
        with library.store.reading() as r:
            kept = named_metric(r, name)
            assert kept is not None
            metric = load_metric(r, kept.model_id).fitted_to(STORED)
        create_index(
            library,
            NewIndex(descriptor="colour:levels=1", method="lsh:bits=32", search="exact", name="Exactly", metric=name),
        )
        searcher = Searcher(library)
        asking = np.sort(np.random.default_rng(20_150_607).choice(160, 20, replace=False))
        encoder = under(metric, catalogue.method("lsh:bits=32,seed=0")).fit(STORED)
        codes = np.unpackbits(encoder.encode(STORED), axis=1)
        precisions = []
        for asked in asking:
            hits = [hit.id - 1 for hit in searcher.search(int(asked) + 1, "Exactly", SearchOptions(60)).hits]
            true = [one for one in hits if one != asked][:50]
            others = np.delete(np.arange(160), asked)
            precisions.append(tied_precision((codes[others] != codes[asked]).sum(axis=1), np.isin(others, true)))
        (row,) = found.rows
        assert found.data is not None
        assert (found.data.metric, found.data.truth) == (name, "metric")
        assert row.measured.map == pytest.approx(np.mean(precisions), abs=2e-3)
        assert make_index(library, "learned", "1", "Made").text.endswith(f"{name} · lsh:bits=32 · scan")
        file = tmp_path / "learned.twinlens-experiment"
        write_experiment(library, "learned", OutputFile(file), vectors=True)
    again = run_again(open_experiment(file))[1]
    assert again.figures > 5
    assert again.differing == []
