"""Claims of Bodó and Csató, 2012: pre-images spare kernel evaluations at the same accuracy; bounds spare comparisons.

Table III stands here as it is printed.
"""

from __future__ import annotations

from collections.abc import Callable

from science.papers.kernel_tables import SETTINGS
from science.papers.result import MeanFigure, Result
from science.papers.studies.bc_variants import PREIMAGES, RIDGES
from science.papers.verdict import (
    COMPARABLE,
    SAME,
    Claim,
    ClaimJudgement,
    ClaimVerdict,
    MeasuredDifference,
    Nature,
    above,
    above_chance,
    between,
    gravest,
    holds,
    level,
    lies,
    marked,
    not_below,
    of_runs,
)

BOUNDS, BUCKETS, LANDMARKS, OWN_DATA = "bc-bounds", "bc-buckets", "bc-landmarks", "bc-own-data"
VARIANTS = "bc-variants"
OWN = "dna"
"""The table of which the data are the paper's own."""

POINTS = 0.02
"""Of accuracy: what is so little off the paper's is its own; exact search so little above guessing tells nothing."""

COMMONEST = {"digits": 0.11, "dna": 0.53, "income": 0.78, "shuttle": 0.79, "letter": 0.04, "poker": 0.50}
"""The share of the commonest class, which one gets right by always guessing it."""

FEW = 0.1
"""Of what is searched: the paper's hashing compares up to 9 %."""

LESS = 0.005
"""Of what is searched: a share of comparisons that is so little off is the paper's."""

SPARED = 0.01
"""Of comparisons: what a bound must spare at least to be of use."""

NOTHING = 0.995
"""Of what is searched: where so much is compared by either bound, there is nothing to spare."""

DEFINITE = tuple(name for name, setting in SETTINGS.items() if setting.kernel.positive_definite)
"""Tables whose kernel is one of a space in which there are distances to bound."""

NOT_FASTER = ("poker",)
"""Stand-ins of tables on which the paper itself finds pre-images no faster."""

_TABLE, _BOUNDS, _TIME, _RIDGE = "Table III", "Section IV", "Section VI", "Sections III, V and VI"
Judge = Callable[[Result], ClaimJudgement]


def claims() -> list[Claim]:
    """Return the claims of Table III and of the sections that it bears out."""
    every, as_well = tuple(SETTINGS), "pre-images label as well as KLSH"
    faster = tuple(name for name in every if name not in NOT_FASTER)
    listed: list[tuple[str, str, Callable[[str], Judge], str, tuple[str, ...], bool]] = [
        (as_well, BUCKETS, _as_well, _TABLE, tuple(name for name in every if name != OWN), False),
        ("hashing compares less than a tenth of the items", BUCKETS, _few, _TABLE, every, False),
        ("a query is labelled sooner by pre-images than by KLSH", BUCKETS, _sooner, _TABLE, faster, True),
        ("a ridge changes nothing", VARIANTS, _ridge, _RIDGE, every, False),
        ("bound (1) holds of every pair", BOUNDS, _is_bound("1"), _BOUNDS, DEFINITE, False),
        (f"bound (1) spares more than {100 * SPARED:g} % of comparisons", BOUNDS, _spares, _BOUNDS, DEFINITE, False),
        ("bound (2), as it is printed, holds of every pair", BOUNDS, _is_bound("2"), _BOUNDS, DEFINITE, False),
        ("bound (2) spares more than bound (1)", BOUNDS, _more, _BOUNDS, DEFINITE, False),
        ("pre-images take b kernel evaluations an item, not p", BUCKETS, _evaluations, _TIME, every, False),
        ("an item is encoded sooner by pre-images than by KLSH", BUCKETS, _faster, _TIME, every, True),
        ("with more landmarks encoding slows down at least twice as much by KLSH", LANDMARKS, _grows, _TIME,
         ("digits", "dna", "shuttle"), True),
    ]  # fmt: skip
    found = [
        Claim("bc", text, source, judge(name), item, timed=timed, case=name)
        for text, source, judge, item, names, timed in listed
        for name in names
    ]
    text = (
        f"on the paper's own data (DNA) its numbers come out, to {100 * POINTS:g} points right, {100 * LESS:g} compared"
    )
    found.insert(0, Claim("bc", as_well, OWN_DATA, _as_well_on_own, _TABLE, case=OWN))
    own = [Claim("bc", text, OWN_DATA, _as_reported(way), _TABLE, case=words) for way, words in REPORTED_WAYS.items()]
    proven = ("bound (1) holds", "bound (2), as it is printed", "pre-images take b kernel evaluations")
    certain = marked([*own, *found], Nature.CERTAIN, *proven)
    return marked(certain, Nature.OWN, "bound (1) spares")


