"""How an edited version differs from its photograph, in words."""

from __future__ import annotations

from core.message import Message
from features.copies.relation import Relation, RelationKind

_PART = 0.97
_TURN = 1.5  # degrees
_STRETCH = 0.03
_LIGHT = 12.0  # levels
_GREY, _PALE, _STRONG = 0.15, 0.75, 1.35
_HUE = 12.0
_OVER = 0.02


def difference_words(found: Relation | None) -> list[Message]:
    """Describe how the second picture of a relation differs from the first, the largest difference first.

    Parameters
    ----------
    found : Relation or None
        None, or of two that are the same picture, has no words.
    """
    if found is not None and found.kind is RelationKind.DAMAGED:
        return [_damaged(found)]
    if found is None or found.kind is not RelationKind.EDITED:
        return []
    said = [*_shown(found), *_laid(found), *_coloured(found)]
    if found.differing > _OVER and not said:
        said.append(Message("something added"))
    return said or [Message("slightly changed")]


def _damaged(found: Relation) -> Message:
    """Describe which of two is damaged, and from where on."""
    share = round(100 * found.damaged_from)
    if found.second_damaged is None:
        return Message("one of both is damaged, about {share} % down", share=share)
    if found.second_damaged:
        return Message("damaged from about {share} % down", share=share)
    return Message("whole: the other one is damaged from about {share} % down", share=share)


def _shown(found: Relation) -> list[Message]:
    """Describe the part of it that is shown."""
    cropped, extended = found.first_seen < _PART, found.second_seen < _PART
    if cropped and extended:
        return [Message("another part of the picture")]
    if cropped:
        return [Message("cropped, {share} % of the area", share=max(1, round(100 * found.first_seen)))]
    return [Message("with more around it")] if extended else []


def _laid(found: Relation) -> list[Message]:
    """Describe how it is turned, mirrored and stretched."""
    said = []
    upside_down = found.mirrored and abs(abs(found.turned) - 180) < _TURN
    if upside_down:
        said.append(Message("upside down"))
    elif found.mirrored:
        said.append(Message("mirrored"))
    if abs(found.turned) > _TURN and not upside_down:
        said.append(Message("turned by {degrees}°", degrees=round(abs(found.turned))))
    if abs(found.stretched - 1) > _STRETCH:
        said.append(Message("stretched"))
    return said


def _coloured(found: Relation) -> list[Message]:
    """Describe how its light and colours differ."""
    if found.negative:
        return [Message("in negative")]
    if found.colour < _GREY:
        return [Message("grey")]
    said = []
    if abs(found.lighter) > _LIGHT:
        said.append(Message("lighter") if found.lighter > 0 else Message("darker"))
    if found.colour > 1 / _GREY:
        said.append(Message("in colour"))
    elif not _PALE < found.colour < _STRONG or found.hue_off > _HUE:
        said.append(Message("other colours"))
    return said
