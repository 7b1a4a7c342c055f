"""The spectrum of a kernel as a figure: its decay, and how much of it the kept components hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.lab.figures.figure import Axis, Figure, Marker, Series
from core.message import Message, joined

_POINTS = 160


def spectrum_figure(eigenvalues: npt.NDArray[np.float64], rank: int | None) -> Figure:
    """Return the share of the spectrum that the first so many components hold, and where the rank stands.

    Parameters
    ----------
    eigenvalues : array, (m,)
        The largest first.
    rank : int or None
        How many are kept; None for all.
    """
    count = len(eigenvalues)
    kept = count if rank is None else min(rank, count)
    shares = np.cumsum(eigenvalues) / eigenvalues.sum()
    at = np.unique(np.geomspace(1, count, min(count, _POINTS)).round().astype(int))
    held = Message(
        "The first {rank} of {shares} components hold {held:.0%} of the kernel's spectrum.",
        rank=kept, shares=count, held=float(shares[kept - 1]),
    )  # fmt: skip
    meaning = Message(
        "A low rank keeps what the landmarks know well and leaves out what is noise, until it leaves out what tells "
        "photos apart."
    )
    ranks = at.astype(float).tolist()
    return Figure(
        "spectrum",
        Message("Spectrum of the kernel"),
        joined([held, meaning]),
        Axis(Message("components"), log=True),
        Axis(Message("share"), low=0, high=1),
        [
            Series(Message("held by the first so many"), ranks, shares[at - 1].tolist(), place=0),
            Series(Message("of the largest"), ranks, (eigenvalues[at - 1] / eigenvalues[0]).tolist(), place=-1),
        ],
        [Marker(float(kept), Message("rank {rank}", rank=kept), place=0)],
    )
