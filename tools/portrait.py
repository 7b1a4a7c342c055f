"""Pictures of the window, made from the running program: ``python -m tools.portrait FOLDER [--all] [VIEW...]``.

Draws the pictures of the guide and the README; with ``--all`` every view, full and empty, light and dark, in two sizes,
of a library of a thousand pictures, or only the views that are named. Shows only demo photographs that are CC0 or in
the public domain, and writes their credits beside the pictures.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import twinlens.app.gui  # noqa: F401 (says how PySide makes its classes, before it is imported)
from tools.portrait_library import (
    free_ones,
    mark_some,
    named,
    own_home,
    put_away,
    put_copies,
    put_duplicates,
    put_free,
    put_many,
    telling,
)
from twinlens.app.demo.photographs import DemoPhotographs, fetch_photographs
from twinlens.app.library.ingest.adding import add
from twinlens.app.library.library import Library
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.features.query.words_and_colours import Phrase

if TYPE_CHECKING:
    from twinlens.app.gui.frame.main_window import MainWindow
    from twinlens.app.gui.services.workspace import ViewPart
    from twinlens.app.gui.settings.settings_page import SettingsPage

SIZE = (1440, 900)
SIZES = ((1280, 800), (2560, 1440))
"""Of the pictures of the guide, and of those of every view."""
GUIDE = (
    "similar", "words", "palette", "same", "same-large", "library", "duplicates",
    "compare", "advice", "problems", "settings", "check", "disks",
)  # fmt: skip
"""Pictures of the guide and the README, in the order in which they are drawn."""
GUIDE_OF_MANY = ("map", "learned")
"""Pictures that need a library of a thousand pictures."""
_LOOK_MS, _QUIET = 400, 4
_QUALITY = 88  # of JPEG
_WAIT_MS = 120_000


def main() -> None:
    """Draw the pictures, and write ``credits.txt``."""
    parser = argparse.ArgumentParser(prog="python -m tools.portrait", description="Draw pictures of the window.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(), help="where the pictures go")
    parser.add_argument("views", nargs="*", help="with --all, the views that are drawn; all without any")
    parser.add_argument("--all", action="store_true", help="every view, full and empty, light and dark, in two sizes")
    asked_for = parser.parse_intermixed_args()
    if asked_for.views and not asked_for.all:
        parser.error("views can be named with --all only")
    target = asked_for.folder.absolute()
    target.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    found = fetch_photographs()
    with tempfile.TemporaryDirectory() as place, own_home(Path(place)) as home:
        folder = home / "Pictures"
        put_free(found, folder)
        (folder / "damaged.jpg").write_bytes(b"\xff\xd8\xff" + bytes(100))
        if not asked_for.all:
            draw_guide(*_library(folder, found), target, GUIDE)
        put_many(found, folder)
        library, asked = _library(folder)
        if asked_for.all:
            draw_all(library, asked, target, asked_for.views)
        else:
            draw_guide(library, asked, target, GUIDE_OF_MANY)
    free = free_ones(found)
    lines = [f"{one.path}: {one.licence}{f', {one.author}' if one.author else ''} ({one.package})" for one in free]
    heading = "Photographs that the pictures of the window may show, with licence, author and package:"
    (target / "credits.txt").write_text("\n".join([heading, "", *sorted(lines), ""]), "utf-8")


def _library(folder: Path, copied: DemoPhotographs | None = None) -> tuple[Path, int]:
    """Add a folder to a library, with copies of some photographs if these are given, and mark some.

    Returns
    -------
    Path
        The library.
    int
        The photograph that searches ask with.
    """
    library = folder.with_name("Pictures.twinlens" if copied else "Many pictures.twinlens")
    with Library.open(library, create=True) as opened:
        add(opened, [folder])
        asked = telling(opened)
        if copied is not None:
            put_copies(opened, asked)
            put_duplicates(copied, folder)
            add(opened, [folder])
        mark_some(opened)
    return library, asked


def draw_guide(library: Path, asked: int, target: Path, names: Sequence[str]) -> None:
    """Draw some of the pictures of the guide and the README."""
    with Library.open(library) as opened:
        castle = named(opened, "neuschwanstein")
    frame = open_window(library, "light")
    shown = views(frame, asked) | {
        "similar": lambda: search_with(frame, castle),
        "words": lambda: frame.workspace.searching.search(SearchQuery((Example(Phrase("animal")),))),
        "learned": lambda: _learn(frame),
        "settings": lambda: _settings(frame),
        "check": lambda: _check(frame),
        "disks": lambda: _away(frame, library),
    }
    for name in names:
        shown[name]()
        settle(frame)
        _let_go(frame)
        frame.grab().save(str(target / f"{name}.jpg"), "JPEG", _QUALITY)
    frame.close()


def _learn(frame: MainWindow) -> None:
    """Learn from the marks what the colours mean."""
    frame.workspace.searching.choose_index("Colours")
    frame.workspace.show_view("learn")
    settle(frame)
    frame.workspace.learning.learn()


def _settings(frame: MainWindow) -> SettingsPage:
    """Show the settings, with the places that they have on a person's computer, whatever system draws them."""
    from twinlens.app.gui.settings.settings_page import DataLocation, SettingsPage
    from twinlens.app.machine.faults import version_text

    frame.workspace.show_view("settings")
    page = frame.workspace.views.part("settings").view
    assert isinstance(page, SettingsPage)
    settle(frame)
    page.set_version(version_text().replace(platform.platform(), platform.system()))
    page.set_places(
        [
            DataLocation("Library", "~/Pictures/Pictures.twinlens", "what is known of your photos, and your searches"),
            DataLocation("Cache", "~/.cache/twinlens", "thumbnails; may be deleted at any time"),
            DataLocation("Log", "~/.local/share/twinlens/log", "what went wrong"),
        ]
    )
    return page


