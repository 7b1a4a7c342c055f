"""The search with words: the field in which a person types them, and the control that searches with them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from twinlens.app.gui.actions.action import attach, press
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.look.labels import Sentence
from twinlens.app.gui.look.page_parts import column_of, surface
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.search.window_search import example_words
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, current_language

_WIDTH = 360
_LONGEST = 1_000  # signs, as a query takes them


class WordsField(QFrame):
    """The field, which closes when something else is pressed.

    Parameters
    ----------
    words : str
        The words of the present query.
    adds : bool
        Whether the query has pictures, to which words can be added.
    wanted(str, bool)
        The words, and whether they are added to the query.
    """

    wanted = Signal(str, bool)

    def __init__(self, words: str, adds: bool, over: QWidget) -> None:
        super().__init__(over, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it opens nothing
        self.setAccessibleName(_("Search with words"))
        self.setFixedWidth(grown(_WIDTH))
        self._adds = adds
        self._line = QLineEdit(words)
        self._line.setAccessibleName(_("Describe what you look for"))
        self._line.setPlaceholderText(_("Describe what you look for"))
        self._line.setMaxLength(_LONGEST)
        self._line.selectAll()
        self._line.returnPressed.connect(self._take)
        hint = Sentence()
        if adds:
            hint.say(_("Enter searches. Shift+Enter adds the words to these pictures."))
        else:
            hint.say(_("For example: a dog on a beach"))
        column_of(self._line, hint, on=self, gap=8, margins=16)
        self.setFocusProxy(self._line)
        attach(self, window_actions(), {"leave": self.close})

    def open_at(self, place: QPoint) -> None:
        """Open at a place of the screen."""
        self.move(place)
        self.show()
        self._line.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Do what a key means here."""
        if not press(self, event):
            super().keyPressEvent(event)

    def _take(self) -> None:
        shift = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        if words := self._line.text().strip():
            self.close()
            self.wanted.emit(words, self._adds and bool(shift))


class WordsControl(QObject):
    """Opens the field, and searches with what is typed."""

    def __init__(self, searching: SearchControl, window: Workspace) -> None:
        super().__init__(window)
        self._searching, self._window = searching, window
        searching.view.words_wanted.connect(self.open)

    def open(self) -> WordsField:
        """Open the field with the present words."""
        self._window.show_view("search")
        query = self._searching.query
        examples = () if query is None else query.examples
        words = next((words for one in examples if (words := example_words(one))), "")
        field = WordsField(words, bool(examples) and not words, self._searching.view)
        field.wanted.connect(self._search)
        field.open_at(self._searching.view.words_place())
        return field

    def _search(self, words: str, adds: bool) -> None:
        """Search with words: in place of earlier ones, beside the pictures, or alone."""
        from twinlens.app.search.search_query import Example, SearchQuery, read_phrase

        phrase = read_phrase(words, current_language())
        query = self._searching.query
        examples = () if query is None else query.examples
        place = next((number for number, one in enumerate(examples) if example_words(one)), None)
        if place is not None:
            changed = replace(examples[place], picture=phrase)
            self._searching.search(SearchQuery((*examples[:place], changed, *examples[place + 1 :])))
        else:
            self._searching.search(SearchQuery((*(examples if adds else ()), Example(phrase))))
