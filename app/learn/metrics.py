"""Metrics that a library keeps, as the user handles them: import, list, rename, delete, export."""

from __future__ import annotations

import os
from pathlib import Path

from app.indexes import fitted_models
from app.indexes.index_specification import content_key, load_metric, named_metric
from app.learn.learn_results import MetricFileResult, MetricListResult, MetricStatus
from app.learn.metric_file import read_metric_file, write_metric_file
from app.library.library import Library
from app.machine.output_file import OutputFile
from app.methods import catalogue
from app.results import shown
from core.errors import Remedy, TwinlensError
from core.files.untrusted_input import expanded
from core.message import Message, from_json, joined
from core.metrics.metric import Ranking
from storage.indexes.models import MetricRow
from storage.library.transaction import Transaction


def import_metric(
    library: Library, file: Path, descriptor: str, name: str | None = None, ranking: Ranking = "distance"
) -> MetricStatus:
    """Import a metric from a file into the library.

    Parameters
    ----------
    library : Library
    file : Path
        See :func:`app.learn.metric_file.read_metric_file`.
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
            Message(
                "The metric is for vectors of {dimensions} dimensions, but those of {described} have {dimensions2}.",
                dimensions=fitted.dimensions,
                described=described.text(),
                dimensions2=described.dimensions,
            ),
            Message("Name the descriptor that it was made for."),
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
    """Return a metric another name; indexes that measure by it go on doing so."""
    refuse_name(new.strip())
    with library.store.writing("renaming a metric") as w:
        metric_id = find_metric(w, old).id
        w.metrics.rename(metric_id, new.strip())
        return _status(w, w.metrics.by_id(metric_id))


def delete_unused_metric(library: Library, name: str) -> MetricListResult:
    """Delete a metric, unless an index measures by it."""
    with library.store.writing("deleting a metric") as w:
        w.metrics.delete(find_metric(w, name).id)
        w.models.remove_unused()
    return list_metrics(library)


def export_metric(library: Library, name: str, file: OutputFile) -> MetricFileResult:
    """Write a metric into a file, as :func:`import_metric` takes it.

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
        raise TwinlensError(
            Message("The library keeps no metric “{name}”, nor any other.", name=name), Remedy("list metrics")
        )
    raise TwinlensError(
        Message(
            "The library keeps no metric “{name}”, only {others}.",
            name=name,
            others=[row.name for row in metrics],
        ),
        Remedy("list metrics"),
    )


def refuse_name(name: str) -> None:
    """Refuse as a metric's name what means something else where an index is written as text.

    Raises
    ------
    TwinlensError
        Says what it means.
    """
    head = name.split(":", maxsplit=1)[0].strip()
    if "·" in name:
        raise TwinlensError(
            Message("The name of a metric cannot hold “·”, which stands between the parts of an index."),
            Message("Choose another name."),
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
            raise TwinlensError(taken[family], Message("Choose another name for the metric."))


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
