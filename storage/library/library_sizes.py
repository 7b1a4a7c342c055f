"""Sizes of the parts of a library."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text

from storage.library.store import Store
from storage.library.transaction import Transaction

# Counted rather than measured: walking every page of a large library takes seconds, and this is asked often.
_CODES = "SELECT coalesce(sum(length(ids) + length(codes)), 0) FROM code_segment"
# The first tell how long all of them are, nearly: most photographs have as many as are kept.
_KEYPOINTS = """
    SELECT (SELECT count(*) FROM keypoints INDEXED BY keypoints_by_version)
        * coalesce((SELECT avg(length(data)) FROM (SELECT data FROM keypoints ORDER BY photograph_id LIMIT 200)), 0)
"""
_MODELS = "SELECT coalesce(sum(length(data)), 0) FROM array"


@dataclass(frozen=True)
class Sizes:
    """Bytes on the disk.

    Attributes
    ----------
    file : int
        All of it: the file with its journal, or the tables of a server.
    descriptors, models, codes : int
        The numbers of each, without what the database needs to find them.
    keypoints : int
        Of photographs; nearly.
    free : int
        Space inside that is used next; :meth:`storage.library.store.Store.compact` gives it back.
    other : int
        The rest: photographs, folders, problems, marks, names.
    """

    file: int
    descriptors: int
    models: int
    codes: int
    keypoints: int
    free: int
    other: int


def sizes(store: Store) -> Sizes:
    """Measure a library."""
    with store.reading() as moment:
        kinds = moment.descriptors.kinds()
        lengths = [moment.descriptors.count(kind) * kind.dimensions * kind.stored().itemsize for kind in kinds]
        descriptors = sum(lengths)
        models, codes, keypoints = (_number(moment, statement) for statement in (_MODELS, _CODES, _KEYPOINTS))
        space = store.place.space(moment.connection)
    other = max(0, space.total - descriptors - models - codes - keypoints - space.free)
    return Sizes(space.total, descriptors, models, codes, keypoints, space.free, other)


def _number(moment: Transaction, statement: str) -> int:
    return int(moment.connection.execute(text(statement)).scalar_one())
