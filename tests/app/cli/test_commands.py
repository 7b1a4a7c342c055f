"""The command line, parametrised over its own commands."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

from conftest import COMPILED
from tests.app.folders import Libraries, added, write_scene, write_scenes
from twinlens.app.cli import documents
from twinlens.app.cli import main as command_line
from twinlens.app.cli.main import every_command, main, twinlens
from twinlens.app.indexes import standard_indexes
from twinlens.app.library.library import Library
from twinlens.app.library.library_status import library_status
from twinlens.app.machine import app_folders
from twinlens.core.declaration.reference_page import page
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.methods.itq import Itq

ROOT = Path(__file__).parents[3]


def commands() -> dict[str, click.Command]:
    """Return every command, those of groups too, by what one types."""
    _, *others = every_command(twinlens, "twinlens")
    return {ctx.command_path.removeprefix("twinlens "): ctx.command for ctx in others}


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder, 5)
    (folder / "bad.jpg").write_bytes(b"no picture")
    return folder


@pytest.fixture(scope="module")
def library(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, photographs)
    return path


def run(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    """Run a command; give exit code, standard output and standard error."""
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    out, err = capfdbinary.readouterr()
    return int(ended.value.code or 0), out.decode(), err.decode()


def document(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> dict[str, Any]:
    """Run a command that does what it is to do, and return its JSON document."""
    code, out, err = run(capfdbinary, *words, "--json", "-q")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_and_an_example(capfdbinary: pytest.CaptureFixture[bytes], name: str) -> None:
    code, out, _ = run(capfdbinary, *name.split(), "--help")
    assert code == 0
    assert "Example: twinlens" in out
    for parameter in commands()[name].params:
        assert not isinstance(parameter, click.Option) or parameter.help, parameter.name


def test_the_page_of_a_declaration_has_its_lines(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run(capfdbinary, "methods", "itq")
    assert code == 0
    assert out == page(Itq)


def scenarios(photographs: Path, tmp_path: Path) -> list[Sequence[str]]:
    """Return a use of every command that works, in an order that works; demo fetches from the network."""
    return [
        ("add", str(photographs)),
        ("rescan",),
        ("status",),
        ("problems",),
        ("list",),
        ("problems", "--retry"),
        ("problems", "--passed-over"),
        ("check",),
        ("search", str(photographs / "0001.jpg"), "-k", "3", "--compare-exact", "--check"),
        ("search", str(photographs / "0001.jpg"), "-k", "3", "--no-check"),
        ("search", str(photographs / "0001.jpg"), "--index", "Colours", "--confirmed"),
        ("search", "#1", "--index", "Automatic", "--index", "Colours", "--together", "rrf"),
        ("search", "#1", "--together", "borda", "--weight", "2", "--confirmed"),
        ("search", "#1", "--index", "Colours", "--together", "similarity", "--exact"),
        ("compare", str(photographs / "0001.jpg"), "-k", "3"),
        ("compare", "#1", "--index", "Colours", "--column", "lsh:bits=16 | scan:candidates=1", "--column", "exact"),
        ("compare", "#1", "--column", "lsh:bits=8", "--of", "Colours", "--reference", "Colours", "--hits", "-k", "2"),
        ("compare", "#1", "--index", "Colours", "--folder", str(photographs), "--orientation", "landscape", "-k", "2"),
        ("map", "--png", _free(tmp_path, "map.png"), "--csv", _free(tmp_path, "map.csv"), "--size", "400"),
        ("map", "--index", "Colours", "--kind", "pca", "--sample", "3", "--seed", "1", "--anew"),
        ("index", "create", "--descriptor", "colour", "--method", "lsh:bits=20", "--name", "Twenty"),
        ("index", "rename", "Twenty", "Few"),
        ("metrics", "import", _metric(tmp_path), "--descriptor", "edges", "--name", "Mine"),
        ("metrics", "rename", "Mine", "Yours"),
        ("index", "create", "--descriptor", "edges", "--metric", "Yours", "--method", "lsh:bits=20", "--name", "Under"),
        ("index", "create", "--descriptor", "edges", "--metric", "whitening", "--search", "exact", "--name", "White"),
        ("learn", _pairs(photographs), "--index", "Colours", "--anyway", "--name", "Learned"),
        ("metrics", "delete", "Learned"),
        ("mark", str(photographs / "0001.jpg"), str(photographs / "0002.jpg"), "#1", "--similar"),
        ("mark", "#1", str(photographs / "0002.jpg"), "--different"),
        ("mark", str(photographs), "--group"),
        ("search", "#1", "--with-marks", "-k", "2"),
        ("search", "#1", "--sure", "--wrong", "0.1"),
        ("marks", "list", "--contradicted"),
        ("note", "#1", "--rating", "4"),
        ("album", "add", "Best", "#1"),
        ("album", "keep", "Stars", "--rating", "4"),
        ("album", "list", "Stars"),
        ("album", "rename", "Stars", "Many stars"),
        ("album", "remove", "Best", "#1"),
        ("album", "delete", "Best"),
        ("marks", "export", _free(tmp_path, "marks.csv"), "--similar", "--photograph", "#1"),
        ("marks", "remove", "--origin", "folder", "--keep", _free(tmp_path, "removed.json")),
        ("marks", "import", str(tmp_path / "removed.json")),
        ("marks", "list"),
        ("learn", "--index", "Colours", "--anyway", "--name", "Learned again", "--use"),
        ("metrics", "compare"),
        ("metrics", "back"),
        ("metrics", "use", "Learned again", "--later"),
        ("search", "#1", "-k", "2"),
        ("metrics", "back"),
        ("index", "delete", "Learned again"),
        ("metrics", "delete", "Learned again"),
        ("marks", "remove", "1"),
        ("marks", "remove", "--all"),
        ("metrics", "list"),
        ("metrics", "export", "Yours", _free(tmp_path)),
        ("index", "list"),
        ("vocabulary", "list"),
        ("index", "delete", "Under"),
        ("metrics", "delete", "Yours"),
        ("duplicates", "--kind", "same"),
        ("duplicates", "clean"),
        ("duplicates", "clean", "--script", _free(tmp_path, "move.sh")),
        ("duplicates", "--csv", _free(tmp_path, "duplicates.csv")),
        ("duplicates", "import", str(tmp_path / "duplicates.csv")),
        ("duplicates", "log"),
        ("duplicates", "protect"),
        ("duplicates", "refused"),
        ("duplicates", "folders"),
        ("duplicates", "only-in", str(photographs)),
        ("evaluate", "--truth", "folders", "--no-check", "--output", str(tmp_path / "kinds.csv")),
        ("evaluate", "--photographs", "1", "--edits", "mirror,grey", "--output", str(tmp_path / "figures.csv")),
        ("advise", "--time", "2", "--truth", "neighbours", "--descriptor", "colour", "--build", "--name", "Advised"),
        ("advise", "--time", "2", "--match", "#1", "#2", "--differ", "#1", "#3", "--descriptor", "colour", "--all"),
        ("describe", "colour", "--output", str(tmp_path / "colours.npy")),
        ("encode", str(tmp_path / "colours.npy"), "--method", "lsh:bits=16", "-o", str(tmp_path / "codes.npz")),
        ("lab", "run", "--index", "Colours", "--method", "lsh:bits={8,16}", "--name", "bits", "--seed", "0"),
        ("lab", "run", _plan(tmp_path), "--truth", "edits", "--edit", "grey", "--query-count", "2"),
        ("lab", "resume", "bits"),
        ("lab", "list"),
        ("lab", "show", "bits"),
        ("lab", "export", "bits", str(tmp_path / "bits.csv")),
        ("lab", "export", "bits", str(tmp_path / "bits.json")),
        ("lab", "export", "bits", str(tmp_path / "bits.svg"), "--figure", "map-bits"),
        ("lab", "export", "bits", "copies", str(tmp_path / "both.png"), "--dark"),
        ("lab", "export", "bits", str(tmp_path / "bits.twinlens-experiment"), "--vectors"),
        ("lab", "rename", "bits", "lengths"),
        ("lab", "open", str(tmp_path / "bits.twinlens-experiment"), "--keep"),
        ("bench", str(tmp_path / "bits.twinlens-experiment")),
        ("lab", "index", "bits", "1", "--name", "Eight"),
        ("index", "delete", "Eight"),
        ("lab", "delete", "bits", "--keep", str(tmp_path / "again.twinlens-experiment")),
        ("index", "delete", "Few"),
        ("methods",),
        ("methods", "itq"),
        ("notices",),
        ("backup", str(tmp_path / "copy.twinlens")),
        ("restore", str(tmp_path / "copy.twinlens")),
        ("copy", str(tmp_path / "copy.twinlens"), _free(tmp_path, "elsewhere.twinlens")),
        ("lab", "theory", "bounds", "--vectors", _vectors(tmp_path), "--svg", str(tmp_path / "spared.svg")),
        ("bench", _vectors(tmp_path), "--method", "lsh:bits=16", "--seed", "0", "--seed", "1"),
        ("tune", _vectors(tmp_path), "--method", "lsh", "--bits", "8,16", "--trials", "4"),
        ("forget", str(photographs)),
        ("desktop", "install", "--prefix", str(tmp_path)),
        ("desktop", "remove", "--prefix", str(tmp_path)),
    ]


_GROUPS = {"index", "lab", "metrics", "marks", "vocabulary", "desktop", "album"}
_OF_MORE_PHOTOGRAPHS = {*(f"vocabulary {word}" for word in ("learn", "keep", "drop")), "duplicates undo"}
"""Tried with a library of enough photographs, in tests/app/vocabulary/test_vocabularies.py."""
_OF_AN_OLDER_LIBRARY = {"index improve"}
"""Tried below, with a library as it was made before."""


def _plan(folder: Path) -> str:
    file = folder / "plan.toml"
    file.write_text('name = "copies"\nindex = "Colours"\nmethods = ["lsh:bits=8"]\nseeds = [0, 1]\n', "utf-8")
    return str(file)


def _metric(folder: Path) -> str:
    np.save(folder / "G.npy", np.diag(np.linspace(1, 2, 80)))
    return str(folder / "G.npy")


def _pairs(photographs: Path) -> str:
    file = photographs.parent / "pairs.csv"
    paths = sorted(str(path) for path in photographs.iterdir())
    file.write_text(f"first,second,judgement\n{paths[0]},{paths[1]},similar\n{paths[0]},{paths[2]},different\n")
    return str(file)


def _free(folder: Path, name: str = "export.npz") -> str:
    (folder / name).unlink(missing_ok=True)
    return str(folder / name)


def _vectors(folder: Path) -> str:
    np.save(folder / "vectors.npy", np.random.default_rng(0).standard_normal((150, 12)))
    return str(folder / "vectors.npy")


@pytest.fixture
def short_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an advice try a few indexes, not all that its time allows."""
    monkeypatch.setattr("twinlens.app.lab.advice.index_trials.BITS", (64,))
    monkeypatch.setattr("twinlens.app.lab.advice.index_trials._OTHERS", 1)


