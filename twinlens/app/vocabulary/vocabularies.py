"""The library's own vocabularies, beside the ready-made one: learned, measured, then kept or dropped.

The index with a kept vocabulary is built beside the one in use and then replaces it. The next step worth taking is
suggested with its cost (:func:`vocabulary_suggestion`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twinlens.app.indexes.encoders import GROWTH, bring_index_up_to_date
from twinlens.app.indexes.fitted_models import DrawnPhotographs, drawn_pictures, kind_of, learn_kind, load_extractor
from twinlens.app.indexes.index_results import IndexSuggestion
from twinlens.app.indexes.indexes import free_index_name
from twinlens.app.library.ingest.ingest import chosen_machines, read_photographs
from twinlens.app.library.library import Library
from twinlens.app.library.workers.capacity import reading_cost, rough_duration
from twinlens.app.methods import catalogue
from twinlens.app.vocabulary.learned_vocabularies import (
    LEARNING,
    READY_MADE,
    OwnVocabulary,
    VocabularyListResult,
    VocabularyRecord,
    VocabularyStatus,
    automatic_index,
    changed_vocabulary,
    fewest_photographs,
    has_vocabulary,
    learning_cost,
    with_vocabulary,
)
from twinlens.app.vocabulary.vocabulary_quality import FEWEST, Compared, measure_quality
from twinlens.app.vocabulary.vocabulary_settings import VocabularySettings
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message, counted, joined
from twinlens.core.progress import Progress, part, silent
from twinlens.storage.database.values import PhotographState, now
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction

if TYPE_CHECKING:
    from twinlens.app.library.cluster.cluster import Cluster


_LEARNED_FROM = 0.6  # largest share of a small library; the others are used to measure
_MORE = Message("Add photos. The ready-made vocabulary works until then.")
_USUAL = VocabularySettings()


def learn_vocabulary(
    library: Library,
    wanted: VocabularySettings = _USUAL,
    progress: Progress = silent,
) -> VocabularyListResult:
    """Learn a vocabulary from the library, and measure its effect. The index in use stays as it is.

    After a stop, the next call goes on: a learned vocabulary is only measured, a measured one only returned.

    Raises
    ------
    TwinlensError
        If the automatic index has no vocabulary, or there are too few photographs.
    """
    with library.store.reading() as r:
        automatic = automatic_index(r)
        present = kind_of(r, automatic)
        _, hashes = r.photographs.contents([] if present is None else r.descriptors.ids(present))
    there = len(set(hashes))
    learned_from = min(wanted.sample, int(_LEARNED_FROM * there))
    if present is None or there - learned_from < FEWEST:
        raise TwinlensError(
            counted(
                "The library has {count} photo, too few to learn and measure a vocabulary.",
                "The library has {count} photos, too few to learn and measure a vocabulary.",
                there,
            ),
            _MORE,
        )
    described = with_vocabulary(catalogue.descriptor(automatic.descriptor), "own", learned_from, wanted.seed)
    if learned_from < fewest_photographs(described):
        raise TwinlensError(
            "{descriptor} must be learned from at least {fewest} photos, not from {learned_from}.",
            _MORE if wanted.sample > learned_from else Message("Learn from more photos."),
            descriptor=described.text(),
            fewest=fewest_photographs(described),
            learned_from=learned_from,
        )
    written = catalogue.written_declaration(described)
    total = learning_cost(learned_from, wanted.asked, min(wanted.among, there - learned_from))
    share = LEARNING * learned_from / total
    kind = learn_kind(library, written, part(progress, 0, share))
    assert kind is not None, "there are photographs"
    with library.store.writing("keeping a vocabulary") as w:
        shelf = VocabularyRecord.of(w)
        known = next((one for one in shelf.own if one.kind == kind.key), None)
        record = known or OwnVocabulary(
            number=max((one.number for one in shelf.own), default=0) + 1,
            descriptor=written,
            kind=kind.key,
            learned=now(),
            photographs=there,
            sample=learned_from,
        )
        record = record.model_copy(update={"dropped": False})
        shelf.with_own(record).keep(w)
        compared = (
            Compared("present", catalogue.descriptor(present.text), load_extractor(w, present)),
            Compared("new", described, load_extractor(w, kind)),
        )
    if record.quality is None and present.key != kind.key:
        paths = DrawnPhotographs.of(library, learned_from + wanted.among, wanted.seed).paths[learned_from:]
        measured = wanted.changed(among=len(paths))
        step = part(progress, share, 1)
        quality = measure_quality(compared, described.measure, lambda: drawn_pictures(paths), measured, step)
        with library.store.writing("keeping what a vocabulary changes") as w:
            VocabularyRecord.of(w).with_own(record.model_copy(update={"quality": quality})).keep(w)
    return list_vocabularies(library)


def list_vocabularies(library: Library) -> VocabularyListResult:
    """Return the ready-made vocabulary and the library's own, with the effect of each."""
    with library.store.reading() as r:
        shelf, automatic = VocabularyRecord.of(r), automatic_index(r)
        kind = kind_of(r, automatic)
        used = "" if kind is None else kind.key
        listed = [_ready_made(shelf, automatic), *(_status(shelf, one, used) for one in shelf.own)]
    notice = vocabulary_suggestion(library)
    return VocabularyListResult(vocabularies=listed, notice=None if notice is None else notice.sentence)


