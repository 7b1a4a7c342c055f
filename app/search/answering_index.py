"""The index that answers where none is named: the default one, or another where only that can be asked."""

from __future__ import annotations

from collections.abc import Sequence

from app.indexes.default_index import DEFAULT, default_row
from app.indexes.usable import usable_indexes
from app.methods import catalogue
from app.search.colour_query import best_answering
from app.search.question import SearchQuery
from core.errors import TwinlensError
from core.message import Message
from features.question.imagined_picture import Palette
from features.question.phrase import Phrase, accepts_words, lacking_for_words
from storage.library.transaction import Transaction


def index_name_for(r: Transaction, name: str, question: SearchQuery) -> str:
    """Return the name of the index to search.

    Parameters
    ----------
    r : Transaction
    name : str
        Of an index, which is kept; or DEFAULT, for words an index that knows some, and for colours one that compares
        them.
    question : Question

    Raises
    ------
    TwinlensError
        If none is named, and none knows words.
    """
    if name != DEFAULT:
        return name
    words = any(isinstance(one.picture, Phrase) for one in question.examples)
    if not words and not any(one.sketch or isinstance(one.picture, Palette) for one in question.examples):
        return name
    default = default_row(r)
    others = [row for row in usable_indexes(r) if row.id != default.id]
    each = [(row.name, row.descriptor) for row in (default, *others)]
    if words:
        return _knowing_words(each)
    return best_answering(each[:1]) or best_answering(each[1:]) or name


def _knowing_words(indexes: Sequence[tuple[str, str]]) -> str:
    declared = [(name, catalogue.descriptor(text)) for name, text in indexes]
    found = next((name for name, one in declared if accepts_words(one)), None)
    if found is None:
        from features.network.text_network import BRING  # here, since few searches are in words

        # Who brought an image network wants to know what it lacks.
        lacking = [lacking_for_words(one) for _, one in declared if one.needs_a_file]
        raise TwinlensError(next(iter(lacking), Message("No index of this library can be searched with words.")), BRING)
    return found
