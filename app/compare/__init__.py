"""Comparing: one question asked of several indexes, side by side.

`comparison` asks columns: indexes of the library, or variants with other parameters, which `temporary_index` fits on
the stored vectors in memory, the same to the bit as an index that is kept. The columns answer first; then everything is
measured and the codes are read, so that every number of the view follows without another question.
"""
