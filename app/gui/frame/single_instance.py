"""One window per library: a second start hands its files to the first and ends."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app.machine import app_folders
from core.errors import TwinlensError
from core.files.untrusted_input import parse_json
from storage.database.address import Address

_WINDOWS = sys.platform == "win32"
_CONNECT_MS = 1000
_ANSWER_S = 20.0  # a window that closes stops its work first
_AGAIN_S = 0.1
_TAKEN = b"taken\n"
_LONGEST = 16 << 20
"""Bytes of a line: twice what a system lets a command line have, in hexadecimal digits."""

_PATIENCE_MS = 5000
"""Within which somebody who connects has said all."""


class SingleInstance(QObject):
    """The place, known to this user alone, where a window can be spoken to.

    Parameters
    ----------
    library : Address
        Whichever way it is written.

    Attributes
    ----------
    name : str
        Of the place: a socket in a folder of this user's alone; on Windows a name.
    """

    handed_over = Signal(list)
    """Paths that a second start was given; none where it only wanted to be seen."""

    def __init__(self, library: Address) -> None:
        super().__init__()
        self._library = library
        folder = app_folders.meeting_folder()
        digest = hashlib.sha256(library.key).hexdigest()[:16]
        self.name = f"twinlens-{os.environ.get('USERNAME', '')}-{digest}" if _WINDOWS else str(folder / digest)
        self._lock = folder / f"{digest}.lock"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def hand_over(self, files: list[Path], wait_s: float = _ANSWER_S) -> bool:
        """Hand files to the window that is there; False where there is none, and from now on this is the one.

        Raises
        ------
        TwinlensError
            If there is one that does not answer.
        """
        words = json.dumps([os.fsencode(one).hex() for one in files]).encode() + b"\n"
        until = time.monotonic() + wait_s
        # Of two that start at the same moment one waits here until the other can be spoken to.
        lock = QLockFile(str(self._lock))
        lock.setStaleLockTime(0)
        lock.tryLock(round(1000 * wait_s))
        try:
            while True:
                there = self._tell(words, until)
                if there is not None:
                    return there
                if time.monotonic() > until:
                    raise TwinlensError(
                        "The window of the library {library} does not answer.",
                        "Wait until it has closed, or end it, and start again.",
                        library=self._library.shown,
                    )
                time.sleep(_AGAIN_S)
        finally:
            lock.unlock()

    def _tell(self, words: bytes, until: float) -> bool | None:
        """Speak to the window that is there: whether it is, or None where it did not answer."""
        socket = QLocalSocket()
        socket.connectToServer(self.name)
        if not socket.waitForConnected(_CONNECT_MS):
            QLocalServer.removeServer(self.name)  # left behind by one that was killed
            self._server.listen(self.name)
            return False
        socket.write(words)
        while not socket.canReadLine():
            left = round(1000 * (until - time.monotonic()))
            if left <= 0:
                break
            if not (socket.bytesToWrite() and socket.waitForBytesWritten(left)) and not socket.waitForReadyRead(left):
                break  # it is just closing, or does not answer
        answered = bytes(socket.readLine().data()) == _TAKEN
        socket.abort()
        return True if answered else None

    def close(self) -> None:
        """Be spoken to no longer."""
        self._server.close()

    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda one=socket: self._on_words(one))
            socket.disconnected.connect(socket.deleteLater)
            late = QTimer(socket)
            late.setSingleShot(True)
            late.timeout.connect(socket.abort)
            late.start(_PATIENCE_MS)

    def _on_words(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > _LONGEST:
                socket.abort()
            return
        try:
            words = parse_json(bytes(socket.readLine().data()))
            paths = [Path(os.fsdecode(bytes.fromhex(word))) for word in words]
        except (ValueError, TypeError):
            socket.abort()  # not one of us
            return
        socket.write(_TAKEN)
        socket.flush()
        self.handed_over.emit(paths)
