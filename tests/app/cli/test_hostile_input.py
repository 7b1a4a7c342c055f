"""Damaged and hostile libraries, files, names and arguments: each command answers, or says so in one sentence."""

from __future__ import annotations

import csv
import itertools
import json
import logging
import os
import random
import re
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.app.cli.test_commands import ROOT, run
from tests.app.folders import Libraries, added, write_scene, write_scenes
from tests.app.made_library import LEARNED, histograms, make
from tests.core.test_message import BOMB
from twinlens.app.cli.session import console
from twinlens.app.cli.tables import plain_table
from twinlens.app.cli.terminal_text import PlainLogHandler
from twinlens.app.lab.experiments.experiment_file import keep_experiment, open_experiment
from twinlens.app.language.texts import text
from twinlens.core.files.untrusted_input import plain
from twinlens.storage.sqlite.engine import keep_in_step

COUNT = 3
TRIGGERS = (
    "CREATE TRIGGER emptying AFTER INSERT ON folder BEGIN DELETE FROM photograph; DELETE FROM mark; END",
    "CREATE TRIGGER also AFTER UPDATE ON photograph BEGIN DELETE FROM problem; END",
)
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name, i AS value FROM n"
MENDABLE = {
    "triggers": TRIGGERS,
    "view": (f"CREATE VIEW more AS {ENDLESS}",),
    "virtual table": ("CREATE VIRTUAL TABLE words USING fts5(word)",),
    "table": ("CREATE TABLE note (word TEXT)", "CREATE INDEX note_words ON note (upper(word))"),
    "expression index": ("CREATE INDEX by_name ON photograph (hex(camera))",),
    "index of another expression": (
        "DROP INDEX photograph_by_size",
        "CREATE INDEX photograph_by_size ON photograph (abs(size))",
    ),
    "lacking index": ("DROP INDEX mark_by_second",),
}
OTHER_TABLES = {
    "view for a table": ("ALTER TABLE setting RENAME TO hidden", f"CREATE VIEW setting AS {ENDLESS}"),
    "view for the revision": (
        "DROP TABLE alembic_version",
        f"CREATE VIEW alembic_version AS {ENDLESS.replace('name', 'version_num')}",
    ),
    "generated column": ("ALTER TABLE setting ADD COLUMN more AS (hex(zeroblob(500000000))) VIRTUAL",),
    "default": ("ALTER TABLE setting ADD COLUMN more DEFAULT 'a'",),
    "check": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'value TEXT', 'value TEXT CHECK (hex(zeroblob(1 << 29)) > 0)')",
    ),
    "trigger of a name that SQLite reserves": (
        TRIGGERS[0],
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = 'sqlite_emptying' WHERE name = 'emptying'",
    ),
    "virtual table for a table": ("DROP TABLE setting", "CREATE VIRTUAL TABLE setting USING fts5(name, value)"),
}
COMMANDS = (
    ("status",), ("add", "."), ("rescan",), ("search", "#1"), ("check",), ("index", "list"), ("duplicates",),
    ("backup", "kept.twinlens"), ("marks", "list"), ("copy", "{}", "copied.twinlens"), ("restore", "{}"),
)  # fmt: skip


