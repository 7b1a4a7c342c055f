"""The window starts once for each library, takes another language, reaches for no other machine, and ends when told."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFontInfo
from PySide6.QtNetwork import QLocalServer
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries, write_scenes
from tests.app.gui.looking import LONG, button, chooser, said
from tests.guarded import TWINLENS, Guarded
from twinlens.app.gui.frame import start as single_instance
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.frame.start import LibraryWindow, SingleInstance, install_language
from twinlens.app.gui.look.buttons import Link, Switch
from twinlens.app.gui.look.theme import DARK, LIGHT, theme
from twinlens.app.library.library import Library
from twinlens.app.machine.preferences import Preferences, keep
from twinlens.app.machine.preferences import keep as keep_preferences
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.address import Address
from twinlens.storage.integrity.integrity_check import check


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a screen")
@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":54321"}], ids=["none", "one that does not answer"])
def test_a_start_without_a_screen_ends_with_a_sentence(display: dict[str, str]) -> None:
    told = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in told} | display
    program = "from twinlens.app.gui.frame.start import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "no screen" in done.stderr


@pytest.mark.parametrize(
    ("option", "said", "code"), [("--help", "Usage:", 0), ("--version", "twinlens ", 0), ("-x", "Usage:", 2)]
)
def test_options_open_no_window(
    option: str, said: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["twinlens-gui", option])
    monkeypatch.setattr(single_instance, "show_window", lambda *_: pytest.fail("a window opens"))
    ended = 0
    try:
        single_instance.main()
    except SystemExit as end:
        ended = int(str(end.code))
    assert ended == code
    assert capsys.readouterr().out.startswith(said)


# Two threads ask for the same classes in another order, as a job that imports a view and the window that shows one.
_TWO_THREADS = """
import random, sys, threading
from twinlens.app.gui.frame import start
from PySide6 import QtCore, QtGui, QtNetwork, QtSvg, QtWidgets

sys.setswitchinterval(1e-6)
modules = (QtCore, QtGui, QtNetwork, QtSvg, QtWidgets)
assert "QProxyStyle" in vars(QtWidgets) and "QDnsLookup" in vars(QtNetwork), "classes are made when they are asked for"

def ask(seed):
    names = [(module, name) for module in modules for name in dir(module)]
    random.Random(seed).shuffle(names)
    for module, name in names:
        getattr(module, name)

other = threading.Thread(target=ask, args=(1,))
other.start()
ask(2)
other.join()
"""


def test_classes_of_qt_are_not_made_by_two_threads() -> None:
    done = subprocess.run([sys.executable, "-c", _TWO_THREADS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# A process of its own, as a second start is; the exit code says whether it handed its files over.
_SECOND = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from twinlens.app.gui.frame.start import SingleInstance
from twinlens.storage.database.address import Address

application = QCoreApplication([])
files = [Path(os.fsdecode(b"/odd \\xff.jpg")), *(Path(f"/{number:05}.jpg") for number in range(int(sys.argv[2])))]
sys.exit(10 if SingleInstance(Address.of(sys.argv[1])).hand_over(files) else 20)
"""
HANDED_OVER, FIRST = 10, 20


@pytest.fixture
def first(tmp_path: Path, qapp: object) -> Iterator[SingleInstance]:
    made = SingleInstance(Address.of(tmp_path / "a.twinlens"))
    yield made
    made.close()


def second(qtbot: QtBot, library: Path, count: int = 0) -> int:
    with subprocess.Popen([sys.executable, "-c", _SECOND, str(library), str(count)]) as started:
        qtbot.waitUntil(lambda: started.poll() is not None, timeout=LONG)
        return started.returncode


def test_a_second_start_hands_its_files_to_the_first(qtbot: QtBot, first: SingleInstance, tmp_path: Path) -> None:
    assert not first.hand_over([])
    taken: list[list[Path]] = []
    first.handed_over.connect(taken.append)
    assert second(qtbot, tmp_path / "a.twinlens", 20_000) == HANDED_OVER
    assert [len(files) for files in taken] == [20_001]
    assert os.fsencode(taken[0][0]) == b"/odd \xff.jpg"


