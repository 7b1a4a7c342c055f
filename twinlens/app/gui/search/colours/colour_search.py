"""The search by colours: it runs while a palette or a sketch is being made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage

from twinlens.app.gui.pictures.photograph import png_of, rgb_of
from twinlens.app.gui.search.colours.colours_panel import ColoursPanel
from twinlens.app.gui.search.colours.palette import Colour, PaletteMix
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.search.window_search import has_colours_alone, is_palette
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.search.search_query import Example, SearchQuery


_SOON_MS = 120


class ColoursControl(QObject):
    """Searches while colours change, once the previous search has finished."""

    def __init__(self, searching: SearchControl, window: Workspace) -> None:
        super().__init__(window)
        self._searching = searching
        view = self._view = searching.view
        self._window, self._jobs = window, window.jobs
        self._main = self._jobs.latest()
        self._panel: ColoursPanel | None = None
        self._sent: Example | None = None
        self._adds = False  # colours join the pictures of the query, and start no new one
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._ask)
        view.bar.colours_wanted.connect(self.toggle)
        view.colours_wanted.connect(self.open)
        window.shared.query_changed.connect(self._follow)
        searching.examples_named.connect(self._show_photograph)

    def waits(self) -> bool:
        """Return whether the search with the last colours is still to begin."""
        return self._soon.isActive()

    def is_open(self) -> bool:
        """Return whether the panel is open."""
        return self._panel is not None and not self._panel.isHidden()

    def toggle(self) -> None:
        """Open or close the panel; with Shift, for colours that are added to the query."""
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.add()
        elif self.is_open():
            self.close()
        else:
            self.open()

    def add(self) -> None:
        """Open the panel for colours that count together with the query's pictures."""
        self.open()
        self._adds = True

    def open(self) -> None:
        """Open the panel with the present query; other colours start another search."""
        self._adds = False
        if self._panel is None:
            self._panel = self._view.colours_panel()
            self._panel.changed.connect(self._on_changed)
            self._panel.left.connect(self._on_left)
            self._panel.main_wanted.connect(self._on_main_wanted)
            self._panel.index_wanted.connect(lambda: self._window.show_view("new index"))
        self._sent = None
        self._show_query()
        self._show_photograph()
        self._panel.open()
        self._view.bar.show_colours(True)

    def close(self) -> None:
        """Close the panel."""
        if self._panel is not None:
            self._panel.leave()

    def _on_left(self, held_keys: bool) -> None:
        self._view.bar.show_colours(False)
        if self._soon.isActive():
            self._soon.stop()
            self._send()
        self._searching.end_live()
        if held_keys:
            self._view.focus_results()

    # --- asking ------------------------------------------------------------------------------------------------------

    def _on_changed(self) -> None:
        if not self._soon.isActive():  # while one drags, too
            self._soon.start()

    def _ask(self) -> None:
        if self._searching.is_searching():
            self._soon.start()
        else:
            self._send()

    def _send(self) -> None:
        """Search with the present colours, in place of earlier ones or beside the pictures."""
        from twinlens.app.search.search_query import SearchQuery

        made = self._made()
        query = self._searching.query
        examples = () if query is None else query.examples
        place = next((i for i, one in enumerate(examples) if has_colours_alone(one)), None)
        if made is None:
            rest = tuple(one for one in examples if not has_colours_alone(one))
        elif place is not None:
            made = replace(made, weight=examples[place].weight)
            rest = (*examples[:place], made, *examples[place + 1 :])
        else:
            rest = (*examples, made) if self._adds else (made,)
        self._sent = made
        if rest != examples:
            self._searching.search_live(SearchQuery(rest))
        self._show_note()

    def _made(self) -> Example | None:
        from twinlens.app.search.search_query import Example, read_palette

        assert self._panel is not None
        if self._panel.asks_sketch():
            sketch = self._panel.sketch()
            return None if sketch.isNull() else Example(png_of(sketch), sketch=True)
        mix = self._panel.mix()
        return Example(read_palette(mix.text())) if len(mix) else None

    def _show_note(self) -> None:
        """Show which index is searched if it is not the chosen one, or how to add one."""
        if self._panel is None:
            return
        searches = self._sent is not None
        choice = self._searching.choice
        lacks = searches and not choice.can_search_colours() and not choice.other_for_colours()
        if lacks:
            self._panel.show_note(_("Search by colours is not set up yet."), makes=True)
        elif searches and choice.instead_of:
            self._panel.show_note(_("Colour search in **{index}**", index=choice.now))
        else:
            self._panel.show_note("")

    # --- following ---------------------------------------------------------------------------------------------------

    def _colours_of_query(self) -> Example | None:
        query: SearchQuery | None = self._searching.query
        return None if query is None else next((one for one in query.examples if has_colours_alone(one)), None)

    def _follow(self) -> None:
        """Show the present query, unless it came from here."""
        if self.is_open() and not self._soon.isActive():
            example = self._colours_of_query()
            if (example and example.picture) != (self._sent and self._sent.picture):
                self._show_query()
            self._show_note()

    def _show_query(self) -> None:
        panel, example = self._panel, self._colours_of_query()
        assert panel is not None
        self._sent = example
        if example is None:
            panel.clear()
        elif isinstance(example.picture, bytes):
            panel.show_sketch(QImage.fromData(example.picture))
        elif is_palette(example):
            panel.show_mix(PaletteMix.of(getattr(example.picture, "colours", ())))
        self._show_note()

    def _show_photograph(self) -> None:
        if self._panel is not None:
            image = QImage.fromData(self._searching.liked_thumbnail())
            held = image.isNull() and self.is_open()  # colours are still being taken from it
            if not held and image != self._panel.photograph():
                self._panel.set_photograph(image)

    def _on_main_wanted(self, image: QImage) -> None:
        pixels = rgb_of(image)

        def work(__: Progress) -> list[tuple[Colour, float]]:
            from twinlens.app.search.words_and_colours import main_colours

            return main_colours(pixels)

        self._main.begin(work).then(self._on_main)

    def _on_main(self, colours: list[tuple[Colour, float]]) -> None:
        if self._panel is not None and colours:
            self._panel.take_mix(PaletteMix.of(colours))
