"""Section of Bodó and Csató, 2012, with Table III."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from science.papers.claims.bc import (
    BOUNDS,
    BUCKETS,
    LANDMARKS,
    OWN_DATA,
    REPORTED,
    REPORTED_WAYS,
    RUNS,
    SECONDS,
    VARIANTS,
    bound,
    bucket,
    reported,
    sooner,
)
from science.papers.data_set import OWN
from science.papers.kernel_tables import LANDMARKS as LANDMARK_COUNT
from science.papers.kernel_tables import ONES, SETTINGS
from science.papers.page.section import Block, Item, PageSection, PageTable, Results, load, percent, plain
from science.papers.result import MeanFigure
from science.papers.studies.bc_variants import EXACT, INVERSE, KLSH, PREIMAGES, RIDGES
from twinlens.app.lab.figures.figure import Axis, Figure, Marker

WAYS = (EXACT, KLSH, PREIMAGES, *(f"ridge {ridge:g}" for ridge in RIDGES), INVERSE)
KERNELS = {
    "polynomial": "(0.01 x·z + 1)²",
    "gaussian": "exp(-0.001 |x - z|²)",
    "sigmoid": "tanh(0.001 x·z + 1)",
}
PAPERS_SIZES = {
    "Optdigits": ("3,823", "1,797", "64", "10"),
    "DNA": ("2,000", "1,186", "180", "3"),
    "Adult": ("1,605", "30,956", "123", "2"),
    "Forest Covertype": ("461,012", "120,000", "54", "7"),
    "Poker Hand": ("1,000,000", "25,010", "10", "10"),
}


def _settings(results: Results) -> Sequence[Block]:
    result, rows = results[BUCKETS], []
    for paper, sizes in PAPERS_SIZES.items():
        here = {name: setting for name, setting in SETTINGS.items() if setting.paper == paper}
        found = [result.figures[name] for name in here]
        setting = next(iter(here.values()))
        rows.append(
            (
                paper,
                " / ".join(sizes[:2]),
                ", ".join(NAMES[name] for name in here),
                ", ".join(f"{one['searched']:,} / {one['asked']:,}" for one in found),
                f"{setting.votes}",
                f"{setting.bits}",
                KERNELS[setting.kernel.key],
            )
        )
    head = ("the paper's set", "searched / asked", "here", "searched / asked", "k", "bits L", "kernel")
    note = (
        f"p = {LANDMARK_COUNT} landmarks, t = {ONES} ones, as in the paper. “Asked” is in each of the repetitions, "
        f"drawn anew; for the bounds it is {max(one['asked'] for one in results[BOUNDS].figures.values()):,} at most."
    )
    return [PageTable(head, rows, note)]


def _bounds(results: Results) -> Sequence[Block]:
    result, rows = results[BOUNDS], []
    for name, setting in SETTINGS.items():
        cells = [percent(bound(result, name, one, "compared").mean) for one in ("1", "2", "sorted")]
        if not setting.kernel.positive_definite:
            cells[0] = cells[2] = "does not hold"
        lost = [percent(bound(result, name, one, "losing").mean) for one in ("1", "sorted", "2")]
        broken = [percent(bound(result, name, one, "broken").mean, 2) for one in "12"]
        if not setting.kernel.positive_definite:
            lost[:2], broken[0] = ("", ""), ""
        rows.append((f"{NAMES[name]}, k = {setting.votes}", *cells, *lost, *broken))
    t = np.linspace(0.5, 3.5, 61)
    one, two = np.square(t - 1), (np.square(t) - 1) / 2
    drawn = Figure(
        name="bounds",
        title="What the two bounds say of a squared distance",
        reading="x and z are vectors of the kernel's space, |z| = 1. Where they are parallel the squared distance is "
        "bound (1) itself, so wherever bound (2) lies above it, between lengths 1 and 3, it says too much and loses "
        "neighbours; elsewhere it says less.",
        x=Axis("length of x, |z| = 1", low=0.5, high=3.5),
        y=Axis("least squared distance by the bound"),
        series=[
            plain("bound (1)", t.tolist(), one.tolist(), 0, marked=False),
            plain("bound (2)", t.tolist(), two.tolist(), 1, marked=False),
        ],
        markers=[Marker(1.0, ""), Marker(3.0, "")],
        note="This is the paper's Figure 2 in one dimension: f = 2 ((2) - (1)) > 0 between the two lines.",
    )
    head = ("compared", "(1), order of the file", "(2), order of the file", "(1), order of norms",
            "queries that lose a neighbour by (1)", "by (1), order of norms", "by (2)", "pairs that break (1)",
            "(2)")  # fmt: skip
    note = (
        "A pair breaks a bound by more than 1e-9 of its lengths. A query loses a neighbour already where rounding sets "
        "two equal distances apart, as it may in the order of norms, which is this program's, not the paper's, and "
        "computes them another way."
    )
    return [PageTable(head, rows, note), drawn]


def _variants(results: Results) -> Sequence[Block]:
    result, rows = results[VARIANTS], []
    for name, setting in SETTINGS.items():
        found = result.figures[name]["ways"]
        cells = [_middle(found[way]["right"]) if way in found else "no such f" for way in WAYS]
        if INVERSE in found:
            compared = (percent(float(np.median(found[way]["compared"]))) for way in (INVERSE, PREIMAGES))
            cells[-1] += "; {} compared, by pre-images {}".format(*compared)
        by_distance = [_middle(found[way]["right by distance"]) for way in (EXACT, KLSH, PREIMAGES)]
        rows.append((f"{NAMES[name]}, k = {setting.votes}", *cells, *(by_distance if setting.votes > 1 else [""] * 3)))
    head = ("right, %", "exact", "kLSH", "pre-images", *(f"ridge {ridge:g}" for ridge in RIDGES), "f⁻¹",
            "exact, votes 1 / (d + 1)", "kLSH, so", "pre-images, so")  # fmt: skip
    runs = len(next(iter(next(iter(result.figures.values()))["ways"].values()))["right"])
    note = (
        f"The median of {runs} runs, and the least and the most: where they lie far apart, landmarks or directions "
        "decide. A ridge is a part of the largest eigenvalue. The vectors of KLSH have no exact pre-image under these "
        "kernels; f⁻¹ takes the nearest value that f reaches, and a Gaussian is no function of the dot product."
    )
    return [PageTable(head, rows, note)]


def _middle(values: Sequence[float]) -> str:
    low, middle, high = (100 * float(one) for one in np.quantile(values, (0, 0.5, 1)))
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"


def _encoding(results: Results) -> Sequence[Block]:
    blocks: list[Block] = []
    for name, found in results[LANDMARKS].figures.items():
        series = []
        for place, (method, words) in enumerate((("klsh", "kLSH"), ("preimage-klsh", "pre-images"))):
            rows = found["methods"][method]
            series.append(plain(words, [row["landmarks"] for row in rows], [row["batch us"] for row in rows], place))
        blocks.append(
            Figure(
                name=f"landmarks-{name}",
                title=f"Time to encode an item over the landmarks, {NAMES[name]}",
                reading=f"Keys of {found['bits']} bits. kLSH asks the kernel once for each landmark, pre-images once "
                f"for "
                "each bit, however many landmarks they were made of.",
                x=Axis("landmarks p", log=True),
                y=Axis("time of a thread, an item", "µs", low=0),
                series=series,
            )
        )
    result, rows = results[BUCKETS], []
    for name in SETTINGS:
        counts = result.figures[name]["evaluations"]
        ours, klsh = (bucket(result, name, one, "encode us").mean for one in ("preimage-klsh", "klsh"))
        fewer = counts["klsh"] / counts["preimage-klsh"]
        rows.append(
            (
                NAMES[name],
                f"{counts['klsh']} / {counts['preimage-klsh']}",
                f"{fewer:.0f} times",
                f"{klsh:.2f} / {ours:.2f} µs",
                f"{klsh / ours:.1f} times",
            )
        )
    head = ("kLSH / pre-images", "kernel evaluations an item", "", "time of a thread an item, in a batch", "")
    return [PageTable(head, rows, load(result)), *blocks]


NAMES = {
    "digits": "Digits",
    "dna": "DNA",
    "income": "Income",
    "shuttle": "Shuttle",
    "letter": "Letter",
    "poker": "Poker",
}
METHODS, KEYS = ("klsh", "preimage-klsh"), ("neighbouring", "closest")


def _percents(figure: MeanFigure) -> str:
    off = f" ± {100 * figure.deviation:.2f}" if figure.deviation else ""
    return f"{100 * figure.mean:.2f}{off}"


def _own(results: Results) -> PageTable:
    """Set the paper's numbers beside those on the same data."""
    result, rows = results[OWN_DATA], []
    (name,) = OWN["bc"]
    for way, words in REPORTED_WAYS.items():
        paper = REPORTED[NAMES[name]][way]
        cells = (
            (_percents(paper[one]), _percents(reported(result, name, way, one))) for one in ("compared", "accuracy")
        )
        rows.append((words, *(cell for pair in cells for cell in pair)))
    found = result.figures[name]
    head = (f"{NAMES[name]}, {found['searched']:,} searched, {found['asked']:,} asked", "compared, %: paper", "here",
            "right, %: paper", "here")  # fmt: skip
    note = (
        f"The paper's own data, all queries, {RUNS} repetitions there and "
        f"{reported(result, name, 'klsh', 'accuracy').runs} here (±: the deviation of one). Which items "
        "are searched is drawn anew each time here; which the paper searched it does not say. kLSHp are pre-images."
    )
    return PageTable(head, rows, note)


