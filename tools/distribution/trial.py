"""Trial of a program that is to be released: it tells its version, adds photographs and finds one of them.

In the current folder and on the path lie modules that are called as its own are, and none of its Python processes may
speak to another machine.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

COUNT = 6
_NAMES = ("app", "core", "features", "resources", "storage")
_CONNECTED = "connected"
_GUARD = """
import sys

def guard(event, arguments):
    if event == "socket.getaddrinfo" or (event == "socket.connect" and isinstance(arguments[1], tuple)):
        with open({path!r}, "a") as file:
            file.write(f"{{event}} {{arguments!r}}\\n")

sys.addaudithook(guard)
"""
"""What every Python process of the trial runs first."""


class TrialError(Exception):
    """A program did not do what it must."""


class TrialResult(NamedTuple):
    """One result of the search, without its folder."""

    photograph: str
    distance: float
    similarity: float


def try_program(command: Sequence[str], version: str, folder: Path) -> list[TrialResult]:
    """Ask a program for its version, have it add photographs and search with one of them.

    Parameters
    ----------
    command : sequence of str
        What starts it.
    version : str
        What it must say that it is.
    folder : Path
        An empty folder for the photographs and for what the program keeps.

    Returns
    -------
    list of Answer
        All photographs, in the order found.

    Raises
    ------
    TrialError
        If it fails, says something else, or speaks to another machine.
    """
    photographs = folder / "photographs"
    _write_photographs(photographs)
    told = _run_program([*command, "--version"], folder).strip()
    if told != f"twinlens {version}":
        raise TrialError(f"{command[0]} says that it is “{told}”, not version {version}.")
    library = ["--library", str(folder / "trial.twinlens"), "--json"]
    added = _document([*command, "add", str(photographs), *library], folder)
    if added["added"] != COUNT or added["problems"]:
        raise TrialError(f"{command[0]} added {added['added']} of {COUNT} photographs, {added['problems']} problems.")
    wanted = photographs / "2.jpg"
    found = _document([*command, "search", str(wanted), "-k", str(COUNT), *library], folder)
    hits = [
        TrialResult(Path(hit["path"]).name, hit["distance"], hit["similarity"]) for hit in found["results"][0]["hits"]
    ]
    if (folder / _CONNECTED).exists():
        raise TrialError(f"{command[0]} spoke to another machine: {(folder / _CONNECTED).read_text()}")
    if len(hits) != COUNT or hits[0].photograph != wanted.name:
        raise TrialError(f"{command[0]} did not find {wanted.name} first: {hits}.")
    return hits


def _write_photographs(folder: Path) -> None:
    """Write photographs of clouds, the same on every machine that has the same Pillow."""
    folder.mkdir()
    for number in range(COUNT):
        seeds = np.random.default_rng(number).integers(0, 256, (9, 12, 3), dtype=np.uint8)
        Image.fromarray(seeds).resize((640, 480), Image.Resampling.BICUBIC).save(folder / f"{number}.jpg", quality=90)


def _document(command: Sequence[str], folder: Path) -> Any:
    return json.loads(_run_program(command, folder))


def _run_program(command: Sequence[str], folder: Path) -> str:
    """Run a command as a person would who has modules of our names in the current folder and on the path."""
    hostile = folder / "here"
    for name in _NAMES:
        module = hostile / name / "__init__.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text("raise SystemExit('a module of somebody else was imported')\n", "utf-8")
    (hostile / "sitecustomize.py").write_text(_GUARD.format(path=str(folder / _CONNECTED)), "utf-8")
    environment = {
        "PATH": os.defpath,
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(hostile),
        "TWINLENS_CACHE": str(folder / "cache"),
        "TWINLENS_DATA": str(folder / "data"),
    }
    done = subprocess.run(command, cwd=hostile, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TrialError(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stderr}")
    return done.stdout
