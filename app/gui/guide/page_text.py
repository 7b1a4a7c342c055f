"""Text of a page of the guide, with its pictures as wide as the column and the words sought marked."""

from __future__ import annotations

import html
import re
from collections.abc import Collection

from markdown_it import MarkdownIt
from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QKeySequence,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from app.gui.look.theme import theme
from app.guide.pages import GuidePage, read_guide_picture
from app.language.spoken import _

_WIDEST = 760  # pixels of a line of text: longer ones are hard to read
_PAGE_MARGIN = 32


class PageText(QTextBrowser):
    """Shows one page.

    Parameters
    ----------
    keys : collection of str
        Keys as Qt writes them, which are shown as this system calls them.

    Attributes
    ----------
    followed : Signal(str)
        A link to another page, by its name.
    """

    followed = Signal(str)

    def __init__(self, keys: Collection[str] = ()) -> None:
        super().__init__()
        self._keys_known = frozenset(keys)
        self.setAccessibleName(_("Guide"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setProperty("role", "paper")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # or the width would depend on the height
        self.anchorClicked.connect(self._on_link)
        self._page: GuidePage | None = None
        self._words = ""

    def show_page(self, page: GuidePage, words: str = "") -> None:
        """Show a page from its beginning, with some words marked."""
        self._page, self._words = page, words
        self._render()
        self.verticalScrollBar().setValue(0)
        if found := self.extraSelections():
            first = min((one.cursor for one in found), key=QTextCursor.position)
            self.setTextCursor(QTextCursor(first.block()))
            self.ensureCursorVisible()

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 (Qt's name)
        """Return a picture of the guide, as wide as the column."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        image = QImage.fromData(read_guide_picture(QUrl(name).fileName()))
        ratio = self.devicePixelRatioF()
        width = min(round(self._column() * ratio), image.width())
        image = image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(ratio)
        return image

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit text and pictures into the width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            place = self.verticalScrollBar()
            share = place.value() / max(place.maximum(), 1)
            self._render()
            place.setValue(round(share * place.maximum()))

    def _column(self) -> int:
        return max(200, min(_WIDEST, self.viewport().width() - 2 * _PAGE_MARGIN))

    def _render(self) -> None:
        if self._page is None:
            return
        beside = max(_PAGE_MARGIN, (self.viewport().width() - self._column()) // 2)
        document = self.document()
        document.setDefaultStyleSheet(_rules(self.font().pointSizeF()))
        made = MarkdownIt("commonmark").enable("table").render(self._page.text)
        made = re.sub(r"<code>([^<]+)</code>", self._told_key, made)
        made = made.replace("\n</code></pre>", "</code></pre>")
        self.setHtml(made.replace("<p><img", '<p class="picture"><img'))
        root = document.rootFrame()
        shape = root.frameFormat()
        shape.setLeftMargin(beside)
        shape.setRightMargin(beside)
        shape.setTopMargin(_PAGE_MARGIN - 8)
        shape.setBottomMargin(_PAGE_MARGIN)
        root.setFrameFormat(shape)
        self.setExtraSelections(_marked(document, self._words))

    def _told_key(self, found: re.Match[str]) -> str:
        key = found[1]
        shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if key in self._keys_known else ""
        return f"<code>{html.escape(shown or key)}</code>"

    def _on_link(self, url: QUrl) -> None:
        if url.scheme():
            QDesktopServices.openUrl(url)
        else:
            self.followed.emit(url.fileName().removesuffix(".md"))


def _marked(document: QTextDocument, words: str) -> list[QTextEdit.ExtraSelection]:
    """Return every place of some words, to be marked."""
    colour = QColor(theme().accent)
    colour.setAlpha(70)
    found: list[QTextEdit.ExtraSelection] = []
    for word in words.split():
        cursor = document.find(word)
        while not cursor.isNull():
            place = QTextEdit.ExtraSelection()
            place.cursor = cursor
            place.format = QTextCharFormat()
            place.format.setBackground(colour)
            found.append(place)
            cursor = document.find(word, cursor)
    return found


def _rules(points: float) -> str:
    """Write the style of a page in the colours of the window, for text of some size."""
    now = theme()
    return f"""
        h1 {{ font-size: {1.7 * points:.1f}pt; font-weight: 600; margin: 0 0 10px 0; }}
        h2 {{ font-size: {1.2 * points:.1f}pt; font-weight: 600; margin: 22px 0 6px 0; }}
        p, li {{ line-height: 135%; margin: 8px 0; }}
        p.picture {{ line-height: 100%; margin: 14px 0; }}
        a {{ color: {now.accent}; text-decoration: none; }}
        code {{ background: {now.well}; }}
        pre {{ background: {now.well}; margin: 8px 0; }}
        th, td {{ padding: 6px 10px; border: 1px solid {now.line}; text-align: left; }}
        table {{ border-collapse: collapse; margin: 8px 0; }}
    """