def _paper(results: Results) -> PageTable:
    """Return the rest of Table III as it is printed."""
    rows = [
        (paper, *(_percents(row[way][one]) for one in ("compared", "accuracy") for way in REPORTED_WAYS),
         " : ".join(_seconds(*SECONDS[paper][way]) for way in REPORTED_WAYS))
        for paper, row in REPORTED.items()
    ]  # fmt: skip
    return PageTable(("the paper's Table III", *_columns("compared, %"), *_columns("right, %"), "seconds"), rows)


def _columns(what: str) -> tuple[str, ...]:
    first, *rest = REPORTED_WAYS.values()
    return (f"{what}: {first}", *rest)


def _seconds(mean: float, off: float) -> str:
    digits = 0 if mean >= 100 else 2 if mean >= 0.1 else 3
    return f"{mean:,.{digits}f}" + (f" ± {off:,.{digits}f}" if off > mean / 5 else "")


def bounds_fit(results: Results, name: str) -> bool:
    """Return whether bounds and buckets were measured on as many items, so that both may stand in one row."""
    return bool(results[BOUNDS].figures[name]["searched"] == results[BUCKETS].figures[name]["searched"])


def table_iii(results: Results) -> Sequence[Block]:
    """Set in one row only what was searched among as many items."""
    bounds, buckets = results[BOUNDS], results[BUCKETS]
    rows, times, ways, left_out = [], [], [], []
    for name, setting in SETTINGS.items():
        found = {
            figure: [_percents(bucket(buckets, name, one, figure)) for one in METHODS]
            for figure in ("compared", "accuracy")
        }
        exact = _percents(bucket(buckets, name, "exact", "accuracy"))
        by_bound, scans = "", ["", "", ""]
        if bounds_fit(results, name):
            by_bound, ms = _percents(bound(bounds, name, "2", "compared")), bounds.figures[name]["ms"]
            scans = [f"{ms[one]:.3f}" if one in ms else "no bound" for one in ("none", "norms", "heuristic")]
        else:
            left_out.append(f"{NAMES[name]} ({bounds.figures[name]['searched']:,})")
        row = f"{NAMES[name]}, {buckets.figures[name]['searched']:,}"
        rows.append((row, by_bound, *found["compared"], exact, *found["accuracy"]))
        times.append((row, *scans, *(f"{bucket(buckets, name, one, 'ms').mean:.3f}" for one in METHODS)))
        if setting.neighbouring:
            both = (bucket(buckets, name, f"{one}{way}", "accuracy") for one in METHODS for way in ("", " closest"))
            ways.append((row, *(percent(one.mean, 2) for one in both)))
    empty = f" Empty: what was measured among another number of items, {', '.join(left_out)}." if left_out else ""
    return [
        _own(results),
        _paper(results),
        PageTable(
            ("here, items searched", *_columns("compared, %"), "right, %: exact", *list(REPORTED_WAYS.values())[1:]),
            rows,
            f"± is the deviation of single repetitions, which draw their queries anew too.{empty} Poker's kernel, a "
            "sigmoid, is not positive definite: no bound on its distances holds, and what (2) does there is told "
            "because the paper tells it.",
        ),
        PageTable(
            ("ms to label a query, here", "exact", "(1), by norms", "(2)", "kLSH", "kLSHp"),
            times,
            "Median time of a thread by this program, a query at a time, preparing left out. An exact scan reads one "
            f"stretch of memory; to skip rows of it costs time, too. {load(bounds, buckets)}".rstrip(),
        ),
        PageTable(
            ("right, where a key is absent", *(f"{one}, {way} key" for one in ("kLSH", "kLSHp") for way in KEYS)),
            ways,
            "Keys of 80 bits are in one table, as `buckets:tables=1,key_bits=80,absent=lexicographic` has them in any "
            "library. The paper's binary search leads to the neighbour in the sorted keys; the occupied keys that are "
            "closest in Hamming distance are the other way.",
        ),
    ]


