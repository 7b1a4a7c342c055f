"""Arguments, experiments and outputs that ended in "Twinlens made a mistake": each is a sentence, and exit code 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.app.cli.test_commands import ROOT, run
from tests.app.folders import added, write_scenes


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    write_scenes(folder / "p", 3)
    added(folder / "l.twinlens", folder / "p")
    np.save(folder / "x.npy", np.random.default_rng(0).standard_normal((300, 16)).astype(np.float32))
    np.save(folder / "labels.npy", np.arange(300) % 3)
    for name, text in {
        "numbers": "methods = [1]",
        "negative": 'methods = ["lsh:bits=8"]\nseeds = [-1]\nquery_count = -4',
        "huge": 'methods = ["lsh:bits=8"]\nquery_count = 99999999999999999999',
        "nested": 'methods = ["lsh:bits=8"]\nseeds = [[1]]',
        "not_a_number": "epsilons = [nan]",
        "json": f"methods = ['{{\"a\":{'[' * 5000}']",
        "sweep": f'methods = ["lsh:bits={{{",".join(map(str, range(8, 3000)))}}}"]',
    }.items():
        (folder / f"{name}.toml").write_text(f'base = "x.npy"\n{text}\n')
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
    command = f'"{sys.executable}" -m app.cli --library "{place / "l.twinlens"}" {line}'
    ended = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, "Traceback" in ended.stderr) == (code, False)
    assert ended.stderr.startswith(said)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in other ways there")
@pytest.mark.parametrize("line", ["status", "index list --json", "methods", "--help", "nope --json"])
def test_output_that_nobody_reads_to_its_end(place: Path, line: str) -> None:
    words = [sys.executable, "-m", "app.cli", "--library", str(place / "l.twinlens"), *line.split()]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read().decode()
    assert process.returncode == (2 if line.startswith("nope") else 0)
    assert "mistake" not in told
    assert "Traceback" not in told
