"""What the page says of claims: a row for each case of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from science.papers.claims.undecided import takes
from science.papers.page.section import Results
from science.papers.page.tables import cell
from science.papers.verdict import Claim, ClaimJudgement, ClaimVerdict, Nature

Judged = tuple[Claim, ClaimJudgement]


def judged(claims: Iterable[Claim], results: Results) -> list[Judged]:
    """Judge claims whose sources are all there, and still measure what they are judged by."""
    there = [claim for claim in claims if all(source in results for source in claim.sources)]
    found = [(claim, claim.judged(*(results[source] for source in claim.sources))) for claim in there]
    return [(claim, judgement) for claim, judgement in found if judgement is not None]


def counted(found: Iterable[Judged]) -> Counter[ClaimVerdict]:
    """Count verdicts."""
    return Counter(judgement.verdict for _, judgement in found)


def of_nature(found: Iterable[Judged], nature: Nature) -> list[Judged]:
    """Choose the claims of a nature."""
    return [one for one in found if one[0].nature is nature]


def by_text(found: Sequence[Judged]) -> Mapping[str, list[Judged]]:
    """Return the cases of each text."""
    together: dict[str, list[Judged]] = {}
    for claim, judgement in found:
        together.setdefault(claim.text, []).append((claim, judgement))
    return together


def claims_table(found: Sequence[Judged], results: Results, of_a_paper: bool = True) -> str:
    """Write claims, of what they are judged, what was measured and the verdicts; a text stands in its first row."""
    rows = ["| Claim | of | Measured | Verdict |", "| :-- | :-- | :-- | :-- |"]
    for text, cases in by_text(found).items():
        words = text + _remark(cases[0][0], of_a_paper)
        for claim, judgement in cases:
            quick = any(source in results and results[source].size == "quick" for source in claim.sources)
            of = " ".join(part for part in (claim.case, "(quick)" * quick) if part)
            verdict = f"**{judgement.verdict.value}**" + _would_take(claim, judgement)
            rows.append(f"| {cell(words)} | {cell(of)} | {cell(judgement.numbers)} | {verdict} |")
            words = ""
    return "\n".join(rows)


def _would_take(claim: Claim, judgement: ClaimJudgement) -> str:
    """Say what deciding it takes, where that cannot be told here."""
    if judgement.verdict is not ClaimVerdict.CANNOT_TELL:
        return ""
    words = takes(claim.text, claim.timed)
    return f"; to decide it takes {words}" if words else ""


def _remark(claim: Claim, of_a_paper: bool) -> str:
    """Say what must be known of a claim."""
    remarks = {Nature.CERTAIN: "theorem or arithmetic", Nature.OWN: "not of the paper" if of_a_paper else ""}
    told = [remarks.get(claim.nature, ""), "by the clock" * claim.timed]
    return "".join(f" ({one})" for one in told if one)
