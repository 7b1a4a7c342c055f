"""A next step about the automatic index that is worth taking, as it is proposed to a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.message import Message


@dataclass(frozen=True)
class IndexSuggestion:
    """A next step.

    Attributes
    ----------
    step : str
        ``improve``: compare as a new library does, by :func:`app.indexes.improvement.improve_index`. ``learn``: a vocabulary
        is due, by :func:`app.vocabulary.vocabularies.learn_vocabulary`. ``decide``: one was learned, and is better by
        more than chance: ``keep_vocabulary`` or ``drop_vocabulary`` of :mod:`app.vocabulary.adoption`. ``finish``: the
        index under one is not complete yet: ``keep_vocabulary`` goes on with it.
    name : str
        Of the vocabulary; empty if there is none yet.
    sentence : Message
        For the person.
    seconds : float
        Estimated time, while the library answers as before; of ``decide``, that of keeping.
    """

    step: Literal["improve", "learn", "decide", "finish"]
    name: str
    sentence: Message
    seconds: float