def _as_reported(way: str) -> Judge:
    """Compare with the paper's ten runs: which items it searched is not known, so all lie apart by another draw."""

    def judge(result: Result) -> ClaimJudgement:
        words, verdicts, apart = [], [], MeasuredDifference(0.0)
        for name, figure, tolerance in (("compared", "compared", LESS), ("right", "accuracy", POINTS)):
            here, paper = reported(result, "dna", way, figure), REPORTED["DNA"][way][figure]
            apart = between(here, paper)
            verdicts.append(level(apart, tolerance=tolerance))
            words.append(f"{name} {_percents(here)} %, the paper {_percents(paper)} %, apart by {apart}")
        return ClaimJudgement(gravest(verdicts), "; ".join(words), 100 * apart.mean, "points right")

    return judge


def _percents(figure: MeanFigure) -> str:
    return f"{100 * figure.mean:.2f}"


def bucket(result: Result, name: str, method: str, figure: str) -> MeanFigure:
    """Return a figure of a method in a table."""
    return MeanFigure(*result.figures[name]["methods"][method][figure])


def reported(result: Result, name: str, way: str, figure: str) -> MeanFigure:
    """Return a figure of a way of Table III on the paper's own data."""
    return MeanFigure(*result.figures[name]["ways"][way][figure])


def bound(result: Result, name: str, which: str, figure: str) -> MeanFigure:
    """Return a figure of a bound on a table: ``none``, ``1``, ``2``, ``sorted``."""
    return MeanFigure(*result.figures[name]["bounds"][which][figure])


