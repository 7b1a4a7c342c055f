"""Kim and Choi, CVPR 2015, Figures 2 to 4: expectations of bilinear features and codes, and their bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.lab.figures.figure import Axis, Dash, Figure, Marker, Series
from core.hashing.kernel_estimate import LARGEST, expected_share, lower_bound, upper_bound
from science.papers.claims.kc_theory import CASES, EXPECTED, UNIFORM, expected
from science.papers.page.blocks import percent
from science.papers.page.section import Block, PageTable, Results
from science.papers.page.series import plain, spread
from science.papers.result import Result
from science.papers.waves import covariance_bound

Rows = Sequence[Sequence[float]]

_GRID = np.linspace(0, 1, 51)
_KERNEL = Axis("value of the Gaussian kernel", low=0, high=1)
_POWER = 0.79
DRAWN = 3
"""Of so many pairs one is drawn: all would hide each other."""


def features(results: Results) -> Sequence[Block]:
    """Show Figure 2."""
    names = ("below kernel", "above power", "above power where it holds")
    head = ("share of pairs", "below κ", "above κ^0.79", "above κ^0.79, of those with λ₁ ≤ 0.56")
    table = _shares(results[EXPECTED], head, [f"cosine {name}" for name in names])
    note = "Exact, by the spectrum of each difference: Π (1 + λ)^(-1/2)."
    figures = [
        Figure(
            name=f"features-{case}",
            title=f"Expected product of two bilinear Fourier features, {words}",
            reading="Lemma 1: between the Gaussian kernel itself and its power 0.79, where the difference is spread "
            "over many directions; differences of few directions lie above.",
            x=_KERNEL,
            y=Axis("expected product", low=0, high=1),
            series=[
                _measured("measured differences: mean, deviation", curves["cosine"], 2),
                _bound("κ", _GRID, Dash.DOTTED),
                _bound("κ to the 0.79", _GRID**_POWER, Dash.DASHED),
            ],
        )
        for case, words, curves in _curves(results)
    ]
    return [PageTable(table.head, table.rows, note), *figures]


def uniform(results: Results) -> Sequence[Block]:
    """Show Figure 2 on uniform random data."""
    shown: list[Block] = []
    for case, found in results[UNIFORM].figures.items():
        order = np.argsort(found["kernel"])[::DRAWN]
        at, exact, mean, error = (np.array(found[name])[order] for name in ("kernel", "exact", "mean", "error"))
        shown.append(
            Figure(
                name=f"uniform-{case.replace(' ', '')}",
                title=f"Product of two bilinear features, uniform random matrices, {case}",
                reading=f"Each point is a pair, one of {DRAWN} that are measured, the mean of 10,000 products; bars "
                "are its standard error.",
                x=_KERNEL,
                y=Axis("expected product", low=0, high=1),
                series=[
                    spread("sample mean", at.tolist(), mean.tolist(), error.tolist(), 2),
                    plain("exact", at.tolist(), exact.tolist(), 4, marked=False),
                    _bound("κ", _GRID, Dash.DOTTED),
                    _bound("κ to the 0.79", _GRID**_POWER, Dash.DASHED),
                ],
            )
        )
    return shown


def distances(results: Results) -> Sequence[Block]:
    """Show Figure 3."""
    head = (
        "share of pairs", "upper bound broken", "single's lower bound broken by bilinear",
        "bilinear lower bound broken", "the same, where λ₁ ≤ 0.56", "λ₁ ≤ 0.56, pairs by chance",
        "λ₁ ≤ 0.56, pairs spread",
    )  # fmt: skip
    names = (
        "upper broken", "single lower broken", "lower broken", "lower broken where it holds", "condition by chance",
        "condition spread",
    )  # fmt: skip
    table = _shares(results[EXPECTED], head, names)
    note = "By exact expectations; “spread” is evenly over the kernel's values."
    blocks: list[Block] = [PageTable(table.head, table.rows, note)]
    for case, words, curves in _curves(results):
        bits = results[EXPECTED].figures[case]["bits"]
        blocks.append(_hamming(case, words, bits, curves))
    return [*blocks, _condition(results)]


def _hamming(case: str, words: str, bits: int, curves: dict[str, Rows]) -> Figure:
    """Draw what is above single's expectation: drawn as they are, the lines would cover each other."""
    at, bilinear = ([row[column] for row in curves["bilinear expected"]] for column in range(2))
    return Figure(
        name=f"hamming-{case}",
        title=f"Bits that differ, less what is expected of single codes, {words}",
        reading=f"Of {bits:,} bits. What is measured of single codes lies at 0 but for chance, the same for all pairs; "
        "what is measured of bilinear ones, at what is expected of them, between the upper bound and, where its "
        "condition is met, the lower one.",
        x=_KERNEL,
        y=Axis("difference in the share of bits"),
        series=[
            _off_single("single, measured", curves["single"], 0),
            _off_single("bilinear m = 5, measured", curves["bilinear m=5"], 2),
            plain("bilinear, expected", at, (np.array(bilinear) - expected_share(np.array(at))).tolist(), 4, False),
            _bound("upper bound", upper_bound(_GRID) - expected_share(_GRID), Dash.DASHED),
            _bound("lower, single", lower_bound(_GRID) - expected_share(_GRID), Dash.DOTTED),
            _bound("lower, bilinear", LARGEST * (1 - _GRID**_POWER) - expected_share(_GRID), Dash.DASH_DOT),
        ],
        markers=[Marker(0.0, "single, expected", vertical=False)],
    )


