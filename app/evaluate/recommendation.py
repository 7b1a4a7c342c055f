"""Advice from the figures of an evaluation: which index to trust for which edits."""

from __future__ import annotations

from collections.abc import Sequence

from app.evaluate.results import EditFigures, EvaluatedIndex
from core.message import Message

TRUSTED = 0.9
"""Recall@1 from which an edit counts as found."""

_BETTER = 0.05  # recall@1 by which another index is worth naming
_LISTED = 8


def recommend_index(indexes: Sequence[EvaluatedIndex]) -> list[Message]:
    """Return which edits each index finds, which other index is better, and how each compares with the yardstick.

    Parameters
    ----------
    indexes : sequence of EvaluatedIndex
        As in `app.evaluate.results.EvaluateResult`.
    """
    asked = [index for index in indexes if index.kind != "yardstick"]
    found = [_finds(index) for index in indexes]
    for index in asked[:1]:
        found += _better_others(index, asked[1:])
    for yardstick in (index for index in indexes if index.kind == "yardstick"):
        found += [_against(index, yardstick) for index in asked]
    return found


def _name(index: EvaluatedIndex) -> Message:
    if index.kind == "yardstick":
        return Message("The perceptual hash")
    return Message("“{name}”", name=index.name)


def _finds(index: EvaluatedIndex) -> Message:
    weak = sorted((one for one in index.edits if one.recall["1"] < TRUSTED), key=lambda one: one.recall["1"])
    values = {"index": _name(index), "found": len(index.edits) - len(weak), "edits": len(index.edits)}
    if not weak:
        return Message(
            "{index} finds {found} of {edits} edits, with at least {share:.0%} of the copies at the first place.",
            share=TRUSTED,
            **values,
        )
    values["weak"] = tuple(map(_figure, weak[:_LISTED]))
    if len(weak) > _LISTED:
        return Message(
            "{index} finds {found} of {edits} edits. Weak: {weak}, and {more} more.",
            more=len(weak) - _LISTED,
            **values,
        )
    return Message("{index} finds {found} of {edits} edits. Weak: {weak}.", **values)


def _figure(one: EditFigures) -> Message:
    return Message("{edit} ({share:.0%})", edit=one.edit, share=one.recall["1"])


def _better_others(index: EvaluatedIndex, others: Sequence[EvaluatedIndex]) -> list[Message]:
    """Return the edits that another index finds clearly more often than the first one."""
    better = []
    for place, one in enumerate(index.edits):
        best = max(others, key=lambda other: other.edits[place].recall["1"], default=None)
        if best is not None and best.edits[place].recall["1"] >= one.recall["1"] + _BETTER:
            share = best.edits[place].recall["1"]
            better.append(Message("{index} for {edit} ({share:.0%})", index=_name(best), edit=one.edit, share=share))
    return [Message("Better than {index}: {others}.", index=_name(index), others=tuple(better))] if better else []


def _against(index: EvaluatedIndex, yardstick: EvaluatedIndex) -> Message:
    lost = [one for one, other in zip(index.edits, yardstick.edits, strict=True) if one.recall["1"] < other.recall["1"]]
    if not lost:
        return Message("{index} finds every edit at least as often as the perceptual hash.", index=_name(index))
    return Message(
        "{index} finds less than the perceptual hash for {edits}.",
        index=_name(index),
        edits=tuple(map(_figure, lost)),
    )