@pytest.fixture
def unwritable_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the person have a file for a home folder, in which nothing can be made."""
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "MPLCONFIGDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", os.devnull)


@pytest.fixture
def unwritable_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be kept in the cache, nor read from it but the loops that the tests share."""
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, f"{os.devnull}/cache")
    monkeypatch.setattr(app_folders, "compiled_cache_folder", lambda: COMPILED)


@pytest.mark.usefixtures("short_advice", "unwritable_home")
def test_every_command_gives_one_json_document(
    capfdbinary: pytest.CaptureFixture[bytes], photographs: Path, tmp_path: Path
) -> None:
    import jsonschema  # in a second, which every process of tests would wait

    used = set()
    path = str(tmp_path / "library.twinlens")
    for words in scenarios(photographs, tmp_path):
        code, out, _ = run(capfdbinary, *words, "--library", path, "--json")
        assert code == 0, words
        inner = words[0] in _GROUPS or (words[0] == "duplicates" and not words[1].startswith("-"))
        name = " ".join(words[:2]) if inner else words[0]
        jsonschema.validate(json.loads(out), documents.schema_of(name))
        used.add(name)
    assert used == set(commands()) - {"demo", "worker"} - _GROUPS - _OF_MORE_PHOTOGRAPHS - _OF_AN_OLDER_LIBRARY


