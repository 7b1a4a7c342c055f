"""What was learned: frozen dataclasses of arrays, numbers and text, stored without pickle.

A fitted object is taken apart into plain parts (:func:`pack`) that any store can keep, and put together again
(:func:`unpack`). Nothing that is read back is ever executed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import MISSING, dataclass, fields
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Packed:
    """The plain parts of a fitted object.

    Attributes
    ----------
    kind : str
        Name of its class.
    numbers : dict of str to number, text, bool, None or list of these
        Everything that is not an array; JSON can hold it.
    arrays : dict of str to ndarray
        Its arrays, contiguous.
    """

    kind: str
    numbers: dict[str, Any]
    arrays: dict[str, Array]

    def digest(self) -> bytes:
        """Content hash, 32 bytes, of all parts: equal answers have equal digests."""
        h = hashlib.sha256()
        h.update(json.dumps([self.kind, self.numbers], sort_keys=True).encode())
        for name in sorted(self.arrays):
            array = self.arrays[name]
            h.update(json.dumps([name, array.dtype.str, list(array.shape)]).encode())
            h.update(np.ascontiguousarray(array).tobytes())
        return h.digest()


@dataclass(frozen=True, eq=False)
class Fitted:
    """Base of everything that ``fit`` returns: a frozen dataclass whose fields are arrays, numbers, text or None."""

    def pack(self) -> Packed:
        """Take the object apart into numbers and arrays."""
        numbers: dict[str, Any] = {}
        arrays: dict[str, Array] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                arrays[field.name] = np.asarray(value, order="C")
            elif isinstance(value, np.generic):
                numbers[field.name] = value.item()
            elif isinstance(value, tuple):
                numbers[field.name] = list(value)
            else:
                numbers[field.name] = value
        return Packed(type(self).__name__, numbers, arrays)

    @classmethod
    def unpack(cls, packed: Packed) -> Self:
        """Put an object together again.

        Raises
        ------
        TwinlensError
            If the parts are of another class or another version of the program.
        """
        expected = {field.name for field in fields(cls)}
        needed = {field.name for field in fields(cls) if field.default is MISSING}  # later fields have a default
        found = set(packed.numbers) | set(packed.arrays)
        if packed.kind != cls.__name__ or not needed <= found <= expected:
            raise TwinlensError(
                f"What was learned is stored as {packed.kind} with {', '.join(sorted(found))}, "
                f"but this version of Twinlens expects {cls.__name__} with {', '.join(sorted(expected))}.",
                "Rebuild the index.",
            )
        for array in packed.arrays.values():
            array.flags.writeable = False
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in packed.numbers.items()
        }
        return cls(**values, **packed.arrays)
