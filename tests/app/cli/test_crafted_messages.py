"""Messages in files that somebody else has made: nothing in them takes memory, hangs or tells of this machine."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from app.lab.experiments.experiment_file import keep_experiment, open_experiment
from app.language.texts import text
from storage.sqlite.engine import keep_in_step
from tests.app.cli.test_commands import run
from tests.app.made_library import LEARNED, histograms, make
from tests.core.test_message import BOMB

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
