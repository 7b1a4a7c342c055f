"""Comparing: what is new in a library is compared with all of it, and the relations that are found are kept.

`comparison` is the use case. `compared_contents` is what is known of the pictures, `candidates` proposes pairs by their
distances in a `picture_space`, `pair_confirmation` lays the two pictures over each other, and `comparing_tasks` does so
in worker processes.
"""
