"""Settings of learning a metric: from which pairs, for which index, and when it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class LearningSettings(Request):
    """A request to learn a metric.

    Attributes
    ----------
    index : str
        The metric is for its descriptor and is compared with its measure.
    name : str, optional
        By default “Learned” with the first free number.
    anyway : bool
        Also where nothing could be judged.
    named : sequence of NamedPair, optional
        Pairs to learn from; by default the library's own marks.
    """

    key = "learn"

    index: str = parameter("Automatic", metavar="NAME", help="For whose descriptor.")
    method: str = parameter(
        "",
        metavar="TEXT",
        help="Learn bits by a supervised hash method instead of a metric, such as lda-itq:bits=16, and keep an index.",
    )
    name: str | None = parameter(None, metavar="NAME", help="Of the metric; by default Learned 1, 2, ...")
    anyway: bool = parameter(False, help="Keep the best metric even if it may be better by chance only.")
    wrong: float = parameter(0.02, gt=0, le=0.5, help="Share of wrong pairs below the threshold.")
    seed: int = parameter(0, ge=0, help="Of what is held out.")
    named: Sequence[Any] | None = None
