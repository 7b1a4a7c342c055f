"""Keeping and dropping vocabularies: the index with a kept one is made beside the one in use, then replaces it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.indexes.descriptor_kinds import kind_of, learn_kind
from app.indexes.encoders import bring_index_up_to_date
from app.indexes.index_names import free_index_name
from app.library.chosen_machines import chosen_machines
from app.library.intake import read_photographs
from app.library.library import Library
from app.methods import catalogue
from app.vocabulary.learned_vocabularies import (
    READY_MADE,
    OwnVocabulary,
    VocabularyRecord,
    automatic_index,
    with_vocabulary,
)
from app.vocabulary.results import VocabularyListResult
from app.vocabulary.vocabularies import list_vocabularies
from core.errors import Remedy, TwinlensError
from core.message import Message
from core.progress import Progress, part, silent
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction

if TYPE_CHECKING:
    from app.library.cluster.cluster import Cluster


def keep_vocabulary(
    library: Library,
    name: str = "",
    progress: Progress = silent,
    workers: int | None = None,
    cluster: Cluster | None = None,
) -> VocabularyListResult:
    """Make the automatic index anew with another vocabulary, beside the one in use, and replace that.

    When this is stopped, the index in use stays and the next call, or any ``add`` or ``rescan``, goes on reading.

    Parameters
    ----------
    library : Library
    name : str
        Number of a vocabulary, or ``ready-made``; empty for the newest that is not in use.
    progress : Progress
    workers : int, optional
        Processes that read photographs.
    cluster : Cluster, optional
        That reads instead.

    Raises
    ------
    TwinlensError
        If there is no such vocabulary, or it is in use.
    Cancelled
        If progress says so.
    """
    with library.store.reading() as r:
        shelf, automatic = VocabularyRecord.of(r), automatic_index(r)
        name = name or shelf.adopting or _newest(r, shelf, automatic).name
        written = _written(shelf, automatic, name)
    kind = learn_kind(library, written, part(progress, 0, 0.05))
    assert kind is not None, "what it was learned from is there"
    with library.store.writing("adopting a vocabulary") as w:
        shelf, automatic = VocabularyRecord.of(w), automatic_index(w)
        _refuse(automatic, kind.id, name)
        made = w.indexes.by_id(shelf.index) if shelf.adopting else None
        if made is not None and (made.kind_id != kind.id or shelf.adopting != name):
            w.indexes.delete(made.id)
            made = None
        if made is None:
            made = w.indexes.add(
                free_index_name(w, f"{automatic.name}, vocabulary {name}"),
                written,
                automatic.method,
                automatic.search,
                metric=automatic.metric,
                kind_id=kind.id,
            )
        shelf.model_copy(update={"adopting": name, "index": made.id}).keep(w)
    with chosen_machines(library, workers, cluster) as chosen:
        read_photographs(library, part(progress, 0.05, 0.9), chosen)
    bring_index_up_to_date(library, made, part(progress, 0.9, 1.0))
    with library.store.writing("adopting a vocabulary") as w:
        automatic = automatic_index(w)
        if w.indexes.by_id(made.id) is None:
            raise TwinlensError(
                Message("The index with vocabulary {name} was deleted while it was being built.", name=name),
                Message("Keep the vocabulary again."),
            )
        w.indexes.take_the_place(made.id, of=automatic.id)
        shelf = VocabularyRecord.of(w).model_copy(update={"adopting": "", "index": 0})
        _let_go(w, automatic.kind_id, stays={one.kind for one in shelf.own if not one.dropped})
        shelf.keep(w)
    return list_vocabularies(library)


def drop_vocabulary(library: Library, name: str = "") -> VocabularyListResult:
    """Remove a vocabulary that is not in use, with its index; the trial is remembered.

    Parameters
    ----------
    library : Library
    name : str
        Its number; empty for the newest that is not in use.

    Raises
    ------
    TwinlensError
        If there is no such vocabulary, or it is in use.
    """
    with library.store.writing("dropping a vocabulary") as w:
        shelf, automatic = VocabularyRecord.of(w), automatic_index(w)
        one = _named(shelf, name) if name else _newest(w, shelf, automatic)
        kind = w.descriptors.kind(one.kind)
        if kind is not None and kind.id == automatic.kind_id:
            raise TwinlensError(
                Message("Vocabulary {name} is in use by “{index}”.", name=one.name, index=automatic.name),
                Message("First keep the ready-made vocabulary."),
            )
        if shelf.adopting == one.name:
            if w.indexes.by_id(shelf.index) is not None:
                w.indexes.delete(shelf.index)
            shelf = shelf.model_copy(update={"adopting": "", "index": 0})
        _let_go(w, None if kind is None else kind.id, stays=set())
        shelf.with_own(one.model_copy(update={"dropped": True})).keep(w)
    return list_vocabularies(library)


def _newest(r: Transaction, shelf: VocabularyRecord, automatic: IndexRow) -> OwnVocabulary:
    kind = kind_of(r, automatic)
    waiting = [one for one in shelf.own if not one.dropped and (kind is None or one.kind != kind.key)]
    if not waiting:
        raise TwinlensError(Message("No vocabulary waits for a decision."), Remedy("fit vocabulary"))
    return waiting[-1]


def _named(shelf: VocabularyRecord, name: str) -> OwnVocabulary:
    for one in shelf.own:
        if one.name == name and not one.dropped:
            return one
    names = [READY_MADE, *(one.name for one in shelf.own if not one.dropped)]
    raise TwinlensError(
        Message("There is no vocabulary “{name}”.", name=name), Message("Choose one of {names}.", names=names)
    )


def _written(shelf: VocabularyRecord, automatic: IndexRow, name: str) -> str:
    if name != READY_MADE:
        return _named(shelf, name).descriptor
    return catalogue.written_declaration(with_vocabulary(catalogue.descriptor(automatic.descriptor), READY_MADE))


def _refuse(automatic: IndexRow, kind_id: int, name: str) -> None:
    if automatic.kind_id == kind_id:
        raise TwinlensError(Message("Vocabulary {name} is already in use.", name=name))
    if automatic.metric_id is not None:
        raise TwinlensError(
            Message(
                "“{index}” uses the metric “{metric}”, which was learned for its present vocabulary.",
                index=automatic.name,
                metric=automatic.metric_name,
            ),
            Message("Keep that vocabulary, or create an index without the metric."),
        )


def _let_go(w: Transaction, kind_id: int | None, stays: set[str]) -> None:
    """Remove the vectors of a kind that no index uses; its model stays if one may go back to it."""
    used = {index.kind_id for index in w.indexes.all()}
    for kind in w.descriptors.kinds():
        if kind.id == kind_id and kind.id not in used:
            w.descriptors.remove_kind(kind)
            if kind.key in stays:
                w.descriptors.add_kind(kind.key, kind.text, kind.dimensions, kind.dtype, kind.model_id)
    w.models.remove_unused()
