from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from core.errors import TwinlensError
from core.fitted import Fitted, Packed


@dataclass(frozen=True, eq=False)
class Everything(Fitted):
    """One field of each sort."""

    table: npt.NDArray[np.float32]
    places: npt.NDArray[np.int64]
    missing: npt.NDArray[np.float32] | None
    scale: float
    count: int
    name: str
    on: bool
    shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Other(Fitted):
    """Another class."""

    scale: float


def everything() -> Everything:
    return Everything(
        table=np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
        places=np.array([3, 1, 2])[::-1],
        missing=None,
        scale=float(np.float32(0.1)),
        count=int(np.int64(7)),
        name="é",
        on=True,
        shape=(2, 3),
    )


def test_packed_and_unpacked_is_the_same() -> None:
    made = everything()
    packed = made.pack()
    written = Packed(packed.kind, json.loads(json.dumps(packed.numbers)), packed.arrays)
    again = Everything.unpack(written)
    for field in dataclasses.fields(Everything):
        np.testing.assert_array_equal(getattr(again, field.name), getattr(made, field.name))
    assert (again.shape, again.on, again.missing, again.name) == ((2, 3), True, None, "é")
    assert again.pack().digest() == packed.digest()


def test_numpy_numbers_become_plain_ones() -> None:
    packed = Other(np.float64(0.5)).pack()
    assert type(packed.numbers["scale"]) is float


def test_an_array_keeps_its_shape_even_without_dimensions() -> None:
    made = dataclasses.replace(everything(), table=np.array(0.5, np.float32))
    assert Everything.unpack(made.pack()).table.shape == ()


def test_what_was_read_back_cannot_be_changed() -> None:
    again = Everything.unpack(everything().pack())
    with pytest.raises(ValueError, match="read-only"):
        again.table[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        again.scale = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    "changed",
    [
        {"table": np.zeros((2, 3), np.float32)},
        {"table": np.arange(6, dtype=np.float32).reshape(3, 2)},
        {"table": np.arange(6, dtype=np.float64).reshape(2, 3)},
        {"scale": 0.2},
        {"name": "e"},
        {"shape": (3, 2)},
    ],
)
def test_the_digest_tells_any_difference(changed: dict[str, Any]) -> None:
    assert dataclasses.replace(everything(), **changed).pack().digest() != everything().pack().digest()


def test_parts_of_another_class_or_version_are_refused() -> None:
    packed = everything().pack()
    with pytest.raises(TwinlensError, match="expects Other with scale"):
        Other.unpack(packed)
    with pytest.raises(TwinlensError, match="Rebuild"):
        Everything.unpack(Packed("Everything", packed.numbers, {}))
    with pytest.raises(TwinlensError, match="more"):
        Everything.unpack(Packed("Everything", {**packed.numbers, "more": 1}, packed.arrays))
