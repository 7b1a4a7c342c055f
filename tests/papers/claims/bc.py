"""Bodó and Csató, 2012: pre-images spare kernel evaluations at the same accuracy; bounds spare comparisons."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.kernel_tables import SETTINGS
from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Verdict, above, gravest, holds

BOUNDS, BUCKETS, LANDMARKS = "bc-bounds", "bc-buckets", "bc-landmarks"
CODES = "lsh:bits=8"
"""Bench wants some method; exact search does not look at its codes."""

POINTS = 0.02
"""Of accuracy: as near as that is as good."""

FEW = 0.1
"""Of what is searched: the paper's hashing compares up to 9 %."""

NOTHING = 0.995
"""Of what is searched: where so much is compared anyway, there is nothing to spare."""

_TABLE, _BOUNDS, _TIME = "Table III", "Section IV", "Section VI"

Judge = Callable[[Result], Judgement]


def claims() -> list[Claim]:
    """Give the claims of Table III and of the sections that it bears out."""
    found = []
    for name, setting in SETTINGS.items():
        bits = f"keys of {setting.bits} bits"
        found += [
            Claim(
                "bc", f"pre-images label as well as KLSH, to 2 points ({bits}, {name})", BUCKETS, _as_well(name), _TABLE
            ),
            Claim("bc", f"hashing compares less than a tenth of the items ({name})", BUCKETS, _few(name), _TABLE),
            Claim(
                "bc",
                f"a query is labelled sooner by pre-images than by KLSH ({name})",
                BUCKETS,
                _sooner(name),
                _TABLE,
                timed=True,
            ),
            Claim(
                "bc",
                f"pre-images take b kernel evaluations an item, not p ({name})",
                BUCKETS,
                _evaluations(name),
                _TIME,
            ),
            Claim(
                "bc",
                f"an item is encoded sooner by pre-images than by KLSH ({name})",
                BUCKETS,
                _faster(name),
                _TIME,
                timed=True,
            ),
            Claim("bc", f"bound (2), as it is printed, loses no neighbour ({name})", BOUNDS, _loses(name), _BOUNDS),
        ]
        if setting.kernel.positive_definite:
            found += [
                Claim(
                    "bc",
                    f"bound (1) loses no neighbour and spares comparisons ({name})",
                    BOUNDS,
                    _spares(name),
                    _BOUNDS,
                ),
                Claim("bc", f"bound (2) spares more than bound (1) ({name})", BOUNDS, _more(name), _BOUNDS),
            ]
    for name in ("digits", "dna"):
        text = f"by bench: bound (1) spares comparisons and loses nothing ({name})"
        found.append(Claim("bc", text, f"bc-{name}", _by_bench, "Items in order of their norms"))
    text = "with more landmarks KLSH takes longer to encode and pre-images do not"
    for name in ("digits", "dna", "shuttle"):
        found.append(Claim("bc", f"{text} ({name})", LANDMARKS, _grows(name), _TIME, timed=True))
    return found


def bucket(result: Result, name: str, method: str, figure: str) -> Figure:
    """Give a figure of a method in a table."""
    return Figure(*result.figures[name]["methods"][method][figure])


def bound(result: Result, name: str, which: str, figure: str) -> Figure:
    """Give a figure of a bound on a table: ``none``, ``1``, ``2``, ``sorted``."""
    return Figure(*result.figures[name]["bounds"][which][figure])


def _as_well(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh, exact = (bucket(result, name, one, "accuracy") for one in ("preimage-klsh", "klsh", "exact"))
        return Judgement(above(ours, klsh, by=-POINTS), f"accuracy {ours} / {klsh}, exact {exact}")

    return judge


def _few(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh = (bucket(result, name, one, "compared") for one in ("preimage-klsh", "klsh"))
        verdict = holds(max(ours.mean, klsh.mean) < FEW)
        return Judgement(verdict, f"{100 * ours.mean:.2f} % by pre-images, {100 * klsh.mean:.2f} % by KLSH")

    return judge


def _sooner(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh = (bucket(result, name, one, "ms") for one in ("preimage-klsh", "klsh"))
        return Judgement(above(klsh, ours, most=float("inf")), f"{ours.mean:.3f} / {klsh.mean:.3f} ms of a thread")

    return judge


def _evaluations(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        counts = result.figures[name]["evaluations"]
        ours, klsh = counts["preimage-klsh"], counts["klsh"]
        return Judgement(holds(ours < klsh), f"{ours} / {klsh} an item, {klsh / ours:.0f} times fewer")

    return judge


def _faster(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, klsh = (bucket(result, name, one, "encode us") for one in ("preimage-klsh", "klsh"))
        times = klsh.mean / ours.mean
        numbers = f"{ours.mean:.2f} / {klsh.mean:.2f} µs an item in a batch, {times:.1f} times"
        return Judgement(above(klsh, ours, most=float("inf")), numbers)

    return judge


def _loses(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        losing, compared, broken = (bound(result, name, "2", one) for one in ("losing", "compared", "broken"))
        verdict = holds(losing.mean == 0)
        if losing.mean == 0 and compared.mean > NOTHING:
            verdict = Verdict.CANNOT_TELL
        numbers = f"{100 * losing.mean:.1f} % of queries lose one, {100 * broken.mean:.2f} % of pairs break the bound"
        return Judgement(verdict, f"{numbers}, {100 * compared.mean:.1f} % compared")

    return judge


def _spares(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        losing, compared = (bound(result, name, "1", one) for one in ("losing", "compared"))
        in_order = bound(result, name, "sorted", "compared")
        numbers = (
            f"{100 * compared.mean:.1f} % compared in the order of the file, {100 * in_order.mean:.1f} % in order of "
            f"norms, {100 * losing.mean:.1f} % of queries lose one"
        )
        if losing.mean == 0 and min(compared.mean, in_order.mean) > NOTHING:
            return Judgement(Verdict.CANNOT_TELL, numbers)
        return Judgement(holds(losing.mean == 0 and compared.mean < 1), numbers)

    return judge


def _more(name: str) -> Judge:
    def judge(result: Result) -> Judgement:
        one, two = (bound(result, name, which, "compared") for which in "12")
        numbers = f"compared {100 * two.mean:.2f} % with (2), {100 * one.mean:.2f} % with (1)"
        if min(one.mean, two.mean) > NOTHING:
            return Judgement(Verdict.CANNOT_TELL, numbers)
        return Judgement(above(one, two, most=2), numbers)

    return judge


def _by_bench(result: Result) -> Judgement:
    norms, none, printed = (result.method(CODES, f"exact:bound={one}") for one in ("norms", "none", "heuristic"))
    words = {"(1)": norms, "(2)": printed, "none": none}
    numbers = "; ".join(
        f"{name} compared {100 * one['looked_at'] / one['of']:.1f} %, accuracy {one['accuracy']:.4f}"
        for name, one in words.items()
    )
    same = norms["accuracy"] == none["accuracy"]
    if same and norms["looked_at"] > NOTHING * norms["of"]:
        return Judgement(Verdict.CANNOT_TELL, numbers)  # exact, but items of nearly equal norms leave nothing to spare
    return Judgement(holds(same and norms["looked_at"] < norms["of"]), numbers)


def _grows(name: str) -> Judge:
    """Compare the most landmarks with the fewest: KLSH at least 1.5 times, pre-images at most 1.5 times as long."""

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
        return Judgement(gravest((holds(grown > 1.5), holds(own < 1.5))), numbers)

    return judge
