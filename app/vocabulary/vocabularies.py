"""The library's own vocabularies, beside the ready-made one: learned, measured, then kept or dropped.

The automatic index works with the ready-made vocabulary from the first photograph. Once a library has grown, one
learned from its own photographs may tell them apart better. Its effect is measured on photographs from which it was not
learned, and a person decides. Until the index with it is complete, the one in use is searched.
"""

from __future__ import annotations

from dataclasses import replace

from app.indexes.descriptor_kinds import DrawnPhotographs, drawn_pictures, kind_of, learn_kind, load_extractor
from app.library.library import Library
from app.methods import catalogue
from app.vocabulary.learned_vocabularies import (
    LEARNING,
    READY_MADE,
    OwnVocabulary,
    VocabularyRecord,
    VocabularySample,
    automatic_index,
    changed_vocabulary,
    fewest_photographs,
    learning_cost,
    with_vocabulary,
)
from app.vocabulary.quality import FEWEST, Compared, measure_quality
from app.vocabulary.results import VocabularyListResult, VocabularyStatus
from app.vocabulary.suggestion import vocabulary_suggestion
from core.errors import TwinlensError
from core.message import Message, counted
from core.progress import Progress, part, silent
from storage.database.timestamps import now
from storage.indexes.indexes import IndexRow

_LEARNED_FROM = 0.6  # largest share of a small library; the others are used to measure
_MORE = Message("Add photos. The ready-made vocabulary works until then.")


_USUAL = VocabularySample()


def learn_vocabulary(
    library: Library,
    wanted: VocabularySample = _USUAL,
    progress: Progress = silent,
) -> VocabularyListResult:
    """Learn a vocabulary from the library, and measure its effect. The index in use stays as it is.

    After a stop, the next call goes on: a learned vocabulary is only measured, a measured one only returned.

    Parameters
    ----------
    library : Library
    progress : Progress
    wanted : VocabularySample

    Raises
    ------
    TwinlensError
        If the automatic index has no vocabulary, or there are too few photographs.
    Cancelled
        If progress says so.
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
            Message(
                "{descriptor} must be learned from at least {fewest} photos, not from {learned_from}.",
                descriptor=described.text(),
                fewest=fewest_photographs(described),
                learned_from=learned_from,
            ),
            _MORE if wanted.sample > learned_from else Message("Learn from more photos."),
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
        measured = replace(wanted, among=len(paths))
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
