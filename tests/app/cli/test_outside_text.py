"""Names with control characters, markup and formulas: printed as they are, obeyed by nothing, exact in JSON."""

from __future__ import annotations

import csv
import json
import logging
import os
import re
import sys
from pathlib import Path

import pytest

from app.cli.session import console
from app.cli.tables import plain_table
from app.cli.terminal_text import PlainLogHandler
from core.files.untrusted_input import plain
from tests.app.cli.test_commands import run
from tests.app.folders import added, write_scene

HOSTILE = "=cmd[red]\x1b[31m\x1b]0;title\x07\u202egpj\nforged\x9b1m\x7f.jpg"
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="such names are forbidden there")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    for number, name in enumerate((HOSTILE, f"b{HOSTILE}", "+c.jpg", os.fsdecode(b"\xe9\xff.jpg"))):
        write_scene(folder / name, number)
    (folder / f"bad{HOSTILE}").write_bytes(b"no picture")
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, folder)
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("search", "#1"), ("duplicates", "--similarity", "0.01"), ("problems",), ("status",), ("compare", "#1"),
        ("search", HOSTILE), ("mark", "#1", HOSTILE, "--similar"), ("index", "delete", HOSTILE), (HOSTILE,),
        ("search", "#1", "--index", HOSTILE), ("search", "#1", "--camera", HOSTILE), ("forget", HOSTILE),
        ("add", HOSTILE), ("bench", HOSTILE), ("lab", "open", HOSTILE), ("lab", HOSTILE), ("search", f"--{HOSTILE}"),
        ("marks", "import", HOSTILE), ("metrics", "import", HOSTILE, "a"), ("search", os.fsdecode(b"\xff")),
        ("search", "#1", "--index", os.fsdecode(b"\xff")), ("tune", os.fsdecode(b"\xff")), ("map",),
        ("add", os.fsdecode(b"\xff")), ("methods", HOSTILE), ("describe", HOSTILE, "--output", "x.npy"),
    ],
)  # fmt: skip
def test_nothing_that_a_terminal_obeys_is_printed(
    capfdbinary: pytest.CaptureFixture[bytes], library: Path, words: tuple[str, ...]
) -> None:
    code, out, err = run(capfdbinary, *words, "--library", str(library))
    assert code in {0, 2}, err
    for text in (out, err):
        assert not _OBEYED.search(text.replace("\r\n", "\n"))
        assert "\nforged" not in text
    code, out, err = run(capfdbinary, *words, "--library", str(library), "--json")
    assert code in {0, 2}, err
    json.loads(out)
    assert not _OBEYED.search(err)


def test_json_stays_exact(capfdbinary: pytest.CaptureFixture[bytes], library: Path) -> None:
    _, out, _ = run(capfdbinary, "search", "#1", "--library", str(library), "--json")
    hits = json.loads(out)["results"][0]["hits"]
    assert {Path(hit["path"]).name for hit in hits} >= {HOSTILE, f"b{HOSTILE}"}


def test_markup_in_a_name_is_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("[red]a[/red]", style="bold")
    console().print(plain_table(("[b]name[/b]",), [("[i]x[/i]\x1b\n",)]))
    out = capsys.readouterr().out
    assert "[red]a[/red]" in out
    assert "[b]name[/b]" in out
    assert "[i]x[/i]\\x1b\\n" in out


def test_warnings_of_the_program_are_plain_too(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.Logger("a log of its own")
    log.addHandler(PlainLogHandler())
    log.warning("cannot read %s", HOSTILE)
    assert capsys.readouterr().err == f"cannot read {plain(HOSTILE)}\n"


def test_tables_for_spreadsheets_hold_no_formulas(
    capfdbinary: pytest.CaptureFixture[bytes], library: Path, tmp_path: Path
) -> None:
    from app.machine.output_file import CsvTable

    with (tmp_path / "x.csv").open("w", newline="", encoding="utf-8") as file:
        CsvTable(file).writerow(["=1+1", "+1", "-1.5", -1.5, "@a", "\t=1", "\r=1", "a=1", "'=1", "-", "=", "+1+cmd"])
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.reader(file)
    assert row == ["'=1+1", "+1", "-1.5", "-1.5", "'@a", "'\t=1", "'\r=1", "a=1", "''=1", "'-", "'=", "'+1+cmd"]
    assert run(capfdbinary, "map", "--csv", str(tmp_path / "map.csv"), "--library", str(library), "-q")[0] == 0
    assert not re.search("^[=+@-]|,[=+@]", (tmp_path / "map.csv").read_text("utf-8"), re.MULTILINE)


def test_marks_come_back_as_they_were(tmp_path: Path) -> None:
    from app.machine.output_file import OutputFile
    from app.marks.mark_file import NamedPair, read_pairs, write_pairs

    pairs = [NamedPair(1, "=a", "'=b", True), NamedPair(2, "-c", "'d", False), NamedPair(3, "12", "@", True)]
    for ending in ("csv", "json"):
        write_pairs(pairs, OutputFile(tmp_path / f"x.{ending}"))
        assert read_pairs(tmp_path / f"x.{ending}") == pairs
    assert "\n'=a,''=b," in (tmp_path / "x.csv").read_text("utf-8")


def test_figures_draw_names_as_they_are() -> None:
    from xml.etree import ElementTree

    from app.lab.figures.drawing import draw_figure
    from app.lab.figures.figure import Axis, Figure, Series

    name = "$\\frac{<b>&\x01--> ]]>"
    figure = Figure("x", name, name, Axis(name), Axis(name), [Series(name, [0, 1], [0, 1])])
    ElementTree.fromstring(draw_figure(figure, "svg"))
