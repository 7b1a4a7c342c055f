"""Section of Kim and Choi, CVPR 2015, with the expectations of bilinear features and codes and their bounds.

Figures 2 to 4 of the paper show these expectations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from science.papers.claims import kc as proven
from science.papers.claims.kc import (
    BITS,
    CASES,
    COST,
    EQUAL,
    EXPECTED,
    ITEMS,
    LONG,
    OVERSAMPLINGS,
    PIXELS,
    UNIFORM,
    VLAD,
    as_slow,
    cost,
    expected,
    single_time,
    text_of,
)
from science.papers.page.section import (
    ACROSS,
    UP,
    Block,
    Item,
    PageSection,
    PageTable,
    Results,
    load,
    megabytes,
    percent,
    plain,
    plus_minus,
    seconds,
    spread,
)
from science.papers.result import Result
from science.papers.straight import covariance_bound
from science.papers.studies import kc_cost
from twinlens.app.lab.figures.figure import Axis, Dash, Figure, Marker, Series
from twinlens.core.hashing.shift_invariant_hashing import LARGEST, expected_share, lower_bound, upper_bound

WAYS = (("single", None, 0), ("bilinear, m = 1", 1, 1), ("bilinear, m = 5", 5, 2), ("bilinear, m = 10", 10, 3))
_RIGHT = "Right is what is nearer than the average distance to the 50th neighbour."
_UNDRAWN = (
    "The curves of precision are not drawn: this was measured before precision was averaged over queries at equal "
    "recall, and they come with its next run."
)


def _precision_recall(result: Result, lengths: Sequence[int], words: str, key: str) -> list[Block]:
    blocks: list[Block] = []
    rows = []
    for bits in lengths:
        maps = [result.figure(text_of(bits, m), "map") for _, m, _ in WAYS]
        rows.append((f"{bits:,} bits", *(plus_minus(one) for one in maps)))
        if _is_drawn(result):
            series = [_curve(name, result, text_of(bits, m), place) for name, m, place in WAYS]
            title = f"Precision over recall, {bits:,} bits, {words}"
            blocks.append(_precision(f"{key}-{bits}", title, result, series))
    note = f"{_RIGHT} By chance: {result.chance:.3f}."
    return [PageTable(("mAP", *(name for name, _, _ in WAYS)), rows, note), *(blocks or [_UNDRAWN])]


def _is_drawn(result: Result) -> bool:
    return all(row.get("precision_at") for row in result.figures["results"])


def _curve(name: str, result: Result, text: str, place: int) -> Series:
    row = result.method(text)
    at, precision = ([point[column] for point in row["precision_at"]] for column in range(2))
    return spread(name, at, precision, row["precision_spread"], place, marked=False)


def _precision(name: str, title: str, result: Result, series: Sequence[Series]) -> Figure:
    return Figure(
        name=name,
        title=title,
        reading=f"{_RIGHT} Of each query the precision where a share of it is found; the mean over queries, with "
        "the deviation over seeds.",
        x=ACROSS,
        y=UP,
        series=series,
        markers=[Marker(result.chance, "by chance", vertical=False)],
    )


def _five(results: Results) -> Sequence[Block]:
    return _precision_recall(results[PIXELS], BITS, "pixels of clothes", "pixels")


def _six(results: Results) -> Sequence[Block]:
    return _precision_recall(results[VLAD], LONG, "VLAD", "vlad")


def _seven(results: Results) -> Sequence[Block]:
    result = results[COST]
    kinds = (
        ("single", "single", 0),
        *((f"m={m}", f"bilinear, m = {m}", 1 + place) for place, m in enumerate(OVERSAMPLINGS)),
    )
    blocks: list[Block] = []
    for key, title, unit, scale in (
        ("median s", "Time to encode a vector", "ms", 1e3),
        ("bytes", "Memory of the projections", "MB", 1e-6),
    ):
        blocks.append(
            Figure(
                name=key.split(maxsplit=1)[0],
                title=f"{title} over bits",
                reading="250 x 256 numbers a vector. Both scales are logarithmic.",
                x=Axis("bits", log=True),
                y=Axis("time of a thread" if unit == "ms" else "memory", unit, log=True),
                series=[
                    plain(
                        name,
                        [row["bits"] for row in result.figures[case]["rows"]],
                        [scale * row[key] for row in result.figures[case]["rows"]],
                        place,
                    )
                    for case, name, place in kinds
                ],
            )
        )
    rows = []
    by_bits = {case: {int(one["bits"]): one for one in result.figures[case]["rows"]} for case, _, _ in kinds}
    for bits in by_bits[f"m={OVERSAMPLINGS[0]}"]:
        cells = (_cost(by_bits[case][bits]) if bits in by_bits[case] else "not run" for case, _, _ in kinds)
        rows.append((f"{bits:,} bits", *cells))
    head = ("time alone / in a batch, memory, millions of multiplications", *(name for _, name, _ in kinds))
    return [
        PageTable(
            head,
            rows,
            f"Median time of a thread for one vector, alone and in a batch of {kc_cost.ITEMS}, checks and exact "
            f"rounding included. Not run: single projections of 16 GB. {load(result)}".rstrip(),
        ),
        *blocks,
    ]


def _cost(one: dict[str, float]) -> str:
    times = " / ".join(seconds(one[key]) for key in ("median s", "batch s"))
    return f"{times}, {megabytes(one['bytes'])}, {one['multiplications'] / 1e6:,.1f}"


def _eight(results: Results) -> Sequence[Block]:
    """Set each bilinear code beside the single ones of as much time, and of as many multiplications."""
    result, spent = results[VLAD], results[COST]
    rows = []
    for (bits, m), equal in EQUAL.items():
        slow = as_slow(result, spent, bits, m)
        rows.append(
            (
                f"m = {m}, {bits:,} bits",
                f"{plus_minus(result.figure(text_of(bits, m), 'map'))}",
                seconds(cost(spent, f"m={m}", bits)["median s"]),
                f"{slow:,} bits, {plus_minus(result.figure(text_of(slow, None), 'map'))}",
                seconds(single_time(spent, slow)),
                f"{equal:,} bits, {plus_minus(result.figure(text_of(equal, None), 'map'))}",
            )
        )
    head = (
        "mAP", "bilinear", "its time", "single of at least that time", "its time", "single of as many multiplications",
    )  # fmt: skip
    note = (
        f"By chance: {result.chance:.3f}. Times of a thread, as in Figure 7; of single codes the shortest that were "
        "measured and take no less."
    )
    blocks: list[Block] = [PageTable(head, rows, f"{note} {load(spent)}".strip())]
    if not _is_drawn(result):
        return [*blocks, _UNDRAWN]
    for m in sorted({m for _, m in EQUAL}):
        lengths = [bits for bits, own in EQUAL if own == m]
        singles = sorted({as_slow(result, spent, bits, m) for bits in lengths})
        series = [
            *(
                _curve(f"bilinear, {bits:,} bits", result, text_of(bits, m), place + 1)
                for place, bits in enumerate(lengths)
            ),
            *(
                _curve(f"single, {bits:,} bits", result, text_of(bits, None), 3 * place)
                for place, bits in enumerate(singles)
            ),
        ]
        title = f"At equal time to encode: bilinear m = {m}, and single of at least its time, VLAD"
        blocks.append(_precision(f"equal-{m}", title, result, series))
    return blocks


Rows = Sequence[Sequence[float]]
_GRID = np.linspace(0, 1, 51)
_KERNEL = Axis("value of the Gaussian kernel", low=0, high=1)
_POWER = 0.79
DRAWN = 3
"""Of so many pairs one is drawn: all would hide each other."""


def features(results: Results) -> Sequence[Block]:
    """Show Figure 2."""
    names = ("below kernel", "above power", "above power where it holds")
    head = ("share of pairs", "below κ", "above κ^0.79", "above κ^0.79, of those with λ₁ ≤ 0.56")
    table = _shares(results[EXPECTED], head, [f"cosine {name}" for name in names])
    note = "Exact, by the spectrum of each difference: Π (1 + λ)^(-1/2)."
    figures = [
        Figure(
            name=f"features-{case}",
            title=f"Expected product of two bilinear Fourier features, {words}",
            reading="Lemma 1: between the Gaussian kernel itself and its power 0.79, where the difference is spread "
            "over many directions; differences of few directions lie above.",
            x=_KERNEL,
            y=Axis("expected product", low=0, high=1),
            series=[
                _measured("measured differences: mean, deviation", curves["cosine"], 2),
                _bound("κ", _GRID, Dash.DOTTED),
                _bound("κ to the 0.79", _GRID**_POWER, Dash.DASHED),
            ],
        )
        for case, words, curves in _curves(results)
    ]
    return [PageTable(table.head, table.rows, note), *figures]


def uniform(results: Results) -> Sequence[Block]:
    """Show Figure 2 on uniform random data."""
    shown: list[Block] = []
    for case, found in results[UNIFORM].figures.items():
        order = np.argsort(found["kernel"])[::DRAWN]
        at, exact, mean, error = (np.array(found[name])[order] for name in ("kernel", "exact", "mean", "error"))
        shown.append(
            Figure(
                name=f"uniform-{case.replace(' ', '')}",
                title=f"Product of two bilinear features, uniform random matrices, {case}",
                reading=f"Each point is a pair, one of {DRAWN} that are measured, the mean of 10,000 products; bars "
                "are its standard error.",
                x=_KERNEL,
                y=Axis("expected product", low=0, high=1),
                series=[
                    spread("sample mean", at.tolist(), mean.tolist(), error.tolist(), 2),
                    plain("exact", at.tolist(), exact.tolist(), 4, marked=False),
                    _bound("κ", _GRID, Dash.DOTTED),
                    _bound("κ to the 0.79", _GRID**_POWER, Dash.DASHED),
                ],
            )
        )
    return shown


def distances(results: Results) -> Sequence[Block]:
    """Show Figure 3."""
    head = (
        "share of pairs", "upper bound broken", "single's lower bound broken by bilinear",
        "bilinear lower bound broken", "the same, where λ₁ ≤ 0.56", "λ₁ ≤ 0.56, pairs by chance",
        "λ₁ ≤ 0.56, pairs spread",
    )  # fmt: skip
    names = (
        "upper broken", "single lower broken", "lower broken", "lower broken where it holds", "condition by chance",
        "condition spread",
    )  # fmt: skip
    table = _shares(results[EXPECTED], head, names)
    note = "By exact expectations; “spread” is evenly over the kernel's values."
    blocks: list[Block] = [PageTable(table.head, table.rows, note)]
    for case, words, curves in _curves(results):
        bits = results[EXPECTED].figures[case]["bits"]
        blocks.append(_hamming(case, words, bits, curves))
    return [*blocks, _condition(results)]


def _hamming(case: str, words: str, bits: int, curves: dict[str, Rows]) -> Figure:
    """Draw what is above single's expectation: drawn as they are, the lines would cover each other."""
    at, bilinear = ([row[column] for row in curves["bilinear expected"]] for column in range(2))
    return Figure(
        name=f"hamming-{case}",
        title=f"Bits that differ, less what is expected of single codes, {words}",
        reading=f"Of {bits:,} bits. What is measured of single codes lies at 0 but for chance, the same for all pairs; "
        "what is measured of bilinear ones, at what is expected of them, between the upper bound and, where its "
        "condition is met, the lower one.",
        x=_KERNEL,
        y=Axis("difference in the share of bits"),
        series=[
            _off_single("single, measured", curves["single"], 0),
            _off_single("bilinear m = 5, measured", curves["bilinear m=5"], 2),
            plain("bilinear, expected", at, (np.array(bilinear) - expected_share(np.array(at))).tolist(), 4, False),
            _bound("upper bound", upper_bound(_GRID) - expected_share(_GRID), Dash.DASHED),
            _bound("lower, single", lower_bound(_GRID) - expected_share(_GRID), Dash.DOTTED),
            _bound("lower, bilinear", LARGEST * (1 - _GRID**_POWER) - expected_share(_GRID), Dash.DASH_DOT),
        ],
        markers=[Marker(0.0, "single, expected", vertical=False)],
    )


