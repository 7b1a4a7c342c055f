"""Controller of the map: which map is shown, how it is coloured, and how it follows the library.

The program remembers its state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import photograph_actions
from twinlens.app.gui.map.camera import Camera
from twinlens.app.gui.map.colouring import ColourBy, Colouring, by_cluster, by_date, by_folder, by_mark, by_similarity
from twinlens.app.gui.map.map_canvas import MapCanvas
from twinlens.app.gui.map.map_jobs import LaidOutMap, LayoutChoice, MapMaking, photograph_with_thumbnail, ready
from twinlens.app.gui.map.map_view import SAMPLES, MapView
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.process.outside_files import ask_for_output
from twinlens.app.gui.services.workspace import AUTOMATIC, Workspace
from twinlens.app.language.texts import _
from twinlens.core.arrays import BoolMask, Float32Vectors
from twinlens.core.embedding.plane import spacings_of_appearance
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from twinlens.app.gui.map.map_view import MapView
    from twinlens.app.gui.process.open_library import OpenLibrary
    from twinlens.app.library.browsing import Photograph
    from twinlens.app.map.map_results import MapFacts, MapResult
    from twinlens.app.map.map_settings import LayoutKind


_MOST_REMEMBERED = 10_000  # selected photographs
_KINDS: tuple[LayoutKind, ...] = ("neighbours", "pca")


class MapControl(QObject):
    """Controller of the map: principal components at once, then a better layout, and updates with the library."""

    def __init__(self, window: Workspace) -> None:
        super().__init__(window)
        self.view = MapView()
        self._window, self._jobs = window, window.jobs
        self._making_ready = self._jobs.latest()
        self._facts = self._jobs.latest()
        self._opened = window.opened
        self._feed = PictureFeed(self.view.canvas.pictures, window.opened, window.jobs, larger=True)
        self._rooming = self._jobs.latest()
        self._wish = LayoutChoice(AUTOMATIC, "neighbours")
        self._shown: tuple[LayoutChoice, LaidOutMap] | None = None
        self._again = False  # something changed while a map was made: it is to be looked at once more after that
        self._missed = False  # marks are others since it was seen
        self.making = MapMaking(window, lambda opened, wish: opened is self._opened and wish == self._wish)
        self.colours = MapColours(window, self.view)
        self._pending: list[int] = []  # photographs that are to be shown once there is a map
        self._place: dict[str, Any] = {}  # where the map was left
        self.choosing = MapSelectionControl(window, self.view)
        self._connect()
        kept = self._opened.state.get("map")
        kept = kept if isinstance(kept, dict) else {}
        self._restore(kept)
        self.colours.restore(kept.get("colour"))
        self._show_indexes()
        self.view.show_kind(self._wish.kind)
        self.view.show_sample(self._wish.sample)
        self.view.show_waiting()
        self._look()

    def _connect(self) -> None:
        view, window = self.view, self._window
        view.add_wanted.connect(window.taking.choose_folder)
        view.index_chosen.connect(lambda name: self._wish_for(LayoutChoice(name, self._wish.kind, self._wish.sample)))
        view.kind_chosen.connect(lambda kind: self._wish_for(LayoutChoice(self._wish.index, kind, self._wish.sample)))
        view.sample_chosen.connect(lambda count: self._wish_for(LayoutChoice(self._wish.index, self._wish.kind, count)))
        view.colour_chosen.connect(lambda by: self.colours.choose(ColourBy(by)))
        view.anew_wanted.connect(lambda: self._make(anew=True))
        view.again_wanted.connect(self._look)
        view.stop_wanted.connect(self._making_ready.cancel)
        view.canvas.left.connect(window.left)
        window.shared.query_changed.connect(self.colours.show_flags)
        self.colours.coloured.connect(self.choosing.tell)
        window.indexes.listed.connect(lambda __: self._show_indexes())
        window.shared.marks_changed.connect(self._on_marks)
        view.shown.connect(self._on_view)
        view.canvas.room_wanted.connect(self._on_room_wanted)
        self.making.laid_out.connect(self._on_layout)
        self.making.made.connect(self._on_made)
        self.making.left.connect(self._on_left)

    # --- a part of the window ----------------------------------------------------------------------------------------

    def _restore(self, kept: dict[str, Any]) -> None:
        """Restore the remembered state of this version."""
        index = kept.get("index")
        kind, sample = kept.get("kind"), kept.get("sample")
        self._wish = LayoutChoice(
            index if isinstance(index, str) and index else self._window.shared.chosen_index,
            kind if kind in _KINDS else "neighbours",
            sample if sample in SAMPLES else None,
        )
        self._place = kept
        self.view.canvas.names_shown = kept.get("names") is not False
        self.view.canvas.minimap.wish(kept.get("overview") is not False)

    def state(self) -> dict[str, Any]:
        """Return the state to remember."""
        canvas = self.view.canvas
        kept: dict[str, Any] = {
            "index": self._wish.index,
            "kind": self._wish.kind,
            "sample": self._wish.sample,
            "colour": None if self.colours.by is None else str(self.colours.by),
            "names": canvas.names_shown,
            "overview": canvas.minimap.wished,
        }
        if self._shown is None:
            return self._place | kept
        if not canvas.shows_all():
            camera = canvas.motion.goal
            kept |= {"x": camera.x, "y": camera.y, "depth": camera.depth()}
        selected = canvas.selected_ids()
        return kept | {
            "current": canvas.current_id(),
            "selected": selected.tolist() if len(selected) <= _MOST_REMEMBERED else [],
        }

    def focus(self) -> None:
        """Focus the map."""
        self.view.focus_content()

    def refresh(self) -> None:
        """Read the library or its marks again; slow work only follows a change of photographs.

        While a map is made, what is seen meanwhile is coloured anew, and the map is looked at again once it is there:
        it was begun with what was known then.
        """
        opened, shown = self._opened, self._shown
        self.view.canvas.pictures.retry()
        self._again = self.making.wish is not None
        if shown is None or shown[1].found is None or shown[0] != self._wish:
            if not self._again:
                self._look()
            return
        found, before = shown[1].found, shown[1].moment

        def work(progress: Progress) -> MapFacts | None:
            from twinlens.app.map.colourings import map_facts, moment

            return map_facts(opened.library, found.ids, progress) if moment(opened.library) == before else None

        def then(facts: MapFacts | None) -> None:
            if self._shown is not shown:
                return
            if facts is None:
                if self.making.wish is not None:
                    self._again = True
                else:
                    self._look()
            else:
                self._shown = shown[0], LaidOutMap(found, facts, before)
                self.view.canvas.facts = facts
                self.colours.colour(facts)

        self._facts.begin(work).then(then)

    def _on_marks(self) -> None:
        """Update colours by mark, when the map is visible."""
        if self.view.isVisible():
            self.refresh()
        else:
            self._missed = True

    def _on_view(self) -> None:
        if self._missed:
            self._missed = False
            self.refresh()

    def _look_again(self) -> None:
        """Check for changes after a map was made."""
        if self._again:
            self._again = False
            self.refresh()

    def chosen(self) -> list[int]:
        """Return the selection, else the focused photograph."""
        return self.choosing.chosen()

    def current(self) -> int:
        """Return the focused photograph, or -1."""
        return self.view.canvas.current_id()

    def looked_through(self) -> MapCanvas:
        """Return the photographs that the viewer steps through."""
        return self.view.canvas

    def take_pictures(self, pictures: Sequence[int]) -> None:
        """Show photographs on the map as soon as there is one."""
        ids = list(pictures)
        self._window.show_view("map")
        if self._shown is None or self._shown[1].found is None:
            self._pending = ids
        elif not self.view.canvas.show_photographs(ids):
            self._window.status.show_message(
                _("It is not on this map: a sample leaves it out, or the index does not know it yet.")
            )
        self.colours.show_flags(ids)

    # --- which map ---------------------------------------------------------------------------------------------------

    def _wish_for(self, wish: LayoutChoice) -> None:
        if wish == self._wish and self._shown is not None:
            return
        self._wish = wish
        self._show_indexes()
        self.view.show_kind(wish.kind)
        self.view.show_sample(wish.sample)
        self._look()

    def _look(self) -> None:
        """Show the map that is ready, and make the missing one afterwards."""
        opened, wish = self._opened, self._wish
        if not self.view.is_shown():
            self.view.show_waiting()
        self._making_ready.begin(lambda progress: ready(opened, wish, progress)).then(
            lambda laid: self._on_laid(wish, laid)
        ).failed(self._on_failed).stopped(self._on_stopped)

    def _on_laid(self, wish: LayoutChoice, laid: LaidOutMap) -> None:
        found = laid.found
        if found is None:
            self._shown = None
            self.view.show_empty()
            return
        self._show(wish, laid)
        if found.kind != wish.kind:
            self._make()

    def _show(self, wish: LayoutChoice, laid: LaidOutMap) -> None:
        found, facts = laid.found, laid.facts
        assert found is not None
        assert facts is not None
        first = self._shown is None
        self._shown = wish, laid
        self.view.show_map(found, facts, self.colours.of(found, facts), self._measure(found))
        if first:
            self._return_to_place()
        self.colours.follow()
        if self._pending:
            pending, self._pending = self._pending, []
            self.view.canvas.show_photographs(pending)
        self.colours.show_flags()

    def _return_to_place(self) -> None:
        """Restore the former view of the map."""
        place, canvas = self._place, self.view.canvas
        numbers = [place.get(name) for name in ("x", "y", "depth")]
        if all(isinstance(one, int | float) and np.isfinite(one) for one in numbers):
            x, y, depth = cast("list[float]", numbers)
            whole = Camera.fitting(canvas.width(), canvas.height())
            canvas.motion.look(whole.centred((x, y), whole.scale * max(depth, 1e-3)).kept_within(canvas.most_scale))
        current, selected = place.get("current"), place.get("selected")
        if isinstance(selected, list) and selected and canvas.found is not None:
            canvas.selection.take(np.isin(canvas.found.ids, [one for one in selected if isinstance(one, int)]))
            canvas.selection_changed_here()
        if isinstance(current, int) and canvas.found is not None:
            canvas.current = canvas.found.rows.get(current, -1)
            self.choosing.tell()

    def _measure(self, found: MapResult) -> str:
        """Describe in plain words how the index compares."""
        return self._window.indexes.words().get(found.index) or found.index

    def _make(self, anew: bool = False) -> None:
        """Make the chosen map; points move meanwhile."""
        opened, wish = self._opened, self._wish
        if self.making.make(opened, wish, anew):
            self.view.show_making(
                _("The directions in which photos differ most. Neighbours are being brought together…")
                if wish.kind == "neighbours"
                else self.making.words(wish)
            )

    def _on_room_wanted(self, allowed: BoolMask, xy: Float32Vectors) -> None:
        """Compute which pictures have room if only some photographs are shown."""

        def work(__: Progress) -> Float32Vectors:
            shown_at = np.zeros(len(xy), np.float32)
            shown_at[allowed] = spacings_of_appearance(xy[allowed])
            return shown_at

        self._rooming.begin(work).then(lambda shown_at: self.view.canvas.take_room(allowed, shown_at))

    def _on_layout(self, wish: LayoutChoice, ids: Any, xy: Any) -> None:
        if wish == self._wish and self._shown is not None and self._shown[0] == wish:
            self.view.canvas.show_layout(ids, xy)

    def _on_made(self, wish: LayoutChoice, laid: LaidOutMap | None) -> None:
        if laid is not None:
            self._show(wish, laid)
        self._look_again()

    def _on_left(self) -> None:
        """Show that the chosen map was not made."""
        canvas, shown = self.view.canvas, self._shown
        if shown is None or shown[1].found is None or shown[1].facts is None:
            return
        found = shown[1].found
        if canvas.motion.unsettled:
            canvas.show_map(found, shown[1].facts, self.colours.of(found, shown[1].facts))
        self.view.show_making(
            _(
                "{reading} Bringing neighbours together was stopped: P twice does it after all.",
                reading=self.view.reading(found, self._measure(found)),
            )
        )
        self._again = False  # marks are there already; other photographs would begin what was just stopped

    def _on_failed(self, failure: Failure) -> None:
        if self._wish.index != AUTOMATIC and self._shown is None:
            self._wish_for(
                LayoutChoice(AUTOMATIC, self._wish.kind, self._wish.sample)
            )  # the index of last time is gone
        else:
            self._shown = None
            self.view.show_fault(failure.words())

    def _on_stopped(self) -> None:
        if self._shown is None:
            self.view.show_fault(_("It was stopped before there was a map."))

    def _show_indexes(self) -> None:
        self.view.show_indexes(self._window.indexes.names() or [self._wish.index], self._wish.index)


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
        question = self._window.shared.query
        return [] if question is None else [one.picture for one in question.examples if isinstance(one.picture, int)]

    def show_flags(self, ids: list[int] | None = None) -> None:
        """Flag the query's photographs, and those to be shown."""
        flags = dict.fromkeys(self._asked(), _("asked"))
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


