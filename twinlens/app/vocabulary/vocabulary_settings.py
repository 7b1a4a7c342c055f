"""Settings of learning a vocabulary: from which photographs it is learned and judged."""

from __future__ import annotations

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class VocabularySettings(Request):
    """A request to learn a vocabulary.

    Attributes
    ----------
    sample : int
        For a small library a part of its photographs.
    asked, among : int
        Largest numbers of photographs to edit and to search among; the vocabulary is learned from none of them.
    """

    key = "vocabulary learn"

    sample: int = parameter(
        2_000, ge=1, le=100_000, option="--photographs", help="Largest number of photos to learn from."
    )
    asked: int = parameter(
        40, ge=8, le=1_000, option="--questions", help="Other photos whose edited copies measure the effect."
    )
    among: int = 1_000
    seed: int = parameter(0, ge=0, le=2**31 - 1, help="Seed of the draws.")
