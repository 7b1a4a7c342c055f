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
from tests.papers.quick import REPEATS, home, shortened, small
from tests.papers.result import Result, keep, kept
from tests.papers.sets import DATA_SETS

HERE = Path(__file__).parent
EXPERIMENTS = HERE / "experiments"
STUDIES = HERE / "studies"

Measure = Callable[[Mapping[str, Path], int, Progress], dict[str, Any]]
"""``measure`` of a study: of the folders of its data sets by name, and how often it draws again, figures for JSON."""


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


def run(name: str, again: bool = True, progress: Progress = silent, quickly: bool = False) -> Result:
    """Run an experiment or a study, and keep its result.

    Parameters
    ----------
    name : str
    again : bool
        Off: a kept result of the same text and data is given instead.
    progress : Progress
    quickly : bool
        Whether it is run at the quick size; its result is kept elsewhere.

    Raises
    ------
    TwinlensError
        If its data cannot be had, or a method cannot learn from them.
    Cancelled
        If progress says so.
    """
    own = _run_experiment if name in experiment_names() else _run_study
    return own(name, again, progress, quickly)


def _run_experiment(name: str, again: bool, progress: Progress, quickly: bool) -> Result:
    file = EXPERIMENTS / f"{name}.toml"
    text = file.read_text("utf-8")
    base = str(tomllib.loads(text)["base"])
    folder, place = _places(quickly)
    facts = _ready(base.partition("/")[0], quickly, part(progress, 0, 0.1))
    found = None if again else kept(name, text, facts, place)
    if found is not None:
        return found
    copied = folder / file.name
    shutil.copyfile(file, copied)
    began = time.perf_counter()
    experiment = read_experiment(copied)
    asked = shortened(experiment) if quickly else experiment
    figures = bench(asked, part(progress, 0.1, 1)).model_dump(mode="json")
    result = Result(name, facts, facts.line(Path(base).stem), figures)
    keep(result, text, time.perf_counter() - began, place)
    return result


def _run_study(name: str, again: bool, progress: Progress, quickly: bool) -> Result:
    module = study(name)
    text, measure, names = inspect.getsource(module), module.measure, module.DATA
    folder, place = _places(quickly)
    many = {one: _ready(one, quickly, part(progress, 0, 0.1)) for one in names}
    facts = _together(name, many)
    found = None if again else kept(name, text, facts, place)
    if found is not None:
        return found
    repeats = min(REPEATS, module.REPEATS) if quickly else module.REPEATS
    began = time.perf_counter()
    figures = measure({one: folder / one for one in names}, repeats, part(progress, 0.1, 1))
    result = Result(name, facts, "; ".join(one.line() for one in many.values()), figures)
    keep(result, text, time.perf_counter() - began, place)
    return result


def _places(quickly: bool) -> tuple[Path, Path | None]:
    """Give the folder of the data sets, and where results are kept; None for where they are unless said otherwise."""
    return (home() / "data", home()) if quickly else (data_folder(), None)


def _ready(name: str, quickly: bool, progress: Progress) -> Facts:
    if quickly:
        return ready(small(data_set(name)), progress, home() / "data")
    return ready(data_set(name), progress)


def _together(name: str, many: Mapping[str, Facts]) -> Facts:
    files = {f"{one}/{file}": about for one, facts in many.items() for file, about in facts.files.items()}
    packages = tuple(dict.fromkeys(package for facts in many.values() for package in facts.packages))
    title = "; ".join(facts.title for facts in many.values())
    return Facts(name=name, title=title, stands_for="", version=1, packages=packages, files=files)
