"""Fitted objects: frozen dataclasses of arrays, numbers and text, stored without pickle.

A fitted object is taken apart into plain parts (:func:`pack`) that any store can keep, and put together again
(:func:`unpack`). One that holds others is stored with them, in one layout (:func:`join_packed`). Nothing that is read
back is ever executed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Self

import numpy as np

from twinlens.core.arrays import AnyArray
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message, from_json

NOTE = "note"
"""The field of what a person should know of something fitted: a `Message`."""


@dataclass(frozen=True)
class Packed:
    """The plain parts of a fitted object.

    Attributes
    ----------
    kind : str
        Name of its class.
    numbers : dict of str to number, text, bool, None or list of these
        Everything that is not an array; JSON can hold it. Of a part, {"kind": ..., "numbers": ...}.
    arrays : dict of str to ndarray
        Its arrays, contiguous; those of a part under "part.array".
    """

    kind: str
    numbers: dict[str, Any]
    arrays: dict[str, AnyArray]

    def digest(self) -> bytes:
        """Content hash, 32 bytes, of all parts: equal results have equal digests."""
        h = hashlib.sha256()
        h.update(json.dumps([self.kind, self.numbers], sort_keys=True).encode())
        for name in sorted(self.arrays):
            array = self.arrays[name]
            h.update(json.dumps([name, array.dtype.str, list(array.shape)]).encode())
            h.update(np.ascontiguousarray(array).tobytes())
        return h.digest()

    def part(self, name: str) -> Packed:
        """Return a joined part; a missing one has the kind of the whole, which its reader refuses."""
        found = self.numbers.get(name)
        if not isinstance(found, dict) or set(found) != {"kind", "numbers"}:
            found = {"kind": self.kind, "numbers": self.numbers}
        prefix = f"{name}."
        arrays = {key.removeprefix(prefix): array for key, array in self.arrays.items() if key.startswith(prefix)}
        return Packed(found["kind"], found["numbers"], arrays)

    @property
    def own_arrays(self) -> dict[str, AnyArray]:
        """The arrays that belong to no part."""
        parts = {name for name, value in self.numbers.items() if isinstance(value, dict)}
        return {key: array for key, array in self.arrays.items() if key.partition(".")[0] not in parts}


def join_packed(
    kind: str, numbers: Mapping[str, Any], arrays: Mapping[str, AnyArray], parts: Mapping[str, Packed]
) -> Packed:
    """Join packed parts into a packed whole, from which :meth:`Packed.part` returns them; their names have no dot."""
    return Packed(
        kind,
        {**numbers, **{name: {"kind": one.kind, "numbers": one.numbers} for name, one in parts.items()}},
        {**arrays, **{f"{name}.{key}": array for name, one in parts.items() for key, array in one.arrays.items()}},
    )


@dataclass(frozen=True, eq=False)
class Fitted:
    """Base of everything that ``fit`` returns: a frozen dataclass of arrays, numbers, text, None or fitted objects."""

    def pack(self) -> Packed:
        """Return the object as numbers and arrays; fitted objects in its fields become its parts."""
        numbers: dict[str, Any] = {}
        arrays: dict[str, AnyArray] = {}
        parts: dict[str, Packed] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                arrays[field.name] = np.asarray(value, order="C")
            elif isinstance(value, Fitted):
                parts[field.name] = value.pack()
            elif isinstance(value, np.generic):
                numbers[field.name] = value.item()
            elif isinstance(value, tuple):
                numbers[field.name] = list(value)
            elif isinstance(value, Message):
                numbers[field.name] = value.to_json()
            else:
                numbers[field.name] = value
        return join_packed(type(self).__name__, numbers, arrays, parts)

    @classmethod
    def unpack(cls, packed: Packed) -> Self:
        """Restore an object from its parts; a class with fitted parts restores them, knowing their classes.

        Raises
        ------
        TwinlensError
            If the parts are of another class or another version of the program.
        """
        expected = {field.name for field in fields(cls)}
        needed = {field.name for field in fields(cls) if field.default is MISSING}  # later fields have a default
        arrays = packed.own_arrays
        found = set(packed.numbers) | set(arrays)
        if packed.kind != cls.__name__ or not needed <= found <= expected:
            raise TwinlensError(
                "What was learned is stored as {kind} with {found}, but this version of Twinlens expects "
                "{name} with {expected}.",
                "Rebuild the index.",
                kind=packed.kind,
                found=", ".join(sorted(found)),
                name=cls.__name__,
                expected=", ".join(sorted(expected)),
            )
        for array in arrays.values():
            array.flags.writeable = False
        values: dict[str, Any] = {
            name: from_json(value) if name == NOTE else tuple(value) if isinstance(value, list) else value
            for name, value in packed.numbers.items()
        }
        return cls(**values, **arrays)