def test_a_link_leads_to_the_same_window(qtbot: QtBot, first: SingleInstance, tmp_path: Path) -> None:
    assert not first.hand_over([])
    (tmp_path / "link.twinlens").symlink_to(tmp_path / "a.twinlens")
    assert second(qtbot, tmp_path / "link.twinlens") == HANDED_OVER
    assert second(qtbot, tmp_path / "other.twinlens") == FIRST


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows nothing is left behind")
def test_what_one_that_was_killed_left_behind_keeps_nobody_away(
    qtbot: QtBot, first: SingleInstance, tmp_path: Path
) -> None:
    path = first.name
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(path)
    assert Path(path).exists()
    assert not first.hand_over([])
    assert second(qtbot, tmp_path / "a.twinlens") == HANDED_OVER


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows it is no file")
def test_nobody_else_can_speak_to_it(first: SingleInstance) -> None:
    assert not first.hand_over([])
    place = Path(first.name)
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(place.stat().st_mode) & 0o077 == 0


@pytest.mark.skipif(sys.platform == "win32", reason="speaks to a socket")
@pytest.mark.parametrize(
    "words",
    [
        b"[" * 200_000 + b"\n",
        b'{"a": 1}\n',
        b'["zz"]\n',
        b"[1]\n",
        b"\xff\n",
        b"1\n",
        b'"' + b"a" * single_instance._LONGEST,
        b"[]",
    ],
    ids=["nested", "object", "no hex", "number", "no text", "no list", "endless", "unfinished"],
)
def test_words_that_are_none_of_ours_are_hung_up_on(
    qtbot: QtBot, first: SingleInstance, monkeypatch: pytest.MonkeyPatch, words: bytes
) -> None:
    monkeypatch.setattr(single_instance, "_PATIENCE_MS", 50 if words == b"[]" else LONG)
    assert not first.hand_over([])
    taken: list[object] = []
    first.handed_over.connect(taken.append)
    with socket.socket(socket.AF_UNIX) as other:
        other.connect(first.name)
        other.setblocking(False)
        left = memoryview(words)

        def hung_up() -> bool:
            nonlocal left
            try:
                while left:
                    left = left[other.send(left) :]
                return not other.recv(1)
            except BlockingIOError:
                return False
            except OSError:
                return True

        qtbot.waitUntil(hung_up, timeout=LONG)
    assert not taken


def test_one_that_closes_just_now_is_waited_for(qtbot: QtBot, tmp_path: Path) -> None:
    closing = QLocalServer()  # it takes nothing any more
    assert closing.listen(SingleInstance(Address.of(tmp_path / "a.twinlens")).name)
    closing.newConnection.connect(closing.close)
    assert second(qtbot, tmp_path / "a.twinlens") == FIRST


def test_one_that_does_not_answer_is_told_of(first: SingleInstance, tmp_path: Path) -> None:
    assert not first.hand_over([])
    with pytest.raises(TwinlensError, match="does not answer"):
        SingleInstance(Address.of(tmp_path / "a.twinlens")).hand_over(
            [], wait_s=0.2
        )  # nothing turns the loop of the first


def test_a_library_on_a_server_has_one_window_whatever_password_is_written(qapp: object) -> None:
    names = [
        SingleInstance(Address.of(f"postgresql://{one}@archive/photos")).name
        for one in ("anna", "anna:secret", "anna:other")
    ]
    assert len(set(names)) == 1
    assert SingleInstance(Address.of("postgresql://anna@archive/others")).name not in names


COUNT = 6


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LibraryWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep_preferences(Preferences(language="en", rescan_on_start=False))
    library = libraries.copy(COUNT, tmp_path / "family.twinlens")
    before = QLocale()
    install_language(qapp, "en")
    address = Address.of(library)
    made = LibraryWindow(qapp, address, SingleInstance(address))
    with qtbot.waitSignal(made.frame.opened, timeout=LONG):
        made.frame.show()
    yield made
    made.frame.close()
    made.frame.deleteLater()
    made.single.close()
    install_language(qapp, "en")
    QLocale.setDefault(before)


def settled(qtbot: QtBot, window: LibraryWindow) -> None:
    qtbot.waitUntil(lambda: not window.frame.busy(), timeout=LONG)


def switches(frame: MainWindow) -> list[tuple[bool, bool]]:
    """Return which switches of the check are shown, and which are on."""
    return [
        (one.isVisibleTo(frame.workspace.searching.view), one.isChecked())
        for one in frame.workspace.searching.view.checking.findChildren(Switch)
    ]