def times(way: str, than: str) -> str:
    found = sooner(way, than)
    slowest, fastest = (choose(found, key=lambda name: found[name]) for choose in (min, max))
    return f"{found[slowest]:.2g} ({slowest}) to {found[fastest]:.2g} times ({fastest})"


SECTION = PageSection(
    key="bc",
    title="Kernelized LSH by pre-images, and bounds",
    citation="Zalán Bodó, Lehel Csató: Improving Kernel Locality-Sensitive Hashing Using Pre-Images and Bounds. 2012.",
    intro="KLSH asks the kernel p times to encode an item. The paper replaces each random hyperplane by its "
    "pre-image, a "
    "vector of the input space, and asks once for each bit; and it gives two lower bounds on distances to spare "
    "comparisons in exact search: (1) d² >= (√k(x,x) - √k(z,z))² and (2) d² >= (k(x,x) - k(z,z)) / 2. "
    "**Bound (2) is not true**: its proof uses the triangle inequality on squared distances, and parallel vectors of "
    "lengths 2 and 1 have d² = 1 < 1.5. It is offered by this program as the paper's heuristic, with what it loses "
    "told. "
    "Figure 1 of the paper draws Algorithm 1, which is carried out to the letter here; Figure 2 is below.",
    promise="Replace each hyperplane of kernelized LSH by its pre-image: encoding gets faster and labels stay as "
    "good; two bounds spare comparisons.",
    main={
        "an item is encoded sooner by pre-images than by KLSH": "encoding is faster",
        "pre-images label as well as KLSH": "labels are as good",
        "bound (2), as it is printed, holds of every pair": "bound (2) is true",
    },
    front=(
        "landmarks-digits",
        "bounds",
    ),
    items=(
        Item(
            what="Tables I and II",
            title="data and settings",
            reports="Five tables of the UCI repository. Of these DNA is the paper's own here; the others are stood in "
            "for: the 1,797 digits that scikit-learn ships for Optdigits, income of the Bay Area for Adult, Shuttle "
            "and "
            "Letter for Forest Covertype, and hands dealt by the rules for Poker Hand.",
            sources=(BUCKETS,),
            show=_settings,
        ),
        Item(
            what="Table III",
            title="comparisons, time and accuracy",
            reports="Hashing compares 1 to 9 % of the items; it costs up to 12 points of accuracy (DNA) or none "
            f"(Covertype). Beside exact search with bound (2) kLSH is {times('klsh', 'ineq')} as fast, pre-images are "
            f"{times('preimage-klsh', 'ineq')}; pre-images are as accurate as kLSH and "
            f"{times('preimage-klsh', 'klsh')} as fast.",
            sources=(OWN_DATA, BOUNDS, BUCKETS),
            show=table_iii,
        ),
        Item(
            what="Sections III, V and VI",
            title="a ridge, exact pre-images, and votes by distance",
            reports="With a ridge on the pre-images the paper did “not notice significant differences”. It names exact "
            "pre-images, f⁻¹ coordinate by coordinate, for vectors that have one, and votes of 1 / (d + 1), but "
            "measures neither.",
            sources=(VARIANTS,),
            show=_variants,
        ),
        Item(
            what="Section IV",
            title="the two bounds, and what they lose (with Figure 2)",
            reports="Bound (2) is recommended over (1), since it “offers a better solution” and can spare up to half "
            "of "
            "the comparisons (Table III: 81.5, 99.75, 100, 41.6 and 52.3 % are left). Nothing is said of neighbours "
            "lost.",
            sources=(BOUNDS,),
            show=_bounds,
        ),
        Item(
            what="Section VI",
            title="what an item costs to encode",
            reports="One kernel evaluation a bit instead of p: “up to a factor of p” faster.",
            sources=(BUCKETS, LANDMARKS),
            show=_encoding,
        ),
    ),
    outro="Bound (2) should not be used where the answer has to be right, and neither bound helps a kernel under which "
    "all items are equally long. With long keys most queries' keys are in no table: the neighbour in the sorted keys "
    "is then a poor place to start, and the closest occupied keys a good one.",
)
