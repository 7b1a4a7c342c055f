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
_ANSWER_S = 20.0  # a closing window stops its work first
_AGAIN_S = 0.1
_TAKEN = b"taken\n"
_LONGEST = 16 << 20
"""Bytes of a line at most: twice the longest command line, in hexadecimal digits."""

_PATIENCE_MS = 5000
"""Time within which a connection has sent everything."""


class SingleInstance(QObject):
    """The per-user socket of a library's window.

    Parameters
    ----------
    library : Address
        Any spelling of its address.

    Attributes
    ----------
    name : str
        Path of the socket, in a private folder of this user; on Windows a name.
    """

    handed_over = Signal(list)
    """Paths that a second start was given; empty to bring the window to the front."""

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
        """Hand files to the running window; False if there is none, and this process becomes it.

        Raises
        ------
        TwinlensError
            If the running window does not respond.
        """
        words = json.dumps([os.fsencode(one).hex() for one in files]).encode() + b"\n"
        until = time.monotonic() + wait_s
        # Of two simultaneous starts one waits here until the other listens.
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
        """Send words to the running window; return whether there is one, or None without a response."""
        socket = QLocalSocket()
        socket.connectToServer(self.name)
        if not socket.waitForConnected(_CONNECT_MS):
            QLocalServer.removeServer(self.name)  # left behind by a killed process
            self._server.listen(self.name)
            return False
        socket.write(words)
        while not socket.canReadLine():
            left = round(1000 * (until - time.monotonic()))
            if left <= 0:
                break
            if not (socket.bytesToWrite() and socket.waitForBytesWritten(left)) and not socket.waitForReadyRead(left):
                break  # it is closing, or does not respond
        answered = bytes(socket.readLine().data()) == _TAKEN
        socket.abort()
        return True if answered else None

    def close(self) -> None:
        """Stop listening."""
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
            socket.abort()  # not a Twinlens process
            return
        socket.write(_TAKEN)
        socket.flush()
        self.handed_over.emit(paths)
