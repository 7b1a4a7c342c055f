"""What a run gives and what is kept of it: the figures, and all that must be known to repeat them."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from app import catalogue
from app.version import version_text
from tests.benchmarks.__main__ import machine
from tests.papers.data_set import Facts
from tests.papers.debian_files import papers_folder

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Figure:
    """A mean over seeds, how far single runs lie from it, and how many there were."""

    mean: float
    deviation: float = 0.0
    runs: int = 1

    def __str__(self) -> str:
        return f"{self.mean:.3f}" + (f" ±{self.deviation:.3f}" if self.runs > 1 else "")


@dataclass(frozen=True)
class Result:
    """The result of an experiment (what ``bench`` gives, as JSON) or of a study (whatever it measured).

    Attributes
    ----------
    name : str
    facts : Facts
        Of its data.
    about : str
        The data in words.
    figures : dict
    """

    name: str
    facts: Facts
    about: str
    figures: dict[str, Any]

    @cached_property
    def _by_method(self) -> dict[tuple[str, str], dict[str, Any]]:
        return {(one["method"], one["search"]): one for one in self.figures["results"]}

    def method(self, text: str, search: str = "scan") -> dict[str, Any]:
        """Give what bench found of a method and a search, however their text forms are written."""
        return self._by_method[catalogue.method(text).text(), catalogue.search_structure(search).text()]

    def figure(self, text: str, name: str, search: str = "scan") -> Figure:
        """Give a figure of a method: ``recall@10``, ``map``, ``accuracy``, ``seconds.encode``."""
        one = self.method(text, search)
        family, _, key = name.partition("@") if "@" in name else name.partition(".")
        value = one[family][key] if key else one[family]
        return Figure(float(value), float(one["deviation"].get(name, 0.0)), len(one["seeds"]))


def keep(result: Result, text: str, seconds: float, home: Path | None = None) -> Path:
    """Write a result with its versions, data and machine as JSON; the last one of its name is what is judged again.

    Parameters
    ----------
    text : str
        The experiment's file, or the source of the study.
    """
    folder = (home or papers_folder()) / "results"
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "name": result.name,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "version": version_text(),
        "commit": _commit(),
        "machine": {**machine(), "threads": os.environ.get("OMP_NUM_THREADS", "")},
        "data": result.facts.model_dump(mode="json"),
        "about": result.about,
        "text": text,
        "figures": result.figures,
    }
    file = folder / f"{result.name}.json"
    new = folder / f".{result.name}.new"
    new.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    new.replace(file)
    return file


def kept(name: str, text: str, facts: Facts, home: Path | None = None) -> Result | None:
    """Give the last result of a name; None where there is none, or its text or data were others."""
    file = (home or papers_folder()) / "results" / f"{name}.json"
    try:
        document = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if document["text"] != text or document["data"] != facts.model_dump(mode="json"):
        return None
    return Result(name, facts, document["about"], document["figures"])


def _commit() -> str:
    """Say what the program was, where git knows; ``+`` for changes that are not committed."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
