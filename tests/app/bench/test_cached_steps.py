"""Steps in the cache come back as they were, whatever was cut off between them."""

from __future__ import annotations

from pathlib import Path

from app.bench.kept_steps import CachedSteps
from core.evaluation.evaluation_task import Figures
from core.evaluation.measurement import DataFacts, MeasuredStep


def step(key: str) -> MeasuredStep:
    figures = Figures(recall={1: 0.25, 10: 1.0}, found={10: 0.5}, seconds={"search": 0.125}, bytes={"codes": 32})
    return MeasuredStep(key, figures, DataFacts("base", 10, 4, 2, "l2"), 0.5, "digest", 1.5, {"vectors": "v"})


def test_a_step_comes_back_as_it_was(tmp_path: Path) -> None:
    steps = CachedSteps(tmp_path / "new" / "steps.jsonl")
    assert steps.kept(["a"]) == {}
    steps.keep(step("a"))
    again = CachedSteps(tmp_path / "new" / "steps.jsonl").kept(["a", "b"])
    assert list(again) == ["a"]
    assert (again["a"].figures, again["a"].facts, again["a"].seconds) == (step("a").figures, step("a").facts, 1.5)
    assert again["a"].versions["twinlens"]


def test_a_line_that_was_cut_off_costs_one_step(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    steps = CachedSteps(file)
    for key in ("a", "b"):
        steps.keep(step(key))
    file.write_bytes(file.read_bytes()[:-20])
    CachedSteps(file).keep(step("c"))
    assert list(CachedSteps(file).kept(["a", "b", "c"])) == ["a", "c"]


def test_a_step_that_cannot_be_read_is_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    steps = CachedSteps(file)
    for key in ("a", "b"):
        steps.keep(step(key))
    first, *rest = file.read_text().splitlines()[1::2]
    file.write_text("\n".join([first.replace("recall", "of another version"), *rest]))
    assert list(CachedSteps(file).kept(["a", "b"])) == ["b"]


def test_a_full_file_forgets_its_older_half(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    steps = CachedSteps(file)
    names = [f"step {number}" for number in range(20)]
    for name in names:
        steps.keep(step(name))
    found = CachedSteps(file, most_bytes=file.stat().st_size // 2).kept(names)
    assert set(found) == set(names[10:])
    assert set(CachedSteps(file).kept(names)) == set(names[10:]), "on disk, too"


def test_a_disk_that_refuses_loses_nothing_of_the_session(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, where a folder is wanted")
    steps = CachedSteps(tmp_path / "taken" / "steps.jsonl")
    steps.keep(step("a"))
    assert list(steps.kept(["a"])) == ["a"]
