"""Reading of tensors out of a file of weights as PyTorch wrote them before version 1.6, without running anything in it.

Such a file is four pickles (a magic number, a version, facts of the system, the tensors as views of storages), a fifth
with the order of the storages, and then their numbers. A pickle can name any function to be called when it is read;
here the four names that describe a dictionary of float tensors mean something, and any other refuses the file.
"""

from __future__ import annotations

import io
import pickle
import struct
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Tensor = npt.NDArray[np.generic]

_MAGIC = 0x1950A86A20F9469CFC6C
_TYPES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}
_LENGTH = struct.Struct("<q")


class _Storage(NamedTuple):
    key: str
    kind: np.dtype[Any]
    length: int


class _View(NamedTuple):
    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def _view(
    storage: _Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_gradient: object
) -> _View:
    return _View(storage, offset, shape, strides)


class _Reader(pickle.Unpickler):
    _KNOWN: Mapping[tuple[str, str], object] = {
        ("collections", "OrderedDict"): OrderedDict,
        ("torch._utils", "_rebuild_tensor_v2"): _view,
        **{("torch", name): kind for name, kind in _TYPES.items()},
    }

    def find_class(self, module: str, name: str) -> Any:
        try:
            return self._KNOWN[module, name]
        except KeyError:
            raise ValueError(f"it names {module}.{name}, which no tensor needs") from None

    def persistent_load(self, about: Any) -> _Storage:
        _, kind, key, _, length, _ = about
        return _Storage(key, kind, length)


def tensors(data: bytes) -> dict[str, Tensor]:
    """Return the tensors by their names, read-only.

    Raises
    ------
    ValueError
        If it is no such file, damaged, or names anything but tensors.
    """
    stream = io.BytesIO(data)
    try:
        if _Reader(stream).load() != _MAGIC:
            raise ValueError("it does not begin as such a file does")
        for _ in ("version", "system"):
            _Reader(stream).load()
        views: dict[str, _View] = _Reader(stream).load()
        kinds = {view.storage.key: view.storage for view in views.values()}
        storages = {key: _numbers(stream, kinds[key]) for key in _Reader(stream).load()}
    except (pickle.UnpicklingError, AttributeError, EOFError, KeyError, IndexError, TypeError, struct.error) as error:
        raise ValueError(f"it cannot be read ({error})") from None
    return {name: _tensor(view, storages[view.storage.key]) for name, view in views.items()}


def _numbers(stream: io.BytesIO, storage: _Storage) -> Tensor:
    (length,) = _LENGTH.unpack(stream.read(_LENGTH.size))
    content = stream.read(storage.length * storage.kind.itemsize)
    if length != storage.length or len(content) != storage.length * storage.kind.itemsize:
        raise ValueError("it is cut short")
    return np.frombuffer(content, storage.kind)


def _tensor(view: _View, numbers: Tensor) -> Tensor:
    reach = sum((side - 1) * stride for side, stride in zip(view.shape, view.strides, strict=True))
    if view.offset < 0 or min((*view.shape, *view.strides, 1)) < 1 or view.offset + reach >= len(numbers):
        raise ValueError("a tensor lies outside of what is stored")
    steps = [stride * numbers.itemsize for stride in view.strides]
    return np.lib.stride_tricks.as_strided(numbers[view.offset :], view.shape, steps, writeable=False)
