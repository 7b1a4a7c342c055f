"""What a shell does with the output: paths alone, nothing folded, pictures and lists from standard input."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.app.folders import added, write_scene, write_scenes
from twinlens.app.cli.session import with_standard_input
from twinlens.core.errors import TwinlensError

ROOT = Path(__file__).resolve().parents[3]
KERNEL = "gaussian(gamma=0.123456789,normalise=true)"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pipes")
    photographs = folder / ("a folder with a long name " * 6).strip()
    photographs.mkdir()
    write_scenes(photographs, 5)
    first = sorted(photographs.iterdir())[0]
    (photographs / "copy.jpg").write_bytes(first.read_bytes())
    run(folder, "add", str(photographs))
    return folder


def run(folder: Path, *words: str, given: bytes = b"") -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "twinlens", *words, "--library", str(folder / "a.twinlens"), "-q"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TWINLENS_DATA": str(folder)},
        input=given,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_is_listed_and_narrowed(library: Path) -> None:
    every = run(library, "list").decode().splitlines()
    assert len(every) == 6
    assert all(Path(one).is_file() for one in every)
    assert run(library, "list", "-0").decode().split("\0")[:-1] == every
    assert [Path(one).name for one in run(library, "list", "copy").decode().splitlines()] == ["copy.jpg"]


def test_a_name_that_is_no_text_is_written_as_it_is(tmp_path: Path) -> None:
    photograph = write_scene(tmp_path / "p" / os.fsdecode(b"\xe9\xff.jpg"), 7)
    added(tmp_path / "a.twinlens", tmp_path / "p")
    assert run(tmp_path, "list", "-0") == os.fsencode(photograph) + b"\0"
    assert json.loads(run(tmp_path, "list", "--json"))["paths"] == [str(tmp_path / "p" / "\ufffd\ufffd.jpg")]


def test_results_are_paths_and_queries_come_from_a_pipe(library: Path) -> None:
    every = run(library, "list", "-0")
    first = every.split(b"\0")[0]
    found = run(library, "search", os.fsdecode(first), "-k", "3", "--paths").splitlines()
    assert len(found) == 3
    assert run(library, "search", "-", "-k", "3", "--paths", given=first + b"\n").splitlines() == found
    picture = Path(os.fsdecode(first)).read_bytes()
    by_bytes = run(library, "search", "-", "-k", "3", "--paths", given=picture)
    assert set(by_bytes.splitlines()[:1]) <= set(found)
    document = json.loads(run(library, "search", "-", "-k", "1", "--json", given=picture))
    assert document["results"][0]["query"] == "a picture"  # and no file of ours
    all_of_them = run(library, "search", "-", "-k", "1", "--paths", given=every).splitlines()
    assert set(all_of_them) <= set(every.split(b"\0"))


def test_an_empty_pipe_is_an_error(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for given in (b"", b"\n \n", b"\0"):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(given)))
        with pytest.raises(TwinlensError, match="Nothing came on standard input"):
            with_standard_input([Path("-")])


def test_an_output_named_by_a_dash_is_all_that_standard_output_takes(library: Path) -> None:
    lines = run(library, "map", "--sample", "3", "--csv", "-").decode().splitlines()
    assert (lines[0][:7], len(lines)) == ("id,path", 4)
    assert not Path("-").exists()


def test_a_map_of_few_photographs_does_not_praise_itself(library: Path) -> None:
    assert "3 photos by Automatic" in (told := run(library, "map", "--sample", "3").decode())
    assert "too few to say how true" in told


def test_a_reader_that_goes_away_is_no_fault(library: Path) -> None:
    for command in ("list", "status", "search '#1'", "list --json"):
        words = (
            f"{shlex.quote(sys.executable)} -m twinlens --library a.twinlens {command} | true; echo ${{PIPESTATUS[0]}}"
        )
        done = subprocess.run(
            ["bash", "-c", words],
            cwd=library,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TWINLENS_DATA": str(library)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout, done.stderr) == ("0\n", ""), command


def test_columns_of_a_comparison_are_paths_once(library: Path) -> None:
    found = run(library, "compare", "#1", "--index", "Colours", "--column", "exact", "-k", "3", "--paths").splitlines()
    assert len(set(found)) == len(found) >= 3
    assert run(library, "compare", "#1", "--index", "Colours", "--column", "exact", "-k", "3", "-0") == b"".join(
        one + b"\0" for one in found
    )


def test_copies_that_would_go_are_paths(library: Path) -> None:
    (gone,) = run(library, "duplicates", "--kind", "identical", "-0").split(b"\0")[:-1]
    assert Path(os.fsdecode(gone)).is_file()


def test_tables_are_not_folded(library: Path) -> None:
    run(library, "index", "create", "--descriptor", "colour", "--method", f"klsh:bits=64,landmarks=100,kernel={KERNEL}")
    (line,) = (one for one in run(library, "index", "list").decode().splitlines() if "landmarks" in one)
    assert KERNEL in line
