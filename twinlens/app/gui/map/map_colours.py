"""How the map is coloured, and the flags on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from twinlens.app.gui.map.colouring import ColourBy, Colouring, by_cluster, by_date, by_folder, by_mark, by_similarity
from twinlens.app.gui.map.map_view import COLOURINGS, MapView
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.map.map_results import MapFacts, MapResult


class MapColours(QObject):
    """Controller of the colours of the map and of the flags on it.

    Attributes
    ----------
    by : ColourBy or None
        What the person has chosen; without a choice it is what tells most.
    coloured : Signal()
        Colours are others now.
    """

    coloured = Signal()

    def __init__(self, window: Workspace, view: MapView) -> None:
        super().__init__(window)
        self._window, self._view = window, view
        self._likening = window.jobs.latest()
        self._opened = window.opened
        self._found: MapResult | None = None
        self._facts: MapFacts | None = None
        self.by: ColourBy | None = None
        self._like = -1  # the photograph to which similarity is measured
        view.colour.activated.connect(lambda place: self.choose(COLOURINGS[place]))

    def restore(self, by: object) -> None:
        """Restore the remembered colouring."""
        self.by = ColourBy(str(by)) if by in tuple(ColourBy) and by != ColourBy.LIKENESS else None

    def of(self, found: MapResult, facts: MapFacts) -> Colouring:
        """Return the colours of a map that is shown next; colours by similarity follow (:meth:`follow`)."""
        self._found, self._facts = found, facts
        match self.by or _telling(facts):
            case ColourBy.FOLDER:
                return by_folder(facts)
            case ColourBy.DATE:
                return by_date(facts)
            case ColourBy.MARK:
                return by_mark(facts)
            case _:
                return by_cluster(found)

    def follow(self) -> None:
        """Measure similarity on the visible map, if colours show it."""
        if self.by is ColourBy.LIKENESS:
            self._measure_similarity()

    def choose(self, by: ColourBy) -> None:
        """Choose a colouring; similarity is to the focused photograph, or to the query."""
        if by is ColourBy.LIKENESS:
            current = self._view.canvas.current_id()
            self._like = current if current >= 0 else next(iter(self._asked()), -1)
            if self._like < 0:
                words = _("Choose a photo first: colours say how like it the others are.")
                self._window.status.show_message(words)
                self.colour()
                return
        self.by = by
        self.colour()
        self.show_flags()

    def colour(self, facts: MapFacts | None = None) -> None:
        """Colour the map by the data known so far."""
        self._facts = facts or self._facts
        if self._found is None or self._facts is None:
            return
        if self.by is ColourBy.LIKENESS:
            self._measure_similarity()
        else:
            self._view.show_colours(self.of(self._found, self._facts))
            self.coloured.emit()

    def _measure_similarity(self) -> None:
        opened, found, like = self._opened, self._found, self._like
        if found is None:
            return

        def work(progress: Progress) -> Colouring:
            from twinlens.app.map.colourings import similarities_to

            return by_similarity(similarities_to(opened.library, found, like, progress))

        def then(coloured: Colouring) -> None:
            if self._found is found and self.by is ColourBy.LIKENESS and self._like == like:
                self._view.show_colours(coloured)
                self.coloured.emit()

        self._likening.begin(work).then(then)

    def _asked(self) -> list[int]:
        """Return the photographs of the query."""
        query = self._window.shared.query
        return [] if query is None else [one.picture for one in query.examples if isinstance(one.picture, int)]

    def show_flags(self, ids: list[int] | None = None) -> None:
        """Flag the query's photographs, and those to be shown."""
        flags = dict.fromkeys(self._asked(), _("query"))
        if ids is not None and len(ids) == 1:
            flags |= {ids[0]: flags.get(ids[0], _("here"))}
        if self.by is ColourBy.LIKENESS and self._like >= 0:
            flags[self._like] = _("like this")
        self._view.canvas.show_flags(flags)


def _telling(facts: MapFacts) -> ColourBy:
    """Choose the most informative colouring: folders, else dates, else clusters."""
    folders = by_folder(facts).groups
    grey = sum(one.count for one in folders if one.place < 0)
    if len(folders) > 1 and 2 * grey < len(facts.folder):
        return ColourBy.FOLDER
    return ColourBy.DATE if facts.taken.any() else ColourBy.CLUSTER
