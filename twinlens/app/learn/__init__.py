"""Metrics learned from marks, and kept in the library.

`learning` learns a metric from pairs (ITML), judges it on photographs that were in none of the pairs, and proposes it;
`before_after` shows how it changes rankings, `metric_meaning` what it weighs, `next_pairs` which pairs teach most.
`metrics` makes searches use it, exactly until its index is fitted, and goes back. Where an index compares by a kernel
(`training_data`), photographs have coordinates in the span of a sample, and the learned metric is
s(x, z) = k(x, z) + k_x' M k_z, exact for ranking; landmarks give the vectors that are hashed.
"""
