"""Why a photograph was found: how alike it is by the exact measure, where the codes agree, which colours both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class ColourShare(NamedTuple):
    """One colour, and how much of it two pictures have.

    Attributes
    ----------
    rgb : str
        ``#rrggbb``: the middle of the bin.
    query, hit : float
        Shares of the whole picture; those of all colours add up to 1.
    """

    rgb: str
    query: float
    hit: float


@dataclass(frozen=True)
class CodeAgreement:
    """Two codes side by side.

    Attributes
    ----------
    bits : int
    differ : sequence of bool
        For each bit whether it differs.
    hamming : int
        How many do.
    estimate : float or None
        What that many differing bits estimate; None where the bits of the method estimate nothing.
    estimate_of : str
        What is estimated (``cosine``); empty where nothing is.
    sentence : str
        What the bits tell, and what they do not.
    """

    bits: int
    differ: Sequence[bool]
    hamming: int
    estimate: float | None
    estimate_of: str
    sentence: str


@dataclass(frozen=True)
class Explanation:
    """Why a photograph stands where it does.

    Attributes
    ----------
    similarity, distance : float
        By the exact measure, as in the answer.
    measure : str
        Its text form.
    example : int
        Which example of the question, counted from 0, codes and colours are compared with: the one that the photograph
        is most like, of those that it shall be like.
    code : CodeAgreement or None
        None where the index has no codes.
    colours : sequence of ColourShare or None
        The colours that one of both has, in the order of the bins; None where the index does not compare colours.
    overlap : float or None
        Share of the colours that both have in common, the sum of the smaller shares.
    """

    similarity: float
    distance: float
    measure: str
    example: int = 0
    code: CodeAgreement | None = None
    colours: Sequence[ColourShare] | None = None
    overlap: float | None = None
