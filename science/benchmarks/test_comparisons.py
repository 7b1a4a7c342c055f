"""The benchmark runner: two peers in processes of their own, a ratio, a verdict, a table and a dated JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest

import science.benchmarks.__main__ as runner
from science.benchmarks import scan
from science.benchmarks.comparison import Peer, Run, SpeedComparison, Unmeasurable


def toy(figure: float) -> Run:
    """Measure nothing, and be noisy about it."""
    print("Libraries may print.")
    return lambda: {"memory": figure}


def toy_without_library() -> Run:
    raise ImportError("No module named 'toys'")


def toy_that_dies() -> Run:
    sys.exit("dead")


def compare(ours: float, other: float, at_most: bool = False) -> SpeedComparison:
    mine, theirs = Peer(toy, {"figure": ours}), Peer(toy, {"figure": other}, threads=1)
    return SpeedComparison("toy", "toys", mine, theirs, 1.5, 1.0 if at_most else 2.0, "memory", at_most, rounds=2)


@pytest.mark.parametrize(
    ("ours", "other", "at_most", "ratio", "verdict"),
    [
        (1.0, 2.0, False, 2.0, "stretch"),
        (2.0, 3.0, False, 1.5, "must"),
        (2.0, 2.0, False, 1.0, "MISSED"),
        (3.0, 2.0, True, 1.5, "must"),
        (4.0, 2.0, True, 2.0, "MISSED"),
    ],
)
def test_ratio_and_verdict(ours: float, other: float, at_most: bool, ratio: float, verdict: str) -> None:
    line = runner.summary(compare(ours, other, at_most), [({"memory": ours}, {"memory": other})] * 2)
    assert (line["ratio"], line["verdict"], line["ours"], line["other"]) == (ratio, verdict, ours, other)
    assert runner.cells({**line, "others": None})[2] == f"{ratio:.2f}"


def test_of_a_share_more_is_better() -> None:
    comparison = replace(compare(0.9, 0.6), figure="share")
    line = runner.summary(comparison, [({"share": 0.9}, {"share": 0.6})])
    assert (line["ratio"], line["verdict"]) == (pytest.approx(1.5), "must")
    assert runner.cells({**line, "others": 0.25})[-3:] == ("0.9000", "0.6000", "0.2")


def toy_at_fault() -> Run:
    raise ValueError("toys are broken")


def toy_without_room() -> Run:
    raise Unmeasurable("there is no room for toys")


def toy_at_fault_later() -> Run:
    return lambda: {"memory": [1.0, 2.0, 3.0][len("long")]}


@pytest.mark.parametrize(
    ("peer", "why", "failed"),
    [
        (toy_without_library, "toys", False),
        (toy_that_dies, "without an answer", True),
        (toy_at_fault, "ValueError: toys are broken", True),
        (toy_at_fault_later, "IndexError", True),
        (toy_without_room, "no room", False),
    ],
)
def test_a_peer_that_cannot_run_is_named(peer: object, why: str, failed: bool) -> None:
    comparison = SpeedComparison("toy", "toys", Peer(toy, {"figure": 1.0}), Peer(peer), 1.5, 2.0)  # type: ignore[arg-type]
    (line,) = runner.measure([comparison])
    assert line["ratio"] is None
    assert why in line["why"]
    assert line.get("failed", False) is failed
    assert why in runner.table([runner.HEADINGS, runner.cells(line)])


def test_what_is_kept_and_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toys = ModuleType("science.benchmarks.toys")
    toys.comparisons = lambda quick: [compare(1.0, 2.0)] * (1 if quick else 2)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, toys.__name__, toys)
    monkeypatch.setattr(runner, "names", lambda: ("toys",))
    monkeypatch.setattr(runner, "compile_loops", lambda: None)
    assert runner.main(["toys", "--quick", "--out", str(tmp_path / "new")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["what", "toy"]
    (path,) = (tmp_path / "new").iterdir()
    kept = json.loads(path.read_text())
    assert path.name.startswith(kept["date"][:10])
    assert [line["benchmark"] for line in kept["lines"]] == ["toys"]
    assert kept["machine"]["versions"]["numpy"] == np.__version__


@pytest.mark.parametrize(("peer", "code"), [(toy_at_fault, 1), (toy_without_room, 0)])
def test_a_line_that_fails_ends_the_command_with_1_after_all_others(
    peer: object, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toys = ModuleType("science.benchmarks.toys")
    lacking = replace(compare(1.0, 2.0), what="lacking", other=Peer(peer))  # type: ignore[arg-type]
    toys.comparisons = lambda quick: [lacking, compare(2.0, 2.0)]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, toys.__name__, toys)
    monkeypatch.setattr(runner, "names", lambda: ("toys",))
    monkeypatch.setattr(runner, "compile_loops", lambda: None)
    assert runner.main(["toys", "--out", str(tmp_path)]) == code
    printed = capsys.readouterr()
    assert [line.split()[0] for line in printed.out.splitlines()] == ["what", "lacking", "toy"]
    assert ("Failed:\nlacking" in printed.err) == bool(code)


def toy_that_never_ends() -> Run:
    return lambda: time.sleep(600)


def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "LEAST_PATIENCE_S", 2.0)
    slow = Peer(toy_that_never_ends, warm_up=False)
    comparison = SpeedComparison("toy", "toys", slow, Peer(toy, {"figure": 1.0}), 1.5, 2.0, "memory", seconds=0.1)
    (line,) = runner.measure([comparison])
    assert "too long" in line["why"]
    assert line["failed"]
    assert line["seconds"] < 60


def test_lines_with_the_same_peers_are_measured_together() -> None:
    one = compare(1.0, 2.0)
    lines = runner.measure([one, replace(one, what="the same", must=3.0, stretch=4.0)])
    assert [line["what"] for line in lines] == ["toy", "the same"]
    assert [line["verdict"] for line in lines] == ["stretch", "MISSED"]
    assert one.is_measured_with(replace(one, figure="cpu"))
    assert not one.is_measured_with(compare(1.0, 3.0))


def test_an_abort_loses_nothing_and_a_benchmark_that_is_not_here_is_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toys = ModuleType("science.benchmarks.toys")
    last = replace(compare(2.0, 2.0), what="the last")
    toys.comparisons = lambda quick: [compare(1.0, 2.0), last]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, toys.__name__, toys)
    monkeypatch.setattr(runner, "names", lambda: ("absent", "toys"))
    monkeypatch.setattr(runner, "compile_loops", lambda: None)
    measured = runner.measure

    def once(together: Sequence[SpeedComparison]) -> list[dict[str, Any]]:
        if together == [last]:
            raise KeyboardInterrupt
        return measured(together)

    monkeypatch.setattr(runner, "measure", once)
    assert runner.main(["--out", str(tmp_path)]) == 130
    printed = capsys.readouterr()
    assert [line.split()[0] for line in printed.out.splitlines()] == ["what", "absent", "toy"]
    assert "[2/2, about" in printed.err
    (path,) = tmp_path.iterdir()
    absent, first = json.loads(path.read_text())["lines"]
    assert "absent" in absent["why"]
    assert first["verdict"] == "stretch"


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        runner.main(["nonsense"])
    assert stopped.value.code == 2
    assert "scan" in capsys.readouterr().err


def test_every_benchmark_has_lines() -> None:
    assert "scan" in runner.names()
    for name in runner.names():
        module = __import__(f"science.benchmarks.{name}", fromlist=["comparisons"])
        assert 0 < len(list(module.comparisons(True))) <= len(list(module.comparisons(False)))


def test_all_means_each_line_once_and_none_that_takes_long() -> None:
    plan, left_out = runner.planned([], False)
    lines = [comparison for _, together in plan for comparison in together]
    assert all(line not in lines[:place] for place, line in enumerate(lines))
    assert max(line.seconds for line in lines) <= runner.LONG_S
    assert "bench comparing" in next(line["why"] for line in left_out if line["what"].startswith("500,000"))
    named, nothing = runner.planned(["growth"], False)
    assert max(together[0].seconds for _, together in named) > runner.LONG_S
    assert nothing == []


def test_both_peers_of_the_scan_have_the_same_codes() -> None:
    assert np.array_equal(scan.codes(500, 128), scan.codes(500, 128))
    base = scan.codes(500, 128)
    assert base.shape == (500, 16)
    assert scan.queries(base, 3).shape == (3, 16)


def test_what_structures_and_pairs_say_of_few_codes() -> None:
    from science.benchmarks import pairs, structures

    grouped = cast("dict[str, float]", structures.structure("grouped", 3_000)())
    assert grouped["share"] == pytest.approx(1.0)
    assert grouped["codes"] == 3_000
    assert cast("dict[str, float]", structures.structure("scan", 3_000, build_s=7.0)())["build"] == 7.0
    plain, asymmetric = (
        cast("dict[str, float]", structures.by_codes(3_000, 20, wished)())["share"] for wished in (False, True)
    )
    assert 0.1 < plain < asymmetric <= 1
    assert cast("dict[str, float]", pairs.ours(3_000, 1)())["memory"] > 1e6
