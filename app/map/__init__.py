"""The map: a library laid out in two dimensions.

`layout` uses the measure of an index: vectors whose Euclidean distances are those of the measure, their principal
components at once, then t-SNE from there, the same every time. Maps lie in the cache folder under the key of what they
are made from; later photographs are placed beside their nearest neighbours. Clusters are groups that lie together when
one zooms in; `regions` joins them by Ward's criterion into a few groups for colours and the legend.
"""
