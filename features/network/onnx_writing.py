"""Writing of ONNX files: nodes, weights and a graph of them, as the few fields of protobuf messages that it takes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Shape = Sequence[int | None]
Attribute = int | float | str | Sequence[int]

FLOAT, INT64 = 1, 7  # types of an element
_VARINT, _BLOCK, _FOUR_BYTES = 0, 2, 5
_IR_VERSION, _OPERATORS = 8, 13
_KIND_FLOAT, _KIND_INT, _KIND_TEXT, _KIND_INTS = 1, 2, 3, 7  # of an attribute


def head(number: int, length: int) -> bytes:
    """Begin a block."""
    return _written_varint(number << 3 | _BLOCK) + _written_varint(length)


def block(number: int, content: bytes) -> bytes:
    """Write a block: a text, or a message within a message."""
    return head(number, len(content)) + content


def node(operator: str, inputs: Sequence[str], *outputs: str, **attributes: Attribute) -> bytes:
    """Write a node, named as its first output."""
    parts = [block(1, name.encode()) for name in inputs] + [block(2, name.encode()) for name in outputs]
    parts += [block(3, outputs[0].encode()), block(4, operator.encode())]
    parts += [block(5, _attribute(name, value)) for name, value in attributes.items()]
    return b"".join(parts)


def tensor(name: str, values: npt.NDArray[np.float32]) -> bytes:
    """Write weights of float32 under a name."""
    sides = b"".join(_number(1, side) for side in values.shape)
    content = np.ascontiguousarray(values, "<f4").tobytes()
    return sides + _number(2, FLOAT) + block(8, name.encode()) + block(9, content)


class Value(NamedTuple):
    """An input or output: its name, its sides (None where one may be any), and the type of its elements."""

    name: str
    shape: Shape
    kind: int = FLOAT


def model(nodes: Iterable[bytes], weights: Iterable[bytes], taken: Iterable[Value], given: Iterable[Value]) -> bytes:
    """Write the whole file.

    Parameters
    ----------
    nodes, weights : iterable of bytes
        As :func:`node` and :func:`tensor` write them; nodes in an order in which they can be run.
    taken, given : iterable of Value
        The inputs and the outputs.
    """
    parts = [block(1, one) for one in nodes] + [block(2, b"network")] + [block(5, one) for one in weights]
    parts += [block(11, _value(one)) for one in taken] + [block(12, _value(one)) for one in given]
    return _number(1, _IR_VERSION) + block(7, b"".join(parts)) + block(8, block(1, b"") + _number(2, _OPERATORS))


def _value(value: Value) -> bytes:
    sides = b"".join(block(1, b"" if side is None else _number(1, side)) for side in value.shape)
    return block(1, value.name.encode()) + block(2, block(1, _number(1, value.kind) + block(2, sides)))


def _attribute(name: str, value: Attribute) -> bytes:
    named = block(1, name.encode())
    if isinstance(value, str):
        return named + block(4, value.encode()) + _number(20, _KIND_TEXT)
    if isinstance(value, int):
        return named + _number(3, value) + _number(20, _KIND_INT)
    if isinstance(value, float):
        return named + _written_varint(2 << 3 | _FOUR_BYTES) + struct.pack("<f", value) + _number(20, _KIND_FLOAT)
    return named + b"".join(_number(8, one) for one in value) + _number(20, _KIND_INTS)


def _number(field: int, value: int) -> bytes:
    return _written_varint(field << 3 | _VARINT) + _written_varint(value)


def _written_varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
