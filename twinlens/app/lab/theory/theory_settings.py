"""Settings of a theory: of which vectors and which method it is shown."""

from __future__ import annotations

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request

SAMPLE = 2_000
"""Vectors that are looked at, at most."""

SCALES = (3.0,)
"""Scales of kernelized hashing that are held against none."""


class TheorySettings(Request):
    """A request for a theory.

    Attributes
    ----------
    kind : str
        Of `twinlens.app.lab.theory.theory.KINDS`.
    index : str
        Not looked at where `vectors` are given.
    method : str
        Empty for the index's own where it suits.
    kernel, bits, landmarks, scales
        What the window changes of a method.
    """

    key = "lab theory"

    kind: str = ""
    index: str = parameter("", metavar="NAME", help="Whose vectors.  [default: the index that is searched]")
    vectors: str = parameter("", metavar="FILE", help="A file of vectors, as bench reads it, and no library.")
    method: str = parameter(
        "",
        metavar="TEXT",
        help="Text form of the method that is examined, or for bounds of a kernel.  [default: the index's]",
    )
    metric: str = parameter(
        "", metavar="NAME", help="For metric: a kept one; with --vectors, one to learn from --labels."
    )
    labels: str = parameter("", metavar="FILE", help="A label for each vector, to learn a metric from.")
    size: int = parameter(SAMPLE, ge=30, le=20_000, option="--sample", help="Vectors, at most.")
    seed: int = parameter(0, ge=0, help="Of all that is drawn.")
    kernel: str = ""
    bits: int = 0
    landmarks: int = 0
    scales: tuple[float, ...] = SCALES
