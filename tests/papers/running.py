"""Running experiments (files of bench's own format) and studies (what bench does not measure), or their kept results.

The paths of an experiment are those of data sets: ``sift/base.npy``. It is copied into the folder of the data, where
``twinlens bench`` runs it too.
"""

from __future__ import annotations

import importlib
import inspect
import shutil
import time
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app.benching import bench
from app.experiment import read_experiment
from core.progress import Progress, part, silent
from tests.papers.data_set import DataSet, Facts, data_folder, ready
from tests.papers.result import Result, keep, kept
from tests.papers.sets import DATA_SETS

HERE = Path(__file__).parent
EXPERIMENTS = HERE / "experiments"
STUDIES = HERE / "studies"

Measure = Callable[[Mapping[str, Path], Progress], dict[str, Any]]
"""``measure`` of a study: given the folders of its data sets by name, it gives figures that JSON can hold."""


def experiment_names() -> tuple[str, ...]:
    """Name every experiment."""
    return tuple(path.stem for path in sorted(EXPERIMENTS.glob("*.toml")))


def study_names() -> tuple[str, ...]:
    """Name every study."""
    return tuple(path.stem.replace("_", "-") for path in sorted(STUDIES.glob("*.py")) if path.stem != "__init__")


def study(name: str) -> Any:
    """Give the module of a study."""
    return importlib.import_module(f"tests.papers.studies.{name.replace('-', '_')}")


def data_set(name: str) -> DataSet:
    """Find a data set by its name."""
    return next(one for one in DATA_SETS if one.name == name)


def run(name: str, again: bool = True, progress: Progress = silent) -> Result:
    """Run an experiment or a study, and keep its result.

    Parameters
    ----------
    name : str
    again : bool
        Off: a kept result of the same text and data is given instead.
    progress : Progress

    Raises
    ------
    TwinlensError
        If its data cannot be had, or a method cannot learn from them.
    Cancelled
        If progress says so.
    """
    return _run_experiment(name, again, progress) if name in experiment_names() else _run_study(name, again, progress)


def _run_experiment(name: str, again: bool, progress: Progress) -> Result:
    file = EXPERIMENTS / f"{name}.toml"
    text = file.read_text("utf-8")
    base = str(tomllib.loads(text)["base"])
    facts = ready(data_set(base.partition("/")[0]), part(progress, 0, 0.1))
    found = None if again else kept(name, text, facts)
    if found is not None:
        return found
    copied = data_folder() / file.name
    shutil.copyfile(file, copied)
    began = time.perf_counter()
    figures = bench(read_experiment(copied), part(progress, 0.1, 1)).model_dump(mode="json")
    result = Result(name, facts, facts.line(Path(base).stem), figures)
    keep(result, text, time.perf_counter() - began)
    return result


def _run_study(name: str, again: bool, progress: Progress) -> Result:
    module = study(name)
    text, measure, names = inspect.getsource(module), module.measure, module.DATA
    many = {one: ready(data_set(one), part(progress, 0, 0.1)) for one in names}
    facts = _together(name, many)
    found = None if again else kept(name, text, facts)
    if found is not None:
        return found
    began = time.perf_counter()
    figures = measure({one: data_folder() / one for one in names}, part(progress, 0.1, 1))
    result = Result(name, facts, "; ".join(one.line() for one in many.values()), figures)
    keep(result, text, time.perf_counter() - began)
    return result


def _together(name: str, many: Mapping[str, Facts]) -> Facts:
    files = {f"{one}/{file}": about for one, facts in many.items() for file, about in facts.files.items()}
    packages = tuple(dict.fromkeys(package for facts in many.values() for package in facts.packages))
    title = "; ".join(facts.title for facts in many.values())
    return Facts(name=name, title=title, stands_for="", version=1, packages=packages, files=files)
