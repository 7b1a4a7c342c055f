"""Writes small networks as ONNX files, byte by byte: nothing is fetched, and no package is needed."""

from __future__ import annotations

import struct
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

_FLOAT = 1
_INTS = 7

Weights = npt.NDArray[np.float32]


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _block(field: int, content: bytes | str) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, values: Weights) -> bytes:
    dims = b"".join(_number(1, side) for side in values.shape)
    return dims + _number(2, _FLOAT) + _block(8, name) + _block(9, values.astype("<f4").tobytes())


def _value(name: str, shape: tuple[int, ...]) -> bytes:
    dims = b"".join(_block(1, _block(2, "any") if side < 0 else _number(1, side)) for side in shape)
    return _block(1, name) + _block(2, _block(1, _number(1, _FLOAT) + _block(2, dims)))


def _node(kind: str, inputs: list[str], output: str, **attributes: list[int]) -> bytes:
    out = b"".join(_block(1, one) for one in inputs) + _block(2, output) + _block(3, output) + _block(4, kind)
    for name, values in attributes.items():
        packed = b"".join(_number(8, value) for value in values)
        out += _block(5, _block(1, name) + packed + _number(20, _INTS))
    return out


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
        _node("Conv", ["input", "weights"], "mixed", kernel_shape=[1, 1]),
        _node("Relu", ["mixed"], "positive"),
        _node("AveragePool", ["positive"], "pooled", kernel_shape=[pool, pool], strides=[pool, pool]),
    ]
    shape: tuple[int, ...] = (1, channels, small, small)
    if flat:
        nodes.append(_node("Flatten", ["pooled"], "output"))
        shape = (1, channels * small * small)
    graph = b"".join(_block(1, node) for node in nodes) + _block(2, "small")
    graph += _block(5, _tensor("weights", weights[:, :, None, None]))
    graph += _block(11, _value("input", (-1, colours, *((-1, -1) if open_size else (side, side))))) + _block(
        12, _value("output" if flat else "pooled", shape)
    )
    return _number(1, 8) + _block(2, "test") + _block(7, graph) + _block(8, _block(1, "") + _number(2, 13))


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
    return _number(1, 8) + _block(7, struct.pack("<8I", *range(8)))
