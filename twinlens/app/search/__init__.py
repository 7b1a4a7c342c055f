"""Search: from a query to ranked and checked results.

The way of a search is eight nouns, each made once from the ones before it. A person gives a `SearchQuery` (example
pictures with weights; marks may add more) and `SearchOptions`. `Searcher` reads or computes the `QueryDescriptors` of
the examples, once for all indexes, and finds the `SearchSpace` of each index: its photographs that pass the filters at
this moment. By the `QueryDistance` of the index the space becomes `RankedResults`: candidates by codes, ranked by the
exact measure, or several such rankings fused. `RankedResults` give a `SearchResult`, at once or when the geometric
check has compared the keypoints of the first photographs with the query's (`Confirmations`), matches first; in it are
the `SimilarityLevels` of the index and, where marks are many, the `ConfidenceThreshold`. It is divided into bands and
stacks for people alone.

A `Searcher` keeps codes in memory from one search to the next and looks again when the library has changed. A query is
also tried mirrored, inverted and both; of an example, the nearest of the four counts, a little less if it is not the
original.
"""
