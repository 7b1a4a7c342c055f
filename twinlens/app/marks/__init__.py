"""Marks: pairs of photographs that a person calls similar or different.

A mark is between contents, so moved files keep theirs. `marks` makes and lists marks, `judgement` is how the window
judges pair by pair, `marked_pairs` gives them to learning, and `mark_file` exports and imports them as a `pair_file`.
"""
