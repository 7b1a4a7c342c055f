"""What was found of a paper, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from science.papers.page.claims import Judged, by_text, counted, of_nature
from science.papers.verdict import ClaimVerdict, Nature

KINDS = ("Confirmed", "Confirmed in part", "Mixed", "Not confirmed", "Cannot be told here")
ALL_OF = {
    ClaimVerdict.CONFIRMED: "Confirmed",
    ClaimVerdict.NOT_CONFIRMED: "Not confirmed",
    ClaimVerdict.CANNOT_TELL: "Cannot be told here",
}
OTHERS = {Nature.CERTAIN: "Theorems and arithmetic", Nature.OWN: "Not of the paper"}

FEW = 2
"""Cases that are named."""


def findings(found: Sequence[Judged]) -> str:
    """Say in words what was found, each claim once; empty without claims that measuring can refute."""
    measured = of_nature(found, Nature.MEASURED)
    parts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for text, cases in by_text(measured).items():
        kind, words = _found(cases)
        parts[kind].append(text + words)
    lines = [f"- *{kind}:* {'; '.join(texts)}." for kind, texts in parts.items() if texts]
    for nature, name in OTHERS.items():
        texts = [text + _counts(cases) for text, cases in by_text(of_nature(found, nature)).items()]
        lines += [f"- *{name}, not counted:* {'; '.join(texts)}."] if texts else []
    return "\n".join([f"**In short.** {_numbers(measured)}", "", *lines]) if measured else ""


def decisive(cases: Sequence[Judged]) -> str:
    """Say in how many cases a claim is confirmed, and by how much."""
    return f"{len(_with(cases, ClaimVerdict.CONFIRMED))} of {len(cases)}" + _effects(cases).replace(": ", ", ", 1)


def number(value: float, unit: str) -> str:
    """Write an effect; a ratio close to 1 so that it is told from 1.

    Examples
    --------
    >>> number(1.04, "times as fast"), number(6.21, "times as fast"), number(1403, "times less")
    ('1.04', '6.2', '1,403')
    """
    signed = unit.startswith("points") and "lost" not in unit
    if signed:
        return f"{value:+.1f}"
    close = unit.startswith("times") and 0.5 < value < 2
    return f"{value:.2f}" if close else f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"


def _found(cases: Sequence[Judged]) -> tuple[str, str]:
    """Say of what kind a claim is, and what is to be added to its text."""
    count = counted(cases)
    if len(count) == 1:
        return ALL_OF[next(iter(count))], _effects(cases)
    if not count[ClaimVerdict.NOT_CONFIRMED]:
        sure = _with(cases, ClaimVerdict.CONFIRMED)
        return "Confirmed in part", f" ({_named(sure, of=len(cases))}){_effects(sure)}"
    return "Mixed", _counts(cases)


def _counts(cases: Sequence[Judged]) -> str:
    """Count each verdict, with the cases and the effects where they are few."""
    parts = []
    for verdict in ClaimVerdict:
        if own := _with(cases, verdict):
            names = "; ".join(claim.case for claim, _ in own if claim.case)
            few = len(own) <= FEW and len(own) < len(cases) and names
            effects = "" if verdict is ClaimVerdict.CANNOT_TELL else _effects(own)
            told = f"{names}{effects}" if few else effects.removeprefix(": ")
            word = "not" if verdict is ClaimVerdict.NOT_CONFIRMED else verdict.value
            parts.append(f"{len(own)} {word}" + f" ({told})" * bool(told))
    return f": {', '.join(parts)}"


def _with(cases: Sequence[Judged], verdict: ClaimVerdict) -> list[Judged]:
    return [one for one in cases if one[1].verdict is verdict]


def _named(own: Sequence[Judged], of: int) -> str:
    return "; ".join(claim.case for claim, _ in own) if len(own) <= FEW else f"in {len(own)} of {of} cases"


def _effects(cases: Sequence[Judged]) -> str:
    """Return the range of the numbers that tell most."""
    effects = sorted(judgement.effect for _, judgement in cases if judgement.effect is not None)
    if not effects:
        return ""
    unit = next(judgement.unit for _, judgement in cases if judgement.unit)
    low, high = (number(one, unit) for one in (effects[0], effects[-1]))
    return f": {low} {unit}" if low == high else f": {low} to {high} {unit}"


def _numbers(found: Sequence[Judged]) -> str:
    count = counted(found)
    words = ", ".join(f"{count[verdict]} {verdict.value}" for verdict in ClaimVerdict)
    claims = len(by_text(found))
    return f"{claims} claim{'s' if claims > 1 else ''}, judged in {sum(count.values())} cases: {words}."
