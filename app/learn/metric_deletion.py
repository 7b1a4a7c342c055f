"""Deleting a kept metric with the indexes that measure by it, and bringing all of it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.indexes import fitted_models
from app.indexes.default_index import default_row, make_default
from app.indexes.index_metric import content_key, load_metric
from app.learn.metric_use import add_index, metric_switch, telling_sample
from app.learn.metric_use_results import MetricSwitch
from app.learn.metrics import find_metric
from app.learn.training_photographs import forget_photographs, photographs_learned_from, remember_photographs
from app.library.library import Library
from core.errors import TwinlensError
from core.message import NOTHING, Message, counted, joined
from core.metrics.metric import FittedMetric
from storage.indexes.indexes import IndexRow
from storage.indexes.metrics import MetricRow


@dataclass(frozen=True, eq=False)
class DeletedMetric:
    """A metric that was deleted, with all that :func:`restore_metric` needs.

    Attributes
    ----------
    row : MetricRow
    fitted : FittedMetric
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
        """Under which it was kept."""
        return self.row.name


def delete_metric_and_indexes(library: Library, name: str) -> DeletedMetric:
    """Delete a metric with the indexes that measure by it; what is given back can be restored.

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
                Message(
                    "“{name}”, which the program keeps itself, measures by “{name2}”.",
                    name=automatic.name,
                    name2=row.name,
                ),
                Message("Keep the metric."),
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
    answers = Message("“{index}” answers from now on.", index=now.name) if was_default else NOTHING
    sentence = joined([gone, answers])
    return DeletedMetric(row, fitted, photographs, indexes, before.name if was_default else "", sentence)


def restore_metric(library: Library, deleted: DeletedMetric) -> MetricSwitch | None:
    """Bring a deleted metric back with its indexes, which answer exactly until :func:`finish`.

    Returns
    -------
    Switched or None
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
