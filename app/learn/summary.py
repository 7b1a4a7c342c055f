"""Summary of learning: a headline, and the figures below it."""

from __future__ import annotations

from app.learn.results import LearnedHeldOut, MeanAndRange
from core.learning.cross_validation import CrossValidatedChoice
from core.message import Message, counted


def headline(choice: CrossValidatedChoice, pairs: int, marks: bool) -> Message:
    """Return a sentence about the outcome of learning.

    Parameters
    ----------
    choice : Choice
    pairs : int
        That it was learned from.
    marks : bool
        Whether they are marks, or pairs of a file.
    """
    if choice.of == 0 and marks:
        return Message("Not enough marks yet: about {more} more would help", more=choice.more)
    if choice.of == 0:
        return Message("Not enough pairs yet: about {more} more would help", more=choice.more)
    learned = (
        counted("Learned from {count} mark", "Learned from {count} marks", pairs)
        if marks
        else counted("Learned from {count} pair", "Learned from {count} pairs", pairs)
    )
    better = Message("better on {better} of {of} held-out pairs", better=choice.better, of=choice.of)
    if choice.metric is not None and choice.better > choice.worse:
        return Message("{learned}: {better}", learned=learned, better=better)
    if choice.metric is not None:
        return Message(
            "{learned}: what is similar comes {earlier:.2f} times as early", learned=learned, earlier=choice.earlier
        )
    if choice.better <= choice.worse:
        return Message(
            "{learned}: not better than before; about {more} more would help", learned=learned, more=choice.more
        )
    return Message(
        "{learned}: {better}, which may be chance; about {more} more would help",
        learned=learned,
        better=better,
        more=choice.more,
    )


def details(
    before: LearnedHeldOut | None, after: LearnedHeldOut | None, contradictions: int, seconds: float
) -> list[Message]:
    """Return the figures, a few words each.

    Examples
    --------
    >>> one, other = (HeldOut(accuracy=Measured(mean=a, low=a - 0.04, high=a + 0.04)) for a in (0.71, 0.86))
    >>> [str(told) for told in details(one, other, 2, 0.81)]
    ['Pair accuracy 71 % → 86 % (± 4)', 'learned in 0.8 s', '2 pairs contradict themselves']
    """
    found: list[Message] = []
    if before is not None and after is not None:
        if before.accuracy is not None and after.accuracy is not None:
            old, new = before.accuracy, after.accuracy
            found.append(
                Message(
                    "Pair accuracy {before:.0%} → {after:.0%} (± {off:.0f})",
                    before=old.mean,
                    after=new.mean,
                    off=100 * _off(new),
                )
            )
        for name, old_one, new_one in (
            (Message("ROC area"), before.area, after.area),
            (Message("recall@10"), before.recall, after.recall),
        ):
            if old_one is not None and new_one is not None:
                found.append(
                    Message(
                        "{name} {before:.2f} → {after:.2f} (± {off:.2f})",
                        name=name,
                        before=old_one.mean,
                        after=new_one.mean,
                        off=_off(new_one),
                    )
                )
    found.append(Message("learned in {seconds:.1f} s", seconds=seconds))
    if contradictions:
        found.append(counted("{count} pair contradicts itself", "{count} pairs contradict themselves", contradictions))
    return found


def _off(one: MeanAndRange) -> float:
    return (one.high - one.low) / 2
