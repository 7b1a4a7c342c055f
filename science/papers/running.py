"""Running of experiments (files of bench's own format) and studies (what bench does not measure), step by step.

The paths of an experiment are those of data sets: ``sift/base.npy``. A step of an experiment is a method, a search
structure and a seed, as in the Lab; an experiment over partitions is a single step. A step of a study is one of its
cases. Each step is kept at once under a key of all that decides it, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import json
import re
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from science.papers.data_set import DataSet, DataSetFacts, lines_of, papers_folder
from science.papers.result import Result, circumstances, rounded
from science.papers.sets import DATA_SETS
from science.papers.size import FULL, Size, Tables, ready_at, sized
from science.papers.verdict import Busy
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment, read_experiment
from twinlens.app.bench.kept_steps import measured_of, row_of
from twinlens.app.lab.experiments.runner import prepare_plan
from twinlens.app.lab.experiments.runs import run_of
from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measurement import MeasuredStep, StepRow, Timing, measure_plan
from twinlens.core.kernels import KERNELS
from twinlens.core.methods import METHODS
from twinlens.core.metrics import METRICS
from twinlens.core.progress import Progress, part, silent
from twinlens.core.search import SEARCHES
from twinlens.storage.lab import RunRow

HERE = Path(__file__).parent
EXPERIMENTS = HERE / "experiments"
STUDIES = HERE / "studies"
Measure = Callable[[str, Tables, int, Progress], Any]
"""``measure`` of a study: of one of its cases, the tables, and how often it draws again, figures for JSON."""


class Steps:
    """Steps, each a file of JSON."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """Return a step; None where it was not measured, or its file is damaged."""
        try:
            found = json.loads(self._file(key).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, key: str, step: dict[str, Any]) -> None:
        """Keep a step; whoever is ended in the midst of it leaves what was there."""
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(step) + "\n", "utf-8")
        new.replace(file)

    def forget(self, key: str) -> None:
        """Measure a step anew the next time."""
        self._file(key).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run: of one experiment or of all.

    Attributes
    ----------
    again : bool
        Whether what is kept is measured anew.
    steps : Steps, optional
        Where steps are kept; in the user's cache unless said otherwise.
    """

    size: Size = FULL
    again: bool = False
    steps: Steps | None = None

    def store(self) -> Steps:
        """Return where steps are kept."""
        return self.steps or Steps(papers_folder() / "steps")


def experiment_names() -> tuple[str, ...]:
    """Name every experiment."""
    return tuple(path.stem for path in sorted(EXPERIMENTS.glob("*.toml")))


def study_names() -> tuple[str, ...]:
    """Name every study: a module with ``CASES``; others in the folder are what studies have in common."""
    files = [
        path for path in sorted(STUDIES.glob("*.py")) if re.search(r"^[\w =]*CASES\b", path.read_text("utf-8"), re.M)
    ]
    return tuple(path.stem.replace("_", "-") for path in files)


def study(name: str) -> Any:
    """Return the module of a study."""
    return importlib.import_module(f"science.papers.studies.{name.replace('-', '_')}")


def text_of(name: str) -> str:
    """Return the definition of a measurement: the text of an experiment, or the code of a study."""
    if name in experiment_names():
        return (EXPERIMENTS / f"{name}.toml").read_text("utf-8")
    return code_of(inspect.getsource(study(name)))


def data_set(name: str) -> DataSet:
    """Find a data set by its name.

    Raises
    ------
    TwinlensError
        If there is none.
    """
    found = next((one for one in DATA_SETS if one.name == name), None)
    if found is None:
        raise TwinlensError(
            "There is no data set “{value}”: an experiment here names its vectors as SET/ARRAY.npy.",
            "There are {data_sets}; `twinlens bench FILE.toml` takes any file of vectors.",
            value=name or ".",
            data_sets=", ".join(one.name for one in DATA_SETS),
        )
    return found


