"""Section of Yun, Kim and Choi, ICDM 2012."""

from __future__ import annotations

from collections.abc import Sequence

from science.papers.claims.ykc import (
    BITS,
    BOUNDED,
    BOUNDS,
    LENGTHS,
    LETTER,
    MAP,
    NAMES,
    OURS,
    QR,
    RANDOM,
    SETS,
    SHARES,
    STEPS,
    TRUNCATIONS,
    USUAL,
    bounds,
    figure_of,
    items_drawn,
    spent,
)  # fmt: skip
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
)
from science.papers.result import Result
from science.papers.studies.ykc_steps import BY_FEATURES, BY_SAMPLES, FEATURES, SAMPLES, TURNS
from twinlens.app.lab.figures.figure import Axis, Figure, Marker

CURVES = (
    ("full PCA", "pca", OURS),
    ("weighted, QR", "nystrom-weighted", QR),
    ("uniform, QR", "nystrom-uniform", QR),
    ("uniform, QR and a step of iteration", "nystrom-uniform", OURS),
    ("uniform, to the letter", "nystrom-uniform", LETTER),
    ("weighted, to the letter", "nystrom-weighted", LETTER),
)


def _first(results: Results) -> Sequence[Block]:
    blocks: list[Block] = []
    for name, lengths in SETS.items():
        if (result := results.get(f"ykc-{name}")) is None:
            continue
        series = [
            over(words, {bits: figure_of(result, MAP[name], bits, subspace, options) for bits in lengths}, place)
            for place, (words, subspace, options) in enumerate(CURVES)
        ]
        series.append(over("random", {bits: figure_of(result, MAP[name], bits, *RANDOM) for bits in lengths}, 6))
        blocks.append(
            Figure(
                name=f"bits-{name}",
                title=f"Mean average precision over bits, {NAMES[name]}",
                reading="PCA + ITQ by how its directions are found: 5 % of the items and 30 % of the dimensions where "
                "they are sampled, at least 1.5 of each a bit.",
                x=Axis("bits", log=True),
                y=Axis("mAP", low=0),
                series=series,
            )
        )
    return blocks


def _second(results: Results) -> Sequence[Block]:
    blocks: list[Block] = []
    for source, (parameter, shares, _, measure) in SHARES.items():
        if (result := results.get(source)) is None:
            continue
        what, bits = "items" if parameter == "sample_fraction" else "dimensions", LENGTHS[source]
        level = {
            "full PCA": figure_of(result, measure, bits, "pca"),
            "random": figure_of(result, measure, bits, *RANDOM),
        }
        series = [
            over(name, {100 * share: figure for share in (shares[0], shares[-1])}, place)
            for place, (name, figure) in zip((0, 6), level.items(), strict=True)
        ]
        for place, subspace in ((1, "nystrom-weighted"), (2, "nystrom-uniform")):
            found = {
                100 * share: figure_of(result, measure, bits, subspace, f"refine=false,{parameter}={share}")
                for share in shares
            }
            series.append(over(f"{subspace.removeprefix('nystrom-')}, QR", found, place))
        blocks.append(
            Figure(
                name=f"parts-{source.removeprefix('ykc-')}",
                title=f"Mean average precision over the part of {what}, {NAMES[source.split('-')[1]]}",
                reading=f"Codes of {bits} bits; what is not varied is {percent(FEATURES, 0)} of the dimensions or "
                f"{percent(SAMPLES, 0)} of the items, at least 1.5 of each a bit.",
                x=Axis(f"part of {what}", "%", log=True),
                y=Axis("mAP"),
                series=series,
            )
        )
    told = [_how_few(results["ykc-groups-samples"])] if "ykc-groups-samples" in results else []
    return [*told, *blocks, *(_times(results) if "ykc-steps" in results else ())]


def _how_few(result: Result) -> str:
    """Say of how few items and dimensions directions are found."""
    bits, n = LENGTHS["ykc-groups-samples"], int(result.figures["data"]["n"])
    least = items_drawn(result, 0.0, bits)
    return (
        f"Codes are of {bits} bits as in the paper, but of SIFT, which has 128 dimensions, of {BITS}. At least 1.5 "
        f"items and dimensions are drawn a bit: {least:,} of {n:,} VLAD of groups are {percent(least / n)}."
    )


