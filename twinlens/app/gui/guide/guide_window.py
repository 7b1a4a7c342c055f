"""The guide window: a list of pages and keys at the left, the chosen page at the right, one field to search all.

Pictures of a page are as wide as its column, and the words searched for are highlighted.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Sequence

from markdown_it import MarkdownIt
from PySide6.QtCore import QSize, Qt, QUrl, Signal
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
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from twinlens.app.gui.actions.action import Action, attach, by_heading
from twinlens.app.gui.actions.declared_actions import dialog_actions
from twinlens.app.gui.lists.card import Card, CardLine
from twinlens.app.gui.lists.pick_list import PickList
from twinlens.app.gui.look.page_parts import STRETCH, EmptyState, column_of, label, row_of
from twinlens.app.gui.look.theme import grown, theme
from twinlens.app.guide import GuidePage, containing, read_guide_picture
from twinlens.app.language.texts import _

KEYS = "keys"
"""Name of the page of keys."""

_SIZE = QSize(1080, 760)
_MARGIN = 24


class GuideWindow(QDialog):
    """The window of the guide; the main window stays usable.

    Parameters
    ----------
    actions : sequence of Action
        The actions whose keys are listed.
    """

    def __init__(self, pages: Sequence[GuidePage], actions: Sequence[Action], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(_("Guide"))
        self.setAccessibleName(_("Guide"))
        self.setProperty("role", "sheet")
        self._pages = list(pages)
        self._text = PageText({key for action in actions for key in action.keys})
        self._keys = KeyList(actions)
        self._text.followed.connect(self.show_page)
        self._side = FilteredList(_("Guide"), _("What do you want to do?"), _("Pages"), self)
        self._side.sought.connect(lambda __: self._fill())
        self._side.chosen.connect(self._show)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._text)
        self._stack.addWidget(self._keys)
        self._nothing = EmptyState(_("No page and no key contains all of these words."))
        self._stack.addWidget(self._nothing)
        row_of(self._side, (self._stack, 1), on=self, gap=0, margins=0)
        attach(self, dialog_actions(), {"close guide": self.close})
        room = parent.window().size() if parent is not None else _SIZE
        self.resize(_SIZE.boundedTo(room - QSize(2 * _MARGIN, 2 * _MARGIN)))
        self._fill()
        self._side.setFocus()

    def show_page(self, name: str) -> None:
        """Show a page by its name, :data:`KEYS` for the keys; the filter is cleared if it hides the page."""
        if not self._side.choose(name):
            self._side.clear()
            self._side.choose(name)

    def listed(self) -> list[str]:
        """Return the names of the listed pages."""
        return self._side.names()

    def shown(self) -> str:
        """Return the name of the shown page; empty for none."""
        return self._side.current()

    def _fill(self) -> None:
        """List the pages that contain the words; the current page stays if it does."""
        words = self._side.words()
        keys = self._keys.narrow(words)
        rows = [(page.name, page.title) for page in containing(self._pages, words)]
        self._side.fill([*rows, *[(KEYS, _("Keys"))] * (keys > 0)])

    def _show(self) -> None:
        name, words = self.shown(), self._side.words()
        page = next((one for one in self._pages if one.name == name), None)
        if page is not None:
            self._text.show_page(page, words)
        self._stack.setCurrentWidget(self._text if page is not None else self._keys if name else self._nothing)


_WIDEST = 760  # pixels of a line of text: longer ones are hard to read
_PAGE_MARGIN = 32


class PageText(QTextBrowser):
    """The text of one page.

    Parameters
    ----------
    keys : collection of str
        Keys as Qt writes them, which are shown with this system's names.

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
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        )  # otherwise the width would depend on the height
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
    """Return all occurrences of words, to be highlighted."""
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
    """Return the style sheet of a page in the colours of the window, for a text size."""
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


