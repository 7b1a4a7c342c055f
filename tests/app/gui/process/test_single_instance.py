"""One window a library: a second start hands its files over, and nothing that is left behind keeps a window away."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalServer
from pytestqt.qtbot import QtBot

from app.gui.frame import single_instance
from app.gui.frame.single_instance import SingleInstance
from core.errors import TwinlensError
from storage.database.address import Address
from tests.app.gui.looking import LONG

# A process of its own, as a second start is; the exit code says whether it handed its files over.
_SECOND = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.gui.frame.single_instance import SingleInstance
from storage.database.address import Address

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
