"""Candidates by their text form: hash methods, and the indexes of faiss to compare them with."""

from __future__ import annotations

from app.bench.experiment import PEER
from app.bench.faiss_peer import FaissPeer
from app.methods import catalogue
from core.evaluation.candidates import Candidate


def candidate_of(text: str) -> Candidate:
    """Read a hash method, or ``faiss:`` with a factory string of faiss, such as ``faiss:OPQ16,PQ16``.

    Raises
    ------
    TwinlensError
        If there is no such thing.

    Examples
    --------
    >>> candidate_of("faiss:IVF64,PQ16@nprobe=8").text(), candidate_of("itq:bits=16").text()
    ('faiss:IVF64,PQ16@nprobe=8', 'itq:bits=16')
    """
    return FaissPeer.read(text) if text.startswith(PEER) else catalogue.method(text)
