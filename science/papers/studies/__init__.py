"""Studies: measurements that bench does not make, a module for each.

A study has ``DATA``, names of data sets, ``CASES``, ``REPEATS``, how often it draws again, and
``measure(case, tables, repeats, progress)``.
"""
