"""What drives the Map: which one is made, what it is coloured by, and what is done with what is chosen on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.gui.index_choice import AUTOMATIC
from app.gui.map.camera import Camera
from app.gui.map.canvas import MapCanvas
from app.gui.map.colouring import By
from app.gui.map.feed import MapFeed
from app.gui.map.looking import Laid, Wish, photograph, ready
from app.gui.map.view import SAMPLES, MapView
from app.gui.map_colours import MapColours
from app.gui.map_files import save_map
from app.gui.opened import Opened
from app.gui.pages.parts import bind
from core.errors import Cancelled
from core.progress import Progress, part

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from app.browsing import Photograph
    from app.gui.frame import Frame
    from app.map_results import Kind, MapFacts, MapResult

TOPIC = "map"
_CARD, _FACTS = "map card", "map facts"
_CARD_MS = 25
_KINDS: tuple[Kind, ...] = ("neighbours", "pca")


def make(frame: Frame) -> MapControl:
    """Make the Map of a window."""
    return MapControl(frame)


class MapControl(QObject):
    """Shows principal components at once, lets points travel as neighbours come together, and keeps up.

    Parameters
    ----------
    frame : Frame
    """

    _laid_out = Signal(object, object, object)  # while a map is made: wish, photographs, places

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.view = MapView()
        self._frame, self._jobs, self._adding = frame, frame.jobs, frame.adding
        self._feed = MapFeed(self.view.canvas, frame.jobs)
        self._opened: Opened | None = None
        self._wish = Wish(AUTOMATIC, "neighbours")
        self._shown: tuple[Wish, Laid] | None = None
        self._making: Wish | None = None
        self.colours = MapColours(frame, self.view)
        self._pending: list[int] = []  # photographs that are to be shown once there is a map
        self._place: dict[str, Any] = {}  # where the map was left
        self._card = QTimer(self)
        self._card.setSingleShot(True)
        self._card.setInterval(_CARD_MS)
        self._card.timeout.connect(self._look_up)
        self._laid_out.connect(self._on_layout, Qt.ConnectionType.QueuedConnection)
        frame.told_in_view.add(TOPIC)
        self._connect()

    def _connect(self) -> None:
        view, canvas, frame = self.view, self.view.canvas, self._frame
        view.add_wanted.connect(frame.taking.choose_folder)
        view.index_chosen.connect(lambda name: self._wish_for(Wish(name, self._wish.kind, self._wish.sample)))
        view.kind_chosen.connect(lambda kind: self._wish_for(Wish(self._wish.index, kind, self._wish.sample)))
        view.sample_chosen.connect(lambda count: self._wish_for(Wish(self._wish.index, self._wish.kind, count)))
        view.colour_chosen.connect(lambda by: self.colours.choose(By(by)))
        view.anew_wanted.connect(lambda: self._make(anew=True))
        view.again_wanted.connect(self._look)
        view.stop_wanted.connect(lambda: self._jobs.cancel(TOPIC))
        view.library_wanted.connect(self.show_in_library)
        view.export_wanted.connect(self._on_export)
        view.alike_wanted.connect(lambda: frame.marking.mark_selection(self.chosen(), True))
        canvas.asked.connect(self._on_asked)
        canvas.looked_at.connect(lambda one: frame.viewing.show(canvas, one))
        canvas.compare_wanted.connect(lambda: frame.comparing.ask_pictures(list(self.chosen())))
        canvas.marked.connect(lambda similar: frame.marking.mark_selection(self.chosen(), similar))
        canvas.menu_wanted.connect(frame.menu.show)
        canvas.current_changed.connect(lambda _: self._card.start())
        canvas.hover_changed.connect(lambda _: self._card.start())
        canvas.left.connect(frame.leave)
        bind(canvas, "Ctrl+C", lambda: frame.actions_.copy(self.chosen()))
        bind(canvas, "Ctrl+Z", frame.marking.undo)
        bind(canvas, "Shift+F10", canvas.ask_for_menu)
        frame.searching.question_changed.connect(self.colours.show_flags)
        self.colours.coloured.connect(self._card.start)
        frame.pages.indexes_listed.connect(lambda _: self._show_indexes())
        frame.adding.growing.connect(self._on_growing)
        frame.jobs.failed.connect(self._on_failed)
        frame.jobs.stopped.connect(self._on_stopped)

    # --- a part of the window ----------------------------------------------------------------------------------------

    def take(self, opened: Opened) -> None:
        """Show this library from now on, as its map was left."""
        self._opened, self._shown, self._making = opened, None, None
        self._feed.take(opened)
        self.view.canvas.show_nothing()
        kept = opened.state.get("map")
        kept = kept if isinstance(kept, dict) else {}
        self._restore(kept)
        self.colours.take(opened, kept.get("colour"))
        self._show_indexes()
        self.view.show_kind(self._wish.kind)
        self.view.show_sample(self._wish.sample)
        self.view.show_waiting()
        self._look()

    def _restore(self, kept: dict[str, Any]) -> None:
        """Take what was remembered, if it is what this version writes."""
        index = kept.get("index")
        kind, sample = kept.get("kind"), kept.get("sample")
        self._wish = Wish(
            index if isinstance(index, str) and index else self._frame.searching.chosen_index,
            kind if kind in _KINDS else "neighbours",
            sample if sample in SAMPLES else None,
        )
        self._place = kept
        self.view.canvas.names_shown = kept.get("names") is not False

    def state(self) -> dict[str, Any]:
        """Give what is remembered of it."""
        canvas = self.view.canvas
        kept: dict[str, Any] = {
            "index": self._wish.index,
            "kind": self._wish.kind,
            "sample": self._wish.sample,
            "colour": None if self.colours.by is None else str(self.colours.by),
            "names": canvas.names_shown,
        }
        if self._shown is None:
            return self._place | kept
        if not canvas.shows_all():
            camera = canvas.motion.goal
            kept |= {"x": camera.x, "y": camera.y, "depth": camera.depth()}
        return kept | {"current": canvas.current_id()}

    def focus(self) -> None:
        """Put the keys on the map."""
        self.view.focus_content()

    def refresh(self) -> None:
        """Look again: the library is another one, or marks are. What takes long is done only for other photographs."""
        opened, shown = self._opened, self._shown
        if opened is None or self._making is not None:
            return
        if shown is None or shown[1].found is None or shown[0] != self._wish:
            self._look()
            return
        found, before = shown[1].found, shown[1].moment

        def work(progress: Progress) -> MapFacts | None:
            from app.map_facts import map_facts, moment

            return map_facts(opened.library, found.ids, progress) if moment(opened.library) == before else None

        def then(facts: MapFacts | None) -> None:
            if facts is None:
                self._look()
            elif self._shown is shown:
                self._shown = shown[0], Laid(found, facts, before)
                self.view.canvas.facts = facts
                self.colours.colour(facts)

        self._jobs.start(_FACTS, work, then)

    def chosen(self) -> list[int]:
        """Give what is selected, else what the keys are on."""
        return self.view.canvas.chosen_ids()

    def current(self) -> int:
        """Give the photograph that the keys are on, or -1."""
        return self.view.canvas.current_id()

    def looked_through(self) -> MapCanvas:
        """Give what is stepped through when a photograph is seen large."""
        return self.view.canvas

    def show_photographs(self, ids: list[int]) -> None:
        """Show where photographs lie, as soon as there is a map."""
        if self._shown is None or self._shown[1].found is None:
            self._pending = list(ids)
        elif not self.view.canvas.show_photographs(ids):
            self._frame.status.show_message(
                self.tr("It is not on this map: a sample leaves it out, or the index does not know it yet.")
            )
        self.colours.show_flags(ids)

    # --- which map ---------------------------------------------------------------------------------------------------

    def _wish_for(self, wish: Wish) -> None:
        if wish == self._wish and self._shown is not None:
            return
        self._wish = wish
        self._show_indexes()
        self.view.show_kind(wish.kind)
        self.view.show_sample(wish.sample)
        self._look()

    def _look(self) -> None:
        """Show what is there at once; what is not there is made after that."""
        opened, wish = self._opened, self._wish
        if opened is None:
            return
        if not self.view.is_shown():
            self.view.show_waiting()
        self._jobs.start(TOPIC, lambda progress: ready(opened, wish, progress), lambda laid: self._on_laid(wish, laid))

    def _on_laid(self, wish: Wish, laid: Laid) -> None:
        found = laid.found
        if found is None:
            self._shown = None
            self.view.show_empty()
            return
        self._show(wish, laid)
        if found.kind != wish.kind:
            self._make()

    def _show(self, wish: Wish, laid: Laid) -> None:
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
        """Look from where the map was left."""
        place, canvas = self._place, self.view.canvas
        numbers = [place.get(name) for name in ("x", "y", "depth")]
        if all(isinstance(one, int | float) and np.isfinite(one) for one in numbers):
            x, y, depth = cast("list[float]", numbers)
            whole = Camera.fitting(canvas.width(), canvas.height())
            canvas.motion.look(whole.centred((x, y), whole.scale * max(depth, 1e-3)).kept_within(canvas.most_scale))
        current = place.get("current")
        if isinstance(current, int) and canvas.found is not None:
            canvas.current = canvas.found.rows.get(current, -1)
            self._card.start()

    def _measure(self, found: MapResult) -> str:
        """Say in plain words what the index compares."""
        offered = self._frame.searching.choice.offered
        return next((words for name, words, _ in offered if name == found.index and words), found.index)

    def _make(self, anew: bool = False) -> None:
        """Make the map that is wished in its turn among long work; points travel meanwhile."""
        opened, wish = self._opened, self._wish
        if opened is None or self._making == wish:
            return
        self._making = wish
        words = self.tr("Laying out the library by {0}…").format(wish.index)
        self.view.show_making(
            self.tr("The directions in which photographs differ most. Neighbours are being brought together…")
            if wish.kind == "neighbours"
            else words
        )

        def work(progress: Progress) -> Laid | None:
            from app.map_facts import map_facts, moment
            from app.mapping import library_map

            def going_on() -> bool:
                return self._wish == wish and self._opened is opened

            def told(done: float, total: float, text: str = "") -> None:
                progress(done, total, text)
                if not going_on():
                    raise Cancelled

            def watch(ids: object, xy: object) -> None:
                self._laid_out.emit(wish, ids, xy)

            try:
                now = moment(opened.library)
                most = part(told, 0, 0.97)
                found = library_map(
                    opened.library, wish.index, wish.kind, wish.sample, anew=anew, progress=most, watch=watch
                )
                return Laid(found, map_facts(opened.library, found.ids, part(told, 0.97, 1)), now)
            except Cancelled:
                if going_on():
                    raise
                return None  # another map is wished by now

        self._adding.run(words, work, lambda laid: self._on_made(opened, wish, laid))

    def _on_layout(self, wish: Wish, ids: Any, xy: Any) -> None:
        if wish == self._making == self._wish and self._shown is not None and self._shown[0] == wish:
            self.view.canvas.show_layout(ids, xy)

    def _on_made(self, opened: Opened, wish: Wish, laid: Laid | None) -> None:
        if self._making == wish:
            self._making = None
        if laid is not None and opened is self._opened and wish == self._wish:
            self._show(wish, laid)

    def _on_growing(self, growing: bool) -> None:
        if not growing:
            QTimer.singleShot(0, self, self._on_end_of_work)  # what was made is shown first

    def _on_end_of_work(self) -> None:
        """Say so where the map that was wished was not made: it was stopped, or failed."""
        if self._making is None or self._adding.busy():
            return
        self._making = None
        canvas, shown = self.view.canvas, self._shown
        if shown is None or shown[1].found is None or shown[1].facts is None:
            return
        found = shown[1].found
        if canvas.motion.unsettled:
            canvas.show_map(found, shown[1].facts, self.colours.of(found, shown[1].facts))
        self.view.show_making(
            self.tr("{0} Bringing neighbours together was stopped: P twice does it after all.").format(
                self.view.reading(found, self._measure(found))
            )
        )

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic != TOPIC:
            return
        if self._wish.index != AUTOMATIC and self._shown is None:
            self._wish_for(Wish(AUTOMATIC, self._wish.kind, self._wish.sample))  # the index of last time is gone
        else:
            self._shown = None
            self.view.show_fault(f"{sentence} {next_step}".strip())

    def _on_stopped(self, topic: str) -> None:
        if topic == TOPIC and self._shown is None:
            self.view.show_fault(self.tr("It was stopped before there was a map."))

    def _show_indexes(self) -> None:
        names = [name for name, _, _ in self._frame.searching.choice.offered] or [self._wish.index]
        self.view.show_indexes(names, self._wish.index)

    # --- what is chosen ----------------------------------------------------------------------------------------------

    def _on_asked(self, one: int) -> None:
        chosen = self.chosen()
        self._frame.searching.ask_pictures(list(chosen) if one in chosen and len(chosen) > 1 else [one])

    def show_in_library(self) -> None:
        """Show what is selected in the library, alone."""
        ids = self.chosen()
        if not ids:
            self._frame.status.show_message(self.tr("Nothing is selected: draw a line around photographs with Shift."))
            return
        self._frame.show_in_library(tuple(ids))

    def _look_up(self) -> None:
        """Show the photograph under the pointer, else the one that the keys are on."""
        canvas, opened = self.view.canvas, self._opened
        one = canvas.id_of(canvas.hovered) if canvas.hovered >= 0 else canvas.current_id()
        if opened is None or one < 0:
            self.view.show_photograph(None, None)
            return

        def then(known: tuple[Photograph, QImage] | None) -> None:
            row = -1 if canvas.found is None else canvas.found.rows.get(one, -1)
            beside = ""
            if row >= 0 and canvas.coloured is not None:
                beside = canvas.coloured.groups[int(canvas.coloured.of[row])].name
            one_, image = known or (None, None)
            self.view.show_photograph(one_, image, beside)

        self._jobs.start(_CARD, lambda _: photograph(opened, one), then)

    # --- files -------------------------------------------------------------------------------------------------------

    def _on_export(self, how: str) -> None:
        if how in ("copy", "link", "csv"):
            self._frame.actions_.export(self.chosen(), cast("Literal['copy', 'link', 'csv']", how))
            return
        opened, shown = self._opened, self._shown
        if opened is None or shown is None or shown[1].found is None:
            return
        save_map(self._frame, self.view, opened, shown[1].found, "png" if how == "png" else "table")
