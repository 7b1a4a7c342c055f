"""Results of the commands about indexes, as ``--json`` writes them, and the suggestion about the automatic index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from twinlens.app.results import Result
from twinlens.core.message import NOTHING, Message


class IndexStatus(Result):
    """One index in ``status`` and ``index list``."""

    name: str
    text: str = Field(description="descriptor · metric · method · search, in text form; the metric where it has one")
    descriptor: str = Field(description="in text form")
    automatic: bool
    photographs: int = Field(description="photographs that it can find")
    waiting: int = Field(description="photographs that still lack its descriptor or code")
    fitted_on: int | None = Field(description="photographs it was fitted on; None: not yet, answers are exact")
    bits: int | None
    bytes: int = Field(description="of its codes and its model")
    note: Message = NOTHING
    metric: str | None = Field(default=None, description="by which it measures: a name, or what is fitted with it")
    default: bool = Field(default=False, description="it answers where none is named")
    words: bool = Field(default=False, description="it can be searched with words")


class IndexListResult(Result):
    """Result of ``index list``, and of the commands that change an index."""

    indexes: list[IndexStatus]
    concepts: bool = Field(default=False, description="words find photographs by what they show, in every index")

    @property
    def knows_words(self) -> bool:
        """Return whether words can be searched for, by an index or by what photographs show."""
        return self.concepts or any(one.words for one in self.indexes)


@dataclass(frozen=True)
class IndexSuggestion:
    """A step about the automatic index that is worth taking next.

    Attributes
    ----------
    step : str
        ``improve``: compare as a new library does, by :func:`twinlens.app.indexes.indexes.improve_index`. ``learn``:
        learn a vocabulary, by :func:`twinlens.app.vocabulary.vocabularies.learn_vocabulary`. ``decide``: a learned
        vocabulary is better by more than chance; ``keep_vocabulary`` or ``drop_vocabulary`` of
        :mod:`twinlens.app.vocabulary.vocabularies`. ``finish``: the index with a kept vocabulary is not complete yet;
        ``keep_vocabulary`` goes on with it.
    name : str
        Of the vocabulary; empty if there is none yet.
    sentence : Message
        For the person.
    seconds : float
        Estimated time, during which searches work as before; of ``decide``, that of keeping.
    """

    step: Literal["improve", "learn", "decide", "finish"]
    name: str
    sentence: Message
    seconds: float
