"""Bodó and Csató, 2012: pre-images spare kernel evaluations at the same accuracy; bounds spare comparisons."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.differences import between
from tests.papers.kernel_tables import SETTINGS
from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Verdict, above, holds, lies, not_below

BOUNDS, BUCKETS, LANDMARKS = "bc-bounds", "bc-buckets", "bc-landmarks"
CODES = "lsh:bits=8"
"""Bench wants some method; exact search does not look at its codes."""

POINTS = 0.02
"""Of accuracy: what is so little below is as good; exact search so little above guessing leaves nothing to tell."""

COMMONEST = {"digits": 0.11, "dna": 0.53, "income": 0.78, "shuttle": 0.79, "letter": 0.04, "poker": 0.50}
"""The share of the commonest class, which one gets right by always guessing it."""

FEW = 0.1
"""Of what is searched: the paper's hashing compares up to 9 %."""

SPARED = 0.01
"""Of comparisons: what a bound must spare at least to be of use."""

NOTHING = 0.995
"""Of what is searched: where so much is compared by either bound, there is nothing to spare."""

DEFINITE = tuple(name for name, setting in SETTINGS.items() if setting.kernel.positive_definite)
"""Tables whose kernel is one of a space in which there are distances to bound."""

NOT_FASTER = ("poker",)
"""Stand-ins of tables on which the paper itself finds pre-images no faster."""

_TABLE, _BOUNDS, _TIME = "Table III", "Section IV", "Section VI"

Judge = Callable[[Result], Judgement]


def claims() -> list[Claim]:
    """Give the claims of Table III and of the sections that it bears out."""
    every = tuple(SETTINGS)
    faster = tuple(name for name in every if name not in NOT_FASTER)
    listed: list[tuple[str, str, Callable[[str], Judge], str, tuple[str, ...], bool]] = [
        (f"pre-images label as well as KLSH, to {100 * POINTS:g} points", BUCKETS, _as_well, _TABLE, every, False),
        ("hashing compares less than a tenth of the items", BUCKETS, _few, _TABLE, every, False),
        ("a query is labelled sooner by pre-images than by KLSH", BUCKETS, _sooner, _TABLE, faster, True),
        ("bound (1) holds of every pair (a theorem)", BOUNDS, _is_bound("1"), _BOUNDS, DEFINITE, False),
        (f"bound (1) spares more than {100 * SPARED:g} % of comparisons", BOUNDS, _spares, _BOUNDS, DEFINITE, False),
        ("bound (2), as it is printed, holds of every pair", BOUNDS, _is_bound("2"), _BOUNDS, DEFINITE, False),
        ("bound (2) spares more than bound (1)", BOUNDS, _more, _BOUNDS, DEFINITE, False),
        ("pre-images take b kernel evaluations an item, not p", BUCKETS, _evaluations, _TIME, every, False),
        ("an item is encoded sooner by pre-images than by KLSH", BUCKETS, _faster, _TIME, every, True),
        ("with more landmarks encoding slows down at least twice as much by KLSH", LANDMARKS, _grows, _TIME,
         ("digits", "dna", "shuttle"), True),
    ]  # fmt: skip
    return [
        Claim("bc", text, source, judge(name), item, timed=timed, case=name)
        for text, source, judge, item, names, timed in listed
        for name in names
    ]


def bucket(result: Result, name: str, method: str, figure: str) -> Figure:
    """Give a figure of a method in a table."""
    return Figure(*result.figures[name]["methods"][method][figure])


def bound(result: Result, name: str, which: str, figure: str) -> Figure:
    """Give a figure of a bound on a table: ``none``, ``1``, ``2``, ``sorted``."""
    return Figure(*result.figures[name]["bounds"][which][figure])