def _check(frame: MainWindow) -> None:
    """Check the library, and scroll the settings to the outcome."""
    from PySide6.QtWidgets import QScrollArea

    from twinlens.app.gui.settings.settings_page import CheckCard

    page = _settings(frame)
    (card,) = page.findChildren(CheckCard)
    card.check_button.click()
    settle(frame)
    for area in page.findChildren(QScrollArea):
        area.ensureWidgetVisible(card)


def _away(frame: MainWindow, library: Path) -> None:
    """Disconnect a disk, and show the library with it."""
    with Library.open(library) as opened:
        put_away(opened, "fish")
    frame.workspace.show_view("library")
    frame.workspace.browsing.order_by("folder")


def draw_all(library: Path, asked: int, target: Path, only: Sequence[str] = ()) -> None:
    """Draw every view, full and empty, light and dark, in every size; or only the named ones."""
    for scheme in ("light", "dark"):
        frame = open_window(library, scheme)
        shown = views(frame, asked)
        if unknown := set(only) - set(shown):
            raise SystemExit(f"There is no view {', '.join(sorted(unknown))}; there are {', '.join(shown)}.")
        for name, show in shown.items():
            if not only or name in only:
                show()
                _draw_sizes(frame, target, name, scheme)
        frame.close()
        if only:
            continue
        empty = open_window(library.with_name(f"Empty {scheme}.twinlens"), scheme)
        for view in ("library", "search", "compare", "learn", "lab", "map", "problems"):
            empty.workspace.show_view(view)
            _draw_sizes(empty, target, f"{view}-empty", scheme)
        empty.close()


def _draw_sizes(frame: MainWindow, target: Path, name: str, scheme: str) -> None:
    for size in SIZES:
        frame.resize(*size)
        _draw(frame, target / f"{name}-{scheme}-{size[0]}.png")
    frame.resize(*SIZE)


def views(frame: MainWindow, asked: int) -> dict[str, Callable[[], object]]:
    """Return the functions that show each view."""
    from twinlens.app.compare.columns import ComparisonColumn

    def library() -> None:
        frame.workspace.show_view("library")
        frame.workspace.browsing.order_by("folder")

    def colours() -> None:
        frame.workspace.searching.choose_index("Colours")
        settle(frame)
        frame.workspace.searching.view.grid.set_current(int(frame.workspace.searching.view.grid.rows().ids[1]))

    def palette() -> None:
        from twinlens.app.gui.search.colours.palette import PaletteMix

        frame.workspace.ask_with_colours()
        settle(frame)
        frame.workspace.searching.view.colours_panel().take_mix(
            PaletteMix.of([((126, 173, 233), 3.0), ((88, 120, 52), 1.0)])
        )

    def same() -> None:
        frame.workspace.searching.colours.close()
        frame.workspace.searching.choose_index("Automatic")
        search_with(frame, asked)

    def compare() -> None:
        frame.workspace.searching.choose_index("Colours")
        frame.workspace.comparing.take_pictures([asked])

    def learn() -> None:
        frame.workspace.comparing.view.adding.leave()
        frame.workspace.show_view("learn")

    def compared() -> None:
        # Codes alone, short ones, and a kernel of low rank: columns that differ.
        for method in ("klsh:kernel=chi-square,rank=16", "lsh:bits=64"):
            column = ComparisonColumn("Colours", method=method, search="scan:candidates=1")
            if (
                column not in frame.workspace.comparing.columns()
            ):  # they are remembered from one colour scheme to the next
                frame.workspace.comparing.add(column)
        settle(frame)
        board = frame.workspace.comparing.view.board
        board.setFocus()
        board.set_column(2)
        board.set_current(board.ids()[4])

    def learned() -> None:
        frame.workspace.learning.learn()

    def near() -> None:
        part: Any = frame.workspace.views.part("map")
        part.take_pictures([asked])

    def narrowed() -> None:
        frame.workspace.panel_wanted.emit(True)
        frame.workspace.side._filters._change({"since": "2021", "until": "2023"})

    def wide() -> None:
        frame.workspace.side.clear()
        frame.workspace.panel_wanted.emit(False)
        frame.workspace.comparing.open_adding()

    def large() -> None:
        frame.workspace.show_view("library")
        frame.workspace.viewing.show(frame.workspace.browsing.view.grid, asked)

    return {
        "library": library,
        "search": lambda: search_with(frame, asked),
        "colours": colours,
        "palette": palette,
        "same": same,
        "same-large": frame.workspace.searching.view.why.large_wanted.emit,
        "compare": compare,
        "compared": compared,
        "compare-narrowed": narrowed,
        "compare-add": wide,
        "learn": learn,
        "learned": learned,
        **_lab_views(frame),
        "duplicates": lambda: frame.workspace.show_view("duplicates"),
        "map": lambda: frame.workspace.show_view("map"),
        "map-near": near,
        "large": large,
        **{name: lambda name=name: frame.workspace.show_view(name) for name in ("indexes", "problems", "settings")},  # type: ignore[misc]
        "new-index": lambda: frame.workspace.show_view("new index"),
    }


