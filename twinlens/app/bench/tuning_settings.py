"""Settings of a search for good parameters."""

from __future__ import annotations

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class TuningSettings(Request):
    """A request to ``tune``.

    What methods set to something else than the default is kept, but for bits and the gamma of a kernel. Without a truth
    it is the first method's kernel, else the descriptor's measure, else ``l2``.

    Attributes
    ----------
    base : str
        A file of vectors, ``FILE::NAME`` where it holds several arrays; empty where a descriptor is named.
    trials : int
        Trials repeat exactly, other than a time; 0 for the time.
    bits : tuple of int
        Empty for the usual ones.
    """

    key = "tune"

    base: str = ""
    descriptor: str = parameter(
        "", metavar="TEXT", help="Use the library's vectors of this descriptor instead of BASE."
    )
    methods: tuple[str, ...] = parameter(
        ("klsh",),
        option="--method",
        metavar="TEXT",
        help="Method to tune; repeat for several. Named parameters stay fixed, except bits and gamma.",
    )
    seconds: float = parameter(60.0, gt=0, help="Time limit.")
    trials: int = parameter(0, ge=1, help="Number of measurements instead of the time limit, for repeatable results.")
    bits: tuple[int, ...] = parameter((), metavar="N,N,...", separated=True, help="Lengths of codes to try.")
    truth: str = parameter(
        "", help="l2, cosine or the text form of a kernel. Default: the measure of the first method."
    )
    queries: int = parameter(200, ge=1, help="Queries held out of each split.")
    seed: int = parameter(0, ge=0, help="Seed of splits and candidates.")