def _off_single(name: str, rows: Rows, place: int) -> Series:
    """Draw the means alone: their deviations would hide what is between the bounds."""
    at, mean = (np.array([one[column] for one in rows]) for column in range(2))
    return plain(name, at.tolist(), (mean - expected_share(at)).tolist(), place, marked=False)


def _condition(results: Results) -> Figure:
    return Figure(
        name="condition",
        title="Pairs for which the bilinear lower bound is proved",
        reading="Share of pairs whose difference has no eigenvalue λ₁ above 0.56, by the kernel's value.",
        x=_KERNEL,
        y=Axis("share of pairs", low=0, high=1),
        series=[
            plain(words, [row[0] for row in curves["condition"]], [row[1] for row in curves["condition"]], place, False)
            for place, (_, words, curves) in enumerate(_curves(results))
        ],
    )


def covariances(results: Results) -> Sequence[Block]:
    """Show Figure 4."""
    return [
        Figure(
            name=f"covariance-{case}",
            title=f"Covariance of two bits that share a projection, {words}",
            reading="0 means that one of two bits tells nothing of the other. The bound is of pairs that meet the "
            f"conditions of Lemma 1; what is measured is greatest at a kernel value of {_greatest(curves):.2f}.",
            x=_KERNEL,
            y=Axis("covariance of two bits' differing"),
            series=[
                _measured("measured: mean, deviation", curves["covariance"], 1),
                _bound("Theorem 3's bound", covariance_bound(_GRID), Dash.DASHED),
            ],
            markers=[Marker(0.0, "", vertical=False)],
        )
        for case, words, curves in _curves(results)
    ]


def _greatest(curves: dict[str, Rows]) -> float:
    """Return the kernel value at which bits vary together most."""
    return float(max(curves["covariance"], key=lambda row: float(row[1]))[0])


def _curves(results: Results) -> list[tuple[str, str, dict[str, Rows]]]:
    return [(case, words, results[EXPECTED].figures[case]["curves"]) for case, words in CASES.items()]


def _shares(result: Result, head: Sequence[str], names: Sequence[str]) -> PageTable:
    """Return a row for each case."""
    values = {case: [expected(result, case, name).mean for name in names] for case in CASES}
    rows = [
        (words, *("no such pair" if value != value else percent(value) for value in values[case]))
        for case, words in CASES.items()
    ]
    return PageTable(head, rows)


def _measured(name: str, rows: Rows, place: int) -> Series:
    at, mean, off = ([one[column] for one in rows] for column in range(3))
    return spread(name, at, mean, off, place, marked=False)


def _bound(name: str, values: npt.NDArray[np.float64], dash: Dash) -> Series:
    return Series(name, _GRID.tolist(), values.tolist(), place=-1, dash=dash)
