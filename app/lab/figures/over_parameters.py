"""Figures over every number that differs among methods: bits, rank, landmarks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.lab.figures.figure import Axis, Figure, Marker, Series, Words
from app.lab.figures.named_rows import NamedRow, one_search, without_part
from app.lab.figures.series import MEASURES, Value, begins_at_zero, is_logarithmic, joined_series
from core.evaluation.candidates import Candidate
from core.hashing.hash_method import HashMethod
from core.message import Message, verbatim

_LEVELS = 3  # lines across a figure
_READING_BITS = Message(
    "Longer codes rank better and take more space: a curve that rises no more says how many bits are enough."
)


def over_parameters(points: Sequence[NamedRow], of: Sequence[NamedRow]) -> list[Figure]:
    """Return figures over every number that differs among the methods, bits first."""
    found: list[Figure] = []
    shown, every = {one.row.key for one in one_search(points)}, one_search(of)
    for name, unit in _varied(every):
        for key, title, height, value, spread in MEASURES:
            series = _over(every, value, spread, name, shown)
            if series and max(len(one.x) for one in series) > 1:
                label = Message("bits") if name == "bits" else verbatim(name)
                found.append(
                    Figure(
                        name=f"{key}-{name.replace('.', '-')}",
                        title=Message("{measured} against {cost}", measured=title, cost=label),
                        reading=_READING_BITS if name == "bits" else _best_parameter(name),
                        x=Axis(Message("bits a code") if name == "bits" else name, unit, log=is_logarithmic(series)),
                        y=Axis(height, low=0 if begins_at_zero(series) else None, high=None),
                        series=series,
                        markers=() if name == "bits" else _levels(every, value, name, shown),
                    )
                )
    return found


def _best_parameter(name: str) -> Message:
    return Message(
        "Where a curve is highest, {name} is best for these photos; bars are deviations over seeds.", name=name
    )


def _levels(points: Sequence[NamedRow], value: Value, swept: str, shown: Collection[str]) -> list[Marker]:
    """Mark how high methods come that have no number there, such as those of full rank; few, and told apart."""
    found: dict[Words, list[float]] = {}
    for one in points:
        measured = value(one.row)
        if _number(one.method, swept) is None and measured is not None and one.row.key in shown:
            has_it = hasattr(one.method, swept)  # and leaves it out: klsh of full rank is no point of its own curve
            key = one.method.key
            name = Message("{method} without {parameter}", method=key, parameter=swept) if has_it else key
            found.setdefault(name, []).append(measured)
    if len(found) > _LEVELS or any(len(values) > 1 for values in found.values()):
        return []
    return [Marker(values[0], name, vertical=False) for name, values in found.items()]


def _varied(points: Sequence[NamedRow]) -> list[tuple[str, str]]:
    """Name the numbers that differ within a family of methods, with their units."""
    found: dict[str, str] = {}
    for key in dict.fromkeys(one.method.key for one in points):
        family = [one.method for one in points if one.method.key == key and isinstance(one.method, HashMethod)]
        for about in family[0].parameters() if family else ():
            if about.name == "seed":
                continue
            numbers = {_number(one, about.name) for one in family} - {None}
            if len(numbers) > 1:
                found.setdefault(about.name, "" if about.name == "bits" else about.unit)
    if "bits" not in found and len({_number(one.method, "bits") for one in points} - {None}) > 1:
        found["bits"] = ""
    return sorted(found.items(), key=lambda one: one[0] != "bits")


def _number(method: Candidate, name: str) -> float | None:
    value = getattr(method, name, None) if isinstance(method, HashMethod) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _over(points: Sequence[NamedRow], value: Value, spread: str, swept: str, shown: Collection[str]) -> list[Series]:
    """Join the points that differ in the swept parameter alone, in the order of it."""

    def at(one: NamedRow) -> float | None:
        return _number(one.method, swept)

    groups: dict[str, list[NamedRow]] = {}
    for one in points:
        if at(one) is not None and value(one.row) is not None:
            groups.setdefault(without_part(one, swept), []).append(one)
    return joined_series(groups, at, value, spread, shown)