def run(name: str, asked: RunSettings | None = None, progress: Progress = silent) -> Result:
    """Run an experiment or a study; what is kept of it is not measured again.

    Parameters
    ----------
    progress : Progress
        Told shares of the whole.

    Raises
    ------
    TwinlensError
        If its data cannot be had, or a method cannot learn from them.
    """
    asked = asked or RunSettings()
    return (_run_experiment if name in experiment_names() else _run_study)(name, asked, progress)


# ---- experiments -----------------------------------------------------------------------------------------------------
def _run_experiment(name: str, asked: RunSettings, progress: Progress) -> Result:
    tables = Tables(asked.size)
    text = text_of(name)
    own = tomllib.loads(text)
    wanted = [_named(own[field]) for field in ("base", "queries") if own.get(field)]
    sets = tuple(dict.fromkeys(found for found, _ in wanted))
    many = _all_ready(sets, asked.size, part(progress, 0, 0.1))
    about = many[wanted[0][0]].line(wanted[0][1])
    experiment = sized(read_experiment(EXPERIMENTS / f"{name}.toml"), asked.size, tables)
    measure = _partitions if experiment.partitions else _stepwise
    figures, spent = measure(experiment, tuple(many.values()), asked, part(progress, 0.1, 1))
    figures["data"]["base"] = str(own["base"])
    return _result(name, tuple(many.values()), about, figures, asked, text, spent)


def _named(path: str) -> tuple[str, str]:
    return Path(path).parent.name, Path(path).stem


def _stepwise(
    experiment: Experiment, _sets: tuple[DataSetFacts, ...], asked: RunSettings, progress: Progress
) -> tuple[dict[str, Any], _Spent]:
    """Measure what is lacking, method by method, and sum up the seeds as the Lab does."""
    experiment, plan = prepare_plan(None, experiment, part(progress, 0, 0.05))
    store, spent = _KeptSteps(asked), _Spent()
    measure_plan(plan, store, Timing(part(progress, 0.05, 1)))
    keys = tuple(step.key for step in plan.steps)
    found = {key: spent.of(store.rows[key]) for key in keys}
    run_row = RunRow(0, experiment.name, experiment.to_toml(), keys, "")
    lab = run_of(run_row, {key: StepRow(**row["row"]) for key, row in found.items()})
    assert lab.data is not None
    rows = [
        {
            **one.measured.model_dump(mode="json"),
            "recall_curve": one.recall_curve,
            "recall_spread": one.recall_spread,
            "precision_spread": one.precision_spread,
            "bytes_each": one.values["bytes each"],
        }
        for one in lab.rows
    ]
    return {"data": lab.data.model_dump(mode="json"), "results": rows}, spent


class _KeptSteps:
    """Steps of an experiment as the papers keep them, each with the load of the machine meanwhile."""

    def __init__(self, asked: RunSettings) -> None:
        self._store, self._again, self._busy = asked.store(), asked.again, Busy()
        self.rows: dict[str, dict[str, Any]] = {}

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return those of some steps that were measured."""
        there = {} if self._again else {key: row for key in keys if (row := self._store.get(key)) is not None}
        self.rows |= there
        return {key: measured_of(StepRow(**row["row"])) for key, row in there.items()}

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step."""
        row = {"row": asdict(row_of(one)), "others": self._busy.cores(), "made": circumstances()}
        self._store.put(one.key, row)
        self.rows[one.key] = row
        self._busy = Busy()


def _partitions(
    experiment: Experiment, sets: tuple[DataSetFacts, ...], asked: RunSettings, progress: Progress
) -> tuple[dict[str, Any], _Spent]:
    plan = experiment.changed(base="", labels="", pairs="").to_toml()
    key = key_of("partitions", plan, _digests(sets), versions_of_declarations())

    def measure() -> Any:
        return bench(experiment, progress).model_dump(mode="json")

    spent = _Spent()
    step = spent.of_figures(_kept_or(key, asked, measure))
    return dict(step), spent


