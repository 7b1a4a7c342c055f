"""Metrics of a library: import, list, rename, search with, delete, restore and export.

Searching by a kept metric makes an index under it beside the one in use; this becomes the default, and back again. A
metric is deleted with the indexes that measure by it, and all of it can be restored.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes import fitted_models
from twinlens.app.indexes.encoders import bring_index_up_to_date
from twinlens.app.indexes.fitted_models import kind_of, load_metric, usable_indexes
from twinlens.app.indexes.index_specification import ChosenMetric, IndexMetric, content_key, metric_text, named_metric
from twinlens.app.indexes.indexes import (
    default_row,
    find_index,
    free_index_name,
    go_one_back,
    make_default,
    row_before,
)
from twinlens.app.learn.learn_results import MetricFileResult, MetricListResult, MetricStatus, MetricSwitch
from twinlens.app.learn.metric_files import read_metric_file, write_metric_file
from twinlens.app.learn.training_data import forget_photographs, photographs_learned_from, remember_photographs
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.methods import catalogue
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files.untrusted_input import expanded, shown
from twinlens.core.message import NOTHING, Message, counted, from_json, joined
from twinlens.core.metrics.metric import FittedMetric, Ranking
from twinlens.core.progress import Progress, silent
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.indexes.models import MetricRow
from twinlens.storage.library.store import Transaction


def import_metric(
    library: Library, file: Path, descriptor: str, name: str | None = None, ranking: Ranking = "distance"
) -> MetricStatus:
    """Import a metric from a file into the library.

    Parameters
    ----------
    file : Path
        See :func:`twinlens.app.learn.metric_files.read_metric_file`.
    descriptor : str
        Text form of the descriptor whose vectors it measures.
    name : str, optional
        By default that of the file.
    ranking : {"distance", "kernel"}
        By what candidates are ranked.

    Raises
    ------
    TwinlensError
        If the file holds no metric, the metric takes vectors of another length than those of the descriptor, or the
        name is taken or means something else.
    """
    described = catalogue.descriptor(descriptor)
    file = expanded(file)
    fitted = read_metric_file(file, ranking)
    if fitted.dimensions != described.dimensions:
        raise TwinlensError(
            "The metric is for vectors of {dimensions} dimensions, but those of {described} have {dimensions2}.",
            "Name the descriptor that it was made for.",
            dimensions=fitted.dimensions,
            described=described.text(),
            dimensions2=described.dimensions,
        )
    chosen = file.stem if name is None else name.strip()
    refuse_name(chosen)
    with library.store.writing("keeping a metric") as w:
        model_id = fitted_models.keep_model(w, content_key(fitted), "", fitted)
        note = Message("From {file}", file=shown(os.fsencode(file.name)))
        made = w.metrics.add(chosen, catalogue.written_declaration(described), model_id, note=note.to_json())
        return _status(w, made)


def list_metrics(library: Library) -> MetricListResult:
    """List every metric."""
    with library.store.reading() as r:
        return MetricListResult(metrics=[_status(r, row) for row in r.metrics.all()])


def rename_metric(library: Library, old: str, new: str) -> MetricStatus:
    """Rename a metric; indexes that use it keep using it."""
    refuse_name(new.strip())
    with library.store.writing("renaming a metric") as w:
        metric_id = find_metric(w, old).id
        w.metrics.rename(metric_id, new.strip())
        return _status(w, w.metrics.by_id(metric_id))


def delete_unused_metric(library: Library, name: str) -> MetricListResult:
    """Delete a metric, unless an index uses it."""
    with library.store.writing("deleting a metric") as w:
        w.metrics.delete(find_metric(w, name).id)
        w.models.remove_unused()
    return list_metrics(library)


def export_metric(library: Library, name: str, file: OutputFile) -> MetricFileResult:
    """Write a metric into a file that :func:`import_metric` reads.

    Raises
    ------
    TwinlensError
        If there is no such metric, or the file must not be replaced or cannot be written.
    """
    with library.store.reading() as r:
        row = find_metric(r, name)
        fitted = load_metric(r, row.model_id)
    write_metric_file(fitted, file)
    return MetricFileResult(metric=row.name, file=shown(os.fsencode(file.path.absolute())), bytes=file.size)


def find_metric(r: Transaction, name: str) -> MetricRow:
    """Find a metric by its name.

    Raises
    ------
    TwinlensError
        If there is none; names those that there are.
    """
    found = named_metric(r, name)
    if found is not None:
        return found
    metrics = r.metrics.all()
    if not metrics:
        raise TwinlensError("The library keeps no metric “{name}”, nor any other.", Remedy("list metrics"), name=name)
    raise TwinlensError(
        "The library keeps no metric “{name}”, only {others}.",
        Remedy("list metrics"),
        name=name,
        others=[row.name for row in metrics],
    )


def refuse_name(name: str) -> None:
    """Refuse a metric's name that means something else in the text form of an index.

    Raises
    ------
    TwinlensError
        Says what it means.
    """
    head = name.split(":", maxsplit=1)[0].strip()
    if "·" in name:
        raise TwinlensError(
            "The name of a metric cannot hold “·”, which stands between the parts of an index.", "Choose another name."
        )
    for family, options in catalogue.FAMILIES.items():
        if head in {option.key for option in options()}:
            taken = {
                "descriptor": Message("“{name}” is the name of a descriptor.", name=head),
                "metric": Message("“{name}” is the name of a kind of metric.", name=head),
                "method": Message("“{name}” is the name of a hash method.", name=head),
                "search": Message("“{name}” is the name of a way to search.", name=head),
                "kernel": Message("“{name}” is the name of a kernel.", name=head),
            }
            raise TwinlensError(taken[family], "Choose another name for the metric.")


def _status(r: Transaction, row: MetricRow) -> MetricStatus:
    fitted = load_metric(r, row.model_id)
    return MetricStatus(
        name=row.name,
        descriptor=catalogue.descriptor(row.descriptor).text(),
        learned_by=None if row.declaration is None else catalogue.metric(row.declaration).text(),
        dimensions=fitted.dimensions,
        out_dimensions=fitted.out_dimensions,
        ranking=fitted.ranking,
        bytes=r.models.bytes(row.model_id),
        created=row.created,
        indexes=r.metrics.users(row.id),
        note=joined([from_json(row.note), fitted.note]),
    )


_SAMPLE = 2_000  # photographs that the spread of distances is found from, until the index is fitted


def search_by_metric(library: Library, metric: str, like: str | None = None) -> MetricSwitch:
    """Search by a kept metric from now on; :func:`finish_index` fits its index later.

    An index under this metric that is there already is taken, and otherwise one is made.

    Parameters
    ----------
    metric : str
        Its name.
    like : str, optional
        The index after which the new one hashes and searches; by default the one that answers now, or one of the
        metric's descriptor.

    Raises
    ------
    TwinlensError
        If there is no such metric or index, or none of the metric's descriptor.
    """
    with library.store.reading() as r:
        kept = find_metric(r, metric)
        base = _base(r, kept, like)
        fitted = load_metric(r, kept.model_id).fitted_to(telling_sample(r, base))
        method, note = _method(r, kept, base)
    with library.store.writing("searching by a metric") as w:
        kept = find_metric(w, metric)
        before = default_row(w)
        wanted = replace(base, method=method)
        made = _there(w, kept, wanted, like) or add_index(w, kept.name, kept.id, wanted, fitted)
        make_default(w, made)
    return metric_switch(library, made.id, before.name, note)


def finish_index(library: Library, index: str, progress: Progress = silent) -> None:
    """Fit and encode an index so that it is fast; work for the background.

    When this is stopped, the index goes on answering exactly, and the next call, ``add`` or ``rescan`` goes on.

    Raises
    ------
    TwinlensError
        If there is no such index.
    """
    with library.store.reading() as r:
        row = find_index(r, index)
    bring_index_up_to_date(library, row, progress)


def made_ready(library: Library, switch: MetricSwitch, progress: Progress = silent) -> MetricSwitch:
    """Do :func:`finish_index` for the index of a switch if it waits for that, and return the new state.

    Raises
    ------
    TwinlensError
        If the index is gone.
    """
    if not switch.waiting:
        return switch
    finish_index(library, switch.index, progress)
    with library.store.reading() as r:
        row = find_index(r, switch.index)
    return metric_switch(library, row.id, switch.before, switch.note)


def can_go_back(library: Library) -> str:
    """Return the index that :func:`go_back` would choose; empty if there is none."""
    with library.store.reading() as r:
        before = row_before(r)
    return "" if before is None else before.name


def plain_index(library: Library, index: str) -> str:
    """Return the index that measures without a learned metric: itself, if it uses none."""
    with library.store.reading() as r:
        row = r.indexes.by_name(index)
        if row is None or row.metric_id is None:
            return index
        same = [one for one in usable_indexes(r) if one.descriptor == row.descriptor and one.metric_id is None]
    names = [one.name for one in same]
    return AUTOMATIC if not names or AUTOMATIC in names else names[0]


def go_back(library: Library) -> MetricSwitch:
    """Search by the former index again; the metric and its index stay.

    Raises
    ------
    TwinlensError
        If none has answered before.
    """
    with library.store.writing("going back to an index") as w:
        left = default_row(w)
        row = go_one_back(w)
    return metric_switch(library, row.id, left.name, NOTHING)


def metric_switch(library: Library, index_id: int, before: str, note: Message) -> MetricSwitch:
    """Return the index that is searched now."""
    with library.store.reading() as r:
        row = r.indexes.by_id(index_id)
        assert row is not None
        kind = kind_of(r, row)
        described = 0 if kind is None else r.descriptors.count(kind)
        uses_codes = catalogue.search_structure(row.search).uses_codes
        waiting = described - (r.codes.count(row.id) if row.model_id is not None else 0) if uses_codes else 0
        metric = metric_text(row) or None
    sentence = (
        Message("Search goes without a metric from now on, with the index “{index}”.", index=row.name)
        if metric is None
        else Message("Search goes by “{metric}” from now on, with the index “{index}”.", metric=metric, index=row.name)
    )
    slower = Message("Until that is ready every photo is measured, which takes longer and is exact.")
    return MetricSwitch(
        index=row.name,
        metric=metric,
        before=before,
        waiting=max(0, waiting),
        sentence=joined([sentence, slower if waiting > 0 else NOTHING, note]),
        note=note,
    )


def _base(r: Transaction, kept: MetricRow, like: str | None) -> IndexRow:
    """Return the index that a new index with the metric imitates."""
    wanted = catalogue.descriptor(kept.descriptor)
    named = [] if like is None else [find_index(r, like)]
    for index in [*named, default_row(r), *usable_indexes(r)]:
        if index.kind_id is not None and catalogue.descriptor(index.descriptor) == wanted:
            return index
    raise TwinlensError(
        "The metric “{name}” measures {wanted}, and no index has that.",
        Remedy("create index", {"descriptor": wanted.text()}),
        name=kept.name,
        wanted=wanted.text(),
    )


def telling_sample(r: Transaction, base: IndexRow) -> npt.NDArray[np.float32]:
    """Read vectors of an index's descriptor from which the spread of distances is estimated."""
    kind = kind_of(r, base)
    assert kind is not None
    ids = r.descriptors.ids(kind)
    drawn = np.sort(np.random.default_rng(0).choice(ids, min(_SAMPLE, len(ids)), replace=False))
    vectors, _ = r.descriptors.read(kind, drawn)
    if not vectors.any():
        raise TwinlensError("No photo has anything to measure in “{name}”.", "Add some photos.", name=base.name)
    return np.asarray(vectors, np.float32)


