from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.core.declaration.fitted import Fitted, Packed, join_packed
from twinlens.core.errors import TwinlensError


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


@dataclass(frozen=True, eq=False)
class Whole(Fitted):
    """Holds another fitted object."""

    count: int
    table: npt.NDArray[np.float32]
    inner: Everything

    @classmethod
    def unpack(cls, packed: Packed) -> Self:
        return replace(super().unpack(packed), inner=Everything.unpack(packed.part("inner")))


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


def test_the_digest_of_a_plain_object_never_changes() -> None:
    """Libraries know what they have by it."""
    assert everything().pack().digest().hex() == "78b1afe027e06bfca3d7d14df27ad0cc12d2706e0f1730846c3df7ea5a3fcc3a"


def test_an_object_with_a_part_is_put_together_again() -> None:
    whole = Whole(3, np.full((2, 2), 0.5, np.float32), everything())
    packed = whole.pack()
    inner = everything().pack()
    assert packed.numbers == {"count": 3, "inner": {"kind": "Everything", "numbers": inner.numbers}}
    assert set(packed.arrays) == {"table", "inner.table", "inner.places"}
    again = Whole.unpack(Packed(packed.kind, json.loads(json.dumps(packed.numbers)), packed.arrays))
    assert again.pack().digest() == packed.digest()
    assert again.inner.pack().digest() == inner.digest()
    with pytest.raises(ValueError, match="read-only"):
        again.table[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        again.inner.table[0, 0] = 1
    changed = replace(whole, inner=replace(everything(), places=np.array([3, 1, 2])))
    assert changed.pack().digest() != packed.digest()


def test_parts_of_parts_and_names_that_begin_alike() -> None:
    scales = {str(place): Other(float(place)).pack() for place in range(11)}
    row = np.arange(2)
    scales["1"] = join_packed("Middle", {}, {"0": row}, {"0": everything().pack()})
    whole = join_packed("Outer", {"more": [1]}, {"row": row}, scales)
    assert whole.part("10") == Other(10.0).pack()
    assert set(whole.own_arrays) == {"row"}
    assert whole.part("1").digest() == scales["1"].digest()
    assert whole.part("1").part("0").digest() == everything().pack().digest()


def test_parts_that_are_missing_or_of_another_class_are_refused() -> None:
    packed = Whole(3, np.zeros((1, 1), np.float32), everything()).pack()
    with pytest.raises(TwinlensError, match=r"stored as Whole with .*, but .* expects Other with scale"):
        Other.unpack(packed.part("gone"))
    with pytest.raises(TwinlensError, match="stored as Whole with count, table, but"):
        Whole.unpack(Packed("Whole", {"count": 3}, {"table": packed.arrays["table"]}))
    with pytest.raises(TwinlensError, match=r"stored as Other with scale, but .* expects Everything"):
        Whole.unpack(join_packed("Whole", {"count": 3}, packed.own_arrays, {"inner": Other(0.5).pack()}))
    with pytest.raises(TwinlensError, match=r"stray\.table"):
        Whole.unpack(Packed("Whole", packed.numbers, packed.arrays | {"stray.table": packed.arrays["table"]}))
    with pytest.raises(TwinlensError, match="more"):
        Whole.unpack(Packed("Whole", packed.numbers, packed.arrays | {"inner.more": packed.arrays["table"]}))
