"""File of a search for good parameters: an experiment for ``bench`` with all trials as comments."""

from __future__ import annotations

from app.bench.experiment import Experiment
from app.bench.tuning import TuningSettings
from app.bench.tuning_results import TuneResult


def tuning_file(wanted: TuningSettings, result: TuneResult) -> str:
    """Return the file as TOML.

    For vectors of a file it is an experiment of the proposed and the default declaration. For vectors of a library it
    names descriptor and method.
    """
    lines = [f"{result.chosen}: {result.reason}", result.command, f"Of {result.budget}, {result.trials} measurements:"]
    for one in result.tried:
        figures = ", ".join(f"recall@{count} {value:.4f}" for count, value in one.recall.items())
        lines.append(f"{one.method} on {one.items} vectors, splits {one.splits}: {one.refused or figures}")
    comments = "".join(f"# {line}\n" for text in lines for line in text.splitlines())
    methods = tuple(dict.fromkeys(text for text in (result.chosen, result.default) if text))
    if wanted.base:
        return comments + Experiment(wanted.base, methods=methods, truth=result.data.truth).to_toml()
    # A text form has neither quotes nor backslashes.
    return comments + f'descriptor = "{result.data.base}"\nmethod = "{result.chosen}"\n'
