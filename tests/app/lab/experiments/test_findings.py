"""The sentence of a run says what its own rows say."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.lab.experiments.lab_results import LabRow, LabRun, finding
from app.lab.figures.run_figures import figures, group_slots
from app.library.library import Library

Measured = tuple[Library, LabRun]
Told = tuple[str, str, float, float, float, float]
"""Method, search structure, figure, deviation, bytes a photograph, milliseconds a query."""


def run_of(like: LabRun, rows: Sequence[Told], measure: str = "recall@10", steps: int = 8) -> LabRun:
    """Return a run with other figures."""

    def row(number: int, told: Told) -> LabRow:
        method, search, value, spread, size, milliseconds = told
        one = like.rows[0].measured
        changes = {
            "method": method, "search": search, "bits": 64, "deviation": {measure: spread}, "recall": {}, "overlap": {},
            "accuracy": value if measure == "accuracy" else None,
            "seconds": one.seconds.model_copy(update={"encode_query": 0.0, "search": milliseconds / 1000}),
        }  # fmt: skip
        if measure != "accuracy":
            changes[measure.partition("@")[0]] = {"10": value}
        measured = one.model_copy(update=changes)
        return like.rows[0].model_copy(update={"key": f"1/{number}", "measured": measured, "bytes_each": size})

    made = [row(number, told) for number, told in enumerate(rows, 1)]
    return like.model_copy(update={"rows": made, "steps": 8, "done": steps})


def ranks(*figures: tuple[int, float, float]) -> list[Told]:
    return [(f"klsh:bits=64,rank={rank}", "scan", value, spread, 8.0, 1.0) for rank, value, spread in figures]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            ranks((4, 0.47, 0.01), (16, 0.92, 0.02), (64, 0.97, 0.01)),
            "klsh:rank=64 finds most (recall@10 0.97 ± 0.01), klsh:rank=4 finds least (0.47 ± 0.01).",
        ),
        (
            ranks((4, 0.47, 0.01), (16, 0.96, 0.02), (64, 0.97, 0.001)),
            "klsh:rank=64 finds most (recall@10 0.97), klsh:rank=4 finds least (0.47 ± 0.01). klsh:rank=16 is as good",
        ),
        (ranks((4, 0.961, 0.0), (16, 0.959, 0.0)), "All find about as much: recall@10 0.96 to 0.96."),
        (ranks((4, 0.5, 0.02)), "klsh:bits=64,rank=4 has recall@10 0.50 ± 0.02."),
        (
            [("lsh:bits=64", "scan", 0.6, 0, 8, 1), ("lsh:bits=128", "scan", 0.90, 0.02, 16, 1),
             ("lsh:bits=256", "scan", 0.91, 0.01, 32, 1)],
            "lsh:bits=128 finds as much in 16 bytes per photo instead of 32.",
        ),
    ],
)  # fmt: skip
def test_it_names_most_and_least_and_what_is_as_good(measured: Measured, rows: list[Told], words: str) -> None:
    assert words in str(finding([run_of(measured[1], rows)]))


def test_of_search_structures_it_tells_time_and_of_folders_the_vote(measured: Measured) -> None:
    rows: list[Told] = [
        ("lsh:bits=64", "scan", 0.999, 0, 8, 20), ("lsh:bits=64", "multi-index", 1.0, 0, 8, 14.6),
        ("lsh:bits=64", "buckets", 0.87, 0, 8, 2.2),
    ]  # fmt: skip
    run = run_of(measured[1], rows, "overlap@10")
    assert str(finding([run])) == (
        "multi-index finds most: overlap@10 1.00 in 15 ms per query. buckets is quickest: 0.87 in 2.2 ms."
    )
    assert "No other is much quicker" in str(finding([run_of(measured[1], rows[:2], "overlap@10")]))
    drawn = {one.keys[0]: one.place for one in next(one for one in figures([run]) if one.name == "found-time").series}
    assert group_slots([run]) == drawn, "dots of the table have the colours of the points"
    assert len(set(drawn.values())) == 3
    assert "accuracy 0.97" in str(finding([run_of(measured[1], ranks((4, 0.47, 0), (64, 0.97, 0)), "accuracy")]))


def test_it_says_so_far_nothing_of_nothing_and_compares_equal_data_alone(measured: Measured) -> None:
    run = run_of(measured[1], ranks((4, 0.47, 0), (64, 0.97, 0)), steps=5)
    assert str(finding([run])).startswith("So far: klsh:rank=64")
    assert not finding([run.model_copy(update={"rows": []})])
    other = run.model_copy(update={"id": 2, "name": "other"})
    assert f"{run.name} · klsh:rank=64" in str(finding([run, other]))
    assert not finding([run, other.model_copy(update={"digest": "of others"})])
    real = measured[1]
    recalls = [row.measured.recall["10"] for row in real.rows]
    assert f"recall@10 {min(recalls):.2f} to {max(recalls):.2f}" in str(finding([real])), (
        "seeds differ by more than methods"
    )


def test_methods_without_the_number_are_lines_across_its_figure(measured: Measured) -> None:
    full: Told = ("klsh:bits=64", "scan", 0.8, 0, 8, 1)
    run = run_of(measured[1], [*ranks((4, 0.47, 0), (64, 0.97, 0)), full, ("lsh:bits=64", "scan", 0.7, 0, 8, 1)])
    (found,) = [one for one in figures([run]) if one.name == "recall-rank"]
    assert {(one.at, one.vertical) for one in found.markers} == {(0.8, False), (0.7, False)}
    assert {str(one.label) for one in found.markers} == {"klsh without rank", "lsh"}
    hidden = next(one for one in figures([run], chosen=["1/1", "1/2", "1/3"]) if one.name == "recall-rank")
    assert len(hidden.markers) == 1
