"""The kinds of duplicates, and their names."""

from __future__ import annotations

from enum import StrEnum

from core.message import Message


class Kind(StrEnum):
    """The relation of a photograph of a group to the one kept."""

    IDENTICAL = "identical"
    """The same file, to the last byte."""
    SAME = "same"
    """The same picture, compressed again, or in another size or format."""
    DAMAGED = "damaged"
    """The same picture, and one of both is damaged: a person decides."""
    EDITED = "edited"
    """Made from it, or it from this one: cropped, turned, recoloured, written upon."""
    SERIES = "series"
    """Taken just before or after it."""
    RAW = "raw"
    """The same shot, once as RAW and once as JPEG."""


COPIES = frozenset({Kind.IDENTICAL, Kind.SAME})
"""What rules may propose to let go."""

NAMES: dict[Kind, Message] = {
    Kind.IDENTICAL: Message("Identical"),
    Kind.SAME: Message("Same picture"),
    Kind.DAMAGED: Message("Damaged"),
    Kind.EDITED: Message("Edited version"),
    Kind.SERIES: Message("Series"),
    Kind.RAW: Message("RAW + JPEG"),
}
"""Of one photograph."""