def choose_german(qtbot: QtBot, window: LibraryWindow) -> None:
    window.frame.workspace.show_view("settings")
    settled(qtbot, window)
    boxes = window.frame.findChildren(QComboBox)
    box, place = next((one, one.findText("Deutsch")) for one in boxes if one.findText("Deutsch") >= 0)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def test_the_language_changes_at_once_and_nothing_else(
    qtbot: QtBot, window: LibraryWindow, libraries: Libraries
) -> None:
    frame = window.frame
    frame.resize(820, 700)
    frame.workspace.searching.search(SearchQuery((Example(1),)))
    frame.workspace.searching.search(SearchQuery((Example(2),)))
    settled(qtbot, window)
    frame.workspace.side.choose({"orientation": "landscape"}, str(libraries.photographs(COUNT)))
    settled(qtbot, window)
    checked, before = switches(frame), frame.workspace.searching.view.grid.rows().ids.tolist()
    assert any(shown for shown, _ in checked)
    choose_german(qtbot, window)
    qtbot.waitUntil(lambda: window.frame is not frame, timeout=LONG)
    renewed = window.frame
    qtbot.waitUntil(lambda: renewed.is_open() and renewed.workspace.searching.query is not None, timeout=LONG)
    settled(qtbot, window)
    assert renewed.isVisible()
    assert renewed.workspace.view() == "settings"
    assert renewed.workspace.views.part("settings").view.accessibleName() == "Einstellungen"
    assert "nach verpassten Fotos sehen" in [
        one.text() for one in renewed.workspace.searching.view.timing.findChildren(Link)
    ]
    assert (renewed.width(), renewed.height()) == (820, 700)
    assert renewed.workspace.searching.query == SearchQuery((Example(2),))
    assert [one.view for one in renewed.workspace.history.places()[0]][:3] == ["library", "search", "search"]
    assert renewed.workspace.side.filters() == {"orientation": "landscape"}
    assert renewed.workspace.side.folder() == str(libraries.photographs(COUNT))
    assert switches(renewed) == checked
    assert renewed.workspace.searching.view.grid.rows().ids.tolist() == before
    renewed.close()
    window.frame.finish()


def test_work_under_way_comes_to_its_end_first(qtbot: QtBot, window: LibraryWindow) -> None:
    frame, done = window.frame, threading.Event()
    settled(qtbot, window)
    frame.workspace.work.run("Working", lambda _: done.wait(LONG / 1000))
    keep_preferences(Preferences(language="de", rescan_on_start=False))
    window.renew()
    qtbot.waitUntil(lambda: "window changes" in said(frame.status), timeout=LONG)
    assert window.frame is frame
    done.set()
    qtbot.waitUntil(lambda: window.frame is not frame, timeout=LONG)
    qtbot.waitUntil(window.frame.is_open, timeout=LONG)


def choose_setting(qtbot: QtBot, window: LibraryWindow, name: str, word: str) -> None:
    window.frame.workspace.show_view("settings")
    settled(qtbot, window)
    box = chooser(window.frame, name)
    box.setCurrentText(word)
    box.activated.emit(box.currentIndex())


def test_the_text_becomes_larger_and_smaller_again(qtbot: QtBot, qapp: QApplication, window: LibraryWindow) -> None:
    usual = QFontInfo(qapp.font()).pixelSize()
    for word, size in (("Very large", 1.3 * usual), ("Normal", usual)):
        frame = window.frame
        choose_setting(qtbot, window, "Text size", word)
        qtbot.waitUntil(lambda frame=frame: window.frame is not frame, timeout=LONG)  # type: ignore[misc]
        qtbot.waitUntil(window.frame.is_open, timeout=LONG)
        assert abs(QFontInfo(qapp.font()).pixelSize() - size) <= 1
        settled(qtbot, window)


def test_the_colours_change_at_once(qtbot: QtBot, window: LibraryWindow) -> None:
    frame = window.frame
    for word, colours in (("Dark", DARK), ("Light", LIGHT)):
        choose_setting(qtbot, window, "Theme", word)
        qtbot.waitUntil(lambda colours=colours: theme() is colours, timeout=LONG)  # type: ignore[misc]
        assert frame.palette().window().color().name() == colours.paper
    choose_setting(qtbot, window, "Theme", "System")
    assert window.frame is frame


