"""``twinlens bench --codes`` as one types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.app.cli.test_commands import run

Capture = pytest.CaptureFixture[bytes]


@pytest.fixture
def codes(tmp_path: Path) -> str:
    np.save(tmp_path / "codes.npy", np.random.default_rng(0).integers(0, 256, (500, 16), dtype=np.uint8))
    return str(tmp_path / "codes.npy")


def test_a_table_for_people(capfdbinary: Capture, codes: str) -> None:
    words = ("--search", "scan", "--search", "buckets", "--search", "permuted:lists=100000,memory=1", "-k", "20")
    code, out, _ = run(capfdbinary, "bench", codes, "--codes", *words, "-q")
    assert code == 0
    assert "500 codes of 128 bits (8.0 kB), 100 queries for the 20 nearest codes." in out
    assert "permuted:lists=100000,memory=1" in out
    assert "Not measured: 100,000 sorted lists" in out
    heading = next(line for line in out.splitlines() if "R@1" in line)
    assert heading.split() == ["structure", "R@1", "overlap@10", "scanned", "probed", "build", "query", "lists"]
    assert max(map(len, out.splitlines()[1:])) <= 200


def test_json_has_every_figure(capfdbinary: Capture, codes: str) -> None:
    code, out, _ = run(capfdbinary, "bench", codes, "--codes", "--queries", codes, "--query-count", "9", "--json", "-q")
    assert code == 0
    document = json.loads(out)
    assert (document["n"], document["bits"], document["queries"]) == (500, 128, 9)
    assert [one["search"] for one in document["results"]] == ["scan", "grouped", "buckets", "multi-index", "permuted"]
    assert document["results"][0]["overlap"] == {"10": 1.0, "100": 1.0}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--method", "lsh", "--seed", "1"), "--method, --seed"),
        (("--labels", "x.npy"), "--labels"),
        (("--truth", "l2"), "--truth"),
        (("--metric", "whitening"), "--metric"),
        (("--curves", "c.csv"), "--curves"),
        (("--write", "e.toml"), "--write"),
        (("-k", "3", "--neighbours", "3"), "Give only one of them"),
    ],
)
def test_options_of_vectors_are_refused(capfdbinary: Capture, codes: str, words: tuple[str, ...], told: str) -> None:
    code, out, err = run(capfdbinary, "bench", codes, "--codes", *words)
    assert (code, out) == (2, "")
    assert told in err


def test_an_experiment_is_refused(capfdbinary: Capture) -> None:
    code, _, err = run(capfdbinary, "bench", "some.toml", "--codes")
    assert code == 2
    assert "packed codes" in err
