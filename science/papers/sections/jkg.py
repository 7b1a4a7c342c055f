"""Section of Jain, Kulis and Grauman, TR-07-48."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from science.papers.claims.jkg import (
    BITS,
    EPSILON,
    ITEMS,
    LISTS,
    PYRAMID,
    SETS,
    Row,
    distances,
    epsilons,
    hashed,
    lengths,
    linear,
    most_pairs,
    pyramid,
    pyramid_pairs,
    rows_of,
    rows_searched,
)
from science.papers.page.section import (
    Block,
    Item,
    PageSection,
    PageTable,
    Results,
    load,
    over,
    percent,
    plain,
    seconds,
    spread,
)
from science.papers.result import MeanFigure as Mean
from science.papers.result import Result
from science.papers.sets.cut_outs import points
from science.papers.studies.jkg_pyramid import COARSE, EPSILONS, LENGTHS
from twinlens.app.lab.figures.figure import Axis, Figure, Series
from twinlens.core.search.permuted_lists import Permuted

FEW_BITS = 64
"""Beside `BITS`, where distances are counted."""

OF_PAPER = 3_555
"""Rows that the paper searches."""

SOURCES = tuple(f"jkg-{name}" for name in SETS)
PAIRS = tuple(f"jkg-{name}-pairs" for name in SETS)


def _series(name: str, x: Sequence[float], rows: Sequence[Row], key: str, place: int) -> Series:
    """Draw a figure of rows in per cent, each with its standard error."""
    means, errors = ([100 * (row[key][one] or 0) for row in rows] for one in ("mean", "error"))
    return spread(name, x, means, errors, place)


def _table_of(results: Results) -> PageTable:
    rows = []
    for name, words in SETS.items():
        result = results[f"jkg-{name}"]
        scan, own = linear(result), hashed(result)
        rows.append(
            (
                words,
                *(percent(scan[key]["mean"]) for key in ("before", "after")),
                _points(scan["gain"]),
                _of_most(results, name),
                *(percent(own[key]["mean"]) for key in ("before", "after")),
                _points(own["lost"]),
                percent(own["looked_at"]["mean"]),
            )
        )
    head = (
        "4-NN, mean rate of the classes",
        "Euclid, linear",
        "learned, linear",
        "gain, points",
        "gain of the most pairs",
        "Euclid, hashed",
        "learned, hashed",
        "lost by hashing, points",
        "looked at",
    )
    note = (
        f"Hashed by {BITS} bits, ε = {EPSILON}. ± is the standard error over the partitions. The paper does not say "
        "how many pairs it draws of the 20 items a class; its natural reading is all of them. Here 1,000 are drawn, "
        "half alike and half not, which every set has; beside it stand the most, all up to 1,500 of each kind."
    )
    return PageTable(head, rows, note)


def _of_most(results: Results, name: str) -> str:
    row = most_pairs(results[f"jkg-{name}-pairs"])
    return f"{_points(row['gain'])} of {row['pairs']:,.0f}"


def _points(one: dict[str, float]) -> str:
    return f"{100 * one['mean']:+.1f} ± {100 * (one['error'] or 0):.1f}"


def _accuracy(results: Results) -> Sequence[Block]:
    blocks: list[Block] = [_table_of(results)]
    for name, words in SETS.items():
        result = results[f"jkg-{name}"]
        bits = lengths(result)
        rows = [hashed(result, one) for one in bits]
        scan = [linear(result)] * len(bits)
        blocks.append(
            Figure(
                name=f"bits-{name}",
                title=f"4-NN over bits, {words}",
                reading=f"Before and after learning from 1,000 pairs, by a linear scan and hashed (ε = {EPSILON}); "
                f"bars are "
                "standard errors over the partitions.",
                x=Axis("bits", log=True),
                y=Axis("mean rate of the classes", "%"),
                series=[
                    _series("learned, hashed", bits, rows, "after", 0),
                    _series("Euclid, hashed", bits, rows, "before", 1),
                    plain("learned, linear", bits, [100 * row["after"]["mean"] for row in scan], 2, marked=False),
                    plain("Euclid, linear", bits, [100 * row["before"]["mean"] for row in scan], 3, marked=False),
                ],
            )
        )
    return blocks


def _search(results: Results) -> Sequence[Block]:
    """Return a row for each set, its epsilons side by side."""
    shares, shown = [], []
    every = sorted({epsilon for name in SETS for epsilon in epsilons(results[f"jkg-{name}"])})
    for place, (name, words) in enumerate(SETS.items()):
        result = results[f"jkg-{name}"]
        found = {epsilon: hashed(result, BITS, epsilon) for epsilon in epsilons(result)}
        cells = (_looked(found[epsilon]) if epsilon in found else "not run" for epsilon in every)
        own, scan = (seconds(one["query_seconds"]["mean"]) for one in (hashed(result), linear(result)))
        fewer = " / ".join(
            f"{rows_searched(result) / distances(result, hashed(result, bits)):.1f}" for bits in (FEW_BITS, BITS)
        )
        shares.append((f"{words}, {rows_searched(result):,} rows", *cells, fewer, f"{own} / {scan}"))
        shown.append(plain(words, list(found), [100 * one["looked_at"]["mean"] for one in found.values()], place))
    paper = " / ".join(f"{OF_PAPER / (bits + 2 * Permuted(epsilon=EPSILON).count(OF_PAPER)):.0f}"
                       for bits in (FEW_BITS, BITS))  # fmt: skip
    note = (
        f"Looked at / right, {BITS} bits. Distances are what a query measures, and one for each bit, since r'Gx takes "
        f"as many products as a distance under G. Counted so, the paper's own table of 3,555 rows takes {paper} times "
        f"fewer at {FEW_BITS} / {BITS} bits; it tells of 13 times on average and 34 at best. By the clock the linear "
        "scan is one matrix product over vectors that the metric was applied to, and done before sorted lists are "
        "found: that tells of tables of so few rows, not of hashing. Not run: an ε whose M = n^(1/(1+ε)) lists would "
        "be hundreds, each of all rows."
    )
    head = (
        "learned metric",
        *(f"ε = {epsilon:g}" for epsilon in every),
        f"times fewer distances at {FEW_BITS} / {BITS} bits, ε = {EPSILON}",
        f"clock: a query, hashed ({BITS} bits, ε = {EPSILON}) / linear",
    )
    drawn = Figure(
        name="looked-at",
        title="Items looked at over ε",
        reading="2M items in M = n^(1/(1+ε)) sorted lists, as a share of all: a larger table needs a smaller share, "
        "and the number of bits changes nothing.",
        x=Axis("ε"),
        y=Axis("looked at", "%", log=True),
        series=shown,
    )
    return [PageTable(head, shares, f"{note} {load(results[SOURCES[0]])}".rstrip()), drawn, _literal(results[LISTS])]


def _literal(result: Result) -> PageTable:
    """Return what lists look at that bring up two neighbours each, over bits."""
    rows = []
    for name, words in SETS.items():
        shares = result.figures[name]["looked at"]
        own = [f"{percent(fmean(shares[way][bits]))}" for way in ("learned", "euclid") for bits in shares[way]]
        half = len(own) // 2
        rows.append((words, *(f"{one} / {other}" for one, other in zip(own[:half], own[half:], strict=True))))
    head = ("two neighbours of each list", *(f"{bits} bits" for bits in shares["learned"]))
    note = f"Looked at under the learned metric / under Euclid's distance, ε = {EPSILON}; an item once."
    return PageTable(head, rows, note)


def _looked(row: Row) -> str:
    return f"{percent(row['looked_at']['mean'])} / {percent(row['after']['mean'])}"


def _pairs(results: Results) -> Sequence[Block]:
    blocks: list[Block] = []
    for by, words_of in ((False, "by a linear scan"), (True, f"hashed, {BITS} bits")):
        shown = []
        for place, (name, words) in enumerate(SETS.items()):
            rows = [one for one in rows_of(results[f"jkg-{name}-pairs"]) if bool(one["method"]) is by]
            rows.sort(key=lambda one: float(one["pairs"]))
            shown.append(_series(words, [one["pairs"] for one in rows], rows, "gain", place))
        blocks.append(
            Figure(
                name="pairs-hashed" if by else "pairs",
                title=f"What is gained over the pairs that are learned from, {words_of}",
                reading="Points of 4-NN; hashed ones gain over Euclid's hashed. Above 0 the metric helps. Bars are "
                "standard errors over the partitions. Where "
                "20 items of each class give fewer pairs than asked for, all there are.",
                x=Axis("pairs", log=True),
                y=Axis("gain", "points"),
                series=shown,
            )
        )
    return blocks


def _learned(results: Results) -> Sequence[Block]:
    result = results[PYRAMID]
    figures, found = result.figures["pairs"], pyramid_pairs(result)
    rows = [
        (
            f"{each} pairs a class",
            percent(figures["before"]),
            percent(one["after"].mean),
            f"{100 * one['gain'].mean:+.1f}",
            f"{one['items'].mean:,.0f}",
        )
        for each, one in found.items()
    ]
    drawn = Figure(
        name="pyramid-pairs",
        title="1-NN under the pyramid match kernel over the pairs a class",
        reading="By a linear scan; bars are deviations over draws of the pairs.",
        x=Axis("pairs a class"),
        y=Axis("mean rate of the classes", "%"),
        series=[
            over("learned", {each: _hundred(one["after"]) for each, one in found.items()}, 0),
            plain("plain", list(found), [100 * figures["before"]] * len(found), 3, marked=False),
        ],
    )
    note = f"{figures['classes']} objects, {figures['searched']:,} views searched, {figures['asked']:,} ask."
    return [PageTable(("1-NN", "plain kernel", "learned", "points", "items that tell the metric"), rows, note), drawn]


def _hundred(one: Mean) -> Mean:
    return Mean(100 * one.mean, 100 * one.deviation, one.runs)


def _over(result: Result, words: str, x: str, points: dict[float, dict[str, Mean]], name: str) -> Figure:
    keys = (
        ("after hashed", "learned, hashed"),
        ("before hashed", "plain, hashed"),
        ("after linear", "learned, linear"),
        ("before linear", "plain, linear"),
        ("after ranked", "learned, as many nearest codes"),
        ("after by chance", "learned, as many by chance"),
    )
    return Figure(
        name=name,
        title=f"1-NN over {words}, pyramid match",
        reading="Mean rate of the classes; bars are deviations over draws of pairs and hyperplanes.",
        x=Axis(x, log=x == "bits"),
        y=Axis("mean rate of the classes", "%"),
        series=[
            over(label, {at: _hundred(one[key]) for at, one in points.items()}, place)
            for place, (key, label) in enumerate(keys)
        ],
    )


def _bits(results: Results) -> Sequence[Block]:
    result = results[PYRAMID]
    points = {float(bits): pyramid(result, bits) for bits in LENGTHS}
    shown = _over(result, "bits", "bits", points, "pyramid-bits")
    return [shown, _of_pyramid(points, "{:,.0f} bits", result), _why(result)]


def _epsilon(results: Results) -> Sequence[Block]:
    result = results[PYRAMID]
    points = {epsilon: pyramid(result, BITS, epsilon) for epsilon in EPSILONS}
    return [_over(result, "epsilon", "ε", points, "pyramid-epsilon"), _of_pyramid(points, "ε = {:g}", result)]


def _of_pyramid(points: dict[float, dict[str, Mean]], form: str, result: Result) -> PageTable:
    note = (
        "Nearest codes: as many items as the lists look at, by the Hamming distance to every code; by chance: as many "
        "drawn. Times of a thread; both take the query's kernel with every item that tells the metric. Its code asks "
        "no item: of each direction the sums over the items are kept, so hashing follows the query's non-zeros "
        "(section 3.4)."
    )
    rows = [
        (
            form.format(at),
            *(percent(one[key].mean) for key in ("after linear", "after hashed", "after ranked", "after by chance")),
            percent(one["before hashed"].mean),
            percent(one["after looked at"].mean),
            f"{percent(one['after same nearest'].mean)} / {percent(one['after ranked same nearest'].mean)}",
            f"{one['hashed ms'].mean:.1f} / {one['linear ms'].mean:.1f} ms",
        )
        for at, one in points.items()
    ]
    head = (
        "",
        "learned, linear",
        "learned, hashed",
        "by nearest codes",
        "by chance",
        "plain, hashed",
        "looked at (the true nearest found by chance)",
        "the true nearest found, lists / nearest codes",
        "a query, hashed / linear",
    )
    return PageTable(head, rows, f"{note} {load(result)}".rstrip())


def _why(result: Result) -> PageTable:
    """Say how far the cosines that codes go by lie apart, under the kernel and under coarser ones."""
    spread = {name: Mean(*values) for name, values in result.figures["hashed"]["rows"]["cosines"].items()}
    bins = {
        side: {name: Mean(*figure) for name, figure in row.items()}
        for side, row in result.figures["bins"]["rows"].items()
    }
    keys = ("linear", "same nearest", "ranked same nearest", "looked at")
    rows = [
        (f"{side} a side, plain", *_cosines(one, ""), *(percent(one[key].mean) for key in keys))
        for side, one in bins.items()
    ]
    own, taken = pyramid(result), str(points().pyramid.side >> COARSE)
    found = (percent(own[f"after {key}"].mean) for key in keys)
    learned = (f"{taken} a side, learned", *_cosines(spread, "after "), *found)
    middle, nearest = (math.acos(bins[taken][key].mean) / math.pi for key in ("middle", "nearest"))
    more, chance = BITS * (middle - nearest), math.sqrt(BITS * middle * (1 - middle))
    note = (
        "A bit of two views agrees with probability 1 - angle / π, so codes tell views apart as far as their cosines "
        f"lie apart. In bins of {taken} a side, which are used above, {more:.1f} of {BITS} bits more agree for the "
        f"nearest view than for one in the middle, where chance makes a standard deviation of {chance:.0f}. In coarser "
        "bins codes tell views farther apart and the kernel labels worse, in finer ones it is the other way round. "
        "Lists find less than the nearest codes, whatever the bits: of n codes about log n leading bits decide a place "
        "in a list."
    )
    head = (
        "finest bins",
        "cosines, 1 % / 50 % / 99 %",
        "of the nearest",
        "linear",
        "the true nearest found by lists",
        "by nearest codes",
        "by chance",
    )
    return PageTable(head, [*rows, learned], f"{note} {BITS} bits, ε = {EPSILON}.")


def _cosines(one: dict[str, Mean], when: str) -> tuple[str, str]:
    low, middle, high, nearest = (f"{one[when + key].mean:.3f}" for key in ("low", "middle", "high", "nearest"))
    return f"{low} / {middle} / {high}", nearest


SECTION = PageSection(
    key="jkg",
    title="Hashing for learned metrics",
    citation="Prateek Jain, Brian Kulis, Kristen Grauman: Fast Similarity Search for Learned Metrics. UTCS TR-07-48, "
    "2007.",
    intro="A metric A = G'G is learned from pairs that are marked alike or different (ITML), and random hyperplanes "
    "hash G x, so that what is near under the metric has like codes; sorted lists of permuted codes bring up what is "
    "measured exactly. For sparse vectors of any number of dimensions G is never written out. The paper's Latex data "
    "(features of programs, 3,825 x 20, 9 classes) are in no package; Vehicle, Satellite, Soybean, DNA and Letter "
    "stand in, each dimension brought to mean 0 and variance 1. Of each class 30 items ask and pairs are drawn of 20 "
    "others, as in the paper; in 30 partitions, Letter and what is learned from other numbers of pairs in 10 or more. "
    "A small class gives fewer.",
    promise="Hash under a metric that is learned from pairs: k-NN is more often right, and a query looks at a small "
    "part of the items.",
    main={
        "4-NN is better under the metric learned from 1,000 pairs": "k-NN is better",
        "hashing under the learned metric is comparable with the linear scan, 256 bits, ε = 1.5": "hashing keeps it",
        "a query takes fewer distances than a linear scan, each bit counted as one, 256 bits, ε = 1.5": "a query takes "
        "fewer distances",
    },
    front=(
        "bits-letter",
        "pairs",
        "looked-at",
    ),
    items=(
        Item(
            what=ITEMS[0],
            title="accuracy before and after",
            reports="4-NN on Latex: the learned metric is right about 10 points more often than Euclid's; hashed (ε = "
            "1.5) on "
            "average as good as the linear scan, with little dependence on the bits.",
            sources=(*SOURCES, *PAIRS),
            show=_accuracy,
        ),
        Item(
            what=ITEMS[1],
            title="what is looked at",
            reports="About 5 % of 3,555 items are looked at, less with more bits, and less than by the generic hash "
            "functions; 13 "
            "times as fast as the linear scan on average, 34 times at best. *A remark.* 2M items of Charikar's lists "
            "are at most 1.5 % of "
            "that table; this program looks at 2M different items, so bits change nothing. How much lists look at that "
            "are taken literally stands below.",
            sources=(*SOURCES, LISTS),
            show=_search,
        ),
        Item(
            what=ITEMS[2],
            title="how many pairs",
            reports="Pairs of 20 labelled items a class; their number is not given, and nothing is claimed of it.",
            sources=PAIRS,
            show=_pairs,
        ),
        Item(
            what=ITEMS[3],
            title="the implicit form, with the pyramid match kernel",
            reports="Caltech-101, 15 images a class searched, 2,454 ask, 1-NN: 32 % with the kernel, 52 % with the "
            "one learned from 15 constraints a class. Here each class is one photographed object (Tux Paint), cut out "
            "and pasted at another size, turn and light each time on photographs that are faded to 35 % of their "
            "contrast; views that ask stand on other photographs. A view has at most 200 local features without their "
            "places, on 6 components, in bins of 8 a side; in finer ones the kernel labels better still, and codes "
            "have nothing to choose by. The paper names neither their number nor the bins.",
            sources=(PYRAMID,),
            show=_learned,
        ),
        Item(
            what=ITEMS[4],
            title="over bits",
            reports="Hashed 47 % of the learned 52 %; several points are lost under both kernels.",
            sources=(PYRAMID,),
            show=_bits,
        ),
        Item(
            what=ITEMS[5],
            title="over ε",
            reports="Accuracy against ε; about ten times less computation than the linear scan.",
            sources=(PYRAMID,),
            show=_epsilon,
        ),
    ),
)
