"""A first look at a network's file in a process of its own: what runs networks may not survive a damaged file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.errors import TwinlensError
from core.message import Message, from_data
from features.network.network_file import LostNetworkError, open_network

_PATIENCE_S = 300.0
_ROOT = Path(__file__).resolve().parents[2]


def length_of(path: str, digest: str, side: int, layer: str | None) -> int:
    """Find out how many numbers a network gives, by asking it with an empty picture.

    Parameters
    ----------
    path, digest, layer
        As :func:`features.network.network_file.open_network` takes them.
    side : int

    Raises
    ------
    TwinlensError
        If it cannot be read, takes no such picture, gives no vector, or ends or outlasts the process that reads it.
    """
    environment = {**os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_ROOT), environment.get("PYTHONPATH")]))
    about = json.dumps([os.fsencode(path).hex(), digest, side, layer])
    try:
        ended = subprocess.run(
            [sys.executable, "-P", "-c", "from features.network.network_trial import _answer; _answer()"],
            input=about.encode(),
            capture_output=True,
            check=False,
            timeout=_PATIENCE_S,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        answer = json.loads(ended.stdout.rpartition(b"\n")[2])
    except OSError as error:
        raise TwinlensError(
            Message("The network {path} cannot be tried: {strerror}.", path=path, strerror=error.strerror),
            Message("Close other programs."),
        ) from None
    except subprocess.TimeoutExpired:
        raise TwinlensError(
            Message(
                "The network {path} was not ready after {patience_s:.0f} minutes.",
                path=path,
                patience_s=_PATIENCE_S / 60,
            ),
            Message("Name a smaller one."),
        ) from None
    except ValueError:
        raise TwinlensError(
            Message("{path} is no ONNX network that can be read (reading it ends the program).", path=path),
            Message("Export it again, or name another file."),
        ) from None
    if isinstance(answer, int):
        return answer
    message, next_step, lost = answer
    raise (LostNetworkError if lost else TwinlensError)(from_data(message), from_data(next_step))


def _answer() -> None:
    """Be the process that tries: read a network's name from standard input, write its length or what is wrong."""
    path, digest, side, layer = json.load(sys.stdin)
    try:
        opened = open_network(os.fsdecode(bytes.fromhex(path)), digest, layer)
        told: object = len(opened.run(np.zeros((3, side, side), np.float32)))
    except TwinlensError as error:
        told = (error.message.as_data(), error.advice.as_data(), isinstance(error, LostNetworkError))
    sys.stdout.write(f"\n{json.dumps(told)}")
