"""From which similarity on photographs are called alike, where no marks say it.

The limits are those of what a new library compares by, chosen on demo photographs of five kinds (animals, fish, music,
solar, windmills) and judged on those of four others (dams, monuments, sea, tools), kinds by folder, each as a query in
all 306; queries and copies (similarity 0.9) are left out. Shares of the same kind among the first 20 results:

    ================================  ============  =======  ==========
    mean of kinds (of all results)    very similar  similar  the others
    ================================  ============  =======  ==========
    chosen on                           91 (95) %   52 (67)    32 (48)
    judged on                           79 (95) %   59 (86)    33 (53)
    chosen on, beside other pictures    75 (90) %   40 (52)    26 (35)
    judged on, beside other pictures    76 (91) %   49 (74)    26 (39)
    ================================  ============  =======  ==========

Of all results, kinds with many photographs decide (86 monuments); the mean of kinds is nearer to a library where each
kind is rare. The other pictures are 380 photographs and cut-outs of other things. Among the first 50 the shares of both
words are the same. The network's components were learned from demo photographs too, from all and without their kinds.

Cut-out objects are all more alike, by their white: of 427 in 23 folders of Tux Paint, 46 % of what is called very
similar is of the same folder, 29 % of what is called similar; 0.48 and 0.39 would be 80 and 50 %.
"""

from __future__ import annotations

from app.indexes.loaded_index import LoadedIndex
from app.library.standard_indexes import BEST, BEST_AT_360_PX
from app.methods import catalogue
from app.search.results import SimilarityLevels

_LIMITS = SimilarityLevels(very_similar=0.32, similar=0.26)


def similarity_levels(index: LoadedIndex) -> SimilarityLevels | None:
    """Return the shipped limits of an index; None where its similarities mean something else."""
    row = index.row
    learned = row.metric is not None or row.metric_id is not None
    # Only what is a fusion itself can be one of these, which take a while to read.
    best = index.descriptor.key == "fusion" and index.descriptor in map(catalogue.descriptor, (BEST, BEST_AT_360_PX))
    return _LIMITS if best and not learned else None
