"""Runs are listed, renamed, deleted, exported and opened elsewhere; their sentence says what their rows say."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.lab.making import PLAN, STORED, new_library
from tests.app.made_library import put
from twinlens.app.bench.bench import plan_of
from twinlens.app.bench.experiment import from_toml
from twinlens.app.bench.kept_steps import figures_of
from twinlens.app.indexes.indexes import find_index
from twinlens.app.lab.experiments.experiment_file import keep_experiment, open_experiment, run_again, write_experiment
from twinlens.app.lab.experiments.lab_results import LabRow, LabRun, finding
from twinlens.app.lab.experiments.run_sheet import make_index
from twinlens.app.lab.experiments.runner import experiment_tables, resume_run, run_experiment
from twinlens.app.lab.experiments.runs import (
    HEADING,
    delete_run,
    list_runs,
    load_run,
    rename_run,
    restore_run,
    write_runs_json,
    write_runs_table,
)
from twinlens.app.lab.figures.run_figures import figures, group_slots, write_run_figure
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measurement import StepRow

Measured = tuple[Library, LabRun]


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Library]:
    """Yield a library of another machine."""
    with new_library(tmp_path) as library:
        yield library


def test_a_run_is_listed_renamed_deleted_and_brought_back(other: Library) -> None:
    found = run_experiment(other, PLAN)
    (listed,) = list_runs(other).runs
    assert (listed.name, listed.done, listed.steps, listed.data) == ("bits", 8, 8, "Learned")
    assert rename_run(other, "Bits", "lengths").name == "lengths"
    with pytest.raises(TwinlensError, match="no run “lenghts”") as wrong:
        load_run(other, "lenghts")
    assert "“lengths”" in str(wrong.value.advice)
    deleted = delete_run(other, "lengths")
    assert list_runs(other).runs == []
    again = restore_run(other, deleted)
    assert again.rows == found.rows
    assert again == load_run(other, "lengths")


def test_tables_hold_the_figures(measured: Measured, tmp_path: Path) -> None:
    _, found = measured
    write_runs_table([found], OutputFile(tmp_path / "bits.csv"))
    with (tmp_path / "bits.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == HEADING
    assert [float(row["map"]) for row in rows] == [row.values["map"] for row in found.rows]
    assert float(rows[2]["recall@10 deviation"]) == found.rows[2].measured.spread["recall@10"]
    assert rows[1]["seeds"] == "0 3"
    write_runs_json(found, OutputFile(tmp_path / "bits.json"))
    written = json.loads((tmp_path / "bits.json").read_text("utf-8"))
    assert written.pop("generator") == "Twinlens"
    assert LabRun.model_validate(written).model_dump() == found.model_dump()
    with pytest.raises(TwinlensError, match="no figure “nothing”") as wrong:
        write_run_figure([found], OutputFile(tmp_path / "x.png"), "nothing")
    assert "map-bits" in str(wrong.value.advice)


def test_a_row_becomes_an_index(other: Library) -> None:
    run_experiment(other, PLAN)
    made = make_index(other, "bits", "4", "Long")
    assert (made.text, made.photographs) == ("colour:levels=1 · lsh:bits=48 · buckets", 160)
    with other.store.reading() as r:
        assert find_index(r, "Long").method
    for row, words in (("9", "no row “9”"), ("lsh:bits=48", "several rows")):
        with pytest.raises(TwinlensError, match=words):
            make_index(other, "bits", row)


def test_an_experiment_is_opened_and_run_again_elsewhere(measured: Measured, other: Library, tmp_path: Path) -> None:
    library, found = measured
    file = tmp_path / "bits.twinlens-experiment"
    write_experiment(library, "bits", OutputFile(file), vectors=True)
    written = file.read_bytes()
    write_experiment(library, "bits", OutputFile(file), vectors=True)
    assert file.read_bytes() == written
    with zipfile.ZipFile(file) as whole:
        assert b".jpg" not in b"".join(whole.read(name) for name in whole.namelist()), "no photo is named"
    opened = open_experiment(file)
    assert opened.run.rows[1].measured == found.rows[1].measured
    assert opened.tables is not None
    np.testing.assert_array_equal(opened.tables.base, STORED)
    result, check = run_again(opened)
    assert (
        check.figures == 4 * 13
    )  # three recalls, two overlaps, the worst and the error, mAP and its chance, and four counts
    assert check.differing == []
    assert [one.values["map"] for one in result.results] == [row.values["map"] for row in found.rows]
    kept = keep_experiment(other, opened)
    assert kept.rows[2].measured == found.rows[2].measured
    assert resume_run(other, "bits").rows == kept.rows, "the same photos: nothing is measured anew"
    with pytest.raises(TwinlensError, match="already a run"):
        keep_experiment(other, opened)


def test_a_file_of_november_2026_opens_and_is_measured_alike() -> None:
    opened = open_experiment(Path(__file__).parent / "november_2026.twinlens-experiment")
    assert (opened.run.done, opened.run.digests) == (8, {})
    assert "found@10" not in opened.run.rows[0].values
    assert opened.tables is not None
    plan = plan_of(opened.experiment, opened.tables)
    assert tuple(step.key for step in plan.steps) == opened.row.steps, "what libraries keep is not measured anew"
    _, check = run_again(opened)
    assert (check.figures, check.differing) == (4 * 9, [])


def test_a_file_says_on_what_and_where_it_was_measured(measured: Measured, tmp_path: Path) -> None:
    library, found = measured
    file = tmp_path / "a.twinlens-experiment"
    write_experiment(library, "bits", OutputFile(file))
    opened = open_experiment(file)
    assert opened.run.digests == experiment_tables(library, PLAN)[1].digests() == found.digests
    assert set(found.digests) == {"vectors", "queries", "right results"}
    assert {"twinlens", "python", "numpy", "scipy", "system", "machine", "processor", "cores"} <= set(found.versions)
    assert opened.experiment.seeds == PLAN.seeds


def test_without_vectors_the_data_must_be_here_and_the_same(measured: Measured, other: Library, tmp_path: Path) -> None:
    library, _ = measured
    file = tmp_path / "bits.twinlens-experiment"
    write_experiment(library, "bits", OutputFile(file))
    opened = open_experiment(file)
    assert opened.tables is None
    assert run_again(opened, other)[1].differing == []
    with pytest.raises(TwinlensError, match="no vectors, and its data is not available"):
        run_again(opened, None)
    run_experiment(other, PLAN)
    put(other, STORED[:2], start=160)
    with pytest.raises(TwinlensError, match=r"differ from those of the experiment \(vectors, queries\)"):
        run_again(opened, other)
    with pytest.raises(TwinlensError, match="have changed since"):
        write_experiment(other, "bits", OutputFile(file), vectors=True)


def test_a_figure_that_differs_is_told(measured: Measured, tmp_path: Path) -> None:
    library, _ = measured
    file, other = tmp_path / "a.twinlens-experiment", tmp_path / "b.twinlens-experiment"
    write_experiment(library, "bits", OutputFile(file), vectors=True)
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(other, "w") as changed:
        text = json.loads(whole.read("experiment.json"))
        figures = json.loads(text["steps"][0]["figures"])
        figures["map"] += 0.25
        text["steps"][0]["figures"] = json.dumps(figures)
        changed.writestr("experiment.json", json.dumps(text))
        changed.writestr("vectors.npz", whole.read("vectors.npz"))
    (sentence,) = run_again(open_experiment(other))[1].differing
    assert str(sentence).startswith("lsh:bits=16 · scan:candidates=20: mAP was")


def test_files_that_are_no_experiments_are_refused_in_a_sentence(measured: Measured, tmp_path: Path) -> None:
    library, _ = measured
    good, bad = tmp_path / "good.twinlens-experiment", tmp_path / "bad.twinlens-experiment"
    write_experiment(library, "bits", OutputFile(good), vectors=True)
    data = good.read_bytes()
    for wrong in (b"", b"nothing", data[: len(data) // 2], data[:200] + bytes(40) + data[240:]):
        bad.write_bytes(wrong)
        with pytest.raises(TwinlensError, match="not a readable experiment"):
            open_experiment(bad)
    with zipfile.ZipFile(bad, "w") as whole:
        whole.writestr("experiment.json", json.dumps({"format": "twinlens experiment", "version": 99}))
    with pytest.raises(TwinlensError, match="newer Twinlens"):
        open_experiment(bad)
    with pytest.raises(TwinlensError, match="no file"):
        open_experiment(tmp_path / "none")


def test_an_experiment_that_is_changed_anywhere_is_read_or_refused(measured: Measured, tmp_path: Path) -> None:
    library, _ = measured
    file, changed = tmp_path / "a.twinlens-experiment", tmp_path / "b.twinlens-experiment"
    write_experiment(library, "bits", OutputFile(file), vectors=True)
    with zipfile.ZipFile(file) as whole:
        text, vectors = whole.read("experiment.json"), whole.read("vectors.npz")
    with np.load(io.BytesIO(vectors)) as loaded:
        arrays = dict(loaded)
    rng, refused = random.Random(0), 0
    for number in range(150):
        values, held = json.loads(text), dict(arrays)
        if number % 3:
            _exchange(values, rng)
        else:
            name = rng.choice(sorted(held))
            held[name] = rng.choice([held[name][:-1], -held[name], held[name][None], np.full(3, np.nan), np.array("x")])
        out = io.BytesIO()
        np.savez(out, **held)
        with zipfile.ZipFile(changed, "w") as whole:
            whole.writestr("experiment.json", json.dumps(values))
            whole.writestr("vectors.npz", out.getvalue())
        try:
            open_experiment(changed)
        except TwinlensError:
            refused += 1
    assert refused > 50


def _exchange(values: Any, rng: random.Random) -> None:
    """Put something else in the place of a value, at any depth, also in what is JSON in JSON."""
    while True:
        key = rng.choice(sorted(values)) if isinstance(values, dict) else rng.randrange(len(values))
        inner = values[key]
        if isinstance(inner, str) and inner.startswith("{") and rng.random() < 0.8:
            told = json.loads(inner)
            _exchange(told, rng)
            values[key] = json.dumps(told)
            return
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.1:
            values[key] = rng.choice([None, -1, 10**30, float("nan"), "", "x", [], {}, [[1]], {"a": None}, True])
            return
        values = inner


def test_a_plan_is_read_as_it_was_written(measured: Measured) -> None:
    plan = PLAN.changed(question='Which "one"? \\ é\n', edits=("grey",))
    assert from_toml(plan.to_toml(), Path()) == plan
    assert from_toml(measured[1].plan, Path()).name == "bits"


def test_a_step_of_before_precision_was_told_at_recalls_is_read_without_it() -> None:
    old = {"recall": {"10": 0.5}, "overlap": {}, "curve": [[0.1, 1.0]], "recall_curve": [[10, 0.5]], "map": 0.25}
    found = figures_of(StepRow("key", "{}", json.dumps(old), 1.0, "{}"))
    assert (found.curve, found.precision_at, found.values["map"]) == ([(0.1, 1.0)], [], 0.25)


Told = tuple[str, str, float, float, float, float]
"""Method, search structure, figure, deviation, bytes a photograph, milliseconds a query."""


def run_of(like: LabRun, rows: Sequence[Told], measure: str = "recall@10", steps: int = 8) -> LabRun:
    """Return a run with other figures."""

    def row(number: int, told: Told) -> LabRow:
        method, search, value, spread, size, milliseconds = told
        one = like.rows[0].measured
        values = {
            "looked_at": 0,
            "scanned": 0,
            "probed": 0,
            measure: value,
            "seconds query": milliseconds / 1000,
            "bytes each": size,
        }
        changes = {"method": method, "search": search, "bits": 64, "values": values, "spread": {measure: spread}}
        measured = one.model_copy(update=changes)
        return like.rows[0].model_copy(update={"key": f"1/{number}", "measured": measured})

    made = [row(number, told) for number, told in enumerate(rows, 1)]
    return like.model_copy(update={"rows": made, "steps": 8, "done": steps})


def ranks(*figures: tuple[int, float, float]) -> list[Told]:
    return [(f"klsh:bits=64,rank={rank}", "scan", value, spread, 8.0, 1.0) for rank, value, spread in figures]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            ranks((4, 0.47, 0.01), (16, 0.92, 0.02), (64, 0.97, 0.01)),
            "klsh:rank=64 finds most (recall@10 0.97 ± 0.01), klsh:rank=4 finds least (0.47 ± 0.01).",
        ),
        (
            ranks((4, 0.47, 0.01), (16, 0.96, 0.02), (64, 0.97, 0.001)),
            "klsh:rank=64 finds most (recall@10 0.97), klsh:rank=4 finds least (0.47 ± 0.01). klsh:rank=16 is as good",
        ),
        (ranks((4, 0.961, 0.0), (16, 0.959, 0.0)), "All find about as much: recall@10 0.96 to 0.96."),
        (ranks((4, 0.5, 0.02)), "klsh:bits=64,rank=4 has recall@10 0.50 ± 0.02."),
        (
            [("lsh:bits=64", "scan", 0.6, 0, 8, 1), ("lsh:bits=128", "scan", 0.90, 0.02, 16, 1),
             ("lsh:bits=256", "scan", 0.91, 0.01, 32, 1)],
            "lsh:bits=128 finds as much in 16 bytes per photo instead of 32.",
        ),
    ],
)  # fmt: skip
def test_it_names_most_and_least_and_what_is_as_good(measured: Measured, rows: list[Told], words: str) -> None:
    assert words in str(finding([run_of(measured[1], rows)]))


def test_of_search_structures_it_tells_time_and_of_folders_the_vote(measured: Measured) -> None:
    rows: list[Told] = [
        ("lsh:bits=64", "scan", 0.999, 0, 8, 20), ("lsh:bits=64", "multi-index", 1.0, 0, 8, 14.6),
        ("lsh:bits=64", "buckets", 0.87, 0, 8, 2.2),
    ]  # fmt: skip
    run = run_of(measured[1], rows, "overlap@10")
    assert str(finding([run])) == (
        "multi-index finds most: overlap@10 1.00 in 15 ms per query. buckets is quickest: 0.87 in 2.2 ms."
    )
    assert "No other is much quicker" in str(finding([run_of(measured[1], rows[:2], "overlap@10")]))
    drawn = {one.keys[0]: one.place for one in next(one for one in figures([run]) if one.name == "found-time").series}
    assert group_slots([run]) == drawn, "dots of the table have the colours of the points"
    assert len(set(drawn.values())) == 3
    assert "accuracy 0.97" in str(finding([run_of(measured[1], ranks((4, 0.47, 0), (64, 0.97, 0)), "accuracy")]))


def test_it_says_so_far_nothing_of_nothing_and_compares_equal_data_alone(measured: Measured) -> None:
    run = run_of(measured[1], ranks((4, 0.47, 0), (64, 0.97, 0)), steps=5)
    assert str(finding([run])).startswith("So far: klsh:rank=64")
    assert not finding([run.model_copy(update={"rows": []})])
    other = run.model_copy(update={"id": 2, "name": "other"})
    assert f"{run.name} · klsh:rank=64" in str(finding([run, other]))
    assert not finding([run, other.model_copy(update={"digest": "of others"})])
    real = measured[1]
    recalls = [row.values["recall@10"] for row in real.rows]
    assert f"recall@10 {min(recalls):.2f} to {max(recalls):.2f}" in str(finding([real])), (
        "seeds differ by more than methods"
    )


def test_methods_without_the_number_are_lines_across_its_figure(measured: Measured) -> None:
    full: Told = ("klsh:bits=64", "scan", 0.8, 0, 8, 1)
    run = run_of(measured[1], [*ranks((4, 0.47, 0), (64, 0.97, 0)), full, ("lsh:bits=64", "scan", 0.7, 0, 8, 1)])
    (found,) = [one for one in figures([run]) if one.name == "recall-rank"]
    assert {(one.at, one.vertical) for one in found.markers} == {(0.8, False), (0.7, False)}
    assert {str(one.label) for one in found.markers} == {"klsh without rank", "lsh"}
    hidden = next(one for one in figures([run], chosen=["1/1", "1/2", "1/3"]) if one.name == "recall-rank")
    assert len(hidden.markers) == 1