def _times(results: Results) -> list[Block]:
    result, rows = results["ykc-steps"], []
    blocks: list[Block] = []
    for case, words in STEPS.items():
        for name, way in (
            ("full PCA", "pca"), ("uniform", f"uniform{USUAL}"), ("weighted", f"weighted{USUAL}"), ("random", "random"),
        ):  # fmt: skip
            one = spent(result, case, way)
            times = (seconds(one[key]) for key in ("directions", "projecting", "turning", "all"))
            rows.append((f"{words}, {name}", *times))
        for kind, shares, fixed in (("items", BY_SAMPLES, FEATURES), ("dimensions", BY_FEATURES, SAMPLES)):
            series = []
            for place, way in enumerate(("pca", "weighted", "uniform")):
                found = {}
                for share in shares:
                    part = f" {share:g} {fixed:g}" if kind == "items" else f" {fixed:g} {share:g}"
                    mean = spent(result, case, way if way == "pca" else f"{way}{part}")["directions"]
                    found[100 * share] = mean
                series.append((("full PCA", "weighted", "uniform")[place], found, place))
            blocks.append(_time_figure(case, words, kind, series))
    head = ("processor time of one thread", "directions", "projecting", f"{TURNS} turns of ITQ", "all")
    return [
        PageTable(head, rows, f"64 bits; 5 % of the items and 30 % of the dimensions. {load(result)}".strip()),
        *blocks,
    ]


def _time_figure(case: str, words: str, kind: str, series: list[tuple[str, dict[float, float], int]]) -> Figure:
    return Figure(
        name=f"time-{case.split(maxsplit=1)[0]}-{kind}",
        title=f"Time to find 64 directions over the part of {kind}, {words}",
        reading="Processor time of one thread: what is learned, without projecting the data and turning, which all "
        "need.",
        x=Axis(f"part of {kind}", "%", log=True),
        y=Axis("time", "s", log=True),
        series=[plain(name, list(found), list(found.values()), place) for name, found, place in series],
    )


def _fifth(results: Results) -> Sequence[Block]:
    result = results["ykc-truncation"]
    rows = []
    for subspace in ("nystrom-uniform", "nystrom-weighted"):
        for name, options in (("without QR", LETTER), ("with QR", QR)):
            found = [figure_of(result, "map", BITS, subspace, f"{options},truncation={cut}") for cut in TRUNCATIONS]
            rows.append((f"{subspace.removeprefix('nystrom-')}, {name}", *(f"{one.mean:.3f}" for one in found)))
    pca = figure_of(result, "map", BITS, "pca")
    head = ("mAP, 64 bits, SIFT", *(f"γ = {cut}" for cut in TRUNCATIONS))
    blocks: list[Block] = [PageTable(head, rows, f"Full PCA: {pca.mean:.3f}.")]
    blocks += [_held(results)] if "ykc-steps" in results else []
    return [*blocks, *(_bounds(results[BOUNDS]) if BOUNDS in results else ())]


def _bounds(result: Result) -> list[Block]:
    """Draw both theorems over what they bound."""
    blocks: list[Block] = []
    for case, words in BOUNDED.items():
        for what, theorem, axis, beside in (
            ("product", "1", "error of CC', of |XX'|", {}),
            (
                "residual",
                "2",
                "what the directions leave, of |X|",
                {"full PCA": "least", "√(n ε₁ (1 + η₁)) max|x|": "sampling term"},
            ),
        ):
            shown = {"measured": what, **beside, f"Theorem {theorem}": f"{what} bound"}
            series = [
                over(name, {100 * share: one for share, one in bounds(result, case, figure).items()}, place)
                for place, (name, figure) in enumerate(shown.items())
            ]
            blocks.append(
                Figure(
                    name=f"theorem-{theorem}-{case.split()[0]}",
                    title=f"Theorem {theorem} beside what it bounds, {words}",
                    reading="Both scales are logarithmic; at 1 a bound says nothing, for so much is all there is.",
                    x=Axis("part of items drawn", "%", log=True),
                    y=Axis(axis, log=True),
                    series=series,
                    markers=[Marker(1.0, "all", vertical=False)],
                )
            )
    return blocks