def test_every_command_has_a_schema_of_its_documents() -> None:
    import jsonschema

    assert sorted(documents.commands()) == sorted(commands().keys() - _GROUPS)
    for name in documents.commands():
        jsonschema.Draft202012Validator.check_schema(documents.schema_of(name))


@pytest.mark.parametrize("name", documents.commands())
def test_what_names_photographs_prints_their_paths_alone(name: str) -> None:
    names = any(one.names_photographs() for one in documents.results_of(name))
    offered = {option for one in commands()[name].params for option in one.opts}
    assert (offered & {"--paths", "-0"} == {"--paths", "-0"}) == names


def test_keys_of_documents_stay() -> None:
    """What was there in a version is there; a key that goes raises it, and a new one is written down here."""
    file = Path(__file__).with_name("document_keys.json")
    now = {
        name: {part or "document": [key for key, _, _ in keys] for part, _, keys in documents.described(schema)}
        for name in documents.commands()
        for schema in [documents.schema_of(name)]
    }
    assert json.loads(file.read_text("utf-8")) == {"version": documents.VERSION, **now}


def test_an_older_library_is_improved(
    capfdbinary: pytest.CaptureFixture[bytes], photographs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "library.twinlens"
    with monkeypatch.context() as patch:
        patch.setattr(standard_indexes, "best_descriptor", lambda: standard_indexes.EARLIER)
        added(path, photographs)
    code, out, _ = run(capfdbinary, "--library", str(path), "index", "improve", "--json")
    assert code == 0
    assert [one["name"] for one in json.loads(out)["indexes"]] == ["Automatic", "Colours", "Automatic, as before"]
    code, out, err = run(capfdbinary, "--library", str(path), "index", "improve", "--json")
    assert (code, len(json.loads(out)["indexes"])) == (0, 3)
    assert "as good as that of a new library" in err


@pytest.mark.usefixtures("short_advice", "unwritable_home", "unwritable_cache")
def test_every_command_speaks_to_people_too(
    capfdbinary: pytest.CaptureFixture[bytes], photographs: Path, tmp_path: Path
) -> None:
    path = str(tmp_path / "library.twinlens")
    for words in scenarios(photographs, tmp_path):
        code, out, _ = run(capfdbinary, "--library", path, "-q", *words)
        assert code == 0, words
        assert out.strip()
        assert "\x1b" not in out


def test_a_search_names_its_answers_and_its_time(
    capfdbinary: pytest.CaptureFixture[bytes], library: Path, photographs: Path
) -> None:
    _, out, _ = run(
        capfdbinary, "search", str(photographs / "0002.jpg"), "--library", str(library), "-k", "2", "--json"
    )
    result: dict[str, Any] = json.loads(out)["results"][0]
    check = result["hits"][0]["check"]
    assert result["hits"][0] | {"id": 0} == {
        "path": str(photographs / "0002.jpg"),
        "id": 0,
        "distance": 0.0,
        "similarity": 1.0,
        "query": True,
        "check": check,
        "stack": None,
    }
    assert check | {"score": 0, "inliers": 0} == {
        "confirmed": True,
        "score": 0,
        "inliers": 0,
        "mirrored": False,
        "inverted": False,
    }
    assert set(result["seconds"]) == {"extract", "encode", "scan", "rerank", "check", "total"}
    asked = ("search", str(photographs / "0002.jpg"), "--library", str(library), "-k", "2", "--index", "Colours")
    _, out, _ = run(capfdbinary, *asked, "--numbers")
    assert "looked at 5" in out
    assert "extract known" in out


def test_a_metric_in_use_is_named_by_its_index(
    capfdbinary: pytest.CaptureFixture[bytes], photographs: Path, tmp_path: Path
) -> None:
    path = ("--library", str(tmp_path / "library.twinlens"), "-q")
    write_scenes(tmp_path / "first", 3)
    run(capfdbinary, "add", str(tmp_path / "first"), *path)
    run(capfdbinary, "metric", "import", _metric(tmp_path), "--descriptor", "edges", *path)
    creating = ("index", "create", "--descriptor", "edges", "--metric", "g", "--method", "lsh:bits=32", "--json")
    code, out, _ = run(capfdbinary, *creating, *path)
    made = json.loads(out)["indexes"][0]
    assert (code, made["metric"], made["text"]) == (0, "G", "edges · G · lsh:bits=32 · scan")
    code, _, err = run(capfdbinary, "metric", "delete", "G", *path)
    assert code == 2
    assert "the index “edges · G · lsh:bits=32” measures by it" in err
    run(capfdbinary, "add", str(photographs), *path)  # encoded under it as they come
    asked = ("search", str(photographs / "0004.jpg"), "--index", made["name"], "--json", *path)
    _, out, _ = run(capfdbinary, *asked)
    result = json.loads(out)["results"][0]
    assert (result["measure"], result["exact"], result["of"]) == ("metric G", False, 8)
    assert result["hits"][0]["path"] == str(photographs / "0004.jpg")
    _, out, _ = run(capfdbinary, "metric", "list", "--json", *path)
    assert json.loads(out)["metrics"][0]["indexes"] == [made["name"]]


def test_what_takes_long_is_estimated_first(
    capfdbinary: pytest.CaptureFixture[bytes], photographs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twinlens.app.cli.folders._WORTH_TELLING_S", 0)
    path = ("--library", str(tmp_path / "library.twinlens"))
    code, out, err = run(capfdbinary, "add", str(photographs), "--exclude", "0001*", *path)
    assert (code, "4 photos: 4 new" in out) == (0, True)
    assert "5 photos (" in err
    assert "about 1 second and " in err
    _, _, err = run(capfdbinary, "add", str(photographs), *path)
    assert "of space" not in err  # nothing is new


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("serch", "x.jpg"), "Did you mean “search”?"),
        (("search",), "PICTURE"),
        (("search", "nowhere.jpg"), "no picture"),
        (("search", "#99"), "no photo with the number 99"),
        (("search", "#1", "--index", "Shapes"), "The library has: Automatic"),
        (("search", "#1", "-k", "0"), "0"),
        (("search", "#1", "--confirmed", "--no-check"), "no check"),
        (("search", "#1", "--weight", "2"), "--together"),
        (("search", "#1", "--together", "rrf", "--weight", "2", "--weight", "1"), "number of weights (2)"),
        (("search", "#1", "--together", "rrf", "--weight", "-1"), "cannot be negative"),
        (("search", "#1", "--together", "best"), "borda"),
        (("compare", "#1", "--column", "sifting"), "not an index"),
        (("compare", "#1", "--reference", "Shapes"), "no column"),
        (("compare", "#1", *["--index", "Colours"] * 7), "1 to 6"),
        (("compare", "#1", "--since", "yesterday"), "is not a date"),
        (("search", "#1", "--together", "rrf", "--compare-exact"), "cannot be combined"),
        (("map", "--index", "Shapes"), "no index"),
        (("map", "--csv", "/nowhere/at/all.csv"), "Name another file"),
        (("status", "--frobnicate"), "frobnicate"),
        (("add", "/nowhere/at/all"), "/nowhere/at/all"),
        (("index", "create", "--descriptor", "colour", "--method", "itq:bits=0"), "from 1 to 65,472"),
        (("index", "create", "--descriptor", "colour", "--metric", "Mine"), "There is no metric “Mine”"),
        (("metrics", "delete", "Mine"), "keeps no metric “Mine”"),
        (("metrics", "import", "nowhere.npy", "--descriptor", "colour"), "no file"),
        (("mark", "#1", "#2"), "--similar or --different"),
        (("mark", "#1", "#2", "#3", "--group", "--different"), "are similar"),
        (("mark", "#1", "--similar"), "two pictures"),
        (("mark", ".", "#1", "--group"), "alone"),
        (("marks", "remove"), "--all"),
        (("marks", "remove", "1", "--all"), "--all"),
        (("marks", "list", "--photograph", "#99"), "no photo 99"),
        (("marks", "import", "nowhere.csv"), "no file"),
        (("marks", "export", "marks.txt"), "neither a .csv nor a .json"),
        (("learn",), "no marks yet"),
        (("methods", "iqt"), "Did you mean “itq”?"),
        (("restore", "/nowhere/at/all"), "no backup"),
        (("evaluate", "--truth", "marks"), "No two photos are marked similar"),
        (("evaluate", "--edits", "crop 50"), "Did you mean “crop 50 %”?"),
        (("evaluate", "--output", "/nowhere/at/all.csv"), "cannot be written"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(
    capfdbinary: pytest.CaptureFixture[bytes], library: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capfdbinary, "--library", str(library), *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err
    code, out, _ = run(capfdbinary, "--library", str(library), *words, "--json")
    assert code == 2
    assert sentence in json.loads(out)["error"]["sentence"] + json.loads(out)["error"]["next_step"]


@pytest.mark.parametrize("content", [None, b"", b"no database at all, but long enough to be one" * 99])
def test_a_missing_or_foreign_library_is_a_sentence(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "library.twinlens"
    if content is not None:
        path.write_bytes(content)
    code, _, err = run(capfdbinary, "status", "--library", str(path))
    assert code == 2
    assert str(path) in err


def test_our_own_mistake_is_logged_and_exit_code_1(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, library: Path
) -> None:
    def broken(library: Library) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr("twinlens.app.library.library_status.library_status", broken)
    code, _, err = run(capfdbinary, "status", "--library", str(library))
    assert code == 1
    assert "of all things" in err
    assert "Traceback" not in err
    log = Path(err.split("report it together with ")[1].strip().rstrip("."))
    assert "ZeroDivisionError" in log.read_text()


def test_stopping_is_exit_code_130(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, library: Path
) -> None:
    def stopped(library: Library, progress: object) -> None:
        raise Cancelled

    monkeypatch.setattr("twinlens.app.library.maintenance.check_library", stopped)
    assert run(capfdbinary, "check", "--library", str(library))[0] == 130


def _command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from twinlens.app.cli.main import main; main()", *words]


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals to another process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "shutdown"])
def test_a_signal_to_stop_keeps_what_is_done(tmp_path: Path, number: signal.Signals) -> None:
    picture = write_scene(tmp_path / "photographs" / "0.jpg", 0).read_bytes()
    for other in range(1, 150):
        (tmp_path / "photographs" / f"{other}.jpg").write_bytes(picture + b"%d" % other)
    path = tmp_path / "library.twinlens"
    words = ("--library", str(path), "--json", "add", str(tmp_path / "photographs"), "--workers", "1")
    patient = "from twinlens.app.cli import main, progress; progress._GRACE_S = 60; main.main()"
    command = [sys.executable, "-c", patient, *words]  # however busy the machine is, its document is written
    process = subprocess.Popen(command, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while time.monotonic() < end and _ready(path) == 0:
        time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert out, err.decode()
    result = json.loads(out)
    assert process.returncode == 130, err
    assert b"resource_tracker" not in err
    assert result["cancelled"]
    assert 0 < result["added"] < 150
    assert _ready(path) == result["added"]


def _ready(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        with Library.open(path) as library:
            return library_status(library).photographs
    except TwinlensError:
        return 0  # it is being made


def _imported(*words: str) -> set[str]:
    """Return what a command that succeeds imports."""
    program = (
        "import sys\n"
        "from twinlens.app.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as ended: assert not ended.code, ended.code\n"
        "sys.stderr.write(' '.join(sys.modules))\n"
    )
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, env=_environment(), capture_output=True, check=True, text=True)
    return set(done.stderr.split())


def test_nothing_slow_is_imported_for_help() -> None:
    assert not {"PySide6", "numba", "scipy", "cv2", "sqlalchemy", "numpy", "rich", "PIL"} & _imported("--help")


def test_a_search_with_a_photograph_of_the_library_imports_nothing_that_reads_pictures(library: Path) -> None:
    imported = _imported("--library", str(library), "--quiet", "search", "#1", "--no-check", "--compare-exact")
    assert "numpy" in imported
    assert not {*READERS, "numba", "scipy", "onnxruntime", "alembic", "sqlalchemy", "psutil", "asyncio"} & imported


READERS = ("cv2", "PIL", "pebble", "twinlens.app.library.workers.decoding_tasks", "twinlens.app.library.ingest.ingest")
"""Modules that read pictures, and what leads to them."""


@pytest.mark.parametrize("words", [("status",), ("index", "list"), ("list",)])
def test_what_only_counts_and_lists_imports_nothing_that_reads_pictures(library: Path, words: tuple[str, ...]) -> None:
    imported = _imported("--library", str(library), "--quiet", *words)
    assert "sqlite3" in imported
    assert not {*READERS, "numba", "scipy", "onnxruntime", "alembic", "sqlalchemy", "psutil", "asyncio"} & imported


def test_output_survives_a_terminal_without_unicode_and_a_closed_pipe(library: Path, tmp_path: Path) -> None:
    write_scene(tmp_path / "日本.jpg", 1)
    environment = _environment() | {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    words = _command("--library", str(library), "search", str(tmp_path / "日本.jpg"))
    done = subprocess.run(words, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    if sys.platform != "win32":
        piped = " ".join(f"'{word}'" for word in _command("methods")) + " | head -c 1 > /dev/null"
        quiet = subprocess.run(piped, env=_environment(), shell=True, capture_output=True, check=False)
        assert quiet.stderr == b""


def test_a_command_answers_by_the_name_it_had(capfdbinary: pytest.CaptureFixture[bytes], library: Path) -> None:
    now, before = (run(capfdbinary, name, "list", "--library", str(library)) for name in ("metrics", "metric"))
    assert now == before
    assert now[0] == 0
    assert "metric" not in commands()


def test_every_command_is_listed_where_it_stands() -> None:
    for name, (module, summary) in command_line._COMMANDS.items():
        assert summary.endswith(".")
        commands = vars(importlib.import_module(module)).values()
        assert name in {one.name for one in commands if isinstance(one, click.Command)}


def test_notes_are_set_shown_and_forgotten(
    libraries: Libraries, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    folder = libraries.changeable(6, path := tmp_path / "family.twinlens")

    def note(*words: str, code: int = 0) -> dict[str, Any]:
        ended, out, err = run(capfdbinary, "--library", str(path), "note", "--json", *words)
        assert ended == code, err
        found: dict[str, Any] = json.loads(out)
        return found

    one = str(folder / "0001.jpg")
    words = ("--rating", "4", "--favourite", "--pick", "picked", "--keyword", "Rome", "--keyword", "Sea")
    (said,) = note(one, *words, "--title", "T")["photographs"]
    assert (said["rating"], said["favourite"], said["pick"], said["keywords"]) == (4, True, 1, ["Rome", "Sea"])
    assert said["own"] == ["favourite", "keywords", "pick", "rating", "title"]
    (said,) = note(f"#{said['id']}", "--no-favourite", "--remove-keyword", "sea")["photographs"]
    assert (said["favourite"], said["keywords"], said["dated_by"]) == (False, ["Rome"], "file")
    assert note(one, "--write-sidecars")["files"] == [f"{one}.xmp"]
    (said,) = note(one, "--forget")["photographs"]
    assert (said["rating"], said["own"]) == (0, [])
    run(capfdbinary, "--library", str(path), "rescan", "-q")
    (said,) = note(one)["photographs"]
    assert (said["rating"], said["keywords"], said["own"]) == (4, ["Rome"], []), "from the XMP file"
    assert "has no photo" in note(str(tmp_path / "none.jpg"), code=2)["error"]["message"]["template"]
    assert run(capfdbinary, "--library", str(path), "note")[0] == 2
