"""Searching with words: the indexes that can do it."""

from __future__ import annotations

from app.indexes.default_index import DEFAULT, default_row
from app.methods import catalogue
from app.search.question import Question
from core.errors import TwinlensError
from core.message import Message
from features.question.phrase import Phrase, answers_words, lacking_for_words
from storage.library.transaction import Transaction


def asks_with_words(question: Question) -> bool:
    """Return whether words are among the examples."""
    return any(isinstance(one.picture, Phrase) for one in question.examples)


def index_for(r: Transaction, name: str, question: Question) -> str:
    """Return the name of the index to search: that which is named, or else one that knows words if there are some.

    Raises
    ------
    TwinlensError
        If none is named, and none knows words.
    """
    if name != DEFAULT or not asks_with_words(question):
        return name
    default = default_row(r)
    declared = [(row.name, catalogue.descriptor(row.descriptor)) for row in (default, *r.indexes.all())]
    found = next((known for known, one in declared if answers_words(one)), None)
    if found is None:
        from features.network.text_network import BRING  # here, since few searches are in words

        # Who brought an image network wants to know what it lacks.
        lacking = [lacking_for_words(one) for _, one in declared if one.needs_a_file]
        raise TwinlensError(next(iter(lacking), Message("No index of this library can be searched with words.")), BRING)
    return found
