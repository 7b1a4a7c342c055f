"""Judged claims as the page shows them: a row for each case, the findings of a paper in a few words, and missing data.

For a claim that cannot be decided here, the page says what it would take to decide it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from science.papers.page.section import Results, cell
from science.papers.verdict import COUNTED, Claim, ClaimJudgement, ClaimVerdict, Nature

Judged = tuple[Claim, ClaimJudgement]


def judged(claims: Iterable[Claim], results: Results) -> list[Judged]:
    """Judge claims whose sources are all there, and still measure what they are judged by."""
    there = [claim for claim in claims if all(source in results for source in claim.sources)]
    found = [(claim, claim.judged(*(results[source] for source in claim.sources))) for claim in there]
    return [(claim, judgement) for claim, judgement in found if judgement is not None]


def counted(found: Iterable[Judged]) -> Counter[ClaimVerdict]:
    """Count verdicts; what is no case is not counted."""
    return Counter(judgement.verdict for _, judgement in cases(found))


def cases(found: Iterable[Judged]) -> list[Judged]:
    """Leave out data on which a claim says nothing, however often they are measured."""
    return [one for one in found if one[1].verdict is not ClaimVerdict.NO_CASE]


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
    for text, listed in by_text(found).items():
        words = text + _remark(listed[0][0], of_a_paper)
        for claim, judgement in listed:
            quick = any(source in results and results[source].size == "quick" for source in claim.sources)
            of = " ".join(part for part in (claim.case, "(quick)" * quick) if part)
            verdict = f"**{judgement.verdict.value}**" + _would_take(claim, judgement)
            rows.append(f"| {cell(words)} | {cell(of)} | {cell(judgement.numbers)} | {verdict} |")
            words = ""
    return "\n".join(rows)


def _would_take(claim: Claim, judgement: ClaimJudgement) -> str:
    """Return what it takes to decide a claim that cannot be decided here."""
    if judgement.verdict is not ClaimVerdict.CANNOT_TELL:
        return ""
    words = takes(claim.text, claim.timed)
    return f"; to decide it takes {words}" if words else ""


def _remark(claim: Claim, of_a_paper: bool) -> str:
    """Return the remarks on a claim."""
    remarks = {Nature.CERTAIN: "theorem or arithmetic", Nature.OWN: "not of the paper" if of_a_paper else ""}
    told = [remarks.get(claim.nature, ""), "by the clock" * claim.timed]
    return "".join(f" ({one})" for one in told if one)


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
    """Return the findings in words, each claim once; empty without claims that measuring can refute."""
    found = cases(found)
    measured = of_nature(found, Nature.MEASURED)
    parts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for text, own in by_text(measured).items():
        kind, words = _found(own)
        parts[kind].append(text + words)
    lines = [f"- *{kind}:* {'; '.join(texts)}." for kind, texts in parts.items() if texts]
    for nature, name in OTHERS.items():
        texts = [text + _counts(own) for text, own in by_text(of_nature(found, nature)).items()]
        lines += [f"- *{name}, not counted:* {'; '.join(texts)}."] if texts else []
    return "\n".join([f"**In short.** {_numbers(measured)}", "", *lines]) if measured else ""


def decisive(found: Sequence[Judged]) -> str:
    """Say in how many of the decided cases a claim is confirmed, by how much, and how many are undecided."""
    found = cases(found)
    decided = [one for one in found if one[1].verdict is not ClaimVerdict.CANNOT_TELL]
    if not decided:
        return "cannot be told here"
    words = f"{len(_with(found, ClaimVerdict.CONFIRMED))} of {len(decided)}{_effects(decided).replace(': ', ', ', 1)}"
    undecided = len(found) - len(decided)
    return f"{words} ({undecided} undecided)" if undecided else words


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


def _found(found: Sequence[Judged]) -> tuple[str, str]:
    """Say of what kind a claim is, and what is to be added to its text."""
    count = counted(found)
    if len(count) == 1:
        return ALL_OF[next(iter(count))], _effects(found)
    if not count[ClaimVerdict.NOT_CONFIRMED]:
        sure = _with(found, ClaimVerdict.CONFIRMED)
        return "Confirmed in part", f" ({_named(sure, of=len(found))}){_effects(sure)}"
    return "Mixed", _counts(found)


def _counts(found: Sequence[Judged]) -> str:
    """Count each verdict, with the cases and the effects where they are few."""
    parts = []
    for verdict in COUNTED:
        if own := _with(found, verdict):
            names = "; ".join(claim.case for claim, _ in own if claim.case)
            few = len(own) <= FEW and len(own) < len(found) and names
            effects = "" if verdict is ClaimVerdict.CANNOT_TELL else _effects(own)
            told = f"{names}{effects}" if few else effects.removeprefix(": ")
            word = "not" if verdict is ClaimVerdict.NOT_CONFIRMED else verdict.value
            parts.append(f"{len(own)} {word}" + f" ({told})" * bool(told))
    return f": {', '.join(parts)}"


def _with(found: Sequence[Judged], verdict: ClaimVerdict) -> list[Judged]:
    return [one for one in found if one[1].verdict is verdict]


def _named(own: Sequence[Judged], of: int) -> str:
    return "; ".join(claim.case for claim, _ in own) if len(own) <= FEW else f"in {len(own)} of {of} cases"


def _effects(found: Sequence[Judged]) -> str:
    """Return the range of the numbers that tell most."""
    effects = sorted(judgement.effect for _, judgement in found if judgement.effect is not None)
    if not effects:
        return ""
    unit = next(judgement.unit for _, judgement in found if judgement.unit)
    low, high = (number(one, unit) for one in (effects[0], effects[-1]))
    return f": {low} {unit}" if low == high else f": {low} to {high} {unit}"


def _numbers(found: Sequence[Judged]) -> str:
    count = counted(found)
    words = ", ".join(f"{count[verdict]} {verdict.value}" for verdict in COUNTED)
    claims = len(by_text(found))
    return f"{claims} claim{'s' if claims > 1 else ''}, judged in {sum(count.values())} cases: {words}."


DRAWS = "more draws of landmarks and hyperplanes"
QUERIES = "more queries"
ITEMS = "more seeds; where fewer than 3,000 items are drawn, a collection of 60,000 or more"
WIDER = "more repetitions: the interval reaches over the tolerance by chance alone"
PARTITIONS = "more partitions"
TAKES: dict[str, str] = {
    # Jiang, Que and Kulis
    "recall rises with the rank": DRAWS,
    "every rank but the smallest": DRAWS,
    "some scale above none": DRAWS,
    "low rank + transform above low rank": f"{QUERIES}, 10,000 as in the paper, and the paper's million of items",
    "the rank that is best for 256 bits": DRAWS,
    "the transform brings more": f"{QUERIES}, 10,000 as in the paper, and the paper's million of items",
    "directions of sum zero": DRAWS,
    "directions of t =": DRAWS,
    "more landmarks rank better": DRAWS,
    "some thousands of landmarks": DRAWS,
    "KLSH is level with KPCA": DRAWS,
    "low-rank KLSH above": DRAWS,
    "rank and scale together": DRAWS,
    # Bodó and Csató
    "pre-images label as well": WIDER,
    "hashing compares less": "more repetitions: KLSH has two kinds of them on this table",
    "a query is labelled sooner": "a machine that nothing else uses",
    "a ridge changes nothing": WIDER,
    "bound (1) spares": WIDER,
    "bound (2) spares": WIDER,
    "on the paper's own data (DNA)": WIDER,
    # Kim and Choi
    "bits that share a projection vary together": "unlike pairs too: a kernel narrower than these data give",
    "bits that share a projection": "items so alike: near copies",
    "m = 5 is faster": "a machine that nothing else uses",
    "m = 5": "more seeds and items",
    "bilinear is above single": "more seeds",
    # Jain, Kulis and Grauman
    "4-NN is better": PARTITIONS,
    "hashing under the learned metric": PARTITIONS,
    "accuracy hardly depends": PARTITIONS,
    "less is looked at": PARTITIONS,
    "1-NN is better": "more views that ask: 600 leave 1.5 points",
    "more pairs gain more": "more views that ask",
    "hashing loses at most": "more views that ask",
    "hashing under the learned kernel": "more views that ask",
    "a larger ε": "more views that ask",
    # Yun, Kim and Choi
    "uniform sampling is comparable": ITEMS,
    "weighted sampling is comparable": ITEMS,
    "uniform sampling is above": "more seeds",
    "from 5 %": ITEMS,
    "from 30 %": ITEMS,
    # Of no paper
    "the program's codes": "more seeds",
    "KPCA + ITQ above": "more seeds",
    "learned bilinear": "more seeds",
    "the tuner's choice": "more draws; where its choice are the defaults, nothing can",
}


def takes(text: str, timed: bool = False) -> str:
    """Return what it takes to decide a claim; empty if unknown.

    Examples
    --------
    >>> takes("4-NN is better under the metric learned from 1,000 pairs")
    'more partitions'
    >>> takes("anything", timed=True)
    'a machine that nothing else uses'
    """
    found = next((words for start, words in TAKES.items() if text.startswith(start)), "")
    return found or "a machine that nothing else uses" * timed
