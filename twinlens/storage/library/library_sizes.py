"""The sizes of a library: bytes by what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select

from twinlens.storage.database.schema import array, code_segment, keypoints
from twinlens.storage.library.store import Store, Transaction

if TYPE_CHECKING:
    pass


# Counted rather than measured: walking every page of a large library takes seconds, and this is asked often.
_CODES = select(func.coalesce(func.sum(func.length(code_segment.c.ids) + func.length(code_segment.c.codes)), 0))


_MODELS = select(func.coalesce(func.sum(func.length(array.c.data)), 0))


# The first tell how long all of them are, nearly: most photographs have as many as are kept.
_SOME = select(keypoints.c.data).order_by(keypoints.c.photograph_id).limit(200).subquery()


_LENGTH = select(func.coalesce(func.avg(func.length(_SOME.c.data)), 0))


_COUNT = select(func.count()).select_from(keypoints).with_hint(keypoints, "INDEXED BY keypoints_by_version", "sqlite")


@dataclass(frozen=True)
class LibrarySizes:
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
        Space inside that is used next; :meth:`twinlens.storage.library.store.Store.compact` gives it back.
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


def sizes(store: Store) -> LibrarySizes:
    """Measure a library."""
    with store.reading() as moment:
        kinds = moment.descriptors.kinds()
        lengths = [moment.descriptors.count(kind) * kind.dimensions * kind.stored().itemsize for kind in kinds]
        descriptors = sum(lengths)
        models, codes, count = (_number(moment, statement) for statement in (_MODELS, _CODES, _COUNT))
        of_keypoints = int(count * float(moment.connection.execute(_LENGTH).scalar_one()))
        space = store.place.space(moment.connection)
    other = max(0, space.total - descriptors - models - codes - of_keypoints - space.free)
    return LibrarySizes(space.total, descriptors, models, codes, of_keypoints, space.free, other)


def _number(moment: Transaction, statement: Select[Any]) -> int:
    return int(moment.connection.execute(statement).scalar_one())