def _method(r: Transaction, kept: MetricRow, base: IndexRow) -> tuple[str, Message]:
    """Return the hash method, with a note if it replaces one that cannot learn behind the metric."""
    method = catalogue.method(base.method)
    if not catalogue.search_structure(base.search).uses_codes:
        return base.method, NOTHING
    chosen = ChosenMetric(kept=kept)
    try:
        chosen.check(r, catalogue.descriptor(base.descriptor), method)
    except TwinlensError:
        other = catalogue.method(f"lsh:bits={method.bits}")
        chosen.check(r, catalogue.descriptor(base.descriptor), other)
        return catalogue.written_declaration(other), Message(
            "It hashes by {other}: {method} cannot learn behind a metric.", other=other.text(), method=method.text()
        )
    return base.method, NOTHING


def _there(r: Transaction, kept: MetricRow, wanted: IndexRow, like: str | None) -> IndexRow | None:
    """Find an existing index with the metric; if it need not resemble another one, the newest."""
    under = [one for one in usable_indexes(r) if one.metric_id == kept.id]
    if like is not None:
        alike = (wanted.kind_id, wanted.method, wanted.search)
        under = [one for one in under if (one.kind_id, one.method, one.search) == alike]
    return under[-1] if under else None


def add_index(w: Transaction, name: str, metric_id: int, like: IndexRow, fitted: FittedMetric) -> IndexRow:
    """Add an index with the metric, searched exactly until its codes are made."""
    row = w.indexes.add(
        free_index_name(w, name), like.descriptor, like.method, like.search, kind_id=like.kind_id, metric_id=metric_id
    )
    IndexMetric(fitted, content_key(fitted), "").keep(w, row, b"", 0)
    found = w.indexes.by_id(row.id)
    assert found is not None
    return found


