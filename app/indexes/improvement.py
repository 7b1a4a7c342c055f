"""Moving a library's automatic index to what a new library compares by: made beside the one in use, then before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.indexes.default_index import default_row, make_default
from app.indexes.index_names import find_index, free_index_name
from app.indexes.indexes import build_index, list_indexes
from app.indexes.results import IndexListResult
from app.indexes.suggestion import IndexSuggestion
from app.library.library import AUTOMATIC, Library
from app.library.pace import reading_cost, rough_duration, usual_workers
from app.library.standard_indexes import BEST, EARLIER, best_descriptor
from app.methods import catalogue
from core.errors import TwinlensError
from core.message import Message, counted
from core.progress import Progress, silent
from storage.database.schema import PhotographState
from storage.indexes.indexes import IndexRow

if TYPE_CHECKING:
    from app.library.cluster.cluster import Cluster

GROWING = "Automatic, new"
BEFORE = "Automatic, as before"
"""Names of the new index while it is made, and of the old one afterwards."""


def improvement_suggestion(library: Library) -> IndexSuggestion | None:
    """Return what the automatic index would gain; None where it is as that of a new library, or was chosen otherwise.

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


def improve_index(
    library: Library, progress: Progress = silent, workers: int | None = None, cluster: Cluster | None = None
) -> IndexListResult:
    """Make the better index beside the automatic one; as soon as it is whole it takes its name, and the old one stays.

    The old one is then called `BEFORE`, and can be deleted as any other. When this is stopped, the old one answers; the
    next call, or any ``add`` or ``rescan``, goes on.

    Raises
    ------
    TwinlensError
        If there is nothing to improve, or the photographs cannot be learned from.
    Cancelled
        If progress says so.
    """
    with library.store.writing("improving the automatic index") as w:
        automatic = find_index(w, AUTOMATIC)
        if not _can_improve(automatic):
            raise TwinlensError(
                Message("“{name}” is as good as that of a new library.", name=automatic.name),
                Message("Nothing needs to be done."),
            )
        growing = w.indexes.by_name(GROWING) or w.indexes.add(
            GROWING, catalogue.written_declaration(catalogue.descriptor(BEST)), automatic.method, automatic.search
        )
    build_index(library, growing.id, progress, workers, cluster)
    with library.store.writing("improving the automatic index") as w:
        automatic = find_index(w, AUTOMATIC)
        if w.indexes.by_id(growing.id) is None:
            raise TwinlensError(
                Message("The index “{name}” was deleted while it was being built.", name=GROWING),
                Message("Begin again."),
            )
        is_default = default_row(w).id == automatic.id
        w.indexes.go_before(growing.id, automatic.id, free_index_name(w, BEFORE))
        if is_default:
            make_default(w, find_index(w, AUTOMATIC))
    return list_indexes(library)


def _can_improve(automatic: IndexRow) -> bool:
    plain = automatic.metric is None and automatic.metric_id is None
    earlier = catalogue.descriptor(automatic.descriptor) == catalogue.descriptor(EARLIER)
    return plain and earlier and best_descriptor() == BEST
