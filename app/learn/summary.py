"""What learning did, in words: a headline, and the figures that stand under it."""

from __future__ import annotations

from app.learn.results import HeldOut, Measured
from core.learning.cross_validation import Choice


def headline(choice: Choice, pairs: int, marks: bool) -> str:
    """Say in a sentence what came of learning.

    Parameters
    ----------
    choice : Choice
    pairs : int
        That it was learned from.
    marks : bool
        Whether they are marks, or pairs of a file.
    """
    if choice.of == 0:
        return f"Not enough {_what(2, marks)} yet: about {choice.more:,} more would help"
    learned = f"Learned from {pairs:,} {_what(pairs, marks)}"
    better = f"better on {choice.better:,} of {choice.of:,} held-out pairs"
    if choice.metric is not None and choice.better > choice.worse:
        return f"{learned}: {better}"
    if choice.metric is not None:
        return f"{learned}: what is similar comes {choice.earlier:.2f} times as early"
    if choice.better <= choice.worse:
        return f"{learned}: not better than before; about {choice.more:,} more would help"
    return f"{learned}: {better}, which may be chance; about {choice.more:,} more would help"


def details(before: HeldOut | None, after: HeldOut | None, contradictions: int, seconds: float) -> list[str]:
    """Return the figures, a few words each.

    Examples
    --------
    >>> one, other = (HeldOut(accuracy=Measured(mean=a, low=a - 0.04, high=a + 0.04)) for a in (0.71, 0.86))
    >>> details(one, other, 2, 0.81)
    ['Pair accuracy 71 % → 86 % (± 4)', 'learned in 0.8 s', '2 pairs contradict themselves']
    """
    found = []
    if before is not None and after is not None:
        if before.accuracy is not None and after.accuracy is not None:
            old, new = before.accuracy, after.accuracy
            found.append(f"Pair accuracy {old.mean * 100:.0f} % → {new.mean * 100:.0f} % (± {_off(new) * 100:.0f})")
        for name, old_one, new_one in (
            ("ROC area", before.area, after.area),
            ("recall@10", before.recall, after.recall),
        ):
            if old_one is not None and new_one is not None:
                found.append(f"{name} {old_one.mean:.2f} → {new_one.mean:.2f} (± {_off(new_one):.2f})")
    found.append(f"learned in {seconds:.1f} s")
    if contradictions:
        found.append(
            "1 pair contradicts itself" if contradictions == 1 else f"{contradictions:,} pairs contradict themselves"
        )
    return found


def _what(count: int, marks: bool) -> str:
    return ("mark" if marks else "pair") + ("" if count == 1 else "s")


def _off(one: Measured) -> float:
    return (one.high - one.low) / 2
