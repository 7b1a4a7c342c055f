"""The next step worth taking about vocabularies, with its cost."""

from __future__ import annotations

from app.indexes.descriptor_kinds import kind_of
from app.indexes.encoders import GROWTH
from app.indexes.suggestion import IndexSuggestion
from app.library.library import Library
from app.library.pace import reading_cost, rough_duration
from app.methods import catalogue
from app.vocabulary.learned_vocabularies import SAMPLE, VocabularyRecord, automatic_index, has_vocabulary, learning_cost
from core.message import Message, counted, joined
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction

LEAST = 5_000
"""Number of photographs from which a library outgrows the ready-made vocabulary, learned from a few hundred."""


def vocabulary_suggestion(library: Library) -> IndexSuggestion | None:
    """Return the next step about vocabularies; None if there is none. Reads a few rows.

    A vocabulary is due when the library has `LEAST` photographs and none of its own was learned yet, or when it has
    grown fourfold since the last one was. One that was measured to be no better is not suggested again until then.
    """
    with library.store.reading() as r:
        automatic = automatic_index(r)
        if not has_vocabulary(catalogue.descriptor(automatic.descriptor)):
            return None
        shelf = VocabularyRecord.of(r)
        ready = r.photographs.counts()[PhotographState.READY]
        kind = kind_of(r, automatic)
        if shelf.adopting and r.indexes.by_id(shelf.index) is not None:
            seconds, _ = reading_cost(r, ready, 1)
            sentence = Message(
                "The index with vocabulary {name} is not complete yet. Keep the vocabulary again to finish it.",
                name=shelf.adopting,
            )
            return IndexSuggestion("finish", shelf.adopting, sentence, seconds)
        last = shelf.own[-1] if shelf.own else None
        if last is not None and not last.dropped and (kind is None or last.kind != kind.key):
            if last.quality is None:
                return _learn(r, Message("The last vocabulary was not measured completely."))
            if last.quality.difference_interval[0] > 0:
                seconds, _ = reading_cost(r, ready, 1)
                return IndexSuggestion("decide", last.name, last.quality.sentence, seconds)
        known = last.photographs if last is not None else 0
        if last is None and catalogue.descriptor(automatic.descriptor).learns:
            known = max(automatic.fitted_on, 1)  # somebody chose one of the library's own already
        due = LEAST if known == 0 else GROWTH * known
        if ready < due:
            return None
        return _learn(r, _grown(ready, known))


def _grown(ready: int, known: int) -> Message:
    if known:
        return Message(
            "The library has {ready} photos, and had {known} when its vocabulary was learned.", ready=ready, known=known
        )
    return counted("The library has {count} photo.", "The library has {count} photos.", ready)


def _learn(r: Transaction, why: Message) -> IndexSuggestion:
    seconds, _ = reading_cost(r, round(learning_cost()), 1)
    proposal = Message(
        "A vocabulary learned from {sample} of your photos may find copies better. Learning and measuring it takes "
        "about {duration}, and nothing changes until you keep it.",
        sample=SAMPLE,
        duration=rough_duration(seconds),
    )
    return IndexSuggestion("learn", "", joined([why, proposal]), seconds)
