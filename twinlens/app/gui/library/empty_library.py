"""The page of an empty library: what Twinlens is for, and one folder that is offered with its photographs.

The person's own folder of pictures is counted and offered by itself; a folder that was chosen or dropped takes its
place. Everything has its room from the beginning, so that nothing jumps when the count and the estimate arrive.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.look.labels import on_button
from twinlens.app.gui.look.page_parts import STRETCH, ThinBar, button, column_of, command_button, label, surface
from twinlens.app.gui.services.adding_photos import AdditionOffer
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n, text
from twinlens.core.message import duration

_WIDE_PX = 640


def pictures_folder() -> Path | None:
    """Return the person's folder of pictures, as the system names it; None if there is none of its own."""
    named = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
    folder = Path(named)
    return folder if named and folder.is_dir() and folder.resolve() != Path.home().resolve() else None


class EmptyLibraryPage(QWidget):
    """The page of an empty library.

    Parameters
    ----------
    on_this_machine : bool
        Whether the library is a file.
    """

    add_wanted = Signal()
    """The offered folder is to be added."""
    choose_wanted = Signal()
    """Another folder is to be chosen."""

    def __init__(self, on_this_machine: bool) -> None:
        super().__init__()
        surface(self, "ground")
        purpose = self._line(_("Twinlens finds copies and look-alikes among your photos."), "loud")
        self._state = self._line("", "empty")
        self._bar = ThinBar()
        self._bar.setFixedWidth(_WIDE_PX // 3)
        self._add = button("", _("Add"), role="primary")
        self._add.clicked.connect(self.add_wanted)
        self._cost = self._line("", "quiet")
        self._other = command_button(_("Another folder…"), window_actions()["add"])
        self._other.clicked.connect(self.choose_wanted)
        for held in (self._add, self._other):
            policy = held.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            held.setSizePolicy(policy)
        stays = _("They stay where they are, and nothing leaves this machine.")
        goes = _("They stay where they are. What is known of them goes to the server.")
        centre, middle = Qt.AlignmentFlag.AlignHCenter, QWidget()
        middle.setFixedWidth(_WIDE_PX)
        column_of(
            purpose,
            8,
            self._state,
            (self._bar, centre),
            (self._add, centre),
            self._cost,
            8,
            (self._other, centre),
            16,
            self._line(stays if on_this_machine else goes, "help"),
            on=middle,
            gap=8,
            margins=0,
        )
        column_of((STRETCH, 2), (middle, centre), (STRETCH, 3), on=self, gap=0, margins=24)
        self.setAccessibleName(purpose.text())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show_nothing()

    def _line(self, words: str, role: str) -> QLabel:
        made = label(words, role, wrap=True)
        made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        return made

    def show_nothing(self, folder: str = "") -> None:
        """Ask for a folder, since none is known, or since ``folder`` has no photographs."""
        nothing = _("There are no photos in “{folder}”.", folder=folder)
        self._show(nothing if folder else _("Choose the folder with your photos, or drop it here."))
        self._other.setProperty("role", "primary")
        self._name_other(_("Another folder…") if folder else _("Choose a folder…"))
        self._focus(self._other)

    def show_counting(self, folder: str, photographs: int, chosen: bool) -> None:
        """Show that a folder is looked through; one that the person has chosen stands alone."""
        found = _n("{count} photo so far", "{count} photos so far", photographs) if photographs else ""
        self._show(_("Looking through “{folder}”…", folder=folder), found, works=True, others=not chosen)

    def show_offer(self, folder: str, photographs: int, cost: str) -> None:
        """Offer a folder with its photographs, and their cost once it is known."""
        self._show("", cost)
        words = _n(
            "Add the {count} photo of “{folder}”", "Add the {count} photos of “{folder}”", photographs, folder=folder
        )
        self._add.setText(on_button(words))
        self._add.setAccessibleName(words)
        self._add.show()
        self._focus(self._add)

    def show_adding(self) -> None:
        """Show that photographs are being added."""
        self._show(_("The first photos appear here in a moment."), works=True, others=False)

    def _show(self, state: str, cost: str = "", works: bool = False, others: bool = True) -> None:
        self._state.setText(state)
        self._cost.setText(cost)
        self._bar.setRange(0, 0 if works else 1)
        self._bar.setVisible(works)
        held = self.window().focusWidget()
        self._add.hide()
        self._name_other(_("Another folder…"))
        self._other.setProperty("role", None)
        if held in (self._add, self._other):
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # that button may not be the next step any more
        self._other.setVisible(others)
        for one in (self._other, self._add):
            one.style().polish(one)

    def _name_other(self, words: str) -> None:
        self._other.setText(words)
        self._other.setAccessibleName(words)

    def _focus(self, wanted: QPushButton) -> None:
        wanted.style().polish(wanted)
        if self.hasFocus():
            wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Give the focus to the button of the next step."""
        super().focusInEvent(event)
        for wanted in (self._add, self._other):
            if wanted.property("role") == "primary" and not wanted.isHidden():
                wanted.setFocus(Qt.FocusReason.OtherFocusReason)


class FirstPhotographs(QObject):
    """Controller of the page: proposes the folder of pictures, and follows what is offered or added.

    Parameters
    ----------
    proposed : callable
        Returns the folder to propose, or None.
    """

    def __init__(self, workspace: Workspace, proposed: Callable[[], Path | None] = pictures_folder) -> None:
        super().__init__(workspace)
        self._adding, self._work = workspace.adding, workspace.work
        self._own, self._writable = proposed(), workspace.opened.library.store.writable
        self._offer: AdditionOffer | None = None
        self.page = EmptyLibraryPage(workspace.opened.address.is_file)
        self.page.add_wanted.connect(self._adding.agree)
        self.page.choose_wanted.connect(workspace.taking.choose_folder)
        self._adding.looked.connect(self._on_looked)
        self._adding.counting.connect(self._on_counting)
        self._work.working.connect(self._on_working)

    def begin(self) -> None:
        """Offer the folder of pictures, or show what is being added."""
        self._on_working(self._work.busy())

    def _on_looked(self, offer: AdditionOffer | None) -> None:
        if offer is None and self._adding.is_adding():
            self.page.show_adding()  # what was offered is so again where it is stopped before the first photograph
            return
        self._offer = offer
        if offer is None:
            self.page.show_nothing()
        elif offer.count is None:
            self._on_counting(0)
        elif not offer.count.files:
            own = self._own is not None and list(offer.folders) == [self._own]
            self.page.show_nothing("" if own else offer.names)
        else:
            cost = _("Estimating how long it takes…")
            if offer.cost is not None:
                cost = _("It takes about {time}.", time=text(duration(offer.cost.seconds)))
            self.page.show_offer(offer.names, offer.count.files, cost)

    def _on_counting(self, photographs: int) -> None:
        if self._offer is not None and self._offer.count is None:
            chosen = list(self._offer.folders) != [self._own]
            self.page.show_counting(self._offer.names, photographs, chosen)

    def _on_working(self, works: bool) -> None:
        """Follow the work: what was stopped before anything was added is offered again."""
        if self._adding.is_adding():
            self.page.show_adding()
        elif not works and not self.page.isHidden():
            if self._offer is not None:
                self._adding.propose(self._offer.folders)
            elif self._own is not None and self._writable:
                self._adding.propose([self._own])
            else:
                self.page.show_nothing()
