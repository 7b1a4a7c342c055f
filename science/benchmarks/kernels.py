"""Values of kernels between many items and 1,000 landmarks, as encoders take them, beside other ways to them.

Nobody holds the table of all values: blocks of rows are evaluated one after the other, on both sides. One thread, and
processor time, which bears a busy machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from science.benchmarks.peer import ROOT
from twinlens.core.arrays import Float32Vectors

ITEMS, QUICK_ITEMS = 100_000, 4_000
LANDMARKS, DIMENSIONS = 1_000, 128
_ROWS = 500
"""Rows that a peer evaluates at once, where it does not say better itself."""


def histograms(n: int) -> Float32Vectors:
    """Make histograms with as many empty bins as those of local features have: a fifth."""
    rng = np.random.default_rng(1)
    x = rng.gamma(0.6, size=(n, DIMENSIONS)) * (rng.random((n, DIMENSIONS)) < 0.8)
    return np.asarray(x / x.sum(axis=1, keepdims=True), np.float32)


def ours(kernel: str, n: int) -> Run:
    """Evaluate with :meth:`twinlens.core.kernels.Kernel.against`."""
    from twinlens.core.compilation import compilation
    from twinlens.core.declaration.declaration import read_declaration
    from twinlens.core.kernels import KERNELS

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the loops cannot be compiled here")
    x = histograms(n)
    against = read_declaration(KERNELS, kernel).against(x[:LANDMARKS])

    def run() -> None:
        for _, values in against.blocks(x):
            assert len(values)

    return run


def ours_for_learning(kernel: str, n: int) -> Run:
    """Evaluate with :meth:`twinlens.core.kernels.Kernel.matrix`, in blocks of rows."""
    from twinlens.core.declaration.declaration import read_declaration
    from twinlens.core.kernels import KERNELS

    made = read_declaration(KERNELS, kernel)
    return _in_blocks(made.matrix, histograms(n).astype(np.float64), _ROWS)


def scikit_learn(n: int) -> Run:
    """Evaluate the additive chi-square kernel of scikit-learn."""
    from sklearn.metrics.pairwise import additive_chi2_kernel

    return _in_blocks(additive_chi2_kernel, histograms(n), _ROWS)


def numpy_minima(n: int) -> Run:
    """Add minima with numpy, so many rows at once that they stay in the cache."""
    return _in_blocks(lambda x, z: np.minimum(x[:, None], z).sum(axis=2), histograms(n), 4)


def product(n: int) -> Run:
    """Multiply the same tables, in float64."""
    return _in_blocks(lambda x, z: x @ z.T, histograms(n).astype(np.float64), _ROWS)


def _in_blocks(
    evaluate: Callable[[npt.NDArray[np.floating], npt.NDArray[np.floating]], object],
    x: npt.NDArray[np.floating],
    rows: int,
) -> Run:
    z = x[:LANDMARKS].copy()

    def run() -> None:
        for start in range(0, len(x), rows):
            evaluate(x[start : start + rows], z)

    return run


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines of the table."""
    n = QUICK_ITEMS if quick else ITEMS
    rounds = 5 if quick else 3
    size = f"{n:,} x {LANDMARKS:,} x {DIMENSIONS}"

    def line(
        kernel: str, against: str, other: Callable[..., Run], must: float, stretch: float, learn: bool = False
    ) -> SpeedComparison:
        mine = ours_for_learning if learn else ours
        at_most = other is product
        what = f"{kernel.partition(':')[0]}, {size}" + (", for learning" if learn else "")
        peers = Peer(mine, {"kernel": kernel, "n": n}, threads=1), Peer(other, {"n": n}, threads=1)
        # The other side of the first two takes tens of seconds a turn.
        seconds = 10 if quick else {scikit_learn: 170, numpy_minima: 80}.get(other, 20)
        return SpeedComparison(what, against, *peers, must, stretch, "cpu", at_most, rounds, seconds)

    yield line("chi-square", "scikit-learn", scikit_learn, 12.0, 25.0)
    yield line("intersection", "numpy in blocks", numpy_minima, 5.0, 7.0)
    yield line("gaussian:gamma=0.5", "the plain product", product, 3.0, 2.3)
    yield line("gaussian:gamma=0.5", "the plain product", product, 3.0, 2.3, learn=True)
