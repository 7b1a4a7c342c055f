"""Text from outside (names, folders, cameras, messages of errors) as the widgets show it: letter by letter.

Qt guesses from the words whether a label or a tooltip is HTML, and takes an ampersand in a button or a menu for a
shortcut. The guess is switched off for the whole program, by :data:`PLAIN_TEXT` in its style sheet. A widget that
needs rich text is a :class:`RichLabel`, and escapes what it is given; a button or an action takes :func:`on_button`.
"""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

PLAIN_TEXT = """
    QLabel { qproperty-textFormat: PlainText; }
    QToolTip { qproperty-textFormat: PlainText; }
    RichLabel { qproperty-textFormat: RichText; }
"""
"""Rules of style: every label and tooltip shows plain text, a `RichLabel` alone shows rich text."""


class RichLabel(QLabel):
    """A label for rich text of our own. Escape every other text in it (`html.escape`)."""


def on_button(text: str) -> str:
    """Return a text as the label of a button or an action that shows its ampersands.

    Examples
    --------
    >>> on_button("Tom & Jerry")
    'Tom && Jerry'
    """
    return text.replace("&", "&&")
