"""Bodó and Csató, 2012: pre-images spare kernel evaluations at the same accuracy; bounds spare comparisons."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Verdict, above, gravest, holds


def claims() -> list[Claim]:
    """Give the claims of Tables II and III."""
    found = []
    for name in ("digits", "dna"):
        found += [
            Claim(
                "BC",
                f"pre-images label as well as KLSH in buckets of 5 bits, to 2 points ({name})",
                "buckets",
                _accuracy(name),
            ),
            Claim("BC", f"pre-images take b kernel evaluations an item, not m ({name})", "buckets", _evaluations(name)),
            Claim("BC", f"pre-images encode faster than KLSH ({name})", "buckets", _faster(name)),
            Claim("BC", f"bound (1) loses nothing and spares comparisons ({name})", f"bc-{name}-norms", _spares),
            Claim("BC", f"bound (2) spares more ({name})", f"bc-{name}-heuristic", _spares),
        ]
    return found


def _accuracy(name: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        figures = result.figures[name]
        ours, klsh = Figure(*figures["preimage-klsh"]["accuracy"]), Figure(*figures["klsh"]["accuracy"])
        compared = [f"{100 * figures[one]['compared'][0]:.2f} %" for one in ("preimage-klsh", "klsh")]
        better = above(ours, klsh, by=-0.02)
        numbers = (
            f"accuracy {ours} / {klsh}, exact {Figure(*figures['exact']['accuracy'])}; compared {' / '.join(compared)}"
        )
        return Judgement(better, numbers)

    return judge


def _evaluations(name: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        figures = result.figures[name]
        ours, klsh = figures["preimage-klsh"]["evaluations"], figures["klsh"]["evaluations"]
        return Judgement(holds(ours < klsh), f"{ours} / {klsh} an item, {klsh / ours:.0f} times fewer")

    return judge


def _faster(name: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        figures = result.figures[name]
        ours, klsh = figures["preimage-klsh"]["encode_us"][0], figures["klsh"]["encode_us"][0]
        return Judgement(holds(ours < klsh), f"{ours:.1f} / {klsh:.1f} µs an item in a batch, {klsh / ours:.1f} times")

    return judge


def _spares(result: Result) -> Judgement:
    (one,) = result.figures["results"]
    share = one["looked_at"] / one["of"]
    overlap = one["overlap"]["100"]
    parts = [holds(share < 0.999)]
    if result.name.endswith("norms"):
        parts.append(holds(overlap == 1.0))
    elif share >= 0.999:
        parts = [Verdict.CANNOT_TELL]
    numbers = f"100 nearest: compared {100 * share:.1f} %, overlap@100 {overlap:.4f}, accuracy {one['accuracy']:.4f}"
    return Judgement(gravest(parts), f"{numbers}. {one['note']}".strip())
