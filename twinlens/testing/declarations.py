"""Promises of every declaration: limits that hold, texts that read back, errors that name what is wrong."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import ThreadpoolController

from twinlens.core.declaration import reference_page
from twinlens.core.declaration.declaration import Declaration, declaration_from_json, read_declaration
from twinlens.core.declaration.fitted import Packed
from twinlens.core.declaration.parameters import Parameter, ParameterKind
from twinlens.core.errors import Cancelled, DeclarationError
from twinlens.core.progress import Progress


def valid_values(about: Parameter) -> st.SearchStrategy[Any]:
    """Draw from everything that the parameter says it accepts."""
    found: list[st.SearchStrategy[Any]] = [st.sampled_from(about.words)] if about.words else []
    if about.optional:
        found.append(st.none())
    if about.kind is ParameterKind.WHOLE:
        low = None if about.lower is None else math.floor(about.lower) + about.lower_open
        high = None if about.upper is None else math.ceil(about.upper) - about.upper_open
        found.append(st.integers(low, high))
    elif about.kind is ParameterKind.NUMBER:
        found.append(
            st.floats(
                about.lower,
                about.upper,
                exclude_min=about.lower_open,
                exclude_max=about.upper_open,
                allow_nan=False,
                allow_infinity=False,
            )
        )
    elif about.kind is ParameterKind.SWITCH:
        found.append(st.booleans())
    elif about.kind is ParameterKind.TEXT:
        found.append(st.from_regex(r"[a-z]{1,9}", fullmatch=True))
    elif about.kind is ParameterKind.DECLARATION:
        assert about.options is not None
        found.extend(declarations(option) for option in about.options())
    return st.one_of(found)


def declarations(cls: type[Declaration]) -> st.SearchStrategy[Declaration]:
    """Draw declarations of a class with any of their parameters given."""
    fields = {about.name: valid_values(about) for about in cls.parameters()}
    return st.fixed_dictionaries({}, optional=fields).map(lambda values: cls(**values))


def wrong_values(about: Parameter) -> Iterator[object]:
    """Yield values that the parameter must refuse."""
    yield []
    if not about.optional:
        yield None
    if about.kind is not ParameterKind.TEXT:
        yield "no such word"
    if about.kind is not ParameterKind.SWITCH:
        yield True
    if about.kind in {ParameterKind.WHOLE, ParameterKind.NUMBER}:
        yield from (math.nan, math.inf, -math.inf, "nan")
        yield from _beyond(about)
    if about.kind is ParameterKind.WHOLE:
        yield 1.5
    if about.kind in {ParameterKind.SWITCH, ParameterKind.CHOICE, ParameterKind.DECLARATION}:
        yield from (0.5, 3)
    if about.kind is ParameterKind.DECLARATION:
        yield {"key": "no-such-key"}


def _beyond(about: Parameter) -> Iterator[float]:
    whole = about.kind is ParameterKind.WHOLE
    if about.lower is not None:
        yield about.lower if about.lower_open else about.lower - 1 if whole else math.nextafter(about.lower, -math.inf)
    if about.upper is not None:
        yield about.upper if about.upper_open else about.upper + 1 if whole else math.nextafter(about.upper, math.inf)


def is_well_formed(cls: type[Declaration]) -> None:
    """Key, title, help and every parameter are there, in the form that people and shells expect."""
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cls.key)
    assert cls.title
    assert cls.title[0].isupper()
    assert cls.version >= 1
    assert cls.__doc__
    assert 10 < len(cls.summary()) < 200
    assert cls.summary().endswith(".")
    for about in cls.parameters():
        assert re.fullmatch(r"[a-z][a-z_]*", about.name)
        assert about.help.endswith("."), f"{cls.key}: {about.name} has no help"
        assert about.accepted()


def defaults_are_valid(cls: type[Declaration]) -> None:
    """What holds when nothing is said is within the limits, and can be said."""
    made = cls()
    assert made == cls(**{about.name: about.default for about in cls.parameters()})
    for about in cls.parameters():
        assert getattr(made, about.name) == about.default


def reads_back(cls: type[Declaration]) -> None:
    """Text form, JSON and identity of any valid declaration lead back to it."""

    @settings(max_examples=40)  # for each of many declarations
    @given(declarations(cls))
    def check(made: Declaration) -> None:
        for again in (
            read_declaration((cls,), made.text()),
            read_declaration((cls,), reference_page.whole_text(made)),
            declaration_from_json((cls,), json.loads(json.dumps(made.to_json()))),
            made.changed(),
        ):
            assert again == made
            assert again.identity() == made.identity()
            assert again.text() == made.text()
        assert (made.identity() == cls().identity()) == (made == cls())

    check()


def refuses_wrong_values(cls: type[Declaration]) -> None:
    """A value beyond a limit or of another type, and an unknown name, are errors that name key and parameter."""
    for about in cls.parameters():
        for value in wrong_values(about):
            with pytest.raises(DeclarationError) as caught:
                cls(**{about.name: value})
            assert cls.key in str(caught.value.message), f"{about.name}={value!r}: {caught.value.message!s}"
            assert about.name in str(caught.value.message), f"{about.name}={value!r}: {caught.value.message!s}"
    with pytest.raises(DeclarationError) as caught:
        cls(no_such_parameter=1)
    assert cls.key in str(caught.value.message)
    assert "no_such_parameter" in str(caught.value.message)


def every_parameter_tells(cls: type[Declaration]) -> None:
    """Each parameter that differs shows in text, JSON and identity."""
    plain = cls()
    for about in cls.parameters():
        for other in other_values(about):
            made = plain.changed(**{about.name: other})
            assert f"{about.name}=" in made.text()
            assert made.identity() != plain.identity()
            assert made.to_json() != plain.to_json()


def other_values(about: Parameter) -> list[object]:
    """Return valid values of a parameter that are not its default."""
    candidates: list[object] = [*about.words, about.lower, about.upper]
    if about.kind is ParameterKind.SWITCH:
        candidates = [not about.default]
    if about.kind is ParameterKind.DECLARATION and about.options is not None:
        candidates = [option() for option in about.options()]
    if about.lower_open and about.lower in candidates:
        candidates.remove(about.lower)
    if about.upper_open and about.upper in candidates:
        candidates.remove(about.upper)
    return [value for value in candidates if value is not None and value != about.default]


def has_a_page(cls: type[Declaration]) -> None:
    """The reference page says everything that the declaration says."""
    page = " ".join(reference_page.page(cls).split())
    assert cls.title in page
    assert f"`{cls.key}`" in page
    assert " ".join((cls.__doc__ or "").split("\n\n")[0].split()) in page
    assert cls.paper in page
    assert cls().text() in page
    for about in cls.parameters():
        assert f"`{about.name}`: {about.accepted()}" in page
        assert about.help in page
        assert about.unit in page


DeclarationContract = Callable[[type[Declaration]], None]
DECLARATION_CONTRACTS: tuple[DeclarationContract, ...] = (
    is_well_formed,
    defaults_are_valid,
    reads_back,
    refuses_wrong_values,
    every_parameter_tells,
    has_a_page,
)


def read_back(packed: Packed) -> Packed:
    """Return what was fitted as it comes back from where it was kept: numbers as JSON, arrays as bytes."""
    arrays = {name: np.frombuffer(one.tobytes(), one.dtype).reshape(one.shape) for name, one in packed.arrays.items()}
    return Packed(packed.kind, json.loads(json.dumps(packed.numbers)), arrays)


def stops_wherever_it_says(fit: Callable[[Progress], object]) -> None:
    """Progress is told more than once, in shares that never go back, and whatever it raises ends the work."""
    shares: list[float] = []
    fit(lambda done, total, text: shares.append(done / total))
    assert len(shares) >= 2
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    for stop in {0, len(shares) // 2, len(shares) - 1}:
        calls = iter(range(len(shares)))

        def progress(done: float, total: float, text: object, stop: int = stop, calls: Iterator[int] = calls) -> None:
            if next(calls) == stop:
                raise Cancelled

        with pytest.raises(Cancelled):
            fit(progress)


def training_data(n: int = 400, d: int = 24, seed: int = 7) -> npt.NDArray[np.float32]:
    """Make non-negative vectors of decaying spectrum, that any method can learn from."""
    rng = np.random.default_rng(seed)
    mixed = rng.standard_normal((n, d)) * np.arange(1, d + 1) ** -0.8 @ rng.standard_normal((d, d))
    return np.abs(mixed + 1).astype(np.float32)


def blas_threads(count: int) -> AbstractContextManager[object]:
    """Let matrix products use so many threads."""
    limited: AbstractContextManager[object] = _blas().limit(limits=count)
    return limited


@cache
def _blas() -> ThreadpoolController:
    """Find the loaded libraries of matrix products, once: that takes longer than many a contract."""
    import scipy.linalg  # noqa: F401 (it brings one of its own)

    return ThreadpoolController()