class KeyList(QScrollArea):
    """The list of all keys, in two columns.

    Parameters
    ----------
    actions : sequence of Action
        The actions; ones without a key are left out.
    """

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self._actions = [one for one in actions if one.keys]
        self._shown: list[Action] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # words go on in the next line
        self.setAccessibleName(_("Keys"))
        self.narrow("")

    def shown(self) -> list[Action]:
        """Return the listed actions."""
        return list(self._shown)

    def narrow(self, words: str) -> int:
        """List the actions that match all words, and return their number."""
        sought = words.casefold().split()
        self._shown = [
            one
            for one in self._actions
            if all(word in f"{one.words} {one.heading} {one.keys_text()}".casefold() for word in sought)
        ]
        groups = by_heading(self._shown)
        columns: list[list[str]] = [[], []]
        heights = [0, 0]
        for heading, members in groups.items():
            shorter = 0 if heights[0] <= heights[1] else 1
            columns[shorter].append(heading)
            heights[shorter] += len(members) + 2
        sheet = QWidget()
        sheet.setProperty("role", "paper")
        row = row_of(on=sheet, gap=40, margins=(32, 24, 32, 24))
        for names in columns:
            column = column_of(gap=24)
            for name in names:
                column.addWidget(_group(name, groups[name]))
            column.addStretch()
            row.addLayout(column, 1)
        self.setWidget(sheet)
        return len(self._shown)


def _group(heading: str, members: Sequence[Action]) -> QWidget:
    widget = QWidget()
    grid = QGridLayout(widget)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(heading, "section"), 0, 0, 1, 2)
    for row, action in enumerate(members, 1):
        grid.addWidget(label(action.words, wrap=True), row, 0)
        caps = row_of(STRETCH, gap=4)
        for place, key in enumerate(action.keys):
            if place:
                caps.addWidget(label("/", "quiet"))
            caps.addWidget(_cap(key))
        grid.addLayout(caps, row, 1)
    return widget


def _cap(key: str) -> QLabel:
    shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    return label(shown or key, "key")


_WIDTH = 270


class FilteredList(QWidget):
    """A list of names, with a filter; the content of the current one is shown elsewhere.

    Parameters
    ----------
    title, asks, name : str
        The heading, the placeholder of the field, and the list's accessible name.
    window : QWidget
        Ctrl+F anywhere in it focuses the field.
    sought : str
        The text of the field has changed.
    chosen
        Another name is the current one, or none.
    """

    sought = Signal(str)
    chosen = Signal()

    def __init__(self, title: str, asks: str, name: str, window: QWidget) -> None:
        super().__init__()
        self._field = QLineEdit()
        self._field.setPlaceholderText(asks)
        self._field.setAccessibleName(asks)
        self._field.setClearButtonEnabled(True)
        self._field.textChanged.connect(self.sought)
        self._list: PickList[tuple[str, str]] = PickList(name, lambda one: one[0], _card)
        self._list.follow(self._field)
        self._list.chosen_changed.connect(self.chosen)
        self.setFixedWidth(grown(_WIDTH))
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusProxy(self._field)
        column_of(label(title, "title"), self._field, (self._list, 1), on=self, gap=12, margins=(16, 20, 16, 12))
        attach(window, dialog_actions(), {"find": self._field.setFocus})

    def fill(self, rows: Sequence[tuple[str, str]]) -> None:
        """List names, each with its shown text; the current one stays, or else is the first."""
        before = self.current()
        self._list.show_rows(rows)
        if self.current() != before or not before:
            self._list.go_to(0)
        self.chosen.emit()

    def names(self) -> list[str]:
        """Return the listed names."""
        return [name for name, _text in self._list.rows()]

    def current(self) -> str:
        """Return the current name; empty for none."""
        return next((name for name, _text in self._list.chosen()), "")

    def choose(self, name: str) -> bool:
        """Make a name the current one, if it is listed."""
        names = self.names()
        if name in names:
            self._list.go_to(names.index(name))
        return name in names

    def words(self) -> str:
        """Return the text of the field."""
        return self._field.text()

    def clear(self) -> None:
        """Empty the field."""
        self._field.clear()


def _card(one: tuple[str, str]) -> Card:
    return Card(CardLine(one[1], "ink"), one[1])
