"""The filters of the window: date, camera, shape, marks and folder, and the popups in which values are chosen.

The popup list shows counts, is searched by typing, and is never larger than the screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QSizePolicy,
    QWidget,
)

from twinlens.app.gui.actions.action import give_key
from twinlens.app.gui.actions.declared_actions import dialog_actions, search_actions
from twinlens.app.gui.lists.pick_list import ChoiceList, InputField, ListChoice
from twinlens.app.gui.look.buttons import Link, Pill, QuietButton
from twinlens.app.gui.look.labels import ElidedLine, Heading, Sentence, on_button
from twinlens.app.gui.look.page_parts import STRETCH, column_of, row_of, set_role, surface
from twinlens.app.gui.look.theme import Sign
from twinlens.app.language.text_folding import NO_CAMERA
from twinlens.app.language.texts import _
from twinlens.core.date_taken import is_date

_FILTER_KEYS = (
    "since",
    "until",
    "camera",
    "orientation",
    "rating",
    "label",
    "pick",
    "near",
    "within",
    "marked",
    "shows",
    "folder",
)
_DISTANCES = ("100m", "1km", "10km", "100km")
_ROW = 32
_SOON_MS = 250


class FilterPanel(QWidget):
    """The form of the filters; empty ones do not count.

    Parameters
    ----------
    with_folder : bool
        Whether to offer a field for a folder, where there is no tree of folders.
    changed(dict)
        The set ones of ``since``, ``until``, ``camera``, ``orientation``, ``rating``, ``label``, ``pick``, ``near``,
        ``within``, ``marked``, ``shows`` and ``folder``, as text.
    """

    changed = Signal(dict)

    def __init__(self, parent: QWidget | None = None, with_folder: bool = False) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(_("Narrow down"))
        self._set: dict[str, str] = {}
        self._cameras: list[tuple[str, int]] = []
        self._years: list[str] = []
        self._concepts: list[tuple[str, str, int]] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._on_folder)
        self._clear = Link(_("clear"))
        give_key(self._clear, search_actions()["all"])
        self._clear.clicked.connect(self.clear)
        self._date = ChoiceRow()
        self._camera = ChoiceRow()
        self._orientation = ChoiceRow()
        self._rating = ChoiceRow()
        self._picked = ChoiceRow()
        self._near = ChoiceRow()
        self._place = ""
        self._marked = ChoiceRow()
        self._shows = ChoiceRow()
        self._folder = InputField(_("Any folder"), _("Folder"))
        self._date.clicked.connect(self._open_dates)
        self._camera.clicked.connect(self._open_cameras)
        self._orientation.clicked.connect(self._open_orientations)
        self._rating.clicked.connect(lambda: self._open(self._rating, "rating", self._ratings()))
        self._picked.clicked.connect(self._open_picks)
        self._near.clicked.connect(self._open_near)
        self._marked.clicked.connect(lambda: self._open(self._marked, "marked", self._marks()))
        self._shows.clicked.connect(self._open_concepts)
        self._folder.textEdited.connect(lambda __: self._soon.start())
        self._folder.editingFinished.connect(self._on_folder)
        heading = Heading(_("Narrow down"))
        heading.setWordWrap(False)
        top = row_of((heading, 1), self._clear, margins=0)
        column_of(
            top,
            4,
            self._shows,
            self._date,
            self._camera,
            self._orientation,
            self._rating,
            self._picked,
            self._near,
            self._marked,
            4,
            self._folder,
            on=self,
            gap=0,
            margins=0,
        )
        self._folder.setVisible(with_folder)
        self._write()

    # --- content -----------------------------------------------------------------------------------------------------

    def set_cameras(self, cameras: Sequence[tuple[str, int]]) -> None:
        """Offer cameras with their numbers of photographs."""
        self._cameras = list(cameras)

    def set_years(self, years: Sequence[str]) -> None:
        """Offer years."""
        self._years = list(years)

    def set_concepts(self, concepts: Sequence[tuple[str, str, int]]) -> None:
        """Offer what photographs show: the value of the filter, its name for people, and the number of photographs."""
        self._concepts = list(concepts)
        self._write()

    def set_place(self, place: str) -> None:
        """Offer the photographs near a place, latitude and longitude of the current one; nothing where it has none."""
        self._place = place
        self._write_near()

    def narrow_to_place(self, near: str) -> None:
        """Narrow to the photographs near a place, or near that of a photograph, as #12."""
        self._change({"near": near, "within": _DISTANCES[1]})

    def filters(self) -> dict[str, str]:
        """Return the set filters."""
        return dict(self._set)

    def set_filters(self, filters: dict[str, str]) -> None:
        """Show filters without a signal."""
        self._set = {key: filters[key] for key in _FILTER_KEYS if filters.get(key)}
        self._write()

    def clear(self) -> None:
        """Clear all filters."""
        self._change(dict.fromkeys(_FILTER_KEYS, ""))

    def _change(self, to: dict[str, str]) -> None:
        before = self._set
        self._set = {key: value for key in _FILTER_KEYS if (value := {**before, **to}.get(key, ""))}
        self._write()
        if self._set != before:
            self.changed.emit(self.filters())

    def _write(self) -> None:
        since, until = self._set.get("since", ""), self._set.get("until", "")
        date = _("Any date")
        if since and until:
            date = since if since == until else f"{since} – {until}"
        elif since:
            date = _("Since {date}", date=since)
        elif until:
            date = _("Until {date}", date=until)
        self._date.show_choice(date, bool(since or until), _("Date"))
        camera = self._set.get("camera", "")
        self._camera.show_choice(camera_words(camera) or _("Any camera"), bool(camera), _("Camera"))
        orientation = self._set.get("orientation", "")
        shown = self._orientations().get(orientation, orientation)
        self._orientation.show_choice(shown, bool(orientation), _("Orientation"))
        rating = self._set.get("rating", "")
        self._rating.show_choice(self._ratings().get(rating, rating), bool(rating), _("Stars"))
        pick, label = self._set.get("pick", ""), self._set.get("label", "")
        noted = self._picks().get(pick, pick) if pick else self._labels().get(label, label) if label else ""
        self._picked.show_choice(noted or _("Any pick or label"), bool(noted), _("Picks and labels"))
        self._write_near()
        marked = self._set.get("marked", "")
        self._marked.show_choice(self._marks().get(marked, marked), bool(marked), _("Marks"))
        shows = self._set.get("shows", "")
        names = {value: name for value, name, _count in self._concepts}
        self._shows.show_choice(names.get(shows, shows) or _("Any subject"), bool(shows), _("Subject"))
        self._shows.setVisible(bool(self._concepts or shows))
        if self._folder.text().strip() != self._set.get("folder", ""):
            self._folder.setText(self._set.get("folder", ""))
        # Its room stays, so that nothing jumps when the first filter is set.
        self._clear.setEnabled(bool(self._set))
        policy = self._clear.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._clear.setSizePolicy(policy)
        self._clear.setVisible(bool(self._set))

    def _write_near(self) -> None:
        near, within = self._set.get("near", ""), self._set.get("within") or _DISTANCES[1]
        words = _("Within {distance}", distance=_distance(within)) if near else _("Any place")
        self._near.show_choice(words, bool(near), _("Place"))
        self._near.setVisible(bool(self._place or near))

    def _orientations(self) -> dict[str, str]:
        return {
            "": _("Any shape"),
            "landscape": _("Landscape only"),
            "portrait": _("Portrait only"),
            "square": _("Square only"),
        }

    def _ratings(self) -> dict[str, str]:
        fewer = {str(stars): _("{stars} or more", stars="★" * stars) for stars in range(1, 5)}
        return {"": _("Any stars"), **fewer, "5": "★★★★★"}

    def _picks(self) -> dict[str, str]:
        return {"favourite": _("Favourites only"), "picked": _("Picked only"), "rejected": _("Rejected only")}

    def _labels(self) -> dict[str, str]:
        return {
            "Red": _("Red label"),
            "Yellow": _("Yellow label"),
            "Green": _("Green label"),
            "Blue": _("Blue label"),
            "Purple": _("Purple label"),
        }

    def _marks(self) -> dict[str, str]:
        return {
            "": _("Any mark"),
            "any": _("Marked only"),
            "similar": _("Marked similar only"),
            "different": _("Marked different only"),
        }

    # --- choosing ----------------------------------------------------------------------------------------------------

    def _open_cameras(self) -> None:
        each = [ListChoice(name, camera_words(name), count) for name, count in self._cameras]
        offered = [ListChoice("", _("Any camera")), *each]
        popup = ChoiceList(_("Camera"), offered, self._set.get("camera", ""), self)
        popup.chosen.connect(lambda camera: self._change({"camera": camera}))
        popup.open(self._camera)

    def _open_concepts(self) -> None:
        each = [ListChoice(value, name, count) for value, name, count in self._concepts]
        offered = [ListChoice("", _("Any subject")), *each]
        popup = ChoiceList(_("Subject"), offered, self._set.get("shows", ""), self)
        popup.chosen.connect(lambda shows: self._change({"shows": shows}))
        popup.open(self._shows)

    def _open_orientations(self) -> None:
        self._open(self._orientation, "orientation", self._orientations())

    def _open_picks(self) -> None:
        none = {"pick": "", "label": ""}
        each = {words: {**none, "pick": pick} for pick, words in self._picks().items()}
        each |= {words: {**none, "label": label} for label, words in self._labels().items()}
        self._open_changes(self._picked, {_("Any pick or label"): none, **each})

    def _open_near(self) -> None:
        near = self._set.get("near", "") or self._place
        each = {
            _("Within {distance} of this photo", distance=_distance(one)): {"near": near, "within": one}
            for one in _DISTANCES
        }
        self._open_changes(self._near, {_("Any place"): {"near": "", "within": ""}, **each})

    def _open(self, row: ChoiceRow, key: str, offered: dict[str, str]) -> None:
        self._open_changes(row, {words: {key: value} for value, words in offered.items()})

    def _open_changes(self, row: ChoiceRow, offered: dict[str, dict[str, str]]) -> None:
        """Open a menu of changes of the filters by their words."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        for words, to in offered.items():
            action = menu.addAction(on_button(words))
            action.setCheckable(True)
            action.setChecked(all(value == self._set.get(key, "") for key, value in to.items()))
            group.addAction(action)
            action.triggered.connect(lambda __=False, to=to: self._change(to))
            if action.isChecked():
                menu.setActiveAction(action)
        menu.setMinimumWidth(row.width())
        menu.popup(row.mapToGlobal(QPoint(0, row.height() + 2)))

    def _open_dates(self) -> None:
        popup = DatePopup(self._set.get("since", ""), self._set.get("until", ""), self._years, self)
        popup.dates_chosen.connect(lambda since, until: self._change({"since": since, "until": until}))
        popup.move(self._date.mapToGlobal(QPoint(0, self._date.height() + 2)))
        popup.show()
        popup.since.setFocus()

    def _on_folder(self) -> None:
        self._soon.stop()
        self._change({"folder": self._folder.text().strip()})


def _distance(written: str) -> str:
    """Write a distance for people: ``10 km``."""
    return written.replace("km", " km") if "km" in written else written.replace("m", " m")


def camera_words(camera: str) -> str:
    """Return the shown name of a camera."""
    return _("Unknown camera") if camera == NO_CAMERA else camera


class ChoiceRow(QuietButton):
    """A flat row that shows a choice and opens it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="row", parent=parent)
        self._words = ElidedLine()
        self._words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row_of((self._words, 1), Sign("opens", 14), on=self, margins=(8, 0, 10, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_choice(self, words: str, chosen: bool, name: str) -> None:
        """Show a choice; ``name`` is the filter."""
        self.setText(words)
        self._words.setText(words)
        set_role(self._words, "chosen" if chosen else "")
        self.setAccessibleName(f"{name}: {words}")
        self.setToolTip(f"{name}: {words}")

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of a row."""
        return QSize(160, _ROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Open with Down too."""
        if event.key() == Qt.Key.Key_Down:
            self.click()
        else:
            super().keyPressEvent(event)


_YEARS = 16  # years offered at most


class DatePopup(QFrame):
    """The popup of dates: from and to, each a year, a month or a day, with years to click.

    Signals
    -------
    dates_chosen(str, str)
        Either may be empty.
    """

    dates_chosen = Signal(str, str)

    def __init__(self, since: str, until: str, years: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it has no other effect
        self.setAccessibleName(_("Dates"))
        self.since = InputField(_("from"), _("From date"))
        self.until = InputField(_("to"), _("To date"))
        self.since.setText(since)
        self.until.setText(until)
        self.words = Sentence()
        column = column_of(on=self, gap=8, margins=16)
        row = row_of(gap=8)
        for field in (self.since, self.until):
            row.addWidget(field)
            field.returnPressed.connect(self.take)
            field.textEdited.connect(lambda __: self._say())
        column.addLayout(row)
        column.addWidget(self.words)
        grid = QGridLayout()
        grid.setSpacing(8)
        for at, year in enumerate(years[:_YEARS]):
            pill = Pill(year, _("The year {year}", year=year))
            pill.clicked.connect(lambda __=False, year=year: self._on_year(year))
            grid.addWidget(pill, at // 4, at % 4)
        column.addLayout(grid)
        any_date = Link(_("Any date"))
        any_date.clicked.connect(lambda: self._choose("", ""))
        take = Pill(_("Narrow down"))
        give_key(take, dialog_actions()["dates"])
        take.clicked.connect(self.take)
        column.addLayout(row_of(any_date, STRETCH, take))
        self.setFixedWidth(304)
        self._say()

    def take(self) -> None:
        """Apply the dates, if both are valid."""
        since, until = self._written()
        if all(is_date(date) for date in (since, until) if date):
            self._choose(since, until)
        else:
            self._say()

    def _written(self) -> tuple[str, str]:
        return self.since.text().strip(), self.until.text().strip()

    def _say(self) -> None:
        wrong = next((date for date in self._written() if date and not is_date(date)), None)
        if wrong is None:
            self.words.say(_("A year, a month or a day: 2023, 2023-05, 2023-05-14"))
        else:
            self.words.say(_("**{date}** is not a date. Write 2023, 2023-05 or 2023-05-14.", date=wrong))

    def _on_year(self, year: str) -> None:
        self._choose(year, year)

    def _choose(self, since: str, until: str) -> None:
        self.close()
        self.dates_chosen.emit(since, until)


_VALUE = Qt.ItemDataRole.UserRole
_MOVING_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
