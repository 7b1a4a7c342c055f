"""One window a library: a second start hands its files to the first and ends."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 1000


class Single(QObject):
    """The place, known to this user alone, where a window can be spoken to.

    Parameters
    ----------
    library : Path
    """

    handed_over = Signal(list)
    """Paths that a second start was given; none where it only wanted to be seen."""

    def __init__(self, library: Path) -> None:
        super().__init__()
        whole = os.fsencode(os.path.realpath(library))
        user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
        self._name = f"twinlens-{user}-{hashlib.sha256(whole).hexdigest()[:16]}"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def hand_over(self, files: list[Path]) -> bool:
        """Hand files to the window that is there; False where there is none, and from now on this is the one."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if socket.waitForConnected(_WAIT_MS):
            socket.write(json.dumps([os.fsencode(one).hex() for one in files]).encode() + b"\n")
            socket.waitForBytesWritten(_WAIT_MS)
            socket.disconnectFromServer()
            return True
        QLocalServer.removeServer(self._name)  # left behind by one that was killed
        self._server.listen(self._name)
        return False

    def close(self) -> None:
        """Be spoken to no longer."""
        self._server.close()

    def _on_connection(self) -> None:
        socket = self._server.nextPendingConnection()
        socket.readyRead.connect(lambda: self._on_words(socket))
        socket.disconnected.connect(socket.deleteLater)

    def _on_words(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            return
        try:
            words = json.loads(bytes(socket.readLine().data()))
            paths = [Path(os.fsdecode(bytes.fromhex(word))) for word in words]
        except (ValueError, TypeError):
            return  # not one of us
        self.handed_over.emit(paths)
