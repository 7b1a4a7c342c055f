"""Bodó and Csató, 2012: pre-images spare kernel evaluations at the same accuracy; bounds spare comparisons."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Verdict, above, holds

CODES = "lsh:bits=8"
"""Bench wants some method; exact search does not look at its codes."""


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
            Claim("BC", f"bound (1) spares comparisons and loses nothing ({name})", f"bc-{name}", _spares),
            Claim("BC", f"bound (2), as it is printed, loses nothing ({name})", "bounds", _loses(name)),
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
    norms, none, printed = (result.method(CODES, f"exact:bound={one}") for one in ("norms", "none", "heuristic"))
    words = {"(1)": norms, "(2)": printed, "none": none}
    numbers = "; ".join(
        f"{bound} compared {100 * one['looked_at'] / one['of']:.1f} %, accuracy {one['accuracy']:.4f}"
        for bound, one in words.items()
    )
    same = norms["accuracy"] == none["accuracy"]
    if same and norms["looked_at"] > 0.995 * norms["of"]:
        return Judgement(Verdict.CANNOT_TELL, numbers)  # exact, but items of nearly equal norms leave nothing to spare
    return Judgement(holds(same and norms["looked_at"] < norms["of"]), numbers)


def _loses(name: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        heuristic = result.figures[name]["heuristic"]
        verdict = holds(heuristic["losing"] == 0)
        if heuristic["losing"] == 0 and heuristic["compared"] > 0.995:
            verdict = Verdict.CANNOT_TELL
        return Judgement(verdict, _bounds(result.figures[name]))

    return judge


def _bounds(figures: dict[str, dict[str, float]]) -> str:
    words = {"norms": "(1)", "heuristic": "(2)", "none": "none"}
    return "; ".join(
        f"{words[bound]} compared {100 * one['compared']:.1f} %, accuracy {one['accuracy']:.4f}"
        + (f", {100 * one['losing']:.1f} % of queries lose a neighbour" if bound == "heuristic" else "")
        for bound, one in figures.items()
    )