def test_a_window_without_its_library_changes_its_language_and_makes_no_other(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, window: LibraryWindow
) -> None:
    settled(qtbot, window)
    library = tmp_path / "family.twinlens"
    library.rename(tmp_path / "elsewhere.twinlens")
    qtbot.waitUntil(window.frame.failure.isVisible, timeout=LONG)
    frame = window.frame
    frame.failure.settings_wanted.emit()
    box = chooser(frame, "Language")
    box.setCurrentText("Deutsch")
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: window.frame is not frame, timeout=LONG)
    qtbot.waitUntil(window.frame.failure.isVisible, timeout=LONG)
    assert button(window.frame, "Einstellungen und Protokoll").isVisible()
    assert not library.exists()


WINDOW = """
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from twinlens.app.gui.frame.main_window import MainWindow
from tools.portrait import settle
from twinlens.app.gui.frame.start import SingleInstance
from twinlens.storage.database.address import Address

application = QApplication(["twinlens"])
library, photograph = Path(sys.argv[1]), Path(sys.argv[2])
single = SingleInstance(Address.of(library))
assert not single.hand_over([])
frame = MainWindow(library)
frame.show()
settle(frame, 50)
frame.take_files([photograph])
settle(frame, 50)
for view in ("library", "duplicates", "compare", "map", "learn", "lab"):
    frame.workspace.show_view(view)
    settle(frame, 50)
frame._show_settings()
settle(frame, 50)
print(frame.workspace.searching.view.grid.rows().ids.size)
frame.finish()
single.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the guard of sockets is Linux's")
def test_no_socket_and_no_foreign_file(tmp_path: Path) -> None:
    guarded = Guarded(tmp_path)
    photographs = write_scenes(tmp_path / "photographs", 4)
    library = str(tmp_path / "family.twinlens")
    done = guarded.run(*TWINLENS, "--library", library, "add", str(tmp_path / "photographs"), "--workers", "1")
    assert done.returncode == 0, done.stderr
    done = guarded.run(sys.executable, "-c", WINDOW, library, str(photographs[2]), TWINLENS_PLAIN="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "4"  # it has searched
    assert guarded.sockets == []
    assert guarded.left() == []


SIGNALS = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such signals")

# The window sends itself the signal once it is at the stage that is named; the end is printed when all is closed.
_PROGRAM = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog
import twinlens.app.gui.frame.start as start
from twinlens.storage.database.address import Address

signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background hands down that it is ignored
application = QApplication([])
library, folder, stage, number = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])

class Frame(start.MainWindow):
    def __init__(self, path):
        super().__init__(path)
        self.end = lambda: os.kill(os.getpid(), number)
        if stage == "opening":
            QTimer.singleShot(0, self.end)
        elif stage == "asking":
            self.opened.connect(self.ask)
        else:
            self.opened.connect(self.add)

    def add(self):
        self.workspace.work.progressed.connect(self.on_progress)
        self.take_files([folder])

    def ask(self):
        self.dialog = QDialog(self)
        QTimer.singleShot(0, self.end)
        self.dialog.exec()

    def on_progress(self, done, total, text):
        if done > 0:
            self.status.toggle_pause()
            self.end()

start.MainWindow = Frame
code = start.show_window(Address.of(library), [])
print("closed", code, flush=True)
"""


@SIGNALS
@pytest.mark.parametrize(
    ("stage", "number"),
    [
        ("opening", signal.SIGTERM),
        ("asking", signal.SIGTERM),
        ("paused", signal.SIGINT),
    ],
)
def test_a_signal_closes_the_window_at_every_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, number: int
) -> None:
    write_scenes(tmp_path / "photographs", 4)
    path = tmp_path / "a.twinlens"
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(workers=1))  # another would have to start, too
    environment = os.environ | {"TWINLENS_PLAIN": "1"}  # nothing to compile
    words = [sys.executable, "-c", _PROGRAM, str(path), str(tmp_path / "photographs"), stage, str(int(number))]
    # Worker processes hold the outputs too: it returns only when the last of them has ended.
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.split() == ["closed", str(128 + number)], done.stderr
    assert "Traceback" not in done.stderr
    beside = sorted(one.name for one in tmp_path.iterdir() if one.name.startswith("a.twinlens"))
    assert beside == ["a.twinlens"]  # no lock and no journal: it was closed, not dropped
    with Library.open(path) as library:
        assert check(library.store).findings == []
