"""Whether something is worth doing about vocabularies now: said quietly, with what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.indexes.descriptor_kinds import kind_of
from app.indexes.encoders import GROWTH
from app.library.library import Library
from app.library.pace import cost, duration
from app.methods import catalogue
from app.vocabulary.learned_vocabularies import SAMPLE, Shelf, automatic_index, has_vocabulary, learning_cost
from storage.schema import State
from storage.transaction import Transaction

LEAST = 5_000
"""Photographs from which on a library has outgrown the ready-made vocabulary, which was learned from a few hundred."""


@dataclass(frozen=True)
class VocabularyNotice:
    """What is worth doing.

    Attributes
    ----------
    step : str
        ``learn``: one is due, by :func:`app.vocabulary.vocabularies.learn_vocabulary`. ``decide``: one was learned, and
        is better by more than chance: ``keep_vocabulary`` or ``drop_vocabulary`` of :mod:`app.vocabulary.adoption`.
        ``finish``:         the index under one is not whole yet: ``keep_vocabulary`` goes on with it.
    name : str
        Of the vocabulary; empty where it is not learned yet.
    sentence : str
        For the person.
    seconds : float
        That it takes, nearly; of ``decide``, what keeping takes.
    """

    step: Literal["learn", "decide", "finish"]
    name: str
    sentence: str
    seconds: float


def vocabulary_notice(library: Library) -> VocabularyNotice | None:
    """Say what is worth doing about vocabularies; None where nothing is. Reads a few rows.

    A vocabulary is due when the library has `LEAST` photographs and none of its own was learned yet, or when it has
    grown fourfold since the last one was. What was measured to be no better is not brought up again until then.
    """
    with library.store.reading() as r:
        automatic = automatic_index(r)
        if not has_vocabulary(catalogue.descriptor(automatic.descriptor)):
            return None
        shelf = Shelf.of(r)
        ready = r.photographs.counts()[State.READY]
        kind = kind_of(r, automatic)
        if shelf.adopting and r.indexes.by_id(shelf.index) is not None:
            seconds, _ = cost(r, ready, 1)
            sentence = f"The index under vocabulary {shelf.adopting} is not whole yet; keeping it goes on with it."
            return VocabularyNotice("finish", shelf.adopting, sentence, seconds)
        last = shelf.own[-1] if shelf.own else None
        if last is not None and not last.dropped and (kind is None or last.kind != kind.key):
            if last.quality is None:
                return _learn(r, "The last vocabulary was not measured to the end.")
            if last.quality.difference_interval[0] > 0:
                seconds, _ = cost(r, ready, 1)
                return VocabularyNotice("decide", last.name, last.quality.sentence, seconds)
        known = last.photographs if last is not None else 0
        if last is None and catalogue.descriptor(automatic.descriptor).learns:
            known = max(automatic.fitted_on, 1)  # somebody chose one of the library's own already
        due = LEAST if known == 0 else GROWTH * known
        if ready < due:
            return None
        return _learn(r, f"The library has {ready:,} photographs{_since(known)}.")


def _since(known: int) -> str:
    return f", {known:,} when its vocabulary was learned" if known else ""


def _learn(r: Transaction, why: str) -> VocabularyNotice:
    seconds, _ = cost(r, round(learning_cost()), 1)
    sentence = (
        f"{why} A vocabulary learned from {SAMPLE:,} of them may find copies better; learning and measuring it takes "
        f"about {duration(seconds)}, and nothing changes until you keep it."
    )
    return VocabularyNotice("learn", "", sentence, seconds)
