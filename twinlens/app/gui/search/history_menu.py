"""The menu of earlier and saved searches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QInputDialog, QMenu

from twinlens.app.gui.look.labels import on_button
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.search.search_view import SearchView
from twinlens.app.gui.search.window_search import drawn_example, keep_in_history, query_values
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, text
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.search.search_query import SearchQuery


_SHOWN = 15


class HistoryMenu(QObject):
    """Shows earlier searches with their pictures; a saved one has a name."""

    def __init__(self, searching: SearchControl, window: Workspace) -> None:
        super().__init__(window)
        self._searching, self._opened, self._jobs = searching, window.opened, window.jobs
        self._listing = self._jobs.latest()
        self._window = window
        view = self._searching.view
        view.history_wanted.connect(lambda: self.show(view))

    def show(self, view: SearchView) -> None:
        """Show the menu."""
        opened = self._opened

        live = self._searching.live()

        def work(__: Progress) -> tuple[dict[str, _HistoryEntry], list[_HistoryEntry]]:
            from twinlens.app.library.saved_state import history, saved_searches

            if live is not None:  # colours that are still being mixed are a search, too
                keep_in_history(opened, live)
            saved = saved_searches(opened.library)
            past = history(opened.library)[:_SHOWN]
            return {name: history_entry(opened, saved[name], name) for name in saved}, [
                history_entry(opened, one) for one in past
            ]

        self._listing.begin(work).then(lambda found: self._show(view, found[0], found[1]))

    def _show(self, view: SearchView, saved: dict[str, _HistoryEntry], past: list[_HistoryEntry]) -> None:
        menu = QMenu(self._window)
        save = menu.addAction(_("Save this search…"), self._on_save)
        save.setEnabled(self._searching.query is not None)
        forget = menu.addMenu(_("Forget a saved search"))
        forget.setEnabled(bool(saved))
        for name in saved:
            forget.addAction(on_button(name), partial(self._on_forget, name))
        for heading, some in ((_("Saved"), list(saved.values())), (_("Earlier"), past)):
            if some:
                menu.addSection(heading)
            for one in some:
                pixmap = QPixmap()
                pixmap.loadFromData(one.picture)
                action = menu.addAction(QIcon(pixmap), on_button(one.name), partial(self.repeat, one.value))
                action.setEnabled(one.there)
        view.steps.show_menu(menu)

    def repeat(self, value: dict[str, Any]) -> None:
        """Repeat an earlier search, as it is kept."""
        from twinlens.app.search.search_query import SearchQuery
        from twinlens.core.errors import TwinlensError

        try:
            query: SearchQuery = SearchQuery.from_json(value)
        except TwinlensError as error:
            self._window.status.show_message(text(error))
            return
        self._searching.search(query, str(value.get("index") or "") or None)

    def _on_save(self) -> None:
        opened, query = self._opened, self._searching.query
        if query is None:
            return
        name, agreed = QInputDialog.getText(self._window, _("Save this search"), _("Name"))
        if not agreed or not name.strip():
            return
        index = self._searching.index

        def work(__: Progress) -> None:
            from twinlens.app.library.saved_state import save_search

            save_search(opened.library, name.strip(), query_values(opened, query, index))

        self._jobs.begin(work)

    def _on_forget(self, name: str) -> None:
        opened = self._opened

        def work(__: Progress) -> None:
            from twinlens.app.library.saved_state import forget_search

            forget_search(opened.library, name)

        self._jobs.begin(work)


@dataclass(frozen=True)
class _HistoryEntry:
    """A search in the menu."""

    name: str
    value: dict[str, Any]
    picture: bytes
    there: bool
    """Whether its photographs are in the library."""


def history_entry(opened: OpenLibrary, value: dict[str, Any], name: str = "") -> _HistoryEntry:
    """Return an entry for a search, described by its name, or by its pictures and index."""
    from twinlens.app.library.pictures import example
    from twinlens.app.search.search_query import SearchQuery
    from twinlens.core.errors import TwinlensError

    try:
        examples = SearchQuery.from_json(value).examples
    except TwinlensError:
        return _HistoryEntry(name or _("An unreadable search"), value, b"", False)
    there, names, pictures = True, [], []
    for one, kept in zip(examples, value["examples"], strict=True):
        shown = drawn_example(one)
        called, jpeg = example(opened.library, one.picture) if shown is None else (shown.name, shown.jpeg)
        if not called:
            there = False
            called = str(kept.get("name") or _("A photo"))
        names.append(called)
        pictures.append(jpeg)
    more = f" +{len(names) - 2}" if len(names) > 2 else ""
    name = name or f"{', '.join(names[:2])}{more} · {value.get('index', '')}"
    if not there:
        name = _("{name} (no longer in the library)", name=name)
    return _HistoryEntry(name, value, next((jpeg for jpeg in pictures if jpeg), b""), there)
