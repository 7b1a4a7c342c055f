"""Controller of the explorer: each new setting of the knobs replaces the one before.

Figures are provisional at first, then exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from twinlens.app.gui.actions.action import offer
from twinlens.app.gui.actions.lab_actions import explore_actions
from twinlens.app.gui.compare.compare_controller import CompareControl
from twinlens.app.gui.lab.explore.explore_jobs import (
    ExplorerSample,
    SampleDrawing,
    SettingReader,
    SettingReading,
    SettingTask,
    first_setting,
    tiles_of,
)
from twinlens.app.gui.lab.explore.explore_view import ExploreView
from twinlens.app.gui.lab.explore.knob_panel import KnobReadings
from twinlens.app.gui.lab.sheet.line_pictures import LinePictures
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.language.texts import _, text, typed_number
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.indexes.index_results import IndexStatus
    from twinlens.app.lab.explore.explorer import ExplorerReading
    from twinlens.app.lab.explore.knobs import KnobSetting
    from twinlens.app.library.library import Library


_SAMPLE = 2_000


class ExploreControl(QObject):
    """Controller of the explorer: measures a row and changed settings on a sample of the library.

    Parameters
    ----------
    line : LinePictures
        Shows what the line finds, where no knob is turned.
    leave : callable
        Shows the experiment again.
    """

    def __init__(self, window: Workspace, line: LinePictures, leave: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._line, self._stands = line, ("", "", "")
        self._window, self._jobs = window, window.jobs
        self._samples = SampleDrawing(window.opened, window.jobs, self)
        self.view = ExploreView()
        self._setting: KnobSetting | None = None
        self._wanted: dict[str, Any] = {}
        self._index, self._photographs = "", _SAMPLE
        self._query_row, self._by_codes = -1, True
        self._before: tuple[KnobSetting, ExplorerReading] | None = None
        self._reading: ExplorerReading | None = None
        self._pinned: ExplorerReading | None = None
        self._knobs = KnobReadings(self.view.panel, self)
        self._reader = SettingReader(window.jobs, self)
        self._walls = [self.view.pictures, line.pictures]
        self._feeds = [PictureFeed(wall.pictures, window.opened, window.jobs) for wall in self._walls]
        self._connect()
        acts = {
            "another": self.ask_another,
            "begin": self.begin,
            "pin": self.pin,
            "swap": self.swap,
            "compare": self._compare,
            "order": lambda: self.order_by_codes(not self._by_codes),
            "leave": leave,
        }
        offer(self.view, explore_actions(), acts)

    def restore(self, kept: object) -> None:
        """Restore the remembered state."""
        self._wanted = kept if isinstance(kept, dict) else {}
        self._index = str(self._wanted.get("index", ""))
        photographs = self._wanted.get("photographs")
        self._photographs = photographs if isinstance(photographs, int) and photographs > 1 else _SAMPLE

    def _connect(self) -> None:
        view, panel = self.view, self.view.panel
        panel.index_chosen.connect(lambda name: self._open(index=name))
        panel.sample_chosen.connect(lambda count: self._open(photographs=count))
        panel.method_chosen.connect(self.choose_method)
        panel.search_chosen.connect(self.choose_search)
        panel.turned.connect(self.turn)
        panel.typed.connect(self.type)
        panel.held.connect(self._on_held)
        view.index_wanted.connect(self._on_index_wanted)
        self._line.another.clicked.connect(self.ask_another)
        for wall in self._walls:
            wall.asked.connect(self.ask)
            wall.looked_at.connect(lambda one, wall=wall: self._window.viewing.show(wall, one))
            wall.menu_wanted.connect(self._window.show_menu)
        self._samples.drawn.connect(self._on_sample)
        self._samples.progressed.connect(view.show_progress)
        self._samples.failed.connect(self._on_failed)
        self._samples.outdated.connect(self._open)
        self._samples.listed.connect(lambda names: panel.show_indexes(names, self._index))
        self._reader.read.connect(self._show)
        self._reader.failed.connect(self._on_fault)
        self._reader.beside.connect(self._knobs.show_points)

    def _on_fault(self, failure: Failure) -> None:
        self.view.show_fault(failure.words())
        self._line.show_fault(failure.words())

    @property
    def sample(self) -> ExplorerSample | None:
        """The measured photographs; None until they are drawn."""
        return self._samples.now

    @property
    def setting(self) -> KnobSetting | None:
        """The method and the search structure of the current setting."""
        return self._setting

    @property
    def reading(self) -> ExplorerReading | None:
        """The current figures."""
        return self._reading

    @property
    def query_row(self) -> int:
        """The photograph of the query, or -1."""
        return self._query_row

    # --- a part of the Lab -------------------------------------------------------------------------------------------

    def show_line(self, index: str, method: str, search: str) -> None:
        """Explore a row: a method and a search structure in text form, over the vectors of an index.

        An empty index: at none.
        """
        if (index, method, search) == self._stands:
            return
        self._stands = index, method, search
        self._line.show_line(method if index else "")
        if not index:
            return
        wanted = {"method": method, "search": search, "codes": True}
        if self.sample is None or index != self._index:
            self._index, self._wanted, self._setting = index, wanted, None
            self._open()
        else:
            self._begin_with(wanted)

    def leave(self) -> None:
        """Close the explorer."""
        self._knobs.shown = False

    def stay(self) -> None:
        """Forget the row: the current setting is explored further."""
        self._stands = "", "", ""
        self._knobs.come(self._setting)
        if self.sample is None and not self._samples.running:
            self._open()
        self._look()  # along the slider, too

    def focus(self) -> None:
        """Focus the first slider."""
        self.view.panel.focus(self._knobs.path)

    def refresh(self) -> None:
        """Draw the sample again if the library has other photographs or indexes now."""
        for wall in self._walls:
            wall.pictures.retry()
        self._samples.refresh()

    def state(self) -> dict[str, Any]:
        """Return the state to remember."""
        if self._setting is None:
            return self._wanted
        kept: dict[str, Any] = {
            "index": self._index,
            "photographs": self._photographs,
            "method": self._setting.method.text(),
            "search": self._setting.search.text(),
            "codes": self._by_codes,
        }
        return kept

    # --- the sample --------------------------------------------------------------------------------------------------

    def _open(self, index: str | None = None, photographs: int | None = None) -> None:
        if index is not None and index != self._index:
            self._wanted = {}  # another index begins with its own method
            self._setting, self._stands = None, ("", "", "")
        elif self._setting is not None:
            self._wanted = self.state()
        self._index = self._index if index is None else index
        self._photographs = self._photographs if photographs is None else photographs
        self._reader.stop()
        self.view.show_waiting(_("Reading vectors, and finding their true neighbours…"))
        self._samples.draw(self._index, self._photographs, [self._query_row] if self._query_row >= 0 else [])

    def _on_sample(self, sample: ExplorerSample) -> None:
        explorer = sample.explorer
        self._index = explorer.material.index
        panel = self.view.panel
        panel.show_indexes(sample.indexes, self._index)
        panel.show_sample(self._photographs, explorer.material.library)
        panel.show_families(sample.methods, sample.searches)
        if explorer.material.row_of(self._query_row) < 0:
            if self._query_row >= 0:
                self._window.status.show_message(
                    _("The index {index} has no vector of that photo; another one asks.", index=self._index)
                )
            self._query_row = int(explorer.material.ids[explorer.material.query_rows(explorer.material.task)[0]])
        self._begin_with(self._wanted)

    def _begin_with(self, wanted: dict[str, Any]) -> None:
        """Begin with the wanted setting, or with the index's own."""
        assert self.sample is not None
        setting = self._setting = first_setting(self.sample.explorer, wanted)
        self._by_codes = bool(wanted.get("codes", True))
        self.view.show_order(self._by_codes)
        self._pinned, self._before, self._reading = None, None, None
        self.view.show_pinned(False)
        self._knobs.begin("method.rank" if hasattr(setting.method, "rank") else "method.bits")
        self._look()

    # --- turning -----------------------------------------------------------------------------------------------------

    def choose_method(self, key: str) -> None:
        """Choose another hash method, with defaults for the vectors."""
        if self.sample is None or self._setting is None or key == self._setting.method.key:
            return
        from twinlens.app.lab.explore.knobs import KnobSetting

        begun = self.sample.explorer.begin(key)
        self._before = None
        self._knobs.begin("method.rank" if hasattr(begun.method, "rank") else "method.bits")
        self._set(KnobSetting(begun.method, self._setting.search))

    def choose_search(self, key: str) -> None:
        """Choose another search structure."""
        if self._setting is None or key == self._setting.search.key:
            return
        from twinlens.app.lab.explore.knobs import KnobSetting
        from twinlens.app.methods import catalogue

        self._before = None
        self._set(KnobSetting(self._setting.method, catalogue.search_structure(key)))

    def begin(self) -> None:
        """Go back to the setting of the index itself."""
        if self.sample is not None:
            self._before = None
            self._knobs.begin("method.bits")
            self._set(self.sample.explorer.begin())

    def turn(self, path: str, value: object) -> None:
        """Change the value of a parameter."""
        setting = self._setting
        row = self.view.panel.rows().get(path)
        if setting is None or row is None:
            return
        from twinlens.core.errors import DeclarationError

        try:
            made = setting.changed(path, value)
        except DeclarationError as error:
            row.say(text(error.message), wrong=True)
            row.reset_field()
            return
        if path != self._knobs.path or self._before is None:
            self._knobs.path = path
            self._before = None if self._reading is None else (self._reading.setting, self._reading)
        self._set(made)

    def type(self, path: str, text: str) -> None:
        """Set a parameter to the written value."""
        from twinlens.core.declaration.parameters import ParameterKind

        row = self.view.panel.rows().get(path)
        if row is None:
            return
        about = row.knob.about
        words = typed_number(text.strip().split(" ")[0])
        value: object = words
        if words == _("none") and about.optional:
            value = None
        elif words not in about.words:
            try:
                value = int(words) if about.kind is ParameterKind.WHOLE else float(words)
            except ValueError:
                row.say(_("{name} takes {accepted}.", name=row.knob.name, accepted=about.accepted()), wrong=True)
                row.reset_field()
                return
        self._before = None
        self.turn(path, value)

    def _on_held(self, held: bool) -> None:
        if held:
            self._before = None  # what comes is compared with what holds now

    def order_by_codes(self, by_codes: bool) -> None:
        """Show results in the order of their codes, or as the search ranks them."""
        self._by_codes = by_codes
        self.view.show_order(by_codes)
        self._look()

    def ask(self, photograph: int) -> None:
        """Search with a photograph; if the sample lacks it, draw it into the sample."""
        self._query_row = photograph
        if self.sample is None or self.sample.explorer.material.row_of(photograph) < 0:
            self._open()
        else:
            self._look()

    def ask_another(self) -> None:
        """Search with the next query of the sample."""
        if self.sample is None:
            return
        material = self.sample.explorer.material
        rows = material.query_rows(material.task).tolist()
        now = material.row_of(self._query_row)
        place = rows.index(now) + 1 if now in rows else 0
        self.ask(int(material.ids[rows[place % len(rows)]]))

    # --- reading off -------------------------------------------------------------------------------------------------

    def _set(self, setting: KnobSetting) -> None:
        self._setting = setting
        self._look()

    def _look(self) -> None:
        """Measure the current setting."""
        sample, setting = self.sample, self._setting
        if sample is not None and setting is not None:
            row = sample.explorer.material.row_of(self._query_row)
            path = self._knobs.path if self._knobs.shown else ""
            self._reader.look(SettingTask(sample, setting, path, row, self._by_codes))

    def _show(self, read: SettingReading, whole: bool) -> None:
        """Show a reading, and its knobs unless the person has moved on meanwhile."""
        sample, reading = self.sample, read.reading
        assert sample is not None
        self._reading = reading
        explorer = sample.explorer
        if self._pinned is not None and not self._pinned.exact:
            self._pinned = explorer.known(self._pinned.setting) or self._pinned
        self._knobs.show(read, whole, self._pinned)
        material = explorer.material
        self.view.show_reading(reading, self._pinned, material.index, material.truth, "")
        if reading.outcome is not None:
            tiles = tiles_of(reading.outcome, sample.photographs)
            self.view.show_results(*tiles, reading)
            if any(self._stands):
                self._line.show_results(*tiles, reading)
        if self._before is not None:
            before, was = self._before
            self._knobs.say_moved(before, explorer.known(before) or was, reading)

    # --- pinned ------------------------------------------------------------------------------------------------------

    def pin(self) -> None:
        """Pin this setting for comparison, or unpin the pinned one."""
        if self._reading is None:
            return
        self._pinned = None if self._pinned is not None else self._reading
        self.view.show_pinned(self._pinned is not None)
        self._look()

    def swap(self) -> None:
        """Go to the pinned setting, and pin the current one."""
        if self._pinned is None or self._reading is None:
            return
        pinned, self._pinned = self._pinned, self._reading
        self._before = None
        self._set(pinned.setting)

    def _on_index_wanted(self, name: str) -> None:
        sample, setting = self.sample, self._setting
        if sample is None or setting is None:
            return

        def create(library: Library, progress: Progress) -> IndexStatus:
            from twinlens.app.indexes.indexes import create_index
            from twinlens.app.indexes.new_index import NewIndex
            from twinlens.app.methods import catalogue

            of, method, search = (
                sample.explorer.material,
                *map(catalogue.written_declaration, (setting.method, setting.search)),
            )
            wanted = NewIndex(
                descriptor=of.descriptor, method=method, search=search, name=name or None, metric=of.metric
            )
            return create_index(library, wanted, progress)

        self._window.making.make(setting.text(), create)

    def _compare(self) -> None:
        """Compare the setting with the index that the explorer began with."""
        from twinlens.app.compare.columns import ComparisonColumn

        if self.sample is not None and self._setting is not None:
            index, setting = self.sample.explorer.material.index, self._setting
            column = ComparisonColumn(index, method=setting.method.text(), search=setting.search.text())
            self._window.show_view("compare")
            comparing = self._window.views.get("compare", CompareControl)
            comparing.show_columns([ComparisonColumn(index), column], self._query_row)

    # --- the rest ----------------------------------------------------------------------------------------------------

    def _on_failed(self, failure: Failure) -> None:
        self.view.show_waiting(failure.words())
        self._line.show_fault(failure.words())