def _hostile(path: Path, libraries: Libraries, statements: tuple[str, ...]) -> bytes:
    path.write_bytes(libraries.of(COUNT).read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _run(capfdbinary: pytest.CaptureFixture[bytes], path: Path, *words: str) -> tuple[int, str]:
    library = path.with_name("other.twinlens") if words[0] == "restore" else path
    code, out, err = run(capfdbinary, "--library", str(library), *(word.replace("{}", str(path)) for word in words))
    return code, out + err


def test_every_command_refuses_it(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path
) -> None:
    path = tmp_path / "library.twinlens"
    before = _hostile(path, libraries, TRIGGERS)
    for words in COMMANDS:
        code, told = _run(capfdbinary, path, *words)
        assert code == 2, words
        assert "has parts that are not of Twinlens" in told, words
        assert "also, emptying" in told
        assert "check --repair" in told
    assert path.read_bytes() == before
    assert {one.name for one in tmp_path.glob("*.twinlens")} == {path.name}


@pytest.mark.parametrize("what", MENDABLE)
def test_a_repair_removes_what_is_foreign(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "library.twinlens"
    before = _hostile(path, libraries, MENDABLE[what])
    assert _run(capfdbinary, path, "status")[0] == 2
    assert path.read_bytes() == before
    code, told = _run(capfdbinary, path, "check", "--repair")
    assert code == 0, told
    assert "Repaired: The library" in told
    assert "(before repair" in told
    assert _run(capfdbinary, path, "check")[0] == 0
    code, told = _run(capfdbinary, path, "search", "#1")
    assert code == 0, told
    assert len([*tmp_path.glob("library (before repair*")]) == 1


@pytest.mark.parametrize("what", OTHER_TABLES)
def test_other_tables_are_damage(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "library.twinlens"
    before = _hostile(path, libraries, OTHER_TABLES[what])
    for words in (("status",), ("add", "."), ("check", "--repair")):
        code, told = _run(capfdbinary, path, *words)
        assert code == 2, told
        assert "is damaged" in told
    assert path.read_bytes() == before


def test_statistics_of_sqlite_are_not_foreign(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path
) -> None:
    path = tmp_path / "library.twinlens"
    _hostile(path, libraries, ("ANALYZE",))
    assert _run(capfdbinary, path, "status")[0] == 0


_TABLES = ("search_index", "volume", "folder", "library", "descriptor_kind", "model")


def pages_of(data: bytes) -> int:
    return int.from_bytes(data[16:18], "big")


@pytest.fixture
def path(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(5, tmp_path / "x.twinlens")


def answers(capfdbinary: pytest.CaptureFixture[bytes], path: Path, line: str, what: object) -> None:
    code, _, err = run(capfdbinary, "--library", str(path), "-q", *line.split())
    assert code == 0 or (code == 2 and err.count("\n") == 1), (what, line, err)


def test_two_pages_that_are_swapped(capfdbinary: pytest.CaptureFixture[bytes], path: Path) -> None:
    """Each page is whole, so that SQLite finds its rows; it is the table that has those of another."""
    whole = path.read_bytes()
    size = pages_of(whole)
    with closing(sqlite3.connect(path)) as connection:
        roots = [connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (one,)) for one in _TABLES]
        first = [(one.fetchone()[0] - 1) * size for one in roots]
    for one, other in itertools.combinations(first, 2):
        data = bytearray(whole)
        data[one : one + size], data[other : other + size] = whole[other : other + size], whole[one : one + size]
        path.write_bytes(data)
        answers(capfdbinary, path, "index list", (one, other))


def test_pages_and_bytes_that_are_anything(capfdbinary: pytest.CaptureFixture[bytes], path: Path) -> None:
    whole, drawn = path.read_bytes(), random.Random(0)
    size = pages_of(whole)
    for change in range(24):
        data = bytearray(whole)
        at = drawn.choice([one for one in range(0, len(whole), size) if whole[one] in (5, 10, 13)])
        if change % 3:
            for _ in range(1 + 20 * (change % 2)):
                data[at + drawn.randrange(size)] ^= 1 << drawn.randrange(8)
        else:
            data[at : at + size] = bytes(size)
        path.write_bytes(data)
        answers(capfdbinary, path, drawn.choice(["status", "search #1", "problems", "index list", "rescan"]), change)


def test_a_last_id_that_is_the_largest_is_damage_that_a_repair_mends(
    capfdbinary: pytest.CaptureFixture[bytes], path: Path, tmp_path: Path, libraries: Libraries
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE sqlite_sequence SET seq = ?", ((1 << 63) - 1,))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.jpg").write_bytes((libraries.photographs(5) / "0000.jpg").read_bytes())
    words = ("--library", str(path), "-q", "add", str(tmp_path / "more"))
    code, _, err = run(capfdbinary, *words)
    assert code == 2
    assert "is damaged in the last id of the table photograph. Run `twinlens check --repair --library " in err
    assert run(capfdbinary, "--library", str(path), "check", "--repair")[0] == 0
    assert run(capfdbinary, *words)[0] == 0


@pytest.mark.parametrize(
    ("statement", "code", "words"),
    [
        ("UPDATE photograph SET state = 'pending' WHERE id = 2", 0, "Nothing is damaged."),
        ("DELETE FROM descriptor WHERE id & 0xffffffff = 2", 0, "Nothing is damaged."),
        ("UPDATE descriptor SET vector = zeroblob(length(vector)) WHERE id & 0xffffffff = 2", 2, "--repair"),
    ],
)
def test_a_script_that_checks_is_told_of_damage_alone(
    capfdbinary: pytest.CaptureFixture[bytes], path: Path, statement: str, code: int, words: str
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        if not code:
            keep_in_step(connection)  # as the program changes rows
        connection.execute(statement)
    found, out, _ = run(capfdbinary, "--library", str(path), "check")
    assert (found, words in out) == (code, True), out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("line", ["status", "add .", "restore {library}"])
def test_a_pipe_is_no_library(capfdbinary: pytest.CaptureFixture[bytes], path: Path, tmp_path: Path, line: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, _, err = run(capfdbinary, "--library", str(tmp_path / "pipe"), *line.format(library=path).split())
    assert code == 2
    assert "is not a Twinlens library" in err


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    write_scenes(folder / "p", 3)
    added(folder / "l.twinlens", folder / "p")
    np.save(folder / "x.npy", np.random.default_rng(0).standard_normal((300, 16)).astype(np.float32))
    np.save(folder / "labels.npy", np.arange(300) % 3)
    for name, words in {
        "numbers": "methods = [1]",
        "negative": 'methods = ["lsh:bits=8"]\nseeds = [-1]\nquery_count = -4',
        "huge": 'methods = ["lsh:bits=8"]\nquery_count = 99999999999999999999',
        "nested": 'methods = ["lsh:bits=8"]\nseeds = [[1]]',
        "not_a_number": "epsilons = [nan]",
        "json": f"methods = ['{{\"a\":{'[' * 5000}']",
        "sweep": f'methods = ["lsh:bits={{{",".join(map(str, range(8, 3000)))}}}"]',
    }.items():
        (folder / f"{name}.toml").write_text(f'base = "x.npy"\n{words}\n')
    (folder / "pairs.csv").write_text("first,second,judgement\n99999999999999999999999,1,similar\n²,1,similar\n")
    (folder / "far.csv").write_text("first,second,judgement\n99999999999999999999999,1,similar\n")
    return folder


@pytest.mark.parametrize(
    "line",
    [
        "search #99999999999999999999999999", "search #²", "search |", "add |", "forget |", "search #1 --camera |",
        "mark #1 #99999999999999999999999999 --similar", "advise --time nan", "tune x.npy --seconds inf",
        "duplicates --similarity nan", "search #1 --wrong nan", "bench numbers.toml", "bench negative.toml",
        "bench huge.toml", "bench nested.toml", "bench not_a_number.toml", "bench json.toml", "bench sweep.toml",
        "lab run numbers.toml", "lab run x.npy", "bench x.npy --metric itml --pairs pairs.csv",
        "bench x.npy --metric itml --pairs far.csv", "bench x.npy --metric itml --labels labels.npy --marks -5",
        "index create --descriptor {[[[[", "index create --descriptor network:path=/dev/zero", "desktop",
    ],
)  # fmt: skip
def test_hostile_arguments_are_sentences(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, place: Path, line: str
) -> None:
    monkeypatch.chdir(place)
    words = ["" if word == "|" else word for word in line.split()]
    code, out, err = run(capfdbinary, *words, "--library", str(place / "l.twinlens"), "-q")
    assert code == 2
    assert "mistake" not in err
    assert "Traceback" not in err
    assert 0 < len(out or err) < 1000


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("status >/dev/full", 2, "The output cannot be written: No space left"),
        ("status --json >/dev/full", 2, "The output cannot be written: No space left"),
        ("--version >/dev/full", 2, "The output cannot be written: No space left"),
        ("nope --json >/dev/full", 2, "There is no command"),
        ("status >&-", 0, ""),
        ("nope >&- 2>/dev/full", 2, ""),
    ],
)
def test_output_that_nobody_can_take(place: Path, line: str, code: int, said: str) -> None:
    command = f'"{sys.executable}" -m twinlens.app.cli --library "{place / "l.twinlens"}" {line}'
    ended = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, "Traceback" in ended.stderr) == (code, False)
    assert ended.stderr.startswith(said)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in other ways there")
@pytest.mark.parametrize("line", ["status", "index list --json", "methods", "--help", "nope --json"])
def test_output_that_nobody_reads_to_its_end(place: Path, line: str) -> None:
    words = [sys.executable, "-m", "twinlens.app.cli", "--library", str(place / "l.twinlens"), *line.split()]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read().decode()
    assert process.returncode == (2 if line.startswith("nope") else 0)
    assert "mistake" not in told
    assert "Traceback" not in told


SECRET = "the-password-of-this-machine"
_FILE = Path(__file__).parents[1] / "lab" / "experiments" / "november_2026.twinlens-experiment"
_CRAFTED = (
    {"template": "wide {a:>2000000000}", "values": {"a": 1}},
    {"template": "told {m.as_data.__globals__[json].codecs.sys.modules[os].environ}", "values": {"m": BOMB}},
    {"template": "told {m}", "values": {"m": {"template": "{m.__class__.__init__.__globals__}", "values": {"m": 1}}}},
    BOMB,
)


@pytest.fixture(params=[json.dumps(one) for one in _CRAFTED], ids=["wide", "environment", "nested", "bomb"])
def crafted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PGPASSWORD", SECRET)
    return str(request.param)


def _experiment(file: Path, crafted: str) -> None:
    """Write an experiment whose every message is a crafted one."""
    with zipfile.ZipFile(_FILE) as whole, zipfile.ZipFile(file, "w") as changed:
        told = json.loads(whole.read("experiment.json"))
        for step in told["steps"]:
            figures, data = json.loads(step["figures"]), json.loads(step["data"])
            figures["note"] = crafted
            data["data"]["relevant"] = crafted
            step |= {"figures": json.dumps(figures), "data": json.dumps(data)}
        told.get("tables", {})["meaning"] = crafted
        changed.writestr("experiment.json", json.dumps(told))
        changed.writestr("vectors.npz", whole.read("vectors.npz"))


def test_an_experiment(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, crafted: str) -> None:
    file, path = tmp_path / "a.twinlens-experiment", tmp_path / "library.twinlens"
    _experiment(file, crafted)
    with make(path, histograms(40), [LEARNED]) as library:
        opened = open_experiment(file)
        name = keep_experiment(library, opened).name
        assert opened.run.data is not None
        assert SECRET not in text(opened.run.data.relevant)
    where = ("--library", str(path))
    for words in (("lab", "open", str(file)), ("lab", "show", name), ("lab", "export", name, str(tmp_path / "a.json"))):
        for form in ((), ("--json",)):
            code, out, err = run(capfdbinary, *words, *form, *where)
            assert code == 0, err
            assert SECRET not in out + err
            assert len(out) < 10_000_000
    assert SECRET not in (tmp_path / "a.json").read_text("utf-8")


def test_a_library(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, crafted: str) -> None:
    path = tmp_path / "library.twinlens"
    make(path, histograms(40), [LEARNED]).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        keep_in_step(connection)
        for number, numbers in connection.execute("SELECT id, numbers FROM model").fetchall():
            told = json.dumps({**json.loads(numbers), "note": crafted})
            connection.execute("UPDATE model SET numbers = ? WHERE id = ?", (told, number))
    for words in (("index", "list"), ("status",), ("search", "#1")):
        for form in ((), ("--json",)):
            code, out, err = run(capfdbinary, *words, *form, "--library", str(path))
            assert code in {0, 2}, err
            assert SECRET not in out + err
            assert len(out) < 10_000_000


HOSTILE = "=cmd[red]\x1b[31m\x1b]0;title\x07\u202egpj\nforged\x9b1m\x7f.jpg"
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
ANY_NAMES = pytest.mark.skipif(sys.platform == "win32", reason="such names are forbidden there")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    for number, name in enumerate((HOSTILE, f"b{HOSTILE}", "+c.jpg", os.fsdecode(b"\xe9\xff.jpg"))):
        write_scene(folder / name, number)
    (folder / f"bad{HOSTILE}").write_bytes(b"no picture")
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, folder)
    return path


@ANY_NAMES
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
    for output in (out, err):
        assert not _OBEYED.search(output.replace("\r\n", "\n"))
        assert "\nforged" not in output
    code, out, err = run(capfdbinary, *words, "--library", str(library), "--json")
    assert code in {0, 2}, err
    json.loads(out)
    assert not _OBEYED.search(err)


@ANY_NAMES
def test_json_stays_exact(capfdbinary: pytest.CaptureFixture[bytes], library: Path) -> None:
    _, out, _ = run(capfdbinary, "search", "#1", "--library", str(library), "--json")
    hits = json.loads(out)["results"][0]["hits"]
    assert {Path(hit["path"]).name for hit in hits} >= {HOSTILE, f"b{HOSTILE}"}


@ANY_NAMES
def test_markup_in_a_name_is_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("[red]a[/red]", style="bold")
    console().print(plain_table(("[b]name[/b]",), [("[i]x[/i]\x1b\n",)]))
    out = capsys.readouterr().out
    assert "[red]a[/red]" in out
    assert "[b]name[/b]" in out
    assert "[i]x[/i]\\x1b\\n" in out


@ANY_NAMES
def test_warnings_of_the_program_are_plain_too(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.Logger("a log of its own")
    log.addHandler(PlainLogHandler())
    log.warning("cannot read %s", HOSTILE)
    assert capsys.readouterr().err == f"cannot read {plain(HOSTILE)}\n"


@ANY_NAMES
def test_tables_for_spreadsheets_hold_no_formulas(
    capfdbinary: pytest.CaptureFixture[bytes], library: Path, tmp_path: Path
) -> None:
    from twinlens.app.machine.output_file import CsvTable

    with (tmp_path / "x.csv").open("w", newline="", encoding="utf-8") as file:
        CsvTable(file).writerow(["=1+1", "+1", "-1.5", -1.5, "@a", "\t=1", "\r=1", "a=1", "'=1", "-", "=", "+1+cmd"])
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.reader(file)
    assert row == ["'=1+1", "+1", "-1.5", "-1.5", "'@a", "'\t=1", "'\r=1", "a=1", "''=1", "'-", "'=", "'+1+cmd"]
    assert run(capfdbinary, "map", "--csv", str(tmp_path / "map.csv"), "--library", str(library), "-q")[0] == 0
    assert not re.search("^[=+@-]|,[=+@]", (tmp_path / "map.csv").read_text("utf-8"), re.MULTILINE)


@ANY_NAMES
def test_marks_come_back_as_they_were(tmp_path: Path) -> None:
    from twinlens.app.machine.output_file import OutputFile
    from twinlens.app.marks.pair_file import NamedPair, read_pairs, write_pairs

    pairs = [NamedPair(1, "=a", "'=b", True), NamedPair(2, "-c", "'d", False), NamedPair(3, "12", "@", True)]
    for ending in ("csv", "json"):
        write_pairs(pairs, OutputFile(tmp_path / f"x.{ending}"))
        assert read_pairs(tmp_path / f"x.{ending}") == pairs
    assert "\n'=a,''=b," in (tmp_path / "x.csv").read_text("utf-8")


@ANY_NAMES
def test_figures_draw_names_as_they_are() -> None:
    from xml.etree import ElementTree

    from twinlens.app.lab.figures.drawing import draw_figure
    from twinlens.app.lab.figures.figure import Axis, Figure, Series

    name = "$\\frac{<b>&\x01--> ]]>"
    figure = Figure("x", name, name, Axis(name), Axis(name), [Series(name, [0, 1], [0, 1])])
    ElementTree.fromstring(draw_figure(figure, "svg"))
