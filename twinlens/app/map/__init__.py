"""The map: a library laid out in two dimensions, so that similar photographs lie together.

`layout` uses the measure of an index: vectors whose Euclidean distances are those of the measure are laid out by their
principal components at once, and then by t-SNE starting from there, the same every time. Maps are kept in the cache
folder under the key of what they are made from; later photographs are placed beside their nearest neighbours. Clusters
are photographs that lie together when one zooms in; `map_groups` joins them by Ward's criterion into a few groups for
colours and the legend.
"""
