"""What every family gets from its fields alone, shown on a small one."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.declaration.declaration import (
    Declaration,
    Nested,
    declaration_from_json,
    find_member,
    parameter,
    read_declaration,
)
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.errors import DeclarationError
from twinlens.testing.declarations import DECLARATION_CONTRACTS, DeclarationContract


class Shape(Declaration):
    """Base of the inner family."""


class Round(Shape):
    """A ring of some radius, which has no corners."""

    key = "round"
    title = "Round"
    radius: float = parameter(1.0, gt=0, lt=10, unit="mm", help="How far from the middle. Larger is larger.")


class Square(Shape):
    """A square of one size, with four corners."""

    key = "square"
    title = "Square"


SHAPES: tuple[type[Shape], ...] = (Round, Square)


class Cutter(Declaration):
    """Cuts biscuits. It has one parameter of every kind."""

    key = "cutter"
    title = "Cutter"
    paper = "Grandmother 1950, page 3"

    count: int = parameter(12, ge=1, le=1_000, unit="biscuits", shown=True, help="How many. More takes longer.")
    depth: float = parameter(0.5, ge=0, help="How deep it cuts.")
    floured: bool = parameter(True, help="Whether flour comes first.")
    edge: Literal["plain", "fine-wave"] = parameter("plain", help="The edge.")
    rest: int | None = parameter(None, ge=1, unit="min", help="How long the dough rests.")
    heat: float | Literal["auto"] | None = parameter("auto", gt=0, le=300, unit="°C", help="How hot the oven is.")
    shape: Annotated[Shape, Nested(lambda: SHAPES)] = parameter(Square(), help="What they look like.")


@pytest.mark.parametrize("contract", DECLARATION_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("cls", [Cutter, *SHAPES], ids=lambda cls: cls.key)
def test_contracts(cls: type[Declaration], contract: DeclarationContract) -> None:
    contract(cls)


# ---- text form -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (Cutter(), "cutter:count=12"),
        (Cutter(count=3, floured=False), "cutter:count=3,floured=false"),
        (Cutter(rest=5, edge="fine-wave"), "cutter:count=12,edge=fine-wave,rest=5"),
        (Cutter(depth=0.1 + 0.2), "cutter:count=12,depth=0.30000000000000004"),
        (Cutter(depth=1e-9), "cutter:count=12,depth=1e-09"),
        (Cutter(shape=Round()), "cutter:count=12,shape=round"),
        (Cutter(shape=Round(radius=2.5)), "cutter:count=12,shape=round(radius=2.5)"),
        (Square(), "square"),
    ],
)
def test_text_form(made: Declaration, text: str) -> None:
    assert made.text() == text
    options: tuple[type[Declaration], ...] = (Cutter, *SHAPES)
    assert read_declaration(options, text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("cutter", Cutter()),
        ("cutter:", Cutter()),
        (" cutter: count = 3 , floured = no ", Cutter(count=3, floured=False)),
        ("cutter:rest=none", Cutter()),
        ("cutter:heat=auto", Cutter()),
        ("cutter:heat=none", Cutter(heat=None)),
        ("cutter:heat=180.5", Cutter(heat=180.5)),
        ("cutter(heat=180.5,rest=none)", Cutter(heat=180.5)),
        ("cutter:shape=round,shape.radius=2.5", Cutter(shape=Round(radius=2.5))),
        ("cutter:shape=round(),shape.radius=2.5", Cutter(shape=Round(radius=2.5))),
        ("cutter:shape=round(radius=2.5),count=3", Cutter(shape=Round(radius=2.5), count=3)),
    ],
)
def test_other_ways_to_write(text: str, made: Declaration) -> None:
    assert read_declaration((Cutter,), text) == made


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "start with a name"),
        ("Cutter", "start with a name"),
        ("cutter count=3", "start with a name"),
        ("cuter", "Did you mean “cutter”"),
        ("spoon", "there are cutter"),
        ("cutter:count", "name=value"),
        ("cutter:count=", "name=value"),
        ("cutter:=3", "name=value"),
        ("cutter:count=3,", "name=value"),
        ("cutter:count=3,,depth=1", "name=value"),
        ("cutter:2count=3", "name=value"),
        ("cutter:count=3,count=4", "“count” stands twice"),
        ("cutter:shape=round(radius=2),shape.radius=3", "“shape.radius” stands twice"),
        ("cutter:shape.radius=3", "before “shape” is chosen"),
        ("cutter:shape=round(radius=3", "parentheses"),
        ("cutter:shape=round)radius=3(", "parentheses"),
        ("cutter:shape=square,shape.radius=3", "square has no parameter “radius”. It has none"),
        ("cutter:cuont=3", "Did you mean “count”"),
        ("cutter:count=many", "count must be a whole number from 1 to 1,000, not many"),
        ("cutter:count=0", "count must be a whole number from 1 to 1,000, not 0"),
        ("cutter:depth=-1", "depth must be a number of at least 0, not -1"),
        ("cutter:floured=perhaps", "floured must be true or false, not perhaps"),
        ("cutter:edge=sharp", "edge must be one of plain, fine-wave, not sharp"),
        ("cutter:rest=0", "rest must be a whole number of at least 1 or none, not 0"),
        ("cutter:shape=round(radius=10)", "radius must be a number above 0 and below 10, not 10"),
        ("cutter:heat=hot", "heat must be a number above 0 and of at most 300 or “auto” or none, not hot"),
        ("cutter:heat=301", "heat must be a number above 0 and of at most 300 or “auto” or none, not 301"),
        ("cutter:shape=star", "cutter: shape must be one of round, square, not star"),
        ("cutter:shape=roud", "Did you mean “round”"),
        ("cutter:shape=star(points=5)", "cutter: shape must be one of round, square, not star"),
    ],
)
def test_mistakes_are_told(text: str, says: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        read_declaration((Cutter,), text)
    assert says in str(caught.value)


@given(st.text(st.sampled_from("cutter:shape=round(radius.)0123456789,- é"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        made = read_declaration((Cutter,), text)
    except DeclarationError:
        return
    assert read_declaration((Cutter,), made.text()) == made


# ---- JSON and identity -----------------------------------------------------------------------------------------------


def test_json_is_complete() -> None:
    assert Cutter(shape=Round(radius=2)).to_json() == {
        "key": "cutter",
        "count": 12,
        "depth": 0.5,
        "floured": True,
        "edge": "plain",
        "rest": None,
        "heat": "auto",
        "shape": {"key": "round", "radius": 2.0},
    }


@pytest.mark.parametrize("values", [{}, {"key": "spoon"}, {"key": 3}, {"key": "cutter", "colour": "red"}])
def test_json_that_means_nothing_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(DeclarationError):
        declaration_from_json((Cutter,), values)


def test_an_identity_is_kept_for_ever() -> None:
    # What is stored stands under these: they may change only with a version.
    assert Square().identity() == "879bcee33c1d3aa2bf09d7b158ad1711"


def test_a_new_parameter_at_its_default_keeps_the_identity() -> None:
    class Later(Cutter):
        """Cuts biscuits, and does more than it did."""

        more: int = parameter(0, help="What came later.")

    assert Later(count=3).identity() == Cutter(count=3).identity()
    assert Later(more=1).identity() != Later().identity()


def test_a_new_version_is_another_identity_also_where_it_is_nested(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Cutter().identity()
    monkeypatch.setattr(Square, "version", 2)
    assert Cutter().identity() != before


def test_identities_know_their_parents_and_their_sample() -> None:
    made = Square()
    identities = [
        made.identity(),
        made.identity("a"),
        made.identity("b"),
        made.identity("a", "b"),
        made.identity("b", "a"),
        made.identity("a", digest=b"1"),
        made.identity("a", digest=b"2"),
    ]
    assert len(set(identities)) == len(identities)
    assert all(len(identity) == 32 for identity in identities)


# ---- values ----------------------------------------------------------------------------------------------------------


def test_declarations_are_values() -> None:
    assert Cutter(count=3) == Cutter(count=3)
    assert len({Cutter(count=3), Cutter(count=3), Cutter()}) == 2
    with pytest.raises(pydantic.ValidationError):
        Cutter().count = 3  # type: ignore[misc]


def test_changed_is_checked_like_a_new_one() -> None:
    made = Cutter(depth=2.0)
    assert made.changed(count=3) == Cutter(depth=2.0, count=3)
    assert made == Cutter(depth=2.0)
    with pytest.raises(DeclarationError, match="count must be"):
        made.changed(count=0)


def test_what_a_form_needs() -> None:
    count, depth, floured, edge, rest, heat, shape = Cutter.parameters()
    assert [about.kind for about in (count, depth, floured, edge, rest, heat, shape)] == [
        ParameterKind.WHOLE,
        ParameterKind.NUMBER,
        ParameterKind.SWITCH,
        ParameterKind.CHOICE,
        ParameterKind.WHOLE,
        ParameterKind.NUMBER,
        ParameterKind.DECLARATION,
    ]
    assert (count.lower, count.upper, count.unit, count.shown, count.default) == (1, 1_000, "biscuits", True, 12)
    assert (depth.lower, depth.upper, depth.lower_open) == (0, None, False)
    assert edge.words == ("plain", "fine-wave")
    assert (rest.optional, rest.unit) == (True, "min")
    assert (heat.words, heat.optional, heat.upper, heat.lower_open) == (("auto",), True, 300, True)
    assert shape.options is not None
    assert shape.options() == SHAPES
    (radius,) = Round.parameters()
    assert (radius.lower_open, radius.upper_open) == (True, True)


def test_summary_is_the_first_sentence() -> None:
    assert Cutter.summary() == "Cuts biscuits."


def test_find() -> None:
    assert find_member(SHAPES, "round") is Round
    with pytest.raises(DeclarationError, match="Did you mean “round”"):
        find_member(SHAPES, "roud")
