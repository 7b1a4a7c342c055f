"""The sizes of a library: bytes by what they hold."""

from __future__ import annotations

from dataclasses import dataclass

from twinlens.storage.library.store import Store

# Counted rather than measured: walking every page of a large library takes seconds, and this is asked often.
_CODES = "SELECT sum(length(ids) + length(codes)) FROM code_segment"
_MODELS = 'SELECT sum(length(data)) FROM "array"'
_COUNT = "SELECT count(*) FROM keypoints INDEXED BY keypoints_by_version"

# The first tell how long all of them are, nearly: most photographs have as many as are kept.
_LENGTH = "SELECT avg(length(data)) FROM (SELECT data FROM keypoints ORDER BY photograph_id LIMIT 200) AS listed"


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
        values = (moment.dialect.value(statement) or 0 for statement in (_MODELS, _CODES, _COUNT, _LENGTH))
        models, codes, count, length = map(int, values)
        space = store.place.space(moment.dialect)
    models, codes, of_keypoints = int(models), int(codes), int(count * length)
    other = max(0, space.total - descriptors - models - codes - of_keypoints - space.free)
    return LibrarySizes(space.total, descriptors, models, codes, of_keypoints, space.free, other)
