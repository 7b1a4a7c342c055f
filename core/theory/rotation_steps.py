"""Progress of ITQ turn by turn: the loss of the signs, and the variance of each bit.

Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3; Yun, Kim and Choi: Hashing with Generalized Nyström
Approximation, ICDM 2012.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Float64Matrix
from core.message import Message
from core.methods.itq import Itq
from core.progress import Progress, part, silent
from core.projections.itq_rotation import signs
from core.vectors import Vectors, training_vectors


@dataclass(frozen=True, eq=False)
class RotationSteps:
    """The turns of one fit.

    Attributes
    ----------
    captured : float
        Share of the items' variance that lies in the subspace; no rotation changes it.
    errors : ndarray of float64, (t + 1,)
        |B - V R|² / n before the first turn, of the random start, and after each.
    lost : ndarray of float64, (t + 1,)
        Share of V's squares that the signs miss at the scale that suits them best, likewise.
    plain_error, plain_lost : float
        The same of V alone, without a rotation.
    before, after : ndarray of float64, (b,)
        Share of all variance along each bit, without and with the rotation.
    projected, rotated : ndarray of float64, (n, b)
        V, and V R at the end.
    note : Message
        Of the encoder.
    """

    captured: float
    errors: Float64Matrix
    lost: Float64Matrix
    plain_error: float
    plain_lost: float
    before: Float64Matrix
    after: Float64Matrix
    projected: Float64Matrix
    rotated: Float64Matrix
    note: Message


def rotation_steps(x: Vectors, method: Itq, progress: Progress = silent) -> RotationSteps:
    """Learn as the method does, and record each turn.

    Parameters
    ----------
    x : ndarray, (n, d)

    Raises
    ------
    TwinlensError
        As the method's fit.
    """
    x = training_vectors(x)
    seen: list[tuple[float, float]] = []
    last: list[Float64Matrix] = []

    def watch(v: Float64Matrix, rotation: Float64Matrix) -> None:
        projected = v @ rotation
        seen.append((error(projected), lost(projected)))
        last[:] = [v, projected]

    encoder = method.learn(x, part(progress, 0, 0.9), watch)
    progress(0.9, 1, Message("Variances"))
    v, rotated = last
    total = float(np.square(x - x.mean(axis=0, dtype=np.float64), dtype=np.float64).sum()) / len(x)
    before, after = (np.square(one).mean(axis=0) / total for one in (v, rotated))
    return RotationSteps(
        float(before.sum()),
        np.array([one[0] for one in seen]),
        np.array([one[1] for one in seen]),
        error(v),
        lost(v),
        before,
        after,
        v,
        rotated,
        encoder.note,
    )


def error(projected: Float64Matrix) -> float:
    """Return |B - P|² / n, B the signs of P."""
    return float(np.square(signs(projected) - projected).sum()) / len(projected)


def lost(projected: Float64Matrix) -> float:
    """Get min over α of |α B - P|² / |P|² = 1 - (Σ|P|)² / (n b |P|²): it falls as |B - P| does, whatever the scale."""
    squares = float(np.square(projected).sum())
    return 1 - float(np.abs(projected).sum()) ** 2 / (projected.size * squares) if squares > 0 else 0.0


def near_border(projected: Float64Matrix, within: float = 0.25) -> float:
    """Return share of coordinates nearer to 0 than so many of the root mean square: bits that little would change."""
    root = float(np.sqrt(np.square(projected).mean()))
    return float((np.abs(projected) < within * root).mean())