def _lab_views(frame: MainWindow) -> dict[str, Callable[[], object]]:
    """Return the functions that show each page of the Lab, with an experiment."""
    from twinlens.app.gui.lab.experiment_list import ADVICE
    from twinlens.app.gui.lab.lab_controller import LabControl

    def page(name: str) -> ViewPart:
        frame.workspace.show_view(name)
        return frame.workspace.views.part(name)

    def lab() -> LabControl:
        shown = page("lab")
        assert isinstance(shown, LabControl)
        return shown

    def asked() -> None:
        lab().planning.new()

    def measured() -> None:
        lab().view.show_main()
        lab().planning.first()

    def theory() -> None:
        settle(frame)
        lab().view.sheet.layers.press()

    def turned() -> None:
        lab().lines.turn()

    def advised() -> None:
        lab().choose([ADVICE])
        lab().advice.go()

    return {
        "lab-new": asked,
        "lab": measured,
        "theory": theory,
        "knobs": turned,
        "advice": advised,
    }


def open_window(library: Path, scheme: str) -> MainWindow:
    """Open a window with a library, and wait until it shows it."""
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from twinlens.app.gui.frame.main_window import MainWindow
    from twinlens.app.gui.frame.start import install_language
    from twinlens.app.gui.look.style_sheet import apply_theme

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, scheme)
    install_language(application, "en")
    frame = MainWindow(library)
    loop = QEventLoop()
    frame.opened.connect(loop.quit)
    QTimer.singleShot(_WAIT_MS, loop.quit)
    frame.show()
    loop.exec()
    frame.resize(*SIZE)
    settle(frame)
    return frame


def _let_go(frame: MainWindow) -> None:
    """Move the pointer away: without a screen it rests on the first widget, and never leaves."""
    from PySide6.QtCore import QEvent, Qt
    from PySide6.QtWidgets import QApplication, QWidget

    for widget in frame.findChildren(QWidget):
        if widget.underMouse():
            QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
            widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)
            widget.update()


def search_with(frame: MainWindow, asked: int) -> None:
    """Search with a photograph, and select the first result after it."""
    frame.workspace.searching.take_pictures([asked])
    settle(frame)
    ids = frame.workspace.searching.view.grid.rows().ids
    if len(ids) > 1:
        frame.workspace.searching.view.grid.set_current(int(ids[1]))


def _draw(frame: MainWindow, target: Path) -> None:
    settle(frame)
    _let_go(frame)
    frame.grab().save(str(target))


def settle(frame: MainWindow, look_ms: int = _LOOK_MS) -> None:
    """Process events until nothing has run for a while: one task may start the next."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, look = QEventLoop(), QTimer()
    quiet: list[bool] = []

    def seen() -> None:
        busy = frame.busy()
        quiet.clear() if busy else quiet.append(True)
        if len(quiet) >= _QUIET:
            loop.quit()

    look.setInterval(look_ms)
    look.timeout.connect(seen)
    look.start()
    QTimer.singleShot(_WAIT_MS, loop, loop.quit)
    loop.exec()
    look.stop()


if __name__ == "__main__":
    main()
