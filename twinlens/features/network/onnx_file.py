"""ONNX files, read and written as the few needed fields of protobuf messages.

An ONNX file is a protobuf message (onnx.proto3). Of a file are read the shape of the input and the names of the layers,
of which a chosen one becomes the output: the library that runs networks gives the outputs that a file names, and no
other layer. Written are nodes, weights and a graph of them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_GRAPH = 7  # of the model
_NODE, _INITIALIZER, _INPUT, _OUTPUT = 1, 5, 11, 12  # of a graph
_NODE_OUTPUT = 2
_TENSOR_NAME = 8
_NAME, _TYPE = 1, 2  # of an input or output
_TENSOR_TYPE, _SHAPE, _DIM, _DIM_VALUE = 1, 2, 1, 1
_FLOATS = b"\x08\x01"  # field 1, element type 1; of the shape nothing is said
PICTURE_SIDES = 4
"""Of the input of pictures: how many, colours, height, width."""

_LONGEST = 63  # bits of a number, and one more byte
_VARINT, _EIGHT_BYTES, _BLOCK, _FOUR_BYTES = 0, 1, 2, 5


class OnnxFile:
    """The description of a network in an ONNX file.

    Parameters
    ----------
    data : bytes

    Raises
    ------
    ValueError
        If it is no ONNX file, or cut short.
    """

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        try:
            graphs = [field for field in _fields(self._data) if field.number == _GRAPH]
            if len(graphs) != 1 or not isinstance(graphs[0].value, memoryview):
                raise ValueError("it has no graph")
            self._field, self._graph = graphs[0], graphs[0].value
            self._parts = list(_fields(self._graph))
            self.layers = [
                bytes(output).decode("utf-8", "replace")
                for node in _blocks(self._graph, _NODE)
                for output in _blocks(node, _NODE_OUTPUT)
            ]
            """Names of what its nodes give, in order."""
            self.input_shape = self._input_shape()
            """Sides of its input of pictures, None where any will do; None where the file does not say."""
        except IndexError:
            raise ValueError("the message is cut short") from None

    def _input_shape(self) -> tuple[int | None, ...] | None:
        """Return the shape of the input that is a picture; where there is none, that of the first input."""
        weights = {_text(tensor, _TENSOR_NAME) for tensor in _blocks(self._graph, _INITIALIZER)}
        # Old files list their weights as inputs too.
        inputs = [one for one in _blocks(self._graph, _INPUT) if _text(one, _NAME) not in weights]
        shapes = [
            tuple(_side(dim) for dim in _blocks(shape, _DIM))
            for one in inputs
            for kind in _blocks(one, _TYPE)
            for tensor in _blocks(kind, _TENSOR_TYPE)
            for shape in _blocks(tensor, _SHAPE)
        ]
        return next((shape for shape in shapes if len(shape) == PICTURE_SIDES), shapes[0] if shapes else None)

    def takes(self, shape: tuple[int, ...]) -> bool:
        """Return whether it takes an input of a shape, as far as it says."""
        wanted = self.input_shape
        return wanted is None or (
            len(wanted) == len(shape)
            and all(side is None or side == given for side, given in zip(wanted, shape, strict=True))
        )

    def shape_text(self) -> str:
        """Write the shape of its input: "1 x 3 x 224 x 224", with "any" where any side will do."""
        return " x ".join("any" if side is None else str(side) for side in self.input_shape or ())

    def with_output(self, layer: str) -> bytes:
        """Write the file with another output.

        Parameters
        ----------
        layer : str
            One of `layers`.
        """
        name = layer.encode()
        value = block(_NAME, name) + block(_TYPE, block(_TENSOR_TYPE, _FLOATS))
        parts = [self._graph[part.start : part.stop] for part in self._parts if part.number != _OUTPUT]
        graph = b"".join([*parts, block(_OUTPUT, value)])
        before, after = self._data[: self._field.start], self._data[self._field.stop :]
        return b"".join([before, head(_GRAPH, len(graph)), graph, after])


def _side(dim: memoryview) -> int | None:
    """Return a side; None where it is a name, or not above 0, as some programs write a side that is not known."""
    value = next((field.value for field in _fields(dim) if field.number == _DIM_VALUE), 0)
    return value if isinstance(value, int) and 0 < value < 1 << 31 else None


class _Field(NamedTuple):
    """One field of a message: its number, its value (of a block its bytes), and where it lies."""

    number: int
    value: int | memoryview
    start: int
    stop: int


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > _LONGEST:
            raise ValueError("a number is too long")


def _fields(data: memoryview) -> Iterator[_Field]:
    """Go through a message; ValueError or IndexError where it is none."""
    at = 0
    while at < len(data):
        start = at
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        value: int | memoryview = 0
        if kind == _VARINT:
            value, at = _varint(data, at)
        elif kind == _BLOCK:
            length, at = _varint(data, at)
            value = data[at : at + length]
            at += length
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"there is no wire type {kind}")
        if at > len(data):
            raise ValueError("the message is cut short")
        yield _Field(number, value, start, at)


def _blocks(data: memoryview, number: int) -> Iterator[memoryview]:
    for field in _fields(data):
        if field.number == number and isinstance(field.value, memoryview):
            yield field.value


def _text(data: memoryview, number: int) -> str:
    return next((bytes(block).decode("utf-8", "replace") for block in _blocks(data, number)), "")


Shape = Sequence[int | None]
Attribute = int | float | str | Sequence[int]
FLOAT, INT64 = 1, 7  # types of an element
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
