"""Knobs of the explorer: sliders and choices, derived from the declarations of a hash method and a search structure."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twinlens.core.declaration.declaration import D, Declaration
from twinlens.core.declaration.parameters import Parameter, ParameterKind
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import NOTHING, Message
from twinlens.core.search.search_structure import Search

METHOD, SEARCH = "method", "search"
_FEW = 33  # whole numbers of which each is a stop of its own
_OCTAVE = (4, 5, 6, 7)  # eighths: four stops between a number and its double
_DECADE = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.5, 8.0)
_SEEDS = 16
_CHECKED = ("bits", "p")  # of which the method or the vectors may allow less than the declaration
_MOST: dict[str, float] = {"bits": 1_024, "iterations": 200, "scale": 32, "ridge": 1, "tables": 64, "key_bits": 32}
_LEAST_BITS = 8
_AROUND = 64.0  # how many times smaller and larger than what suits the data a width may be


@dataclass(frozen=True)
class KnobSetting:
    """A hash method and a search structure with their parameters."""

    method: HashMethod
    search: Search

    def value(self, path: str) -> Any:
        """Return the value of a parameter, such as ``method.kernel.gamma``."""
        found: Any = self
        for name in path.split("."):
            found = getattr(found, name)
        return found

    def changed(self, path: str, value: Any) -> KnobSetting:
        """Return the setting with another value of one parameter.

        Raises
        ------
        DeclarationError
            If the declaration does not allow it; its sentence says what it does.
        """
        family, _, inner = path.partition(".")
        if family == METHOD:
            return KnobSetting(_changed(self.method, inner, value), self.search)
        return KnobSetting(self.method, _changed(self.search, inner, value))

    def text(self) -> str:
        """Return the text forms of method and search structure."""
        return f"{self.method.text()} · {self.search.text()}"


def _changed(declared: D, path: str, value: Any) -> D:
    name, _, inner = path.partition(".")
    return declared.changed(**{name: _changed(getattr(declared, name), inner, value) if inner else value})


@dataclass(frozen=True)
class Knob:
    """One parameter that can be turned.

    Attributes
    ----------
    path : str
        ``method.rank``, ``method.kernel.gamma``, ``search.candidates``.
    about : Parameter
        From the declaration: name, help, unit, limits.
    stops : tuple
        The values that it has, in order; a word (``none``, ``auto``) stands where its meaning lies.
    slides : bool
        Whether it is a slider; else one of a few words is chosen.
    default : object
        From the declaration.
    logarithmic : bool
        Whether equal ways are equal factors.
    why_not : Message
        Why it cannot be turned with these vectors; empty where it can.
    """

    path: str
    about: Parameter
    stops: tuple[Any, ...]
    slides: bool
    default: Any
    logarithmic: bool = False
    why_not: Message = NOTHING

    @property
    def name(self) -> str:
        """Name of the parameter for people, with ``kernel`` before a kernel's."""
        return self.path.partition(".")[2].replace(".", " ").replace("_", " ")

    def place(self, value: Any) -> int:
        """Return the stop of a value, or the nearest stop."""
        for place, stop in enumerate(self.stops):
            if type(stop) is type(value) and stop == value:
                return place
        numbers = [(stop, place) for place, stop in enumerate(self.stops) if _is_number(stop)]
        if not _is_number(value) or not numbers:
            return 0
        return min(numbers, key=lambda one: abs(_scaled(one[0]) - _scaled(value)))[1]

    def with_value(self, value: Any) -> Knob:
        """Return the knob with a stop for a value that has none."""
        if not _is_number(value) or value in [stop for stop in self.stops if _is_number(stop)]:
            return self
        words_before = next((place for place, stop in enumerate(self.stops) if _is_number(stop)), 0)
        numbers = [stop for stop in self.stops if _is_number(stop)]
        place = words_before + bisect.bisect(numbers, value)
        return replace(self, stops=(*self.stops[:place], value, *self.stops[place:]))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _scaled(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf if value == 0 else value


@dataclass(frozen=True)
class KnobLimits:
    """The limits of parameters that the sample sets.

    Attributes
    ----------
    found : dict of str to float
        What ``auto`` comes to, by path.
    """

    items: int
    dimensions: int
    matrix_shape: tuple[int, int] | None = None
    found: tuple[tuple[str, float], ...] = ()


def knobs(setting: KnobSetting, room: KnobLimits) -> tuple[Knob, ...]:
    """Return all knobs in the order of the declarations, the method's first."""
    found = [*_of(METHOD, setting.method, setting, room)]
    if setting.search.uses_codes or setting.search.parameters():
        found += _of(SEARCH, setting.search, setting, room)
    return tuple(found)


def _of(path: str, declared: Declaration, setting: KnobSetting, room: KnobLimits) -> Iterator[Knob]:
    later = []
    for about in declared.parameters():
        here = f"{path}.{about.name}"
        value = getattr(declared, about.name)
        if about.kind is ParameterKind.DECLARATION:
            assert about.options is not None
            keys = tuple(option.key for option in about.options())
            default = about.default.key if isinstance(about.default, Declaration) else about.default
            yield Knob(here, about, keys, False, default)
            yield from _of(here, value, setting, room)
        elif about.kind is ParameterKind.CHOICE:
            yield Knob(here, about, about.words, False, about.default)
        elif about.kind is ParameterKind.SWITCH:
            yield Knob(here, about, (False, True), False, about.default)
        elif about.kind in (ParameterKind.WHOLE, ParameterKind.NUMBER):
            made = _slider(here, about, setting, room)
            if about.name == "seed":
                later.append(made)
            else:
                yield made
    yield from later  # chance comes last


def _slider(path: str, about: Parameter, setting: KnobSetting, room: KnobLimits) -> Knob:
    least, most = _range(path, about, room)
    if about.kind is ParameterKind.WHOLE:
        numbers: Sequence[float] = _whole(int(least), int(most))
        logarithmic = len(numbers) < most - least + 1
    else:
        centre = dict(room.found).get(path)
        logarithmic = centre is not None or _spans(about, least, most)
        numbers = _decades(least, most) if logarithmic else _even(least, most, about)
        if least == 0 and logarithmic and not about.lower_open:
            numbers = (0.0, *numbers)
    if about.name in _CHECKED:
        numbers = [one for one in numbers if _possible(setting, path, one, room)] or list(numbers[:1])
    wanted = [*numbers]
    if _is_number(about.default) and least <= about.default <= most and about.default not in wanted:
        bisect.insort(wanted, about.default)
    return Knob(path, about, _with_words(about, tuple(wanted), path, room), True, about.default, logarithmic)


def _range(path: str, about: Parameter, room: KnobLimits) -> tuple[float, float]:
    """Return the useful part of a parameter's limits: no more landmarks or components than items."""
    least = about.lower if about.lower is not None else -_AROUND if about.upper is not None else 0.0
    most = about.upper if about.upper is not None else math.inf
    centre = dict(room.found).get(path)
    if centre is not None:
        return max(least, centre / _AROUND), min(most, centre * _AROUND)
    if about.name == "seed":
        return 0, _SEEDS - 1
    if about.kind is ParameterKind.WHOLE:
        most = min(most, _MOST.get(about.name, room.items))
        least = max(least, _LEAST_BITS) if about.name == "bits" else least
    else:
        most = min(most, _MOST.get(about.name, 100.0))
        least = max(least, -10.0)
        if about.name in ("a", "c") and path.startswith(f"{METHOD}.kernel"):
            least, most = 0.0, 10.0
        if about.name == "p":
            most = 8.0
    return least, max(most, least)


def _spans(about: Parameter, least: float, most: float) -> bool:
    """Return whether the range needs a logarithmic scale."""
    if least < 0:
        return False
    if _is_number(about.default) and about.default > 0:
        return bool(most / about.default > 8)
    return most >= 8 or (about.lower == 0 and not about.lower_open)


def _whole(least: int, most: int) -> list[int]:
    if most - least + 1 <= _FEW:
        return list(range(least, most + 1))
    found = [least] if least < 1 else []
    octave = 0
    while True:
        for eighth in _OCTAVE:
            value = eighth * 2.0**octave / 4
            if value > most:
                if most not in found:
                    found.append(most)
                return found
            if value == int(value) and value >= least:
                found.append(int(value))
        octave += 1


def _decades(least: float, most: float) -> tuple[float, ...]:
    first = least if least > 0 else most / 10_000
    found = []
    for exponent in range(math.floor(math.log10(first)) - 1, math.ceil(math.log10(most)) + 1):
        for step in _DECADE:
            value = float(f"{step * 10.0**exponent:.3g}")
            if first <= value <= most:
                found.append(value)
    return tuple(found)


def _even(least: float, most: float, about: Parameter) -> tuple[float, ...]:
    steps = 20 if most - least <= 1 else round((most - least) * 2)
    values = [float(f"{least + (most - least) * step / steps:.4g}") for step in range(steps + 1)]
    if about.lower_open:
        values = [value for value in values if value > least]
    if about.upper_open:
        values = [value for value in values if value < most]
    return tuple(values)


def _with_words(about: Parameter, numbers: tuple[Any, ...], path: str, room: KnobLimits) -> tuple[Any, ...]:
    """Place values that are words: “none” of a count lies at its end, “none” of a measure at zero."""
    stops = list(numbers)
    for word in about.words:
        centre = dict(room.found).get(path)
        place = len([one for one in stops if centre is not None and _is_number(one) and one < centre])
        stops.insert(place, word)
    if about.optional:
        stops.insert(len(stops) if about.kind is ParameterKind.WHOLE else 0, None)
    return tuple(stops)


def _possible(setting: KnobSetting, path: str, value: Any, room: KnobLimits) -> bool:
    try:
        setting.changed(path, value).method.check(room.dimensions, room.matrix_shape)
    except (DeclarationError, TwinlensError):
        return False
    return True
