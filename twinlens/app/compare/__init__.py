"""Comparing indexes: one query in several of them, side by side.

The columns of a `comparison` are indexes of the library, or variants with other parameters, which `temporary_index`
fits on the stored vectors in memory, the same to the bit as an index that is kept. First each column is searched; then
every photograph is measured and the codes are read, so that every number of the view follows without another search.
"""
