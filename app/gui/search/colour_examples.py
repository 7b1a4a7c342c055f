"""Palettes, sketches and words among the examples of a query, as the window shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from app.gui.look.images import image_of, png_of
from app.gui.look.theme import theme
from app.gui.search.example import ShownExample
from app.language.spoken import _

if TYPE_CHECKING:
    from app.search.question import Example, SearchQuery

_SIDE = 96


def is_palette(example: Example) -> bool:
    """Return whether an example is a palette."""
    return hasattr(example.picture, "colours")  # without an import that is slow


def has_colours_alone(example: Example) -> bool:
    """Return whether an example is a palette or a sketch, which need an index of colours."""
    return example.sketch or is_palette(example)


def uses_colours(question: SearchQuery) -> bool:
    """Return whether a palette or a sketch is among the examples."""
    return any(has_colours_alone(one) for one in question.examples)


def example_words(example: Example) -> str:
    """Return the words of an example; empty where it is none."""
    text = getattr(example.picture, "text", "")  # likewise; that of a palette is a function
    return text if isinstance(text, str) else ""


def uses_words(question: SearchQuery) -> bool:
    """Return whether words are among the examples."""
    return any(example_words(one) for one in question.examples)


def drawn_example(example: Example) -> ShownExample | None:
    """Draw a palette, a sketch or words; return None for a photograph or a file."""
    picture: Any = example.picture
    if words := example_words(example):
        return ShownExample(words, png_of(_words_card(words)), example.weight, words=True)
    if example.sketch and isinstance(picture, bytes):
        name = _("Sketch")
        return ShownExample(name, picture, example.weight, colours=True)
    if not is_palette(example):
        return None
    name = _("Palette")
    return ShownExample(name, png_of(image_of(picture.picture(_SIDE, _SIDE))), example.weight, colours=True)


def _words_card(words: str) -> QImage:
    """Write words on a card."""
    now, side = theme(), 2 * _SIDE
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(QColor(now.well))
    painter = QPainter(image)
    font = QFont()
    font.setPixelSize(side // 6)
    painter.setFont(font)
    painter.setPen(QColor(now.ink))
    room = image.rect().adjusted(8, 8, -8, -8)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
    painter.end()
    return image


def can_be_remembered(question: SearchQuery) -> bool:
    """Return whether all of a query can be kept in the history."""
    from app.search.question import can_be_kept

    return all(can_be_kept(one) for one in question.examples)
