"""What the figures of an evaluation come to, in plain words: which index to trust for what."""

from __future__ import annotations

from collections.abc import Sequence

from app.evaluate.results import EditFigures, EvaluatedIndex

TRUSTED = 0.9
"""Recall@1 from which an edit counts as found."""

_BETTER = 0.05  # recall@1 by which another index is worth naming


def advice(indexes: Sequence[EvaluatedIndex]) -> list[str]:
    """Say what each finds, which other one is better at what, and where the yardstick is.

    Parameters
    ----------
    indexes : sequence of EvaluatedIndex
        As in `app.evaluate.results.EvaluateResult`.
    """
    asked = [index for index in indexes if index.kind != "yardstick"]
    sentences = [_finds(index) for index in indexes]
    sentences += [sentence for index in asked[:1] if (sentence := _others(index, asked[1:]))]
    for yardstick in (index for index in indexes if index.kind == "yardstick"):
        sentences += [_against(index, yardstick) for index in asked]
    return sentences


def _named(index: EvaluatedIndex) -> str:
    return f"The {index.name}" if index.kind == "yardstick" else f"“{index.name}”"


def _finds(index: EvaluatedIndex) -> str:
    weak = sorted((one for one in index.edits if one.recall["1"] < TRUSTED), key=lambda one: one.recall["1"])
    count, total = len(index.edits) - len(weak), len(index.edits)
    said = f"{_named(index)} finds {count} of {total} {'edit' if total == 1 else 'edits'}"
    if not weak:
        return f"{said}: of each at least {TRUSTED:.0%} of the copies have their photograph at the first place."
    named = ", ".join(_figure(one) for one in weak[:8])
    more = f", and {len(weak) - 8} more" if len(weak) > 8 else ""
    return f"{said}; weak: {named}{more}."


def _figure(one: EditFigures) -> str:
    return f"{one.edit} ({one.recall['1']:.0%})"


def _others(index: EvaluatedIndex, others: Sequence[EvaluatedIndex]) -> str:
    """Name what another index finds clearly more often than the first one, from which one starts."""
    better = []
    for place, one in enumerate(index.edits):
        best = max(others, key=lambda other: other.edits[place].recall["1"], default=None)
        if best is not None and best.edits[place].recall["1"] >= one.recall["1"] + _BETTER:
            better.append(f"{one.edit}: {_named(best)} ({best.edits[place].recall['1']:.0%})")
    return f"Better than {_named(index)} are, for {'; for '.join(better)}." if better else ""


def _against(index: EvaluatedIndex, yardstick: EvaluatedIndex) -> str:
    lost = [one for one, other in zip(index.edits, yardstick.edits, strict=True) if one.recall["1"] < other.recall["1"]]
    if not lost:
        return f"{_named(index)} loses no edit to the {yardstick.name}."
    return f"{_named(index)} loses to the {yardstick.name}: {', '.join(_figure(one) for one in lost)}."
