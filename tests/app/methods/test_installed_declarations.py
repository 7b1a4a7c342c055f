"""A package brings a descriptor, a metric, a hash method, a search structure and a kernel; then it is gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.app.folders import Libraries, added, write_scene
from tests.core.installed_package import install
from twinlens.app.indexes.indexes import delete_index, list_indexes
from twinlens.app.library.library import Library
from twinlens.app.search.searcher import search
from twinlens.core.errors import TwinlensError

ROOT = Path(__file__).parents[3]

SOURCE = '''
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.methods.lsh import Lsh
from twinlens.core.metrics.metric_priors import Whitening
from twinlens.core.search.linear_scan import Scan
from twinlens.features.brightness.edge_histogram import Edges

class ToyEdges(Edges):
    """Compares edges."""
    key, title = "toy-edges", "Toy"

class ToyWhitening(Whitening):
    """Whitens."""
    key, title = "toy-whitening", "Toy"

class ToyLsh(Lsh):
    """Draws hyperplanes."""
    key, title = "toy-lsh", "Toy"

class ToyScan(Scan):
    """Compares every code."""
    key, title = "toy-scan", "Toy"

class ToyGaussian(Gaussian):
    """Falls with the distance."""
    key, title = "toy-gaussian", "Toy"
'''
POINTS = {
    "twinlens.descriptor": {"toy-edges": "toy_package:ToyEdges"},
    "twinlens.metric": {"toy-whitening": "toy_package:ToyWhitening"},
    "twinlens.method": {"toy-lsh": "toy_package:ToyLsh", "itq": "toy_package:ToyLsh"},
    "twinlens.search": {"toy-scan": "toy_package:ToyScan"},
    "twinlens.kernel": {"toy-gaussian": "toy_package:ToyGaussian"},
}

PROGRAM = """
import sys
from twinlens.app.cli.main import main
for words in {commands!r}:
    try:
        main(["--library", {library!r}, *words])
    except SystemExit as ended:
        if ended.code:
            raise
"""
"""Several commands in one process that the package is installed for; what reads photographs is another one still."""


@pytest.fixture(scope="module")
def made(libraries: Libraries, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """Return a library with indexes by the package, and the JSON of what made them and of what asked them."""
    folder = tmp_path_factory.mktemp("installed")
    install(folder, "toy_package", SOURCE, POINTS)
    library = libraries.copy(4, folder / "library.twinlens")
    picture = str(libraries.photographs(4) / "0002.jpg")
    toy = ["--descriptor", "toy-edges", "--method", "toy-lsh:bits=64", "--search", "toy-scan"]
    commands = [
        ["index", "create", *toy, "--metric", "toy-whitening", "--name", "Toy"],
        [
            "index",
            "create",
            "--descriptor",
            "edges",
            "--method",
            "klsh:bits=32,kernel=toy-gaussian",
            "--name",
            "Kernel",
        ],
        ["search", picture, "--index", "Toy", "--index", "Kernel", "-k", "2"],
        ["methods"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(commands=[[*one, "--json"] for one in commands], library=str(library))],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    decoder, rest, documents = json.JSONDecoder(), done.stdout.strip(), []
    while rest:
        document, end = decoder.raw_decode(rest)
        documents.append(document)
        rest = rest[end:].strip()
    return library, documents


def test_what_a_package_brings_is_used_like_ours(made: tuple[Path, list[Any]]) -> None:
    _, (toy, kernel, found, methods) = made
    assert toy["indexes"][0]["text"] == "toy-edges · toy-whitening · toy-lsh:bits=64 · toy-scan"
    assert toy["indexes"][0]["photographs"] == 4
    assert "kernel=toy-gaussian" in kernel["indexes"][0]["text"]
    assert [Path(one["hits"][0]["path"]).name for one in found["results"]] == ["0002.jpg", "0002.jpg"]
    keys = {one["key"]: one["family"] for one in methods["declarations"]}
    assert {key: keys[key] for points in POINTS.values() for key in points} == {
        "toy-edges": "descriptor", "toy-whitening": "metric", "toy-lsh": "method",
        "toy-scan": "search", "toy-gaussian": "kernel", "itq": "method",
    }  # fmt: skip
    (refused,) = methods["refused"]
    assert (refused["key"], refused["package"]) == ("itq", "toy-package")


def test_a_library_whose_package_is_gone_opens_and_says_so(
    made: tuple[Path, list[Any]], libraries: Libraries, tmp_path: Path
) -> None:
    path, _ = made
    picture = libraries.photographs(4) / "0002.jpg"
    newcomer = write_scene(tmp_path / "more" / "new.jpg", 99)
    assert added(path, newcomer.parent).added == 1
    with Library.open(path) as library:
        notes = {index.name: str(index.note) for index in list_indexes(library).indexes}
        assert "toy-edges, toy-whitening, toy-lsh, toy-scan" in notes["Toy"]
        assert "toy-gaussian" in notes["Kernel"]
        assert search(library, [newcomer]).results[0].hits[0].path == str(newcomer)
        with pytest.raises(TwinlensError, match="“Toy” cannot be used"):
            search(library, [picture], ["Toy"])
        left = delete_index(library, "Kernel")
        assert {index.name for index in left.indexes} >= {"Automatic", "Toy"}
        assert "Kernel" not in {index.name for index in left.indexes}
