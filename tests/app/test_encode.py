"""``twinlens encode``: codes and encoder in one file, which bench reads and which encodes others alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.cli.test_commands import document, run
from twinlens import workbench
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.core.methods.itq import Itq
from twinlens.core.workbench import encoder_of_arrays


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    """Return a file of 300 vectors, and one of 20 others."""
    x = (np.random.default_rng(0).normal(size=(320, 12)) * np.linspace(2, 0.2, 12)).astype(np.float32)
    files = tmp_path / "base.npy", tmp_path / "queries.npy"
    for file, rows in zip(files, (x[:300], x[300:]), strict=True):
        np.save(file, rows)
    return files


def test_codes_and_encoder_are_those_of_the_method(
    capfdbinary: pytest.CaptureFixture[bytes], tables: tuple[Path, Path], tmp_path: Path
) -> None:
    base, queries = tables
    first, second = str(tmp_path / "base.npz"), str(tmp_path / "queries.npz")
    made = document(capfdbinary, "encode", str(base), "--method", "itq:bits=10", "-o", first)
    assert (made["vectors"], made["bits"], made["fitted_on"], made["method"]) == (300, 10, 300, "itq:bits=10")
    encoder = Itq(bits=10).fit(np.load(base))
    with np.load(first, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["codes"], encoder.encode(np.load(base)))
        assert np.array_equal(encoder_of_arrays(arrays).encode(np.load(queries)), encoder.encode(np.load(queries)))
    again = document(capfdbinary, "encode", str(queries), "--encoder", first, "-o", second)
    assert (again["vectors"], again["fitted_on"], again["method"]) == (20, 0, "itq:bits=10")
    with np.load(second, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["codes"], encoder.encode(np.load(queries)))
    benched = document(capfdbinary, "bench", first, "--codes", "--queries", second, "--search", "scan")
    assert benched["results"][0]["recall"]["1"] == 1.0


def test_other_vectors_may_be_learned_from(
    capfdbinary: pytest.CaptureFixture[bytes], tables: tuple[Path, Path], tmp_path: Path
) -> None:
    base, queries = tables
    file = str(tmp_path / "codes.npz")
    document(capfdbinary, "encode", str(queries), "--train", str(base), "--method", "itq:bits=10", "-o", file)
    with np.load(file, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["codes"], Itq(bits=10).fit(np.load(base)).encode(np.load(queries)))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--method", "itq", "-o", "codes.npy"), "does not end in .npz"),
        (("--method", "itq:bits=99", "-o", "codes.npz"), "bits"),
        (("--encoder", "{base}", "-o", "codes.npz"), "cannot be read"),
        (("--encoder", "{plain}", "-o", "codes.npz"), "it holds no encoder"),
        (("--encoder", "{plain}", "--method", "itq", "-o", "codes.npz"), "leave out --method"),
        (("--method", "itq", "-o", "{plain}"), "exists already"),
        (("--method", "itq:bits=8", "-o", "nowhere/codes.npz"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_leaves_no_file(
    capfdbinary: pytest.CaptureFixture[bytes],
    tables: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    np.savez(tmp_path / "plain.npz", codes=np.zeros((3, 2), np.uint8))
    before = sorted(tmp_path.iterdir())
    named = [word.format(base=tables[0], plain="plain.npz") for word in words]
    code, _, err = run(capfdbinary, "encode", str(tables[0]), *named, "-q")
    assert code == 2
    assert reason in " ".join(err.split())
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("method", ["lsh:bits=24", "klsh:bits=24,kernel=gaussian"])
def test_a_script_measures_what_bench_measures(tables: tuple[Path, Path], method: str) -> None:
    base, queries = tables
    (benched,) = bench(Experiment(base=str(base), queries=str(queries), methods=(method,), query_count=0)).results
    (row,) = workbench.bench(np.load(base), np.load(queries), [method])
    assert {key: row[key] for key in benched.values if not key.startswith("seconds")} == {
        key: value for key, value in benched.values.items() if not key.startswith("seconds")
    }