def _as_well(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh, exact = (bucket(result, name, one, "accuracy") for one in ("preimage-klsh", "klsh", "exact"))
        apart, guessing = between(ours, klsh), COMMONEST[name]
        numbers = f"accuracy {ours} / {klsh}, {apart} points; exact {exact}"
        if exact.mean < guessing + POINTS:
            words = f"{numbers}: always guessing the commonest class gives {guessing:.2f}, nothing is left to tell"
            return Judgement(Verdict.CANNOT_TELL, words)
        return Judgement(not_below(apart, tolerance=POINTS), numbers, 100 * apart.mean, "points")

    return judge


def _few(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh = (bucket(result, name, one, "compared") for one in ("preimage-klsh", "klsh"))
        verdict = lies(*(between(one, Figure(0.0)) for one in (ours, klsh)), high=FEW)
        return Judgement(verdict, f"{100 * ours.mean:.2f} % by pre-images, {100 * klsh.mean:.2f} % by KLSH")

    return judge


def _sooner(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh = (bucket(result, name, one, "ms") for one in ("preimage-klsh", "klsh"))
        times = klsh.mean / ours.mean
        numbers = f"{ours.mean:.3f} / {klsh.mean:.3f} ms of a thread"
        return Judgement(above(between(klsh, ours)), numbers, times, "times as fast", times)

    return judge


def _evaluations(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        counts = result.figures[name]["evaluations"]
        ours, klsh = counts["preimage-klsh"], counts["klsh"]
        fewer = klsh / ours
        numbers = f"{ours} / {klsh} an item, {fewer:.0f} times fewer"
        return Judgement(holds(ours == SETTINGS[name].bits and ours < klsh), numbers, fewer, "times fewer")

    return judge


def _faster(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh = (bucket(result, name, one, "encode us") for one in ("preimage-klsh", "klsh"))
        times = klsh.mean / ours.mean
        numbers = f"{ours.mean:.2f} / {klsh.mean:.2f} µs an item in a batch, {times:.1f} times"
        return Judgement(above(between(klsh, ours)), numbers, times, "times as fast", times)

    return judge


def _is_bound(which: str) -> Callable[[str], Judge]:
    """Judge by every pair of a query and an item, but for what rounding to 1e-9 of their lengths breaks.

    One pair refutes; that none does confirms only where distances come near the bound, so that it spares comparisons.
    """

    def of(name: str) -> Judge:
        def judge(result: Result) -> Judgement:
            losing, compared, broken = (bound(result, name, which, one) for one in ("losing", "compared", "broken"))
            kept = broken.mean == 0  # whoever loses a neighbour all the same loses it by rounding
            numbers = (
                f"{100 * broken.mean:.2f} % of pairs break it, {100 * losing.mean:.1f} % of queries lose a neighbour, "
                f"{100 * compared.mean:.1f} % compared"
            )
            if kept and which == "2" and compared.mean > NOTHING:
                return Judgement(Verdict.CANNOT_TELL, f"{numbers}: it skips next to nothing")
            return Judgement(holds(kept), numbers, 100 * losing.mean or None, "% of queries lose a neighbour")

        return judge

    return of


def _spares(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        compared, in_order = bound(result, name, "1", "compared"), bound(result, name, "sorted", "compared")
        spared = between(Figure(1.0), compared)
        numbers = f"{spared} % in the order of the file, {100 * (1 - in_order.mean):.1f} % in order of norms"
        if compared.mean > NOTHING:
            words = f"{numbers}: nearly equal norms leave nothing to spare"
            return Judgement(Verdict.CANNOT_TELL, words, 100 * spared.mean, "% spared")
        return Judgement(above(spared, by=SPARED), numbers, 100 * spared.mean, "% spared")

    return judge


def _more(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        one, two = (bound(result, name, which, "compared") for which in "12")
        numbers = f"compared {100 * two.mean:.2f} % with (2), {100 * one.mean:.2f} % with (1)"
        if min(one.mean, two.mean) > NOTHING:
            return Judgement(Verdict.CANNOT_TELL, f"{numbers}: neither spares anything")
        return Judgement(above(between(one, two)), numbers)

    return judge


def _grows(name: str) -> Judge:
    """Compare the most landmarks with the fewest: the time of KLSH must grow at least twice as much."""

    def judge(result: Result) -> Judgement:
        rows = result.figures[name]["methods"]
        first, last = (rows["klsh"][place] for place in (0, -1))
        own_first, own_last = (rows["preimage-klsh"][place] for place in (0, -1))
        grown, own = last["batch us"] / first["batch us"], own_last["batch us"] / own_first["batch us"]
        numbers = (
            f"from {first['landmarks']} to {last['landmarks']:,} landmarks KLSH takes {grown:.1f} times as long "
            f"({first['batch us']:.2f} to {last['batch us']:.2f} µs), pre-images {own:.1f} times "
            f"({own_first['batch us']:.2f} to {own_last['batch us']:.2f} µs)"
        )
        return Judgement(holds(grown >= 2 * own), numbers, ratio=grown / own / 2)

    return judge