_CARD_MS = 25


class MapSelectionControl(QObject):
    """Controller of the actions on photographs of the map."""

    def __init__(self, window: Workspace, view: MapView) -> None:
        super().__init__(window)
        self._window, self._view = window, view
        self._carding = window.jobs.latest()
        self._opened = window.opened
        self._card = QTimer(self)
        self._card.setSingleShot(True)
        self._card.setInterval(_CARD_MS)
        self._card.timeout.connect(self._look_up)
        canvas = view.canvas
        view.library_wanted.connect(self.show_in_library)
        view.export_wanted.connect(self._on_export)
        view.bar.alike_wanted.connect(lambda: window.shared.alike_wanted.emit(self.chosen(), True))
        canvas.asked.connect(self._on_asked)
        canvas.looked_at.connect(lambda one: window.viewing.show(canvas, one))
        canvas.compare_wanted.connect(lambda: window.show_photographs("compare", self.chosen()))
        canvas.marked.connect(lambda similar: window.shared.alike_wanted.emit(self.chosen(), similar))
        canvas.menu_wanted.connect(window.show_menu)
        canvas.current_changed.connect(lambda __: self.tell())
        canvas.hover_changed.connect(lambda __: self.tell())
        attach(
            canvas,
            photograph_actions(),
            {
                "copy": lambda: window.actions_.copy(self.chosen()),
                "remove": lambda: window.removal_wanted.emit(self.chosen()),
                "menu": canvas.ask_for_menu,
            },
        )

    def chosen(self) -> list[int]:
        """Return the selection, else the focused photograph."""
        return self._view.canvas.chosen_ids()

    def tell(self) -> None:
        """Show the facts of the chosen photograph, after a moment."""
        self._card.start()

    def _on_asked(self, one: int) -> None:
        chosen = self.chosen()
        self._window.show_photographs("search", chosen if one in chosen and len(chosen) > 1 else [one])

    def show_in_library(self) -> None:
        """Show only the selection in the library."""
        ids = self.chosen()
        if not ids:
            words = _("Nothing is selected: draw a line around photos with Shift.")
            self._window.status.show_message(words)
            return
        self._window.show_photographs("library", ids)

    def _look_up(self) -> None:
        """Show the photograph under the pointer, else the focused one."""
        view, canvas, opened = self._view, self._view.canvas, self._opened
        one = canvas.id_of(canvas.hovered) if canvas.hovered >= 0 else canvas.current_id()
        if one < 0:
            view.show_photograph(None, None)
            return

        def then(known: tuple[Photograph, QImage] | None) -> None:
            row = -1 if canvas.found is None else canvas.found.rows.get(one, -1)
            beside = ""
            if row >= 0 and canvas.coloured is not None:
                beside = canvas.coloured.groups[int(canvas.coloured.of[row])].name
            one_, image = known or (None, None)
            view.show_photograph(one_, image, beside)

        self._carding.begin(lambda __: photograph_with_thumbnail(opened, one)).then(then)

    def _on_export(self, how: str) -> None:
        if how in ("copy", "link", "csv"):
            self._window.actions_.export(self.chosen(), cast("Literal['copy', 'link', 'csv']", how))
        elif self._view.canvas.found is not None:
            found = self._view.canvas.found
            save_map(self._window, self._view, self._opened, found, "png" if how == "png" else "table")


def save_map(
    window: Workspace, view: MapView, opened: OpenLibrary, found: MapResult, how: Literal["png", "table"]
) -> None:
    """Let the person choose a file, and write the map in the queue of long work."""
    words = (
        (_("Save the map as"), "map.png", _("Picture (*.png *.jpg)"))
        if how == "png"
        else (_("Save the places as"), "map.csv", _("Table (*.csv)"))
    )
    file = ask_for_output(view, *words, opened.library)
    if file is None:
        return

    def work(progress: Progress) -> str:
        from twinlens.app.map.layout import map_summary
        from twinlens.app.map.map_export import draw_map, write_map_table

        if how == "png":
            draw_map(opened.library, found, file, progress=progress)
        else:
            write_map_table(file, map_summary(opened.library, found))
        return str(file)

    def then(written: str) -> None:
        window.status.show_message(_("The map is saved as {file}.", file=written))

    window.work.run(_("Saving the map…"), work).then(then)