# ---- studies ---------------------------------------------------------------------------------------------------------
def _run_study(name: str, asked: RunSettings, progress: Progress) -> Result:
    module, text = study(name), text_of(name)
    tables = Tables(asked.size)
    many = _all_ready(module.DATA, asked.size, part(progress, 0, 0.1))
    used = tuple(many.values())
    repeats = min(asked.size.repeats or module.REPEATS, module.REPEATS)
    figures, spent = {}, _Spent()
    versions = versions_of_declarations()
    for number, case in enumerate(module.CASES):
        step = part(progress, 0.1 + 0.9 * number / len(module.CASES), 0.1 + 0.9 * (number + 1) / len(module.CASES))
        key = key_of("study", name, text, case, repeats, _digests(used), versions)

        def measure(case: str = case, step: Progress = step) -> Any:
            return module.measure(case, tables, repeats, step)

        figures[case] = spent.of_figures(_kept_or(key, asked, measure))
    return _result(name, used, lines_of(used), figures, asked, text, spent)


# ---- both ------------------------------------------------------------------------------------------------------------
class _Spent:
    """Total time of the steps, and the load of other programs."""

    def __init__(self) -> None:
        self.seconds, self._busy = 0.0, 0.0
        self.made: dict[str, Any] = {}

    def of(self, step: dict[str, Any]) -> dict[str, Any]:
        """Take note of a step, and give it."""
        seconds = float(step["row"]["seconds"] if "row" in step else step["seconds"])
        self.seconds += seconds
        self._busy += seconds * float(step["others"])
        if step["made"].get("date", "") >= self.made.get("date", ""):
            self.made = step["made"]
        return step

    def of_figures(self, step: dict[str, Any]) -> Any:
        """Take note of a step, and give its figures."""
        return self.of(step)["figures"]

    @property
    def others(self) -> float:
        """Cores that others used, on average."""
        return self._busy / self.seconds if self.seconds else 0.0


def _kept_or(key: str, asked: RunSettings, measure: Callable[[], Any]) -> dict[str, Any]:
    """Return a step that is kept, or measure and keep it."""
    store = asked.store()
    step = None if asked.again else store.get(key)
    if step is None:
        busy, began = Busy(), time.perf_counter()
        figures = json.loads(json.dumps(rounded(measure())))
        taken = time.perf_counter() - began
        step = {"figures": figures, "seconds": taken, "others": busy.cores(), "made": circumstances()}
        store.put(key, step)
    return step


def _result(
    name: str,
    sets: tuple[DataSetFacts, ...],
    about: str,
    figures: dict[str, Any],
    asked: RunSettings,
    text: str,
    spent: _Spent,
) -> Result:
    return Result(
        name=name,
        sets=sets,
        about=about,
        figures=rounded(figures),
        size=asked.size.name,
        text=text,
        seconds=spent.seconds,
        others=spent.others,
        made=spent.made,
    )


def _all_ready(names: tuple[str, ...], size: Size, progress: Progress) -> dict[str, DataSetFacts]:
    every = tuple(dict.fromkeys(names))
    return {
        one: ready_at(size, data_set(one), part(progress, number / len(every), (number + 1) / len(every)))
        for number, one in enumerate(every)
    }


def _digests(sets: Iterable[DataSetFacts]) -> dict[str, str]:
    return {f"{one.name}/{name}": file.sha256 for one in sets for name, file in one.files.items()}


VERSION = 1
"""Raised when a step would give other figures although its key is the same."""


def key_of(*about: Any) -> str:
    """Make a key of what JSON can hold."""
    text = json.dumps([VERSION, *about], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def code_of(source: str) -> str:
    """Return Python source without comments, layout, docstrings and imports, which change nothing that it does."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [one for one in node.body if not _is_text(one)] or [ast.Pass()]
    return ast.unparse(tree)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def versions_of_declarations() -> dict[str, int]:
    """Return the versions that were raised of all that may be declared: where one is, studies are measured anew."""
    families: tuple[tuple[str, Sequence[type[Declaration]]], ...] = (
        ("method", METHODS),
        ("kernel", KERNELS),
        ("metric", METRICS),
        ("search", SEARCHES),
    )
    return {f"{family} {one.key}": one.version for family, options in families for one in options if one.version > 1}
