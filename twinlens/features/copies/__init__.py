"""Whether two pictures are one: the same picture, an edited version of it, or another one that is merely similar."""

from __future__ import annotations

from enum import StrEnum


class RelationKind(StrEnum):
    """The relation of two pictures."""

    SAME = "same"
    """The same picture, compressed again, or in another size or format."""
    EDITED = "edited"
    """One is made from the other: cropped, turned, mirrored, recoloured, written upon."""
    SIMILAR = "similar"
    """The same scene, taken twice."""
    LIKELY = "likely"
    """Probably the same picture: nothing has moved, but nothing tells a copy from a second shot of a still scene."""
    DAMAGED = "damaged"
    """The same picture, and one of both files has rotted, or was copied badly."""
    OTHER = "other"
    NOT_COMPARED = "not compared"
    """The comparison failed on these two."""
    UNREACHED = "unreached"
    """Only their files tell, and one of these could not be reached: they are compared again when both can be."""
