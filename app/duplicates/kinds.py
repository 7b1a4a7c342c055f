"""The kinds of duplicates, and their names."""

from __future__ import annotations

from enum import StrEnum

from core.message import Message


class DuplicateKind(StrEnum):
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


COPIES = frozenset({DuplicateKind.IDENTICAL, DuplicateKind.SAME})
"""What rules may propose to let go."""

KIND_NAMES: dict[DuplicateKind, Message] = {
    DuplicateKind.IDENTICAL: Message("Identical"),
    DuplicateKind.SAME: Message("Same picture"),
    DuplicateKind.DAMAGED: Message("Damaged"),
    DuplicateKind.EDITED: Message("Edited version"),
    DuplicateKind.SERIES: Message("Series"),
    DuplicateKind.RAW: Message("RAW + JPEG"),
}
"""Of one photograph."""
