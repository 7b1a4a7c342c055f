"""Controller of the map: which map is shown, how it is coloured, and how it follows the library.

The program remembers its state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import map_actions
from twinlens.app.gui.look.keyed_menu import KeyedMenu
from twinlens.app.gui.map.camera import Camera
from twinlens.app.gui.map.map_canvas import MapCanvas
from twinlens.app.gui.map.map_colours import MapColours
from twinlens.app.gui.map.map_jobs import LaidOutMap, LayoutChoice, MapMaking, ready
from twinlens.app.gui.map.map_selection import MapSelectionControl, save_map
from twinlens.app.gui.map.map_view import COLOURINGS, KINDS, SAMPLES, MapView
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.services.workspace import AUTOMATIC, Workspace
from twinlens.app.language.texts import _
from twinlens.core.arrays import BoolMask, Float32Vectors
from twinlens.core.embedding.plane import spacings_of_appearance
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.map.map_view import MapView
    from twinlens.app.map.map_results import MapFacts, MapResult


_MOST_REMEMBERED = 10_000  # selected photographs


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
        self._bind()
        kept = self._opened.state.get("map")
        kept = kept if isinstance(kept, dict) else {}
        self._restore(kept)
        self.colours.restore(kept.get("colour"))
        self._show_indexes()
        self.view.show_kind(self._wish.kind)
        self.view.show_waiting()
        self._look()

    def _connect(self) -> None:
        view, window = self.view, self._window
        view.empty.wanted.connect(window.taking.choose_folder)
        view.waiting.wanted.connect(self._making_ready.cancel)
        view.fault.wanted.connect(self._look)
        view.index.activated.connect(lambda place: self._choose(index=self._indexes()[place]))
        view.kind.activated.connect(lambda place: self._choose(kind=KINDS[place]))
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

    def _bind(self) -> None:
        view = self.view
        by = ("by cluster", "by folder", "by date", "by mark", "by likeness")
        acts = attach(
            view.sheet,
            map_actions(),
            {
                "index": self._choose_next_index,
                "layout": lambda: self._choose(kind=KINDS[1 - view.kind.currentIndex()]),
                "more": lambda: self.more_menu().exec(view.more.mapToGlobal(view.more.rect().bottomLeft())),
                **{name: partial(self.colours.choose, one) for name, one in zip(by, COLOURINGS, strict=True)},
            },
        )
        view.more.clicked.connect(acts["more"].trigger)
        attach(view.waiting, map_actions(), {"stop": self._making_ready.cancel})

    # --- a part of the window ----------------------------------------------------------------------------------------

    def _restore(self, kept: dict[str, Any]) -> None:
        """Restore the remembered state of this version."""
        index = kept.get("index")
        kind, sample = kept.get("kind"), kept.get("sample")
        self._wish = LayoutChoice(
            index if isinstance(index, str) and index else self._window.shared.chosen_index,
            kind if kind in KINDS else "neighbours",
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

    def _indexes(self) -> list[str]:
        return self._window.indexes.names() or [self._wish.index]

    def _choose(self, **other: Any) -> None:
        """Wish for a map with another index, layout or sample."""
        self._wish_for(replace(self._wish, **other))

    def _choose_next_index(self) -> None:
        names = self._indexes()
        self._choose(index=names[(self.view.index.currentIndex() + 1) % len(names)])

    def more_menu(self) -> QMenu:
        """Make the menu of the map."""
        canvas, actions = self.view.canvas, map_actions()
        menu = KeyedMenu(self.view)
        sample = menu.addMenu(_("Photos on the map"))
        for count in SAMPLES:
            text = _("all") if count is None else _("a sample of {value}", value=count)
            one = sample.addAction(text, partial(self._choose, sample=count))
            one.setCheckable(True)
            one.setChecked(count == self._wish.sample)
        names = menu.addAction(_("Names of clusters") + f"\t{actions['names'].keys_text()}")
        names.setCheckable(True)
        names.setChecked(canvas.names_shown)
        names.toggled.connect(canvas.show_names)
        words = _("Overview in the corner where only a part is seen")
        overview = menu.addAction(words + f"\t{actions['overview'].keys_text()}")
        overview.setCheckable(True)
        overview.setChecked(canvas.minimap.wished)
        overview.toggled.connect(canvas.minimap.wish)
        for name, act in (("seen", canvas.select_seen), ("colour", canvas.select_group)):
            menu.addAction(f"{actions[name].words}\t{actions[name].keys_text()}", act)
        menu.addSeparator()
        menu.addAction(_("Save the whole map as a picture…"), partial(self._save, "png"))
        menu.addAction(_("Save the places as a table…"), partial(self._save, "table"))
        menu.addSeparator()
        menu.addAction(_("Make the map anew"), partial(self._make, anew=True))
        return menu

    def _save(self, how: Literal["png", "table"]) -> None:
        found = self.view.canvas.found
        if found is not None:
            save_map(self._window, self.view, self._opened, found, how)

    def _wish_for(self, wish: LayoutChoice) -> None:
        if wish == self._wish and self._shown is not None:
            return
        self._wish = wish
        self._show_indexes()
        self.view.show_kind(wish.kind)
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
        self.view.show_indexes(self._indexes(), self._wish.index)