def _off_single(name: str, rows: Rows, place: int) -> Series:
    """Draw the means alone: their deviations would hide what is between the bounds."""
    at, mean = (np.array([one[column] for one in rows]) for column in range(2))
    return plain(name, at.tolist(), (mean - expected_share(at)).tolist(), place, marked=False)


def _condition(results: Results) -> Figure:
    return Figure(
        name="condition",
        title="Pairs for which the bilinear lower bound is proved",
        reading="Share of pairs whose difference has no eigenvalue λ₁ above 0.56, by the kernel's value.",
        x=_KERNEL,
        y=Axis("share of pairs", low=0, high=1),
        series=[
            plain(words, [row[0] for row in curves["condition"]], [row[1] for row in curves["condition"]], place, False)
            for place, (_, words, curves) in enumerate(_curves(results))
        ],
    )


def covariances(results: Results) -> Sequence[Block]:
    """Show Figure 4."""
    return [
        Figure(
            name=f"covariance-{case}",
            title=f"Covariance of two bits that share a projection, {words}",
            reading="0 means that one of two bits tells nothing of the other. The bound is of pairs that meet the "
            f"conditions of Lemma 1; what is measured is greatest at a kernel value of {_greatest(curves):.2f}.",
            x=_KERNEL,
            y=Axis("covariance of two bits' differing"),
            series=[
                _measured("measured: mean, deviation", curves["covariance"], 1),
                _bound("Theorem 3's bound", covariance_bound(_GRID), Dash.DASHED),
            ],
            markers=[Marker(0.0, "", vertical=False)],
        )
        for case, words, curves in _curves(results)
    ]