def _as_well(name: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        ours, klsh, exact = (bucket(result, name, one, "accuracy") for one in ("preimage-klsh", "klsh", "exact"))
        apart = between(ours, klsh)
        numbers = f"accuracy {ours} / {klsh}, {apart} points; exact {exact}"
        if exact.mean < COMMONEST[name] + POINTS:
            return ClaimJudgement(ClaimVerdict.NO_CASE, f"{numbers}: {_guessing(name)}")
        return _comparable(apart, klsh, name, numbers)

    return judge


def _guessing(name: str) -> str:
    return f"always guessing the commonest class gives {COMMONEST[name]:.2f}, nothing is left to tell"


def _comparable(apart: MeasuredDifference, klsh: MeanFigure, name: str, numbers: str) -> ClaimJudgement:
    share = above_chance(apart, klsh.mean, COMMONEST[name])
    words = f"{numbers}; {share} % of what KLSH is above guessing"
    return ClaimJudgement(not_below(share, tolerance=COMPARABLE), words, 100 * apart.mean, "points")


def variant(result: Result, name: str, way: str, figure: str) -> list[float]:
    """Return a figure of a variant in a table, of every run."""
    found: list[float] = result.figures[name]["ways"][way][figure]
    return found


def _ridge(name: str) -> Judge:
    """Compare the ridges with none, run by run: each has the same landmarks and directions."""

    def judge(result: Result) -> ClaimJudgement:
        plain = variant(result, name, PREIMAGES, "right")
        parts = {}
        for ridge in RIDGES:
            own = variant(result, name, f"ridge {ridge:g}", "right")
            parts[ridge] = of_runs([with_it - without for with_it, without in zip(own, plain, strict=True)])
        far = max(parts, key=lambda ridge: abs(parts[ridge].mean))
        numbers = ", ".join(f"{part} of {ridge:g}" for ridge, part in parts.items())
        effect, right = 100 * parts[far].mean, sum(plain) / len(plain)
        if right < COMMONEST[name] + POINTS:
            return ClaimJudgement(ClaimVerdict.NO_CASE, f"points right: {numbers}; {_guessing(name)}")
        verdict = level(*(above_chance(part, right, COMMONEST[name]) for part in parts.values()), tolerance=SAME)
        return ClaimJudgement(verdict, f"points right: {numbers}", effect, "points")

    return judge


def _as_well_on_own(result: Result) -> ClaimJudgement:
    """Judge by the runs on the paper's own data, which are more."""
    ours, klsh, exact = (reported(result, OWN, way, "accuracy") for way in ("preimage-klsh", "klsh", "ineq"))
    apart = between(ours, klsh)
    numbers = f"accuracy {ours} / {klsh}, {apart} points, {ours.runs} repetitions; exact {exact}"
    return _comparable(apart, klsh, OWN, numbers)


def _few(name: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        ours, klsh = (bucket(result, name, one, "compared") for one in ("preimage-klsh", "klsh"))
        verdict = lies(*(between(one, MeanFigure(0.0)) for one in (ours, klsh)), high=FEW)
        return ClaimJudgement(verdict, f"{100 * ours.mean:.2f} % by pre-images, {100 * klsh.mean:.2f} % by KLSH")

    return judge


def _sooner(name: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        ours, klsh = (bucket(result, name, one, "ms") for one in ("preimage-klsh", "klsh"))
        times = klsh.mean / ours.mean
        numbers = f"{ours.mean:.3f} / {klsh.mean:.3f} ms of a thread"
        return ClaimJudgement(above(between(klsh, ours)), numbers, times, "times as fast", times)

    return judge


def _evaluations(name: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        counts = result.figures[name]["evaluations"]
        ours, klsh = counts["preimage-klsh"], counts["klsh"]
        fewer = klsh / ours
        numbers = f"{ours} / {klsh} an item, {fewer:.0f} times fewer"
        return ClaimJudgement(holds(ours == SETTINGS[name].bits and ours < klsh), numbers, fewer, "times fewer")

    return judge


def _faster(name: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        ours, klsh = (bucket(result, name, one, "encode us") for one in ("preimage-klsh", "klsh"))
        times = klsh.mean / ours.mean
        numbers = f"{ours.mean:.2f} / {klsh.mean:.2f} µs an item in a batch, {times:.1f} times"
        return ClaimJudgement(above(between(klsh, ours)), numbers, times, "times as fast", times)

    return judge


def _is_bound(which: str) -> Callable[[str], Judge]:
    """Judge by every pair of a query and an item, but for what rounding to 1e-9 of their lengths breaks.

    One pair refutes. That none does confirms a theorem; of bound (2), to which there are counterexamples, it tells of
    these pairs alone.
    """

    def of(name: str) -> Judge:
        def judge(result: Result) -> ClaimJudgement:
            losing, compared, broken = (bound(result, name, which, one) for one in ("losing", "compared", "broken"))
            kept = broken.mean == 0  # whoever loses a neighbour all the same loses it by rounding
            pairs = broken.runs * result.figures[name]["asked"] * result.figures[name]["searched"]
            if kept and which == "2":
                words = f"not broken on these {pairs:,} pairs ({broken.runs} repetitions); false in general"
                return ClaimJudgement(ClaimVerdict.NO_CASE, f"{words}; {100 * compared.mean:.1f} % compared")
            numbers = (
                f"{100 * broken.mean:.2f} % of {pairs:,} pairs ({broken.runs} repetitions) break it, "
                f"{100 * losing.mean:.1f} % of queries lose a neighbour, {100 * compared.mean:.1f} % compared"
            )
            return ClaimJudgement(holds(kept), numbers, 100 * losing.mean or None, "% of queries lose a neighbour")

        return judge

    return of


def _spares(name: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        compared, in_order = bound(result, name, "1", "compared"), bound(result, name, "sorted", "compared")
        spared = between(MeanFigure(1.0), compared)
        numbers = f"{spared} % in the order of the file, {100 * (1 - in_order.mean):.1f} % in order of norms"
        if compared.mean > NOTHING:
            words = f"{numbers}: nearly equal norms leave nothing to spare"
            return ClaimJudgement(ClaimVerdict.NO_CASE, words, 100 * spared.mean, "% spared")
        return ClaimJudgement(above(spared, by=SPARED), numbers, 100 * spared.mean, "% spared")

    return judge


def _more(name: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        one, two = (bound(result, name, which, "compared") for which in "12")
        numbers = f"compared {100 * two.mean:.2f} % with (2), {100 * one.mean:.2f} % with (1)"
        if min(one.mean, two.mean) > NOTHING:
            return ClaimJudgement(ClaimVerdict.NO_CASE, f"{numbers}: neither spares anything")
        return ClaimJudgement(above(between(one, two)), numbers)

    return judge


def _grows(name: str) -> Judge:
    """Compare the most landmarks with the fewest: the time of KLSH must grow at least twice as much."""

    def judge(result: Result) -> ClaimJudgement:
        rows = result.figures[name]["methods"]
        first, last = (rows["klsh"][place] for place in (0, -1))
        own_first, own_last = (rows["preimage-klsh"][place] for place in (0, -1))
        grown, own = last["batch us"] / first["batch us"], own_last["batch us"] / own_first["batch us"]
        numbers = (
            f"from {first['landmarks']} to {last['landmarks']:,} landmarks KLSH takes {grown:.1f} times as long "
            f"({first['batch us']:.2f} to {last['batch us']:.2f} µs), pre-images {own:.1f} times "
            f"({own_first['batch us']:.2f} to {own_last['batch us']:.2f} µs)"
        )
        return ClaimJudgement(holds(grown >= 2 * own), numbers, ratio=grown / own / 2)

    return judge


RUNS = 10
REPORTED_WAYS = {"ineq": "exact, bound (2)", "klsh": "kLSH", "preimage-klsh": "kLSHp"}
"""The methods of Table III by their names there, with their names here."""

REPORTED: dict[str, dict[str, dict[str, MeanFigure]]] = {
    paper: {
        way: {
            "compared": MeanFigure(compared / 100, off / 100, RUNS),
            "accuracy": MeanFigure(right / 100, spread / 100, RUNS),
        }
        for way, (compared, off, right, spread) in zip(REPORTED_WAYS, rows, strict=True)
    }
    for paper, rows in {
        "Optdigits": ((81.5, 0.17, 97.87, 0.02), (4.12, 0.23, 93.18, 0.63), (5.26, 0.88, 94.64, 0.45)),
        "DNA": ((99.75, 0.04, 78.47, 0.24), (3.24, 0.03, 66.48, 1.37), (3.33, 0.09, 67.04, 1.3)),
        "Adult": ((100, 0, 82.03, 0.17), (3.98, 0.21, 79.71, 0.41), (3.92, 0.4, 79.91, 0.42)),
        "Forest Covertype": ((41.64, 0, 94.76, 0.01), (8.93, 10.12, 95.43, 0.06), (4.67, 3.09, 95.35, 0.05)),
        "Poker Hand": ((52.34, 0, 61.14, 0.07), (0.89, 0.22, 60.38, 0.34), (0.97, 0.2, 60.07, 0.38)),
    }.items()
}
"""Of Table III: the shares that are compared and right, over the paper's 10 runs; its deviations of 1e-6 are 0 here."""

SECONDS: dict[str, dict[str, tuple[float, float]]] = {
    paper: dict(zip(REPORTED_WAYS, rows, strict=True))
    for paper, rows in {
        "Optdigits": ((1.09, 0.004), (0.17, 0.005), (0.08, 0.01)),
        "DNA": ((1.12, 0.004), (0.21, 0.004), (0.045, 0.005)),
        "Adult": ((24.96, 0.01), (5.89, 0.05), (1.23, 0.1)),
        "Forest Covertype": ((4509.95, 3.25), (1979.67, 1987.6), (1081.7, 687.48)),
        "Poker Hand": ((1323.29, 0.65), (94.13, 22.52), (101.87, 20.57)),
    }.items()
}
"""To label all that are asked, and the deviation, in seconds."""


def sooner(way: str, than: str) -> dict[str, float]:
    """Say of each set how many times as fast one way is as another.

    Examples
    --------
    >>> {name: round(times, 1) for name, times in sooner("preimage-klsh", "klsh").items()}
    {'Optdigits': 2.1, 'DNA': 4.7, 'Adult': 4.8, 'Forest Covertype': 1.8, 'Poker Hand': 0.9}
    """
    return {name: times[than][0] / times[way][0] for name, times in SECONDS.items()}