@dataclass(frozen=True, eq=False)
class DeletedMetric:
    """A metric that was deleted, with all that :func:`restore_metric` needs.

    Attributes
    ----------
    photographs : ndarray of int64 or None
        That it was learned from.
    indexes : tuple of IndexRow
        Those that measured by it, and were deleted with it.
    default : str
        The one of them that answered when none was named; empty where none did.
    sentence : Message
        What was deleted.
    """

    row: MetricRow
    fitted: FittedMetric
    photographs: npt.NDArray[np.int64] | None
    indexes: tuple[IndexRow, ...]
    default: str
    sentence: Message

    @property
    def name(self) -> str:
        """The name of the deleted metric."""
        return self.row.name


def delete_metric_and_indexes(library: Library, name: str) -> DeletedMetric:
    """Delete a metric with the indexes that use it; the returned value can restore them.

    Raises
    ------
    TwinlensError
        If there is no such metric, or the automatic index measures by it.
    """
    with library.store.writing("deleting a metric") as w:
        row = find_metric(w, name)
        fitted = load_metric(w, row.model_id)
        photographs = photographs_learned_from(w, row.id)
        indexes = tuple(one for one in w.indexes.all() if one.metric_id == row.id)
        automatic = next((one for one in indexes if one.automatic), None)
        if automatic is not None:
            raise TwinlensError(
                "“{name}”, which the program keeps itself, measures by “{name2}”.",
                "Keep the metric.",
                name=automatic.name,
                name2=row.name,
            )
        before = default_row(w)
        for one in indexes:
            w.indexes.delete(one.id)
        forget_photographs(w, row.id)
        w.metrics.delete(row.id)
        w.models.remove_unused()
        now = default_row(w)
    was_default = before.id in {one.id for one in indexes}
    gone = Message("The metric “{name}” is deleted.", name=row.name)
    if indexes:
        gone = counted(
            "The metric “{name}” is deleted, and with it the index {indexes}.",
            "The metric “{name}” is deleted, and with it the indexes {indexes}.",
            len(indexes),
            name=row.name,
            indexes=[one.name for one in indexes],
        )
    results = Message("“{index}” answers from now on.", index=now.name) if was_default else NOTHING
    sentence = joined([gone, results])
    return DeletedMetric(row, fitted, photographs, indexes, before.name if was_default else "", sentence)


def restore_metric(library: Library, deleted: DeletedMetric) -> MetricSwitch | None:
    """Restore a deleted metric with its indexes, which search exactly until :func:`finish_index`.

    Returns
    -------
    MetricSwitch or None
        Where one of its indexes answered when none was named, it does again.

    Raises
    ------
    TwinlensError
        If its name has been taken meanwhile.
    """
    row = deleted.row
    default = None
    with library.store.writing("restoring a metric") as w:
        before = default_row(w)
        model_id = fitted_models.keep_model(w, content_key(deleted.fitted), row.declaration or "", deleted.fitted)
        back = w.metrics.add(row.name, row.descriptor, model_id, declaration=row.declaration, note=row.note)
        if deleted.photographs is not None:
            remember_photographs(w, back.id, deleted.photographs)
        for one in deleted.indexes:
            if all(kind.id != one.kind_id for kind in w.descriptors.kinds()):
                continue  # its vectors are gone, with the last index that had them
            fitted = deleted.fitted.fitted_to(telling_sample(w, one))
            made = add_index(w, one.name, back.id, one, fitted)
            if one.name == deleted.default:
                make_default(w, made)
                default = made.id
    return None if default is None else metric_switch(library, default, before.name, NOTHING)
