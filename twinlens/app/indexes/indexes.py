"""Indexes of a library: created, listed, renamed and deleted, with one as the default that searches use.

The automatic index of an older library can be improved to that of a new one (:func:`improve_index`): the new one is
built beside it and then takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from twinlens.app.indexes.encoders import bring_index_up_to_date, marks_changed
from twinlens.app.indexes.fitted_models import (
    concept_kind,
    declared_text,
    kind_of,
    load_extractor,
    make_kinds,
    usable_indexes,
    uses_codes,
    why_unusable,
)
from twinlens.app.indexes.index_results import IndexListResult, IndexStatus, IndexSuggestion
from twinlens.app.indexes.index_specification import IndexSpecification, metric_text
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.indexes.standard_indexes import BEST, EARLIER, best_descriptor, lacking
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.library.workers.capacity import reading_cost, rough_duration, usual_workers
from twinlens.app.methods import catalogue
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message, counted, from_json, joined
from twinlens.core.message import size as size_of
from twinlens.core.progress import Progress, part, silent
from twinlens.features.query.words_and_colours import accepts_words
from twinlens.storage.database.values import PhotographState
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction

if TYPE_CHECKING:
    from twinlens.app.library.cluster.cluster import Cluster


def create_index(
    library: Library,
    wanted: NewIndex,
    progress: Progress = silent,
    workers: int | None = None,
    cluster: Cluster | None = None,
) -> IndexStatus:
    """Create an index and build it.

    Photographs that lack the descriptor are read again. When this is stopped, the index stays, and the next ``add`` or
    ``rescan`` goes on with it, as does creating the same one again.

    Parameters
    ----------
    workers : int, optional
        Processes that read photographs; by default one per core.
    cluster : Cluster, optional
        Cluster that reads instead.

    Raises
    ------
    TwinlensError
        If a declaration is not valid, the name is taken, or metric or method cannot learn from these photographs
        (the index is then not created).
    """
    declared = IndexSpecification.of(wanted.descriptor, wanted.method, wanted.search)
    with library.store.writing("creating an index") as w:
        measured = declared.checked(w, wanted.metric)
        declared.check_marks(w)
        name = declared.name("" if measured is None else measured.text) if wanted.name is None else wanted.name.strip()
        _refuse_automatic(name)
        written: dict[str, Any] = {
            "descriptor": catalogue.written_declaration(declared.descriptor),
            "method": catalogue.written_declaration(declared.method),
            "search": catalogue.written_declaration(declared.search),
            "metric": None if measured is None else measured.written,
            "metric_id": None if measured is None else measured.metric_id,
        }
        begun = _begun(w, name, written)
        made = begun or w.indexes.add(name, **written)
    try:
        build_index(library, made.id, progress, workers, cluster)
    except TwinlensError:
        if begun is None:
            delete_index(library, name)
        raise
    return _one(library, name)


def _begun(r: Transaction, name: str, written: Mapping[str, object]) -> IndexRow | None:
    """Return the index of a name if it is declared like this, and photographs wait for it or it is not fitted yet."""
    row = r.indexes.by_name(name)
    if row is None or any(getattr(row, part) != value for part, value in written.items()):
        return None
    status = _status(r, row, r.photographs.counts()[PhotographState.READY], default=False)
    return row if status.waiting or (status.bits is not None and status.fitted_on is None) else None


def _refuse_automatic(name: str) -> None:
    """Refuse the name that always stands for the automatic index, even after renaming."""
    if name == AUTOMATIC:
        raise TwinlensError(
            "The name “{automatic}” is reserved for the index that Twinlens maintains.",
            "Choose another name.",
            automatic=AUTOMATIC,
        )


def _one(library: Library, name: str) -> IndexStatus:
    return next(index for index in list_indexes(library).indexes if index.name == name)


def build_index(
    library: Library,
    index_id: int,
    progress: Progress = silent,
    workers: int | None = None,
    cluster: Cluster | None = None,
) -> None:
    """Build an index: describe the photographs that lack its descriptor, fit and encode; existing parts are kept.

    Raises
    ------
    TwinlensError
        If metric or method cannot learn from these photographs.
    """
    make_kinds(library, part(progress, 0.0, 0.1))
    from twinlens.app.library.ingest.ingest import chosen_machines, read_photographs  # brings decoders, which few need

    with chosen_machines(library, workers, cluster) as chosen:
        read_photographs(library, part(progress, 0.1, 0.9), chosen)
    with library.store.reading() as r:
        now = r.indexes.by_id(index_id)
    if now is not None:
        bring_index_up_to_date(library, now, part(progress, 0.9, 1.0))


def estimate_index(library: Library, descriptor: str, method: str, search: str, metric: str = "") -> Message:
    """Return a sentence on the time and space that an index would take.

    Raises
    ------
    TwinlensError
        If a declaration has no meaning, or metric or method can never learn from this descriptor.
    """
    wanted = IndexSpecification.of(descriptor, method, search)
    described = wanted.descriptor
    with library.store.reading() as r:
        measured = wanted.checked(r, metric)
        wanted.check_marks(r)
        size: float = 0 if measured is None else measured.bytes(r, described.dimensions)
        photographs = r.photographs.counts()[PhotographState.READY]
        present = any(catalogue.descriptor(index.descriptor) == described for index in usable_indexes(r))
        seconds, _ = reading_cost(r, photographs, usual_workers())
    size += photographs * (wanted.method.bits / 8 if wanted.search.uses_codes else 0)
    if present:
        reading = counted(
            "{count} photo already has this descriptor and is not read again.",
            "{count} photos already have this descriptor and are not read again.",
            photographs,
        )
    else:
        size += photographs * described.dimensions * 2
        reading = counted(
            "{count} photo will be read again for this descriptor, which takes about {duration}.",
            "{count} photos will be read again for this descriptor, which takes about {duration}.",
            photographs,
            duration=rough_duration(seconds),
        )
    return joined([reading, Message("The index needs about {size}.", size=size_of(size))])


def list_indexes(library: Library) -> IndexListResult:
    """List every index."""
    with library.store.reading() as r:
        return IndexListResult(indexes=index_statuses(r), concepts=concept_kind(r) is not None)


def index_statuses(r: Transaction) -> list[IndexStatus]:
    """Return the status of every index within a transaction."""
    ready, default = r.photographs.counts()[PhotographState.READY], default_row(r).id
    return [_status(r, index, ready, index.id == default) for index in r.indexes.all()]


def _status(r: Transaction, index: IndexRow, ready: int, default: bool) -> IndexStatus:
    kind = kind_of(r, index)
    described = 0 if kind is None else r.descriptors.count(kind)
    if reason := why_unusable(index):
        return _unusable(r, index, reason, default)
    uses_codes = catalogue.search_structure(index.search).uses_codes
    encoded = r.codes.count(index.id) if uses_codes else described
    model = None if index.model_id is None else r.models.by_id(index.model_id)
    bits = catalogue.method(index.method).bits if uses_codes else None
    metric = None if index.metric_model_id is None else r.models.by_id(index.metric_model_id)
    kept = [one for one in (metric, model) if one is not None]
    notes = [from_json(str(one.numbers["note"])) for one in kept if one.numbers.get("note")]
    if kind is not None and catalogue.descriptor(kind.text).needs_a_file:
        notes.append(load_extractor(r, kind).unusable())
    elif index.automatic:
        notes.append(lacking())
    if marks_changed(r, index):
        notes.append(Message("Marks have changed since it learned from them. A rescan lets it learn from them again."))
    return IndexStatus(
        name=index.name,
        text=text_of(index),
        descriptor=catalogue.descriptor(index.descriptor).text(),
        automatic=index.automatic,
        photographs=encoded if index.model_id is not None else described,
        waiting=max(0, ready - encoded) if index.model_id is not None else max(0, ready - described),
        fitted_on=None if index.model_id is None else index.fitted_on,
        bits=bits,
        bytes=r.codes.bytes(index.id) + sum(r.models.bytes(one.id) for one in kept),
        note=joined(notes),
        metric=metric_text(index) or None,
        default=default,
        words=accepts_words(catalogue.descriptor(index.descriptor)),
    )


def _unusable(r: Transaction, index: IndexRow, reason: Message, default: bool) -> IndexStatus:
    return IndexStatus(
        name=index.name,
        text=text_of(index),
        descriptor=declared_text(catalogue.descriptor, index.descriptor),
        automatic=index.automatic,
        photographs=r.codes.count(index.id),
        waiting=0,
        fitted_on=None,
        bits=None,
        bytes=r.codes.bytes(index.id),
        note=reason,
        default=default,
    )


def rename_index(library: Library, old: str, new: str) -> IndexStatus:
    """Rename an index."""

    def rename(w: Transaction, index: IndexRow) -> None:
        if not index.automatic:
            _refuse_automatic(new.strip())
        w.indexes.rename(index.id, new.strip())

    _change(library, old, rename)
    return _one(library, new.strip())


def _change(library: Library, name: str, change: Callable[[Transaction, IndexRow], None]) -> None:
    with library.store.writing("changing an index") as w:
        change(w, find_index(w, name))


def delete_index(library: Library, name: str) -> IndexListResult:
    """Delete an index with its codes, and descriptors that no other index uses; the photographs stay."""

    def delete(w: Transaction, index: IndexRow) -> None:
        if index.automatic:
            raise TwinlensError(
                "“{name}” is the automatic index, which cannot be deleted.", "You can rename it.", name=index.name
            )
        w.indexes.delete(index.id)
        if all(other.kind_id != index.kind_id for other in w.indexes.all()):
            for kind in w.descriptors.kinds():
                if kind.id == index.kind_id:
                    w.descriptors.remove_kind(kind)
        w.models.remove_unused()

    _change(library, name, delete)
    return list_indexes(library)


def find_index(r: Transaction, name: str) -> IndexRow:
    """Return an index by its name, or by its text where that is unique; "Automatic" also works after renaming.

    Raises
    ------
    TwinlensError
        If there is none; the error names those that exist.
    """
    indexes = r.indexes.all()
    for index in indexes:
        if name == index.name:
            return index
    if name == AUTOMATIC:
        return next(index for index in indexes if index.automatic)
    alike = [index for index in indexes if name.casefold() in (index.name.casefold(), text_of(index).casefold())]
    if len(alike) == 1:
        return alike[0]
    raise TwinlensError(
        "There is no index “{name}”. The library has: {indexes}.",
        Remedy("list indexes"),
        name=name,
        indexes=[index.name for index in indexes],
    )


DEFAULT = ""
"""Stands for the default index in place of a name."""


def named_index(r: Transaction, name: str = DEFAULT) -> IndexRow:
    """Return an index by its name, as `find_index` does; the default one for an empty name."""
    return find_index(r, name) if name else default_row(r)


def default_index(library: Library) -> str:
    """Return the name of the default index."""
    with library.store.reading() as r:
        return default_row(r).name


def set_default(library: Library, name: str) -> None:
    """Make an index the default; the one before is remembered.

    Raises
    ------
    TwinlensError
        If there is no such index.
    """
    with library.store.writing("choosing an index") as w:
        make_default(w, find_index(w, name))


def default_row(r: Transaction) -> IndexRow:
    """Return the default index; if the chosen one is gone or cannot be used here, the one before it."""
    for index_id in _chosen(r):
        found = r.indexes.by_id(index_id)
        if found is not None and not why_unusable(found):
            return found
    return find_index(r, AUTOMATIC)


_SETTING = "default index"


def _chosen(r: Transaction) -> list[int]:
    found = r.settings.get(_SETTING, [])
    return [one for one in found if isinstance(one, int)] if isinstance(found, list) else []


_REMEMBERED = 20


def make_default(w: Transaction, index: IndexRow) -> None:
    """Make an index the default within a transaction; the one before is remembered."""
    before = default_row(w)
    if before.id != index.id:
        chosen = [one for one in _chosen(w) if one not in {index.id, before.id}]
        w.settings.put(_SETTING, [index.id, before.id, *chosen][:_REMEMBERED])


def row_before(r: Transaction) -> IndexRow | None:
    """Return the previous default index; None if none was chosen, or all are gone."""
    now = default_row(r).id
    chosen = _chosen(r)
    later = chosen[chosen.index(now) + 1 :] if now in chosen else []
    return next((found for one in later if (found := r.indexes.by_id(one)) is not None), None)


def go_one_back(w: Transaction) -> IndexRow:
    """Make the previous default index the default again, and forget the present one.

    Raises
    ------
    TwinlensError
        If there is none to go back to.
    """
    before = row_before(w)
    if before is None:
        raise TwinlensError("No earlier index than “{name}” is left.", Remedy("choose index"), name=default_row(w).name)
    chosen = _chosen(w)
    w.settings.put(_SETTING, chosen[chosen.index(before.id) :])
    return before


def text_of(index: IndexRow) -> str:
    """Return an index in text form: descriptor · metric · method · search, the metric if it has one."""
    return " · ".join(text_parts(index))


def text_parts(index: IndexRow) -> list[str]:
    """Return the text forms of descriptor, metric, method and search, without those that an index does not have."""
    metric = metric_text(index)
    parts = [declared_text(catalogue.descriptor, index.descriptor), *([metric] if metric else [])]
    search = declared_text(catalogue.search_structure, index.search)
    if uses_codes(index):
        parts.append(declared_text(catalogue.method, index.method))
    return [*parts, search]


def free_index_name(r: Transaction, wanted: str) -> str:
    """Return a name that no index has: the wanted one, or with a number behind it."""
    name, number = wanted, 2
    while name == AUTOMATIC or r.indexes.by_name(name) is not None:
        name, number = f"{wanted} ({number})", number + 1
    return name


GROWING = "Automatic, new"
BEFORE = "Automatic, as before"
"""Names of the new index while it is made, and of the old one afterwards."""


def improvement_suggestion(library: Library) -> IndexSuggestion | None:
    """Return the suggestion to improve the automatic index; None where that is up to date or was changed by hand.

    Reads a few rows.
    """
    with library.store.reading() as r:
        if not _can_improve(find_index(r, AUTOMATIC)):
            return None
        ready = r.photographs.counts()[PhotographState.READY]
        seconds, _ = reading_cost(r, ready, usual_workers())
    return IndexSuggestion(
        "improve",
        "",
        counted(
            "Searches can find photos of the same thing, not only copies. {count} photo is read again for that, which "
            "takes about {duration}; meanwhile all works as before.",
            "Searches can find photos of the same thing, not only copies. {count} photos are read again for that, "
            "which takes about {duration}; meanwhile all works as before.",
            ready,
            duration=rough_duration(seconds),
        ),
        seconds,
    )


def _can_improve(automatic: IndexRow) -> bool:
    plain = automatic.metric is None and automatic.metric_id is None
    earlier = catalogue.descriptor(automatic.descriptor) == catalogue.descriptor(EARLIER)
    return plain and earlier and best_descriptor() == BEST


def improve_index(
    library: Library, progress: Progress = silent, workers: int | None = None, cluster: Cluster | None = None
) -> IndexListResult:
    """Build a better index beside the automatic one; once complete, it takes its name, and the old one stays.

    The old one is then called `BEFORE`, and can be deleted as any other. When this is stopped, searches use the old
    one, and the next call, or any ``add`` or ``rescan``, goes on. Nothing happens where there is nothing to improve.

    Raises
    ------
    TwinlensError
        If nothing can be learned from the photographs.
    """
    with library.store.writing("improving the automatic index") as w:
        automatic = find_index(w, AUTOMATIC)
        if not _can_improve(automatic):
            return list_indexes(library)
        growing = w.indexes.by_name(GROWING) or w.indexes.add(
            GROWING, catalogue.written_declaration(catalogue.descriptor(BEST)), automatic.method, automatic.search
        )
    build_index(library, growing.id, progress, workers, cluster)
    with library.store.writing("improving the automatic index") as w:
        automatic = find_index(w, AUTOMATIC)
        if w.indexes.by_id(growing.id) is None:
            raise TwinlensError(
                "The index “{name}” was deleted while it was being built.", "Begin again.", name=GROWING
            )
        is_default = default_row(w).id == automatic.id
        w.indexes.go_before(growing.id, automatic.id, free_index_name(w, BEFORE))
        if is_default:
            make_default(w, find_index(w, AUTOMATIC))
    return list_indexes(library)