def _greatest(curves: dict[str, Rows]) -> float:
    """Return the kernel value at which bits vary together most."""
    return float(max(curves["covariance"], key=lambda row: float(row[1]))[0])


def _curves(results: Results) -> list[tuple[str, str, dict[str, Rows]]]:
    return [(case, words, results[EXPECTED].figures[case]["curves"]) for case, words in CASES.items()]


def _shares(result: Result, head: Sequence[str], names: Sequence[str]) -> PageTable:
    """Return a row for each case."""
    values = {case: [expected(result, case, name).mean for name in names] for case in CASES}
    rows = [
        (words, *("no such pair" if value != value else percent(value) for value in values[case]))
        for case, words in CASES.items()
    ]
    return PageTable(head, rows)


def _measured(name: str, rows: Rows, place: int) -> Series:
    at, mean, off = ([one[column] for one in rows] for column in range(3))
    return spread(name, at, mean, off, place, marked=False)


def _bound(name: str, values: npt.NDArray[np.float64], dash: Dash) -> Series:
    return Series(name, _GRID.tolist(), values.tolist(), place=-1, dash=dash)


SECTION = PageSection(
    key="kc",
    title="Bilinear random projections",
    citation="Saehoon Kim, Seungjin Choi: Bilinear Random Projections for Locality-Sensitive Binary Codes. CVPR 2015.",
    intro="Bits of random waves tell a shift-invariant kernel (Raginsky and Lazebnik, 2009). A descriptor that is a "
    "matrix X "
    "by nature can be projected from both sides, W'XV, by two small matrices in place of a large one, which takes far "
    "less "
    "time and memory. Bits then share projections; the paper bounds what that does, and lessens it by making m² times "
    "as "
    "many and keeping a random part. The paper's data are MNIST and VLAD of 45,000 pictures of Flickr. Here they are "
    "pixels of clothes (Fashion-MNIST) and VLAD of crops of photographs. Figure 1 of the paper shows descriptors "
    "that are matrices, and measures nothing.",
    promise="Project a matrix from both sides by two small matrices: long codes in a fraction of the time and "
    "memory, as good as single projections.",
    main={
        "bilinear is above single at the same time to encode, or more": "better at equal time",
        "m = 5 is comparable with single": "as good at equal length",
    },
    front=(
        "pixels-1600",
        "bytes",
        "equal-5",
    ),
    items=(
        Item(
            what=proven.THEORY_ITEMS[0],
            title="two bilinear Fourier features",
            reports="Lemma 1: their expected product lies between the Gaussian kernel κ and κ^0.79, if |X| ≤ 0.8 for "
            "every scaled descriptor X and if the largest eigenvalue λ₁ of (X - Y)(X - Y)' is small beside the others, "
            "“easily satisfied for large d”; drawn on uniform random data. *A remark.* The two come to λ₁ ≤ 0.56, "
            "which the proof uses; |X| ≤ 0.8 alone is not enough, as X = -Y of one direction shows.",
            sources=(EXPECTED,),
            show=features,
        ),
        Item(
            what="Figure 2, its own data",
            title="two bilinear Fourier features of uniform random matrices",
            reports="Figure 2 on the paper's own data, “from a uniform distribution with different dimensions”, scaled "
            "to |X| = 0.8, 10,000 triples a pair. Neither the dimensions nor the limits are in the text; here entries "
            "lie between -1 and 1, and pairs reach from alike to opposite.",
            sources=(UNIFORM,),
            show=uniform,
        ),
        Item(
            what=proven.THEORY_ITEMS[1],
            title="expected Hamming distance and its bounds",
            reports="Theorem 2: the upper bound min(½√(1-κ), 4/π² (1 - ⅔κ)) of single codes holds for bilinear ones, "
            "and "
            "4/π² (1 - κ^0.79), by Lemma 1 and under its conditions, is a lower one, little below single's.",
            sources=(EXPECTED,),
            show=distances,
        ),
        Item(
            what=proven.THEORY_ITEMS[2],
            title="bits that share a projection",
            reports="Theorem 3: an upper bound on their covariance, nearly 0 for pairs of a kernel value near 1, "
            "about 0.009 at most, around 0.7. So there is no correlation for highly similar data, but “unfortunately, "
            "there exists unfavorable correlation for the data points which is not highly (dis)similar”; drawing m² "
            "times as many bits and keeping some is the remedy.",
            sources=(EXPECTED,),
            show=covariances,
        ),
        Item(
            what=ITEMS[0],
            title="precision and recall of 28 x 28 pictures",
            reports="400, 900, 1,600 and 2,500 bits: m = 5 and 10 nearly alike, both above m = 1 and a little below "
            "single.",
            sources=(PIXELS,),
            show=_five,
        ),
        Item(
            what=ITEMS[1],
            title="precision and recall of VLAD, 250 x 256",
            reports="4,900 and 6,400 bits: the same order.",
            sources=(VLAD,),
            show=_six,
        ),
        Item(
            what=ITEMS[2],
            title="time and memory over bits",
            reports="Bilinear is much smaller in both; m = 5 is much faster than m = 10.",
            sources=(COST,),
            show=_seven,
        ),
        Item(
            what=ITEMS[3],
            title="at equal time to encode",
            reports="With the same time to make a code, m = 1 and m = 5 are both superior to single. Here they are set "
            "beside single codes that take at least their time in Figure 7, and beside those of as many "
            "multiplications, d_w d_v k_w + d_v k_w k_v against d_w d_v b, which no machine makes faster or slower.",
            sources=(VLAD, COST),
            show=_eight,
        ),
    ),
)