def _ready_made(shelf: VocabularyRecord, automatic: IndexRow) -> VocabularyStatus:
    present = catalogue.descriptor(automatic.descriptor)
    descriptor = changed_vocabulary(present, READY_MADE) or present
    adopting = shelf.adopting == READY_MADE
    return VocabularyStatus(
        name=READY_MADE,
        state="in use" if descriptor == present else "being adopted" if adopting else "learned",
        descriptor=descriptor.text(),
    )


def _status(shelf: VocabularyRecord, one: OwnVocabulary, used: str) -> VocabularyStatus:
    state: str = "dropped" if one.dropped else "learned"
    if one.kind == used:
        state = "in use"
    elif one.name == shelf.adopting:
        state = "being adopted"
    return VocabularyStatus.model_validate(
        {
            "name": one.name,
            "state": state,
            "descriptor": catalogue.descriptor(one.descriptor).text(),
            "learned": one.learned,
            "photographs": one.photographs,
            "sample": one.sample,
            "quality": one.quality,
        }
    )


def keep_vocabulary(
    library: Library,
    name: str = "",
    progress: Progress = silent,
    workers: int | None = None,
    cluster: Cluster | None = None,
) -> VocabularyListResult:
    """Rebuild the automatic index with another vocabulary, beside the one in use, and then replace that.

    When this is stopped, the index in use stays and the next call, or any ``add`` or ``rescan``, goes on reading.

    Parameters
    ----------
    name : str
        Number of a vocabulary, or ``ready-made``; empty for the newest that is not in use.
    workers : int, optional
        Processes that read photographs.
    cluster : Cluster, optional
        Cluster that reads instead.

    Raises
    ------
    TwinlensError
        If there is no such vocabulary, or it is in use.
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
                "The index with vocabulary {name} was deleted while it was being built.",
                "Keep the vocabulary again.",
                name=name,
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
                "Vocabulary {name} is in use by “{index}”.",
                "First keep the ready-made vocabulary.",
                name=one.name,
                index=automatic.name,
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
        raise TwinlensError("No vocabulary waits for a decision.", Remedy("fit vocabulary"))
    return waiting[-1]


def _named(shelf: VocabularyRecord, name: str) -> OwnVocabulary:
    for one in shelf.own:
        if one.name == name and not one.dropped:
            return one
    names = [READY_MADE, *(one.name for one in shelf.own if not one.dropped)]
    raise TwinlensError("There is no vocabulary “{name}”.", "Choose one of {names}.", name=name, names=names)


def _written(shelf: VocabularyRecord, automatic: IndexRow, name: str) -> str:
    if name != READY_MADE:
        return _named(shelf, name).descriptor
    return catalogue.written_declaration(with_vocabulary(catalogue.descriptor(automatic.descriptor), READY_MADE))


def _refuse(automatic: IndexRow, kind_id: int, name: str) -> None:
    if automatic.kind_id == kind_id:
        raise TwinlensError("Vocabulary {name} is already in use.", name=name)
    if automatic.metric_id is not None:
        raise TwinlensError(
            "“{index}” uses the metric “{metric}”, which was learned for its present vocabulary.",
            "Keep that vocabulary, or create an index without the metric.",
            index=automatic.name,
            metric=automatic.metric_name,
        )


def _let_go(w: Transaction, kind_id: int | None, stays: set[str]) -> None:
    """Remove the vectors of a kind that no index uses; its model stays if its vocabulary is kept."""
    used = {index.kind_id for index in w.indexes.all()}
    for kind in w.descriptors.kinds():
        if kind.id == kind_id and kind.id not in used:
            w.descriptors.remove_kind(kind)
            if kind.key in stays:
                w.descriptors.add_kind(kind.key, kind.text, kind.dimensions, kind.dtype, kind.model_id)
    w.models.remove_unused()


LEAST = 5_000
"""Photographs from which on a library outgrows the ready-made vocabulary, learned from a few hundred."""


def vocabulary_suggestion(library: Library) -> IndexSuggestion | None:
    """Return the next step about vocabularies; None if there is none. Reads a few rows.

    A vocabulary is due when the library has `LEAST` photographs and none of its own was learned yet, or when it has
    grown fourfold since the last one was. A vocabulary that was measured and is no better is not suggested until then.
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
            known = max(automatic.fitted_on, 1)  # the person has chosen one of the library's own already
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
    seconds, _ = reading_cost(r, round(learning_cost(_USUAL.sample, _USUAL.asked, _USUAL.among)), 1)
    proposal = Message(
        "A vocabulary learned from {sample} of your photos may find copies better. Learning and measuring it takes "
        "about {duration}, and nothing changes until you keep it.",
        sample=_USUAL.sample,
        duration=rough_duration(seconds),
    )
    return IndexSuggestion("learn", "", joined([why, proposal]), seconds)
