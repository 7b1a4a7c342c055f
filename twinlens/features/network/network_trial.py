"""Trial of a network's files in a process of its own, since a damaged file may crash the library that runs networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from twinlens.core.errors import TwinlensError
from twinlens.core.worker_process import TaskCaller, TaskFaultError, WorkerEndError, WorkerProcess, plain
from twinlens.features.network.network_file import LostNetworkError, open_network
from twinlens.features.network.text_network import TextNetwork

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
        As :func:`twinlens.features.network.network_file.open_network` takes them.
    side : int or None
        Of the picture; None for what the file says, or else `usual_side`.

    Raises
    ------
    TwinlensError
        If it cannot be read, takes no such picture, gives no vector, or ends or outlasts the process that reads it.
    """
    length, found_side, found_layer = _tried_elsewhere(_network, path, digest, side, usual_side, layer)
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
    _tried_elsewhere(_text_network, network.path, network.tokenizer, length)


@dataclass(frozen=True)
class _Trial:
    """A file to try.

    Attributes
    ----------
    try_it : callable
        Gets the path and what else is known of it.
    """

    try_it: Callable[..., Sequence[Any]]
    path: str
    about: tuple[Any, ...]

    def __call__(self, caller: TaskCaller) -> Sequence[Any] | LostNetworkError:
        """Return its report, or that the file is lost."""
        del caller
        try:
            return self.try_it(self.path, *self.about)
        except LostNetworkError as error:
            return error


def _tried_elsewhere(try_it: Callable[..., Sequence[Any]], path: str, *about: object) -> Sequence[Any]:
    """Try a file in another process, and return its report."""
    process = WorkerProcess(plain)
    try:
        report: Sequence[Any] | LostNetworkError = process.run(_Trial(try_it, path, about), seconds=_PATIENCE_S)
    except TimeoutError:
        raise TwinlensError(
            "The network {path} was not ready after {patience_s:.0f} minutes.",
            "Name a smaller one.",
            path=path,
            patience_s=_PATIENCE_S / 60,
        ) from None
    except (WorkerEndError, TaskFaultError):
        raise TwinlensError(
            "{path} is no ONNX network that can be read (reading it ends the program).",
            "Export it again, or name another file.",
            path=path,
        ) from None
    finally:
        process.stop()
    if isinstance(report, LostNetworkError):
        raise report
    return report


def _network(path: str, digest: str, side: int | None, usual_side: int, layer: str | None) -> Sequence[Any]:
    opened = open_network(path, digest, layer)
    if layer is None:
        layer = next((name for name in _EMBEDDINGS if name in opened.outputs[:-1]), None)
        opened = open_network(path, digest, layer)
    chosen = side or opened.side or usual_side
    return len(opened.run(np.zeros((3, chosen, chosen), np.float32))), chosen, layer


def _text_network(path: str, tokenizer: str, length: int) -> Sequence[Any]:
    TextNetwork(path, tokenizer).vector("dog", length)
    return ()
