"""Trial of a network's files in a process of its own, since a damaged file may crash the library that runs networks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from core import own_process
from core.errors import TwinlensError
from core.message import from_data
from features.network.network_file import LostNetworkError, open_network
from features.network.text_network import TextNetwork

_PATIENCE_S = 300.0
_EMBEDDINGS = ("image_embeds", "pooler_output")
"""Usual names of outputs that are the vector of a picture, where a network has several; the best one first."""


@dataclass(frozen=True)
class NetworkTrial:
    """Results of the trial of a network.

    Attributes
    ----------
    length : int
        Of its vectors.
    side : int
        Pixels of the squares that it takes.
    layer : str or None
        The output that is the vector; None for the last.
    """

    length: int
    side: int
    layer: str | None


@lru_cache(maxsize=16)
def try_network(path: str, digest: str, side: int | None, usual_side: int, layer: str | None) -> NetworkTrial:
    """Run a network on an empty picture, once a process.

    Parameters
    ----------
    path, digest, layer
        As :func:`features.network.network_file.open_network` takes them.
    side : int or None
        Of the picture; None for what the file says, or else `usual_side`.

    Raises
    ------
    TwinlensError
        If it cannot be read, takes no such picture, gives no vector, or ends or outlasts the process that reads it.
    """
    length, found_side, found_layer = _tried_elsewhere(path, "network", digest, side, usual_side, layer)
    return NetworkTrial(length, found_side, found_layer)


def try_text_network(network: TextNetwork, length: int) -> None:
    """Run a text network on a word.

    Parameters
    ----------
    length : int
        Of the vectors of its image network.

    Raises
    ------
    TwinlensError
        As :meth:`TextNetwork.vector`, or if it ends or outlasts the process that reads it.
    """
    _tried_elsewhere(network.path, "text network", _hex(network.tokenizer), length)


def _tried_elsewhere(path: str, what: str, *about: object) -> Sequence[Any]:
    """Try a file in another process, and return its report."""
    try:
        ended = subprocess.run(  # noqa: S603 (this very program)
            own_process.command("features.network.network_trial"),
            input=json.dumps([what, _hex(path), *about]).encode(),
            capture_output=True,
            check=False,
            timeout=_PATIENCE_S,
            env=own_process.environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        answer = json.loads(ended.stdout.rpartition(b"\n")[2])
        if "found" in answer:
            return list(answer["found"])
        message, next_step = map(from_data, answer["wrong"])
    except OSError as error:
        raise TwinlensError(
            "The network {path} cannot be tried: {strerror}.",
            "Close other programs.",
            path=path,
            strerror=error.strerror,
        ) from None
    except subprocess.TimeoutExpired:
        raise TwinlensError(
            "The network {path} was not ready after {patience_s:.0f} minutes.",
            "Name a smaller one.",
            path=path,
            patience_s=_PATIENCE_S / 60,
        ) from None
    except (LookupError, TypeError, ValueError):
        raise TwinlensError(
            "{path} is no ONNX network that can be read (reading it ends the program).",
            "Export it again, or name another file.",
            path=path,
        ) from None
    raise (LostNetworkError if answer.get("lost") else TwinlensError)(message, next_step)


def _answer() -> None:
    """Try the file named on standard input, and write the result or the error: the main function of the process."""
    what, path, *about = json.load(sys.stdin)
    try:
        try_it: Callable[..., Sequence[Any]] = _network if what == "network" else _text_network
        told: object = {"found": try_it(_path(path), *about)}
    except TwinlensError as error:
        wrong = error.message.as_data(), error.advice.as_data()
        told = {"wrong": wrong, "lost": isinstance(error, LostNetworkError)}
    sys.stdout.write(f"\n{json.dumps(told)}")


def _network(path: str, digest: str, side: int | None, usual_side: int, layer: str | None) -> Sequence[Any]:
    opened = open_network(path, digest, layer)
    if layer is None:
        layer = next((name for name in _EMBEDDINGS if name in opened.outputs[:-1]), None)
        opened = open_network(path, digest, layer)
    chosen = side or opened.side or usual_side
    return len(opened.run(np.zeros((3, chosen, chosen), np.float32))), chosen, layer


def _text_network(path: str, tokenizer: str, length: int) -> Sequence[Any]:
    TextNetwork(path, _path(tokenizer)).vector("dog", length)
    return ()


def _hex(path: str) -> str:
    return os.fsencode(path).hex()


def _path(written: str) -> str:
    return os.fsdecode(bytes.fromhex(written))


if __name__ == "__main__":
    _answer()
