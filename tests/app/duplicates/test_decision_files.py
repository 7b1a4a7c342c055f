"""Files of decisions: what is unchanged changes nothing, what a person changes counts, and the script only moves."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.folders import added, write_scene
from twinlens.app.duplicates.decision_files import (
    HEADINGS,
    DecisionsResult,
    import_decisions,
    write_groups_table,
    write_script,
)
from twinlens.app.duplicates.duplicates import find_duplicates, proposed
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError

NAMES = ("=first.jpg", "it's $(touch x).jpg", "two\nlines.jpg")
"""Of one picture; a spreadsheet would take the first for a formula, a shell the second for a command."""


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    folder = tmp_path / "photographs"
    folder.mkdir()
    first = write_scene(folder / "another.jpg", 1)
    first.rename(folder / NAMES[0])
    write_scene(folder / "alone.jpg", 2)
    for name in NAMES[1:]:
        shutil.copy(folder / NAMES[0], folder / name)
    return folder


@pytest.fixture
def library(photographs: Path, tmp_path: Path) -> Iterator[Library]:
    added(tmp_path / "library.twinlens", photographs)
    with Library.open(tmp_path / "library.twinlens") as opened:
        yield opened


def going(library: Library) -> list[str]:
    """Return the names of the copies that would go."""
    (group,) = find_duplicates(library).groups
    return sorted(Path(one.path).name for one in group.members if one.goes)


def table_of(library: Library, folder: Path) -> Path:
    file = folder / "duplicates.csv"
    file.unlink(missing_ok=True)
    write_groups_table(find_duplicates(library), OutputFile(file))
    return file


def test_what_is_unchanged_changes_nothing(library: Library, tmp_path: Path) -> None:
    before = going(library)
    assert len(before) == 2
    document = tmp_path / "duplicates.json"
    document.write_text(find_duplicates(library).model_dump_json(), "utf-8")
    for file in (table_of(library, tmp_path), document):
        assert import_decisions(library, file) == DecisionsResult(changed=0, same=3, refused=[])
    assert going(library) == before


def test_what_a_person_changes_counts_and_comes_out_again(library: Library, tmp_path: Path) -> None:
    file = table_of(library, tmp_path)
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    stays = next(row for row in rows if row["remove"] == "1")
    stays["remove"] = "0"
    elsewhere = {**stays, "path": "/nowhere.jpg"}
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, HEADINGS)
        writer.writeheader()
        writer.writerows([*rows, elsewhere])
    before = going(library)
    result = import_decisions(library, file)
    assert (result.changed, result.same, len(result.refused)) == (1, 2, 1)
    assert "/nowhere.jpg" in str(result.refused[0])
    assert len(going(library)) == len(before) - 1
    assert import_decisions(library, table_of(library, tmp_path)).changed == 0


def test_a_file_that_removes_all_of_a_group_changes_nothing_of_it(library: Library, tmp_path: Path) -> None:
    file, before = table_of(library, tmp_path), going(library)
    file.write_text(re.sub(r"(?m)^(\d+,[^,]+),0,", r"\1,1,", file.read_text("utf-8")), "utf-8")
    for __ in range(2):
        result = import_decisions(library, file)
        assert (result.changed, len(result.refused), going(library)) == (0, 1, before)


@pytest.mark.parametrize("words", [("1", "0"), ("WAHR", "FALSCH"), ("true", "false")])
@pytest.mark.parametrize(("separator", "encoding"), [(";", "utf-8-sig"), ("\t", "utf-16"), (";", "cp1252")])
def test_a_table_comes_back_from_a_spreadsheet_program(
    library: Library, tmp_path: Path, words: tuple[str, str], separator: str, encoding: str
) -> None:
    file = table_of(library, tmp_path)
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    for row in rows:
        row["remove"] = words[1]  # nothing goes
    elsewhere = {**rows[0], "path": "/bücher;1.jpg"}
    with file.open("w", encoding=encoding, newline="") as opened:
        writer = csv.DictWriter(opened, HEADINGS, delimiter=separator)
        writer.writeheader()
        writer.writerows([*rows, elsewhere])
    result = import_decisions(library, file)
    assert (result.changed, len(result.refused)) == (2, 1)
    assert "/bücher;1.jpg" in str(result.refused[0])
    assert going(library) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "path,other\na.jpg,1\n"),
        ("a.csv", "path,remove\na.jpg,perhaps\n"),
        ("a.json", "[]"),
        ("a.json", '{"groups": [{"keeper": {"path": "a"}, "members": [{"path": "b", "goes": 1}]}]}'),
        ("a.json", '{"groups": [{"keeper": {}, "members": []}]}'),
    ],
)
def test_other_files_are_refused_with_the_form(library: Library, tmp_path: Path, name: str, content: str) -> None:
    file = tmp_path / name
    file.write_text(content, "utf-8")
    with pytest.raises(TwinlensError, match=r"cannot be read.*duplicates --csv FILE"):
        import_decisions(library, file)


@pytest.mark.skipif(os.name == "nt", reason="the script is for shells of Unix")
def test_the_script_only_moves(library: Library, photographs: Path, tmp_path: Path) -> None:
    script = tmp_path / "move.sh"
    write_script(proposed(library), OutputFile(script))
    before = {path.name: path.read_bytes() for path in photographs.iterdir()}
    target = tmp_path / "copies"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", str(script), *words], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run().returncode != 0, "it needs a folder"
    (kept,) = set(NAMES) - set(going(library))
    taken = target / str(photographs / going(library)[0]).lstrip("/")
    taken.parent.mkdir(parents=True)
    taken.write_text("somebody's")
    assert (run("copies").returncode, taken.read_text()) == (1, "somebody's")
    assert {path.name for path in photographs.iterdir()} == {kept, "alone.jpg", taken.name}
    taken.unlink()
    assert run("copies").returncode == 1, "one is no longer there"
    assert {path.name: path.read_bytes() for path in [*taken.parent.iterdir(), *photographs.iterdir()]} == before
    assert {path.name for path in photographs.iterdir()} == {kept, "alone.jpg"}
    assert not list(tmp_path.glob("x"))


@pytest.mark.skipif(os.name == "nt", reason="the script is for shells of Unix")
def test_the_script_leaves_a_copy_whose_kept_photograph_has_changed(
    library: Library, photographs: Path, tmp_path: Path
) -> None:
    script = tmp_path / "move.sh"
    write_script(proposed(library), OutputFile(script))
    (kept,) = set(NAMES) - set(going(library))
    for change in (b"other", None):
        (photographs / kept).unlink()
        if change is not None:
            (photographs / kept).write_bytes(change)
        done = subprocess.run(["sh", str(script), str(tmp_path / "to")], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.count("left: ") == 2
    assert not (tmp_path / "to").exists()
