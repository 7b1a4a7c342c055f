"""From which similarity on photographs are called alike.

The limits are those of what a new library compares by. Among the first 20 results for photographs of other classes than
the components were learned from (430 cut-out objects of 24 folders of Tux Paint), 80 % of those above the higher limit
are of the same folder, and 51 % of those between the two; among 306 demo photographs of 12 folders 97 and 95 %.
"""

from __future__ import annotations

from app.indexes.loaded_index import LoadedIndex
from app.library.standard_indexes import BEST, BEST_AT_360_PX
from app.methods import catalogue
from app.results import Likeness

_LIMITS = Likeness(very_similar=0.45, similar=0.34)


def likeness(index: LoadedIndex) -> Likeness | None:
    """Return the limits of an index; None where its similarities mean something else."""
    row = index.row
    learned = row.metric is not None or row.metric_id is not None
    best = catalogue.descriptor(row.descriptor) in map(catalogue.descriptor, (BEST, BEST_AT_360_PX))
    return _LIMITS if best and not learned else None
