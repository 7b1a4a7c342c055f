"""What the page says of claims: a row for each text, with its cases, and what was found in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tests.papers.page.section import Results
from tests.papers.page.tables import cell
from tests.papers.verdict import Claim, Judgement, Verdict

Judged = tuple[Claim, Judgement]


def judged(claims: Iterable[Claim], results: Results) -> list[Judged]:
    """Judge claims whose sources are all there, and still measure what they are judged by."""
    there = [claim for claim in claims if all(source in results for source in claim.sources)]
    found = [(claim, claim.judged(*(results[source] for source in claim.sources))) for claim in there]
    return [(claim, judgement) for claim, judgement in found if judgement is not None]


def counted(found: Iterable[Judged]) -> Counter[Verdict]:
    """Count verdicts."""
    return Counter(judgement.verdict for _, judgement in found)


def claims_table(found: Sequence[Judged]) -> str:
    """Write claims, what was measured, and the verdicts: the cases of one text in one row, each with its own."""
    rows = ["| Claim | Measured | Verdict |", "| :-- | :-- | :-- |"]
    for text, cases in _by_text(found).items():
        lines = [_line(claim, judgement, len(cases) > 1) for claim, judgement in cases]
        words = text + " (by the clock)" * cases[0][0].timed
        rows.append(f"| {cell(words)} | {'<br>'.join(cell(one) for one in lines)} | {_verdicts(cases)} |")
    return "\n".join(rows)


def findings(found: Sequence[Judged]) -> str:
    """Say in words what was found, each claim once; empty without claims."""
    parts: dict[str, list[str]] = {
        "Confirmed": [],
        "Confirmed in part": [],
        "Not confirmed": [],
        "Cannot be told here": [],
    }
    for text, cases in _by_text(found).items():
        count = counted(cases)
        if count[Verdict.NOT_CONFIRMED]:
            kind, own = "Not confirmed", Verdict.NOT_CONFIRMED
        else:
            own = Verdict.CONFIRMED if count[Verdict.CONFIRMED] else Verdict.CANNOT_TELL
            kind = "Cannot be told here"
            if count[Verdict.CONFIRMED]:
                kind = "Confirmed in part" if count[Verdict.CANNOT_TELL] else "Confirmed"
        parts[kind].append(f"{text}{_of_cases(own, cases)}{_effects(cases)}")
    lines = [f"- *{kind}:* {'; '.join(texts)}." for kind, texts in parts.items() if texts]
    return "\n".join([f"**In short.** {_numbers(found)}", "", *lines]) if lines else ""


def _by_text(found: Sequence[Judged]) -> Mapping[str, list[Judged]]:
    together: dict[str, list[Judged]] = {}
    for claim, judgement in found:
        together.setdefault(claim.text, []).append((claim, judgement))
    return together


def _line(claim: Claim, judgement: Judgement, several: bool) -> str:
    if not several:
        return f"{claim.case}: {judgement.numbers}" if claim.case else judgement.numbers
    return f"{claim.case}: {judgement.numbers}: *{judgement.verdict.value}*"


def _verdicts(cases: Sequence[Judged]) -> str:
    count = counted(cases)
    if len(cases) == 1:
        return f"**{cases[0][1].verdict.value}**"
    return ", ".join(f"**{verdict.value}** {count[verdict]}" for verdict in Verdict if count[verdict])


def _of_cases(verdict: Verdict, cases: Sequence[Judged]) -> str:
    """Say in which cases; nothing where it is all of them."""
    own = [claim.case for claim, judgement in cases if judgement.verdict is verdict]
    if len(own) == len(cases):
        return ""
    return f" ({'; '.join(own)})" if len(own) <= 2 else f" (in {len(own)} of {len(cases)} cases)"


def _effects(cases: Sequence[Judged]) -> str:
    """Give the range of the numbers that tell most, over all cases."""
    effects = sorted(judgement.effect for _, judgement in cases if judgement.effect is not None)
    if not effects:
        return ""
    unit = next(judgement.unit for _, judgement in cases if judgement.unit)
    low, high = (_number(one, unit) for one in (effects[0], effects[-1]))
    return f": {low} {unit}" if low == high else f": {low} to {high} {unit}"


def _number(value: float, unit: str) -> str:
    signed = unit.startswith("points") and "lost" not in unit
    return f"{value:+.1f}" if signed else f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"


def _numbers(found: Sequence[Judged]) -> str:
    count = counted(found)
    words = ", ".join(f"{count[verdict]} {verdict.value}" for verdict in Verdict)
    claims = len(_by_text(found))
    return f"{claims} claim{'s' if claims > 1 else ''}, judged in {sum(count.values())} cases: {words}."
