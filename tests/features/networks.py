"""Small networks as ONNX files: nothing is fetched."""

from __future__ import annotations

import struct
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from features.network.onnx_writing import Shape, block, model, node, tensor

Weights = npt.NDArray[np.float32]


def network(
    weights: Weights, side: int = 64, pool: int = 8, flat: bool = True, colours: int = 3, open_size: bool = False
) -> bytes:
    """Write a network: a convolution of 1 x 1, what is below 0 set to 0, averages of squares, and all in one row.

    Parameters
    ----------
    weights : ndarray of float32, (channels, colours)
    side : int
        Of its input.
    pool : int
        Of the squares.
    flat : bool
        Whether the last step is there; without it the answer is no vector.
    colours : int
        Of its input.
    open_size : bool
        Whether its input may have any size.
    """
    channels, small = len(weights), side // pool
    nodes = [
        node("Conv", ["input", "weights"], "mixed", kernel_shape=[1, 1]),
        node("Relu", ["mixed"], "positive"),
        node("AveragePool", ["positive"], "pooled", kernel_shape=[pool, pool], strides=[pool, pool]),
    ]
    given: tuple[str, Shape] = ("pooled", (1, channels, small, small))
    if flat:
        nodes.append(node("Flatten", ["pooled"], "output"))
        given = ("output", (1, None if open_size else channels * small * small))
    sides = (None, None) if open_size else (side, side)
    return model(nodes, [tensor("weights", weights[:, :, None, None])], ("input", (None, colours, *sides)), given)


def both_signs() -> Weights:
    """Let each of red, green and blue through above its mean, and below it: 6 channels."""
    return np.concatenate([np.eye(3, dtype=np.float32), -np.eye(3, dtype=np.float32)])


@cache
def network_file() -> str:
    """Return a file with such a network, for as long as the tests run."""
    folder = tempfile.TemporaryDirectory(prefix="twinlens-network-")
    _kept.append(folder)
    path = Path(folder.name) / "small.onnx"
    path.write_bytes(network(both_signs()))
    return str(path)


_kept: list[tempfile.TemporaryDirectory[str]] = []


def garbage() -> bytes:
    """Return bytes that begin like a network and are none."""
    return b"\x08\x08" + block(7, struct.pack("<8I", *range(8)))
