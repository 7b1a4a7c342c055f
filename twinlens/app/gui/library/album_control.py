"""Changes of albums in the window: photographs added and removed, albums made, renamed and deleted, all undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from twinlens.app.gui.lists.card import Card, CardLine
from twinlens.app.gui.lists.pick_list import PickList
from twinlens.app.gui.look.page_parts import column_of
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.text_folding import folded
from twinlens.app.language.texts import _, _n, number
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.library.browsing.albums import Album, AlbumChange
    from twinlens.app.library.library import Library


class AlbumControl(QObject):
    """Controller of the albums; every change is written in its turn, and can be undone.

    Parameters
    ----------
    filters : callable
        Returns the typed words and the filters of the library.
    """

    changed = Signal()
    """An album, or what is in it, is another."""

    def __init__(self, window: Workspace, filters: Callable[[], dict[str, Any]]) -> None:
        super().__init__(window)
        self._window, self._filters = window, filters
        self._opened, self._jobs, self._side = window.opened, window.jobs, window.side
        albums = window.side.albums
        albums.dropped.connect(self.add)
        albums.rename_wanted.connect(self.rename)
        albums.delete_wanted.connect(self.delete)
        albums.keep_wanted.connect(self.ask_to_keep)

    def ask(self, ids: Sequence[int]) -> None:
        """Let a person choose an album for photographs, or name a new one."""
        if ids:
            self._pick(
                _n("Add {count} photo to which album?", "Add {count} photos to which album?", len(ids)),
                lambda choice: self._make(choice.name, ids) if choice.is_new else self.add(choice.name, ids),
            )

    def ask_to_keep(self) -> None:
        """Let a person name an album of what the present filters find."""
        if self._filters():
            self._pick(_("Name of the album of these filters"), lambda choice: self._keep(choice.name), offers=False)
        else:
            self._window.status.show_message(_("Set a filter first: the album finds what passes it, now and later."))

    def _pick(self, prompt: str, then: Callable[[AlbumChoice], object], offers: bool = True) -> None:
        opened = self._opened

        def work(__: Progress) -> list[Album]:
            from twinlens.app.library.browsing.albums import albums

            return [one for one in albums(opened.library) if one.search is None] if offers else []

        def show(found: list[Album]) -> None:
            picker = AlbumPicker(self._window, prompt, found)
            picker.chosen.connect(then)
            picker.open()

        self._jobs.begin(work).then(show)

    def add(self, name: str, ids: Sequence[int]) -> None:
        """Add photographs to an album."""

        def work(library: Library) -> AlbumChange:
            from twinlens.app.library.browsing.albums import add_to_album

            return add_to_album(library, name, ids)

        def words(change: AlbumChange) -> str:
            count = len(change.added)
            if not count:
                return _("All of them are in “{name}” already.", name=name)
            return _n("{count} photo added to “{name}”.", "{count} photos added to “{name}”.", count, name=name)

        self._do(work, words)

    def remove(self, ids: Sequence[int]) -> None:
        """Remove photographs from the chosen album."""
        name = self._side.albums.name()
        if not ids or not self._side.albums.is_by_hand():
            return

        def work(library: Library) -> AlbumChange:
            from twinlens.app.library.browsing.albums import remove_from_album

            return remove_from_album(library, name, ids)

        def words(change: AlbumChange) -> str:
            count = len(change.removed)
            return _n("{count} photo removed from “{name}”.", "{count} photos removed from “{name}”.", count, name=name)

        self._do(work, words)

    def _make(self, name: str, ids: Sequence[int]) -> None:
        def work(library: Library) -> AlbumChange:
            from twinlens.app.library.browsing.albums import make_album

            return make_album(library, name, ids)

        def words(change: AlbumChange) -> str:
            count = len(change.added)
            return _n("Made “{name}”, with {count} photo.", "Made “{name}”, with {count} photos.", count, name=name)

        self._do(work, words)

    def _keep(self, name: str) -> None:
        filters = self._filters()

        def work(library: Library) -> AlbumChange:
            from twinlens.app.library.browsing.albums import make_album
            from twinlens.app.library.browsing.listing import ListingFilter

            return make_album(library, name, search=ListingFilter(**filters))

        self._do(work, lambda change: _("Made “{name}”: it finds what passes these filters.", name=change.name))

    def rename(self, name: str, to: str) -> None:
        """Rename an album."""

        def work(library: Library) -> AlbumChange:
            from twinlens.app.library.browsing.albums import rename_album

            return rename_album(library, name, to)

        self._do(work, lambda change: _("“{name}” is called “{to}” now.", name=name, to=change.name))

    def delete(self, name: str) -> None:
        """Delete an album; its photographs stay."""

        def work(library: Library) -> AlbumChange:
            from twinlens.app.library.browsing.albums import delete_album

            return delete_album(library, name)

        self._do(work, lambda change: _("Deleted the album “{name}”; its photos stay.", name=change.name))

    def _do(self, work: Callable[[Library], AlbumChange], words: Callable[[AlbumChange], str]) -> None:
        """Make a change, tell it, and offer to undo it, unless nothing is changed."""

        def then(change: AlbumChange) -> None:
            self._follow(change)
            if change.added or change.removed or change.before != change.after:
                back, again = change.reversed(), change
                self._window.undoing.offer(words(change), lambda: self._again(back), lambda: self._again(again))
            else:
                self._window.status.show_message(words(change))

        library = self._opened.library
        self._window.changes.do(lambda __: work(library), then)

    def _again(self, change: AlbumChange) -> None:
        library = self._opened.library

        def work(__: Progress) -> None:
            from twinlens.app.library.browsing.albums import do_again

            do_again(library, change)

        self._window.changes.do(work, lambda __: self._follow(change))

    def _follow(self, change: AlbumChange) -> None:
        """Keep the album chosen under its other name; choose none if it is gone."""
        if change.before and self._side.albums.name() == change.before.name:
            self._side.follow_album(change.after.name if change.after else "")
        self.changed.emit()


class AlbumChoice(NamedTuple):
    """An album in the picker: one that is there, or a new name."""

    name: str
    is_new: bool
    photographs: int = 0


_WIDTH, _HEIGHT, _TOP = 440, 360, 96


class AlbumPicker(QDialog):
    """The list of albums with a field above, which narrows it, and names a new one.

    Parameters
    ----------
    over : QWidget
        Over whose window it opens.
    prompt : str
        What is to be chosen.
    """

    chosen = Signal(object)
    """The `AlbumChoice`."""

    def __init__(self, over: QWidget, prompt: str, albums: Sequence[Album]) -> None:
        super().__init__(over, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(prompt)
        self.setProperty("role", "sheet")
        self._albums = [AlbumChoice(one.name, is_new=False, photographs=one.photographs) for one in albums]
        self._typed = QLineEdit()
        self._typed.setPlaceholderText(prompt)
        self._typed.setAccessibleName(prompt)
        self._typed.textChanged.connect(self._show)
        self._list: PickList[AlbumChoice] = PickList(_("Albums"), lambda one: one, _card)
        self._list.follow(self._typed)
        self._list.picked.connect(self._on_picked)
        column_of(self._typed, (self._list, 1), on=self, gap=8, margins=12)
        window = over.window()
        width, height = min(_WIDTH, window.width() - 32), min(_HEIGHT, window.height() - 2 * _TOP)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.setGeometry(corner.x() + (window.width() - width) // 2, corner.y() + _TOP, width, height)
        self._show("")

    def offered(self) -> list[AlbumChoice]:
        """Return the albums that match the text, and a new one of this name unless there is one."""
        typed = " ".join(self._typed.text().split())
        words = folded(typed).split()
        fitting = [one for one in self._albums if all(word in folded(one.name) for word in words)]
        is_new = bool(typed) and all(one.name != typed for one in self._albums)
        return [*fitting, *([AlbumChoice(typed, is_new=True)] if is_new else [])]

    def _show(self, __: str) -> None:
        self._list.show_rows(self.offered())
        self._list.go_to(0)

    def _on_picked(self, choice: AlbumChoice) -> None:
        self.close()
        self.chosen.emit(choice)


def _card(choice: AlbumChoice) -> Card:
    words = _("New album “{name}”", name=choice.name) if choice.is_new else choice.name
    count = "" if choice.is_new else number(choice.photographs)
    return Card(CardLine(words, "ink"), f"{words} {count}".strip(), right=count, tip=words)
