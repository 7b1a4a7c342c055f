"""Tests of requests: fields by name, defaults that say that there is no value, and what was said."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.declaration.request import Request
from twinlens.core.errors import DeclarationError


class Colour(Enum):
    """Two colours."""

    RED = "red"
    BLUE = "blue"


class ToyRequest(Request):
    """A request with a field of each kind."""

    key = "toy"

    count: int = parameter(0, ge=1, le=9, help="Number; 0 for all.")
    sizes: tuple[Annotated[int, Field(ge=1)], ...] = parameter((), help="Sizes.")
    share: float | None = parameter(None, gt=0, help="Share.")
    way: Literal["near", "far"] = parameter("near", help="Way.")
    colours: tuple[Annotated[Colour, Field(strict=False)], ...] = parameter((), help="Colours.")
    folder: Path | None = parameter(None, help="Folder.")
    base: str = parameter(..., help="Base.")
    found: dict[str, int] | None = None


def test_a_field_tells_kind_limits_and_whether_there_are_several() -> None:
    about = {one.name: one for one in ToyRequest.parameters()}
    assert {name: one.kind for name, one in about.items() if one.help} == {
        "count": ParameterKind.WHOLE,
        "sizes": ParameterKind.WHOLE,
        "share": ParameterKind.NUMBER,
        "way": ParameterKind.CHOICE,
        "colours": ParameterKind.CHOICE,
        "folder": ParameterKind.FILE,
        "base": ParameterKind.TEXT,
    }
    assert [name for name, one in about.items() if one.several] == ["sizes", "colours"]
    assert [name for name, one in about.items() if one.required] == ["base"]
    assert [name for name, one in about.items() if not one.is_off] == ["way"]
    assert about["colours"].words == ("red", "blue")
    assert about["sizes"].lower == 1


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"count": 10}, "count must be a whole number from 1 to 9, not 10"),
        ({"count": -1}, "count must be a whole number from 1 to 9, not -1"),
        ({"count": "3"}, "count must be a whole number from 1 to 9, not 3"),
        ({"sizes": (2, 0)}, "sizes must be a list, each a whole number of at least 1, not 0"),
        ({"sizes": 2}, "sizes must be a list"),
        ({"share": float("nan")}, "share must be a number above 0 or none, not nan"),
        ({"way": "left"}, "way must be one of near, far, not left"),
        ({"colours": ("green",)}, "colours must be a list, each one of red, blue, not green"),
        ({"number": 1}, "toy has no parameter “number”"),
    ],
)
def test_a_wrong_value_is_a_sentence(values: dict[str, Any], words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        ToyRequest(base="x", **values)


def test_a_default_outside_of_the_limits_stands_for_no_value() -> None:
    assert ToyRequest(base="x", count=0) == ToyRequest(base="x")
    written: Any = ("red",)
    assert ToyRequest(base="x", colours=written).colours == (Colour.RED,)


def test_what_was_said_replaces_what_another_request_has() -> None:
    kept = ToyRequest(base="x", count=4, way="far")
    assert ToyRequest(base="y", count=0).overriding(kept) == ToyRequest(base="y", way="far")
