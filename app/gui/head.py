"""The head of the window: what was asked and where, and one line of timing and truth."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.results import IndexListResult

_QUERY = QSize(72, 72)


class Head(QWidget):
    """Shows the library's size, or the query; its height is the same for both, so that nothing jumps."""

    back_requested = Signal()
    add_requested = Signal()
    index_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._back = _button("Library", "Back to the library", "Esc")
        self._back.clicked.connect(self.back_requested)
        self._query = QLabel()
        self._query.setObjectName("query")
        self._query.setAccessibleName("What is asked")
        self._query.setFixedSize(_QUERY)
        self._query.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = _label("title")
        self._timing = _label("timing")
        self._indexes = QComboBox()
        self._indexes.setAccessibleName("Index")
        self._indexes.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._indexes.activated.connect(self._on_activated)
        adding = _button("Add a folder…", "Add a folder of photographs", "Ctrl+O")
        adding.clicked.connect(self.add_requested)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._title)
        top.addWidget(self._indexes)
        top.addStretch()
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addLayout(top)
        words.addWidget(self._timing)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(16)
        row.addWidget(self._back)
        row.addWidget(self._query)
        row.addLayout(words, 1)
        row.addWidget(adding)
        self.setFixedHeight(_QUERY.height() + 16)

    def index(self) -> str:
        """Give the name of the chosen index."""
        return str(self._indexes.currentData() or "Automatic")

    def show_indexes(self, result: IndexListResult) -> None:
        """Offer indexes; the chosen one stays."""
        current = self._indexes.currentData()
        self._indexes.clear()
        for place, index in enumerate(result.indexes):
            self._indexes.addItem(index.name, index.name)
            self._indexes.setItemData(place, index.text, Qt.ItemDataRole.ToolTipRole)
        self._indexes.setCurrentIndex(max(0, self._indexes.findData(current)))

    def show_library(self, count: int) -> None:
        """Say how many photographs there are."""
        self._show_asked(False)
        self._title.setText("1 photograph" if count == 1 else f"{count:,} photographs")
        self._timing.setText("Enter finds the look-alikes of the one you chose." if count else "")

    def show_query(self, name: str, timing: str) -> None:
        """Say what is asked, and what it took."""
        self._show_asked(True)
        self._title.setText(f"Like {name}, in")
        self._timing.setText(timing)
        self._query.clear()

    def show_image(self, image: bytes) -> None:
        """Show the picture that is asked with."""
        pixmap = QPixmap()
        if pixmap.loadFromData(image):
            inner = _QUERY - QSize(8, 8)
            smooth = Qt.TransformationMode.SmoothTransformation
            self._query.setPixmap(pixmap.scaled(inner, Qt.AspectRatioMode.KeepAspectRatio, smooth))

    def _show_asked(self, asked: bool) -> None:
        for widget in (self._back, self._query, self._indexes):
            widget.setVisible(asked)

    def _on_activated(self) -> None:
        self.index_chosen.emit(self.index())


def _button(text: str, name: str, key: str) -> QPushButton:
    button = QPushButton(text)
    button.setAccessibleName(name)
    button.setToolTip(f"{name} ({key})")
    return button


def _label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
