"""Figures of how bits estimate a shift-invariant kernel, single or bilinear: measured, expected, and bounded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from twinlens.app.lab.figures.figure import Axis, Dash, Density, Figure, FigureKind, Marker, Series
from twinlens.app.lab.theory.theory_data import TheoryData
from twinlens.app.lab.theory.theory_results import Theory
from twinlens.core.arrays import Float64Values
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.bilinear_hashing import squarest
from twinlens.core.hashing.shift_invariant_hashing import (
    LARGEST,
    BilinearShiftInvariantEncoder,
    Form,
    SingleEncoder,
    bilinear_lower_bound,
    expected_share,
    expected_share_bilinear,
    form_of,
    lower_bound,
    upper_bound,
)
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.methods.sik import BilinearSik, Sik
from twinlens.core.progress import Progress, part, silent
from twinlens.core.theory.code_theory import (
    COLUMNS,
    HOLDS_UP_TO,
    SpreadPairs,
    column_means,
    density,
    largest_eigenvalues,
    pair_differences,
    shared_covariance,
    shares,
    spread_pairs,
    stretch_of,
)
from twinlens.core.vectors import Vectors

_EACH = 250
_FEW = 12  # pairs of a stretch whose expectation, or covariance, is computed one by one
_CELLS = 70
_COARSE = 12  # stretches of the kernel over which covariances are averaged
_GRID = np.concatenate([np.linspace(0, 0.96, 97), 1 - 0.04 * np.linspace(1, 0, 60) ** 2])
_VALUE_OF: dict[Form, Message] = {
    "gaussian": Message("value of the Gaussian kernel"),
    "laplacian": Message("value of the Laplacian kernel"),
}


def bits_figures(material: TheoryData, declared: Sik, seed: int = 0, progress: Progress = silent) -> Theory:
    """Draw measured shares of differing bits over the kernel's values, with expectation and bounds.

    Parameters
    ----------
    seed : int
        Of everything that is drawn.
    """
    x = material.x
    single = declared.changed(seed=seed).fit(x, part(progress, 0, 0.1))
    kernel = single.resolved
    pairs = spread_pairs(x, kernel, _EACH, seed, part(progress, 0.1, 0.2))
    drawn, chance = pairs.of(False), pairs.of(True)
    progress(0.2, 1, Message("Comparing codes"))
    measured = shares(single, x, drawn.rows)
    numbers = {"gamma": kernel.known_gamma, "pairs": float(len(drawn.rows)), "bits": float(single.bits)}
    figures = [_single(drawn, measured, single, numbers)]
    note = NOTHING
    shape: tuple[int, int] | None = None
    try:
        shape = squarest(x.shape[1])
    except TwinlensError as error:
        note = error.message
    if shape is not None and isinstance(kernel, Gaussian):
        progress(0.3, 1, Message("Bilinear codes"))
        bilinear = BilinearSik(bits=declared.bits, gamma=kernel.known_gamma, seed=seed).fit(x)
        look = _Bilinear(x, drawn, chance, shape, bilinear)
        figures.append(look.figure(numbers, part(progress, 0.35, 0.6)))
        figures.append(look.covariance(numbers, seed, part(progress, 0.6, 1)))
    elif not note:
        note = Message("Bilinear codes are for the Gaussian kernel alone.")
    spread = Message(
        "Drawn are up to {pairs} pairs of each of {parts} stretches of the kernel's values.", pairs=_EACH, parts=COLUMNS
    )
    sample = joined([material.sample, note, spread])
    return Theory("hamming", declared.changed(seed=seed).text(), sample, seed, figures, numbers).with_sample()


def _single(pairs: SpreadPairs, measured: Float64Values, encoder: SingleEncoder, numbers: dict[str, float]) -> Figure:
    form = form_of(encoder.resolved)
    off = measured - np.interp(pairs.kernel, _GRID, _expected(form))
    at, mean, _ = column_means(pairs.kernel, measured)
    worst = float(np.abs(mean - np.interp(at, _GRID, _expected(form))).max(initial=0))
    numbers |= {"single mean error": float(off.mean()), "single deviation": float(off.std()), "single worst": worst}
    numbers["told at 0.9"] = _distinguished(pairs.kernel, off, form)
    series = [
        _curve(Message("expected"), _expected(form), 1, Dash.SOLID),
        _mean(Message("measured: mean, deviation"), pairs.kernel, measured),
    ]
    if form == "gaussian":
        series += [
            _curve(Message("upper bound"), upper_bound(_GRID), -1, Dash.DASHED),
            _curve(Message("lower bound"), lower_bound(_GRID), -1, Dash.DOTTED),
        ]
    return Figure(
        "hamming-single",
        Message("What {bits} bits tell of the kernel", bits=encoder.bits),
        Message(
            "Each pair of items is a place in the cloud: the more alike, the further right and the fewer bits differ. "
            "Its middle follows the expected curve, {worst:.3f} off at most.",
            worst=worst,
        ),
        _x_axis(_VALUE_OF[form]),
        _bounded(measured),
        series,
        [Marker(LARGEST, Message("nothing alike: 4/π²"), vertical=False)],
        FigureKind.DENSITY,
        _density(pairs, measured),
        note=Message("Kernel width gamma = {gamma:.4g}; single codes.", gamma=encoder.resolved.known_gamma),
    )


def _x_axis(label: Message) -> Axis:
    return Axis(label, low=0, high=1)


def _bounded(y: Float64Values) -> Axis:
    return Axis(Message("share of bits that differ"), low=0, high=max(0.55, float(y.max(initial=0))))


def _density(pairs: SpreadPairs, measured: Float64Values) -> Density:
    x, y, counts = density(pairs.kernel, measured, _CELLS)
    return Density(x.tolist(), y.tolist(), counts.tolist(), Message("pairs"))


def _curve(name: Message, y: Float64Values, place: int, dash: Dash) -> Series:
    return Series(name, _GRID.tolist(), y.tolist(), place=place, dash=dash)


def _mean(name: Message, kernel: Float64Values, values: Float64Values, place: int = 6) -> Series:
    at, mean, deviation = column_means(kernel, values)
    return Series(
        name,
        at.tolist(),
        mean.tolist(),
        (mean - deviation).tolist(),
        (mean + deviation).tolist(),
        place=place,
        dash=Dash.DOTTED if place == 6 else Dash.SOLID,
    )


@cache
def _expected(form: Form) -> Float64Values:
    return expected_share(_GRID, form)


def _distinguished(kernel: Float64Values, off: Float64Values, form: Form, at: float = 0.9) -> float:
    """Return the error of a kernel value that is estimated from bits: their deviation over the slope of theory."""
    near = off[np.abs(kernel - at) <= 0.02]
    slope = float(np.diff(np.interp([at - 0.02, at + 0.02], _GRID, _expected(form)))[0]) / 0.04
    return float(near.std()) / abs(slope) if len(near) > 1 else float("nan")


@dataclass(frozen=True, eq=False)
class _Bilinear:
    """Bilinear codes of the same pairs."""

    x: Vectors
    pairs: SpreadPairs
    chance: SpreadPairs
    shape: tuple[int, int]
    encoder: BilinearShiftInvariantEncoder

    @property
    def _gamma(self) -> float:
        return self.encoder.resolved.known_gamma

    def _few(self) -> npt.NDArray[np.int64]:
        """Choose a few pairs of each interval of the kernel."""
        column = stretch_of(self.pairs.kernel)
        return np.concatenate([np.flatnonzero(column == one)[:_FEW] for one in range(COLUMNS)])

    def figure(self, numbers: dict[str, float], progress: Progress) -> Figure:
        """Draw the density, the expectation of some pairs, and the bounds where they hold."""
        kernel, rows, few = self.pairs.kernel, self.pairs.rows, self._few()
        measured = shares(self.encoder, self.x, rows)
        progress(0.3, 1, Message("Spectra of differences"))
        largest = largest_eigenvalues(self.x, rows[few], self.shape, self._gamma)
        holds = largest <= HOLDS_UP_TO
        of_chance = largest_eigenvalues(self.x, self.chance.rows, self.shape, self._gamma)
        by_chance = float((of_chance <= HOLDS_UP_TO).mean())
        progress(0.5, 1, Message("Expected distances"))
        expected = expected_share_bilinear(pair_differences(self.x, rows[few], self.shape), self._gamma)
        off = measured[few] - expected
        broken = float((expected > upper_bound(kernel[few]) + 1e-9).mean())
        floor = bilinear_lower_bound(kernel[few], largest)
        below = holds & (expected < floor - 1e-9)
        numbers |= {
            "bilinear condition by chance": by_chance,
            "bilinear condition drawn": float(holds.mean()),
            "bilinear mean error": float(off.mean()),
            "bilinear upper bound broken": broken,
            "bilinear lower bound broken": float(below.sum() / max(1, holds.sum())),
        }
        column = stretch_of(kernel[few])
        everywhere = [one for one in range(COLUMNS) if (column == one).any() and holds[column == one].all()]
        series = [
            _mean(Message("expected: mean, deviation"), kernel[few], expected, 1),
            _curve(Message("expected of single codes"), _expected("gaussian"), 2, Dash.SOLID),
            _curve(Message("upper bound"), upper_bound(_GRID), -1, Dash.DASHED),
        ]
        if everywhere:
            grid = _GRID[np.isin(stretch_of(_GRID), everywhere)]
            values = LARGEST * (1 - grid**0.79)
            name = Message("lower bound, where it holds")
            series.append(Series(name, grid.tolist(), values.tolist(), place=3, dash=Dash.DOTTED))
        return Figure(
            "hamming-bilinear",
            Message("What {bits} bilinear bits tell of the kernel", bits=self.encoder.bits),
            Message(
                "As for single codes, but bits share projections, and what is expected depends on the shape of a "
                "difference, too: it lies below the curve of single codes, more for some pairs than for others."
            ),
            _x_axis(_VALUE_OF["gaussian"]),
            _bounded(measured),
            series,
            (),
            FigureKind.DENSITY,
            _density(self.pairs, measured),
            note=Message(
                "The lower bound's condition, a largest eigenvalue of at most {most}, holds for {share:.2%} of pairs "
                "drawn by chance. Vectors are laid out as {rows} x {columns}.",
                most=HOLDS_UP_TO,
                share=by_chance,
                rows=self.shape[0],
                columns=self.shape[1],
            ),
        )

    def covariance(self, numbers: dict[str, float], seed: int, progress: Progress) -> Figure:
        """Draw the covariance of bits that share a projection."""
        few = self._few()[::2]
        kernel = self.pairs.kernel[few]
        values, expected = shared_covariance(
            self.x, self.pairs.rows[few], self.shape, self._gamma, seed, progress=progress
        )
        at, mean, _ = column_means(kernel, values, 2, _COARSE)
        near = values[kernel >= 0.95]
        numbers |= {
            "covariance near": float(near.mean()) if len(near) else float("nan"),
            "covariance far": float(values[kernel < 0.5].mean()) if (kernel < 0.5).any() else float("nan"),
            "covariance largest": float(mean.max(initial=0)),
            "variance far": float((expected * (1 - expected))[kernel < 0.5].mean()) if (kernel < 0.5).any() else 0.0,
        }
        top = float(at[int(mean.argmax())]) if len(mean) else 0.0
        return Figure(
            "bit-covariance",
            Message("Bits that share a projection"),
            Message(
                "0 means that one of two bits tells nothing of the other. They vary together most at kernel values "
                "about {top:.2f}, and hardly for near items: there, sharing projections costs nothing.",
                top=top,
            ),
            _x_axis(_VALUE_OF["gaussian"]),
            Axis(Message("covariance of two bits' differing, no unit")),
            [
                Series(Message("mean"), at.tolist(), mean.tolist(), place=0, dash=Dash.SOLID),
                Series(Message("a pair of items"), kernel.tolist(), values.tolist(), kind=FigureKind.POINTS, place=-1),
            ],
            [Marker(0.0, Message("independent"), vertical=False)],
            FigureKind.POINTS,
            note=Message(
                "A bit's own variance is about {variance:.2f} for items that are not alike.",
                variance=numbers["variance far"],
            ),
        )
