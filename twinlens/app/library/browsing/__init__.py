"""Browsing: the photographs of a library in order, chosen by filters, with what is known of each.

`listing` is what is shown, and `photographs` each of it. `overview` has the columns of all photographs in memory, by
which listings are ordered and chosen; `places` and `shown_concepts` are two of these. `albums` are kept choices.
"""