def _held(results: Results) -> PageTable:
    """Tell what directions hold, by the parts of items and of dimensions that they are found from."""
    parts = [
        *((share, FEATURES) for share in BY_SAMPLES),
        *((SAMPLES, share) for share in BY_FEATURES if share != FEATURES),
    ]
    rows = []
    for case, words in STEPS.items():
        ways = results["ykc-steps"].figures[case]
        for kind in ("uniform", "weighted"):
            cells = (percent(ways[f"{kind} {items:g} {dimensions:g}"]["held"][0]) for items, dimensions in parts)
            rows.append((f"{words}, {kind}", *cells, percent(ways["random"]["held"][0])))
    named = (f"{percent(items, 0)}, {percent(dimensions, 0)}" for items, dimensions in parts)
    return PageTable(("variance held, of PCA's, by items, dimensions", *named, "random"), rows)


SECTION = PageSection(
    key="ykc",
    title="Hashing with generalized Nyström approximation",
    citation="Jeong-Min Yun, Saehoon Kim, Seungjin Choi: Hashing with Generalized Nyström Approximation. ICDM 2012.",
    intro="PCA + ITQ hashes by principal components that are rotated towards their signs. The paper finds the "
    "components approximately, from a few items and a few dimensions that are drawn uniformly. Its collections are "
    "CIFAR-10 (60,000 x 1,584), NUS-WIDE (270,000 x 634) and Holidays + Flickr1M (a million VLAD of 12,800). One thing "
    "must be said beforehand: as printed, the directions are not orthogonal, and ITQ loses by it; a QR of them, which "
    "the paper does not mention but an implementation may well have had, mends that. Both "
    "are judged, *to the letter* and with QR. The program itself adds one step of subspace iteration, which is shown "
    "and not judged.",
    promise="Find the principal components of PCA + ITQ from a few items and dimensions: as good, in a fraction "
    "of the time.",
    main={
        "uniform sampling is comparable with full PCA, with QR": "as good as full PCA",
        "uniform sampling is above random directions, with QR": "better than random directions",
        "finding directions takes less time than PCA": "found sooner",
    },
    front=(
        "bits-sift",
        "time-groups-vlad-items",
    ),
    items=(
        Item(
            "Figure 1",
            "mean average precision over bits",
            "With 5 % of the samples and 30 % of the features, uniform and weighted sampling are level with full PCA "
            "at 16 to 256 bits (NUS-WIDE: to 128) on all three collections, and definitely above random projections. "
            "mAP is taken “as in” the paper on ITQ, not spelled out: here right are the 50 nearest by Euclid's "
            "distance. On Holidays, and here for VLAD of groups, right is what is of the same group, among the 100 "
            "nearest codes, ties kept, sorted again by their projections.",
            tuple(f"ykc-{name}" for name in SETS),
            _first,
            partly=True,
        ),
        Item(
            "Figure 2",
            "sampling ratios, and time",
            "On Holidays + Flickr1M at 256 bits mAP becomes comparable to full PCA from 5 % of the samples and 30 % of "
            "the features on; the whole takes less than half the time: about 250 s in place of 4,000 s for PCA, beside "
            "1,500 s for projecting and 400 s for ITQ, which all need; weighted sampling takes 1,100 s and 520 s more.",
            (*SHARES, "ykc-steps"),
            _second,
            partly=True,
        ),
        Item(
            "Section V",
            "the truncation, and the error of the approximation",
            "A bound on the error of projecting on the approximate directions, for a modified approximation that "
            "leaves out singular values with σ² below γ |C|₁ |C|∞; γ is not given. How tight the bound is, is not "
            "measured in the paper, and it does not claim that truncation ranks better. *A remark.* Theorem 1 is "
            "about ten times what it bounds. Theorem 2 asks for r ≥ 1/(γ² ε₂²): with the largest γ that leaves out "
            "nothing its last term alone is thousands of times all of X.",
            ("ykc-truncation", "ykc-steps", BOUNDS),
            _fifth,
            partly=True,
        ),
    ),
)
