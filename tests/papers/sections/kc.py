"""Kim and Choi, CVPR 2015; Figures 2 to 4 are in `kc_theory`."""

from __future__ import annotations

from collections.abc import Sequence

from app.lab.figure import Axis, Figure
from tests.papers.claims.kc import (
    BITS,
    COST,
    EQUAL,
    EXPECTED,
    ITEMS,
    LONG,
    OVERSAMPLINGS,
    PIXELS,
    VLAD,
    text_of,
)
from tests.papers.page.blocks import load, megabytes, plus_minus, seconds
from tests.papers.page.section import Block, Item, Results, Section, Table
from tests.papers.page.series import ACROSS, UP, curve, plain
from tests.papers.result import Result
from tests.papers.sections import kc_theory

WAYS = (("single", None, 0), ("bilinear, m = 1", 1, 1), ("bilinear, m = 5", 5, 2), ("bilinear, m = 10", 10, 3))
_RIGHT = "Right is what is nearer than the average distance to the 50th neighbour."


def _precision_recall(result: Result, lengths: Sequence[int], words: str, key: str) -> list[Block]:
    blocks: list[Block] = []
    rows = []
    for bits in lengths:
        series = [curve(name, result, text_of(bits, m), "precision_recall", place) for name, m, place in WAYS]
        maps = [result.figure(text_of(bits, m), "map") for _, m, _ in WAYS]
        rows.append((f"{bits:,} bits", *(plus_minus(one) for one in maps)))
        blocks.append(
            Figure(
                name=f"{key}-{bits}",
                title=f"Precision and recall, {bits:,} bits, {words}",
                reading=f"{_RIGHT} The higher a curve, the fewer others are among what is found.",
                x=ACROSS,
                y=UP,
                series=series,
            )
        )
    return [Table(("mAP", *(name for name, _, _ in WAYS)), rows), *blocks]


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
    for place, first in enumerate(result.figures["single"]["rows"]):
        own = [result.figures[case]["rows"][place] for case, _, _ in kinds]
        cells = (
            f"{seconds(one['median s'])}, {megabytes(one['bytes'])}, {one['multiplications'] / 1e6:,.1f}" for one in own
        )
        rows.append((f"{int(first['bits']):,} bits", *cells))
    head = ("time, memory, millions of multiplications", *(name for _, name, _ in kinds))
    return [
        Table(
            head,
            rows,
            f"Median time of a thread for one vector, checks and exact rounding included. {load(result)}".rstrip(),
        ),
        *blocks,
    ]


def _eight(results: Results) -> Sequence[Block]:
    result = results[VLAD]
    blocks: list[Block] = []
    rows = []
    for (bits, m), single in EQUAL.items():
        own, other = text_of(bits, m), text_of(single, None)
        spent = (seconds(result.method(one)["seconds"]["encode_query"]) for one in (own, other))
        rows.append(
            (
                f"m = {m}, {bits:,} bits / single, {single:,}",
                " / ".join(plus_minus(result.figure(one, "map")) for one in (own, other)),
                " / ".join(spent),
            )
        )
        blocks.append(
            Figure(
                name=f"equal-{m}-{bits}",
                title=f"At equal multiplications: bilinear m = {m}, {bits:,} bits, and single, {single:,} bits",
                reading=f"{_RIGHT} VLAD of 250 x 256 numbers.",
                x=ACROSS,
                y=UP,
                series=[
                    curve(f"bilinear, {bits:,} bits", result, own, "precision_recall", 1 if m == 1 else 2),
                    curve(f"single, {single:,} bits", result, other, "precision_recall", 0),
                ],
            )
        )
    note = "Time by the clock of encoding a query alone, on a machine in other use: it is told, and judges nothing."
    return [Table(("at equal multiplications", "mAP", "time"), rows, note), *blocks]


SECTION = Section(
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
    items=(
        Item(
            what=ITEMS[0],
            title="two bilinear Fourier features",
            reports="Lemma 1: their expected product lies between the Gaussian kernel κ and κ^0.79, under |X| ≤ 0.8 "
            "and a "
            "condition that is “easily satisfied for large d”; drawn on uniform random data.",
            sources=(EXPECTED,),
            show=kc_theory.features,
        ),
        Item(
            what=ITEMS[1],
            title="expected Hamming distance and its bounds",
            reports="Theorem 2: the upper bound min(½√(1-κ), 4/π² (1 - ⅔κ)) of single codes holds for bilinear ones, "
            "and "
            "4/π² (1 - κ^0.79) is a lower bound, little below single's. *A remark.* The proof needs λ₁ ≤ 0.56 for the "
            "largest "
            "eigenvalue of the scaled difference; a short difference alone is not enough.",
            sources=(EXPECTED,),
            show=kc_theory.distances,
        ),
        Item(
            what=ITEMS[2],
            title="bits that share a projection",
            reports="Theorem 3: an upper bound on their covariance, nearly 0 for pairs of a kernel value near 1, "
            "about 0.009 at "
            "most, around 0.7; so “the correlation between two bits is small”.",
            sources=(EXPECTED,),
            show=kc_theory.covariances,
        ),
        Item(
            what=ITEMS[3],
            title="precision and recall of 28 x 28 pictures",
            reports="400, 900, 1,600 and 2,500 bits: m = 5 and 10 nearly alike, both above m = 1 and a little below "
            "single.",
            sources=(PIXELS,),
            show=_five,
        ),
        Item(
            what=ITEMS[4],
            title="precision and recall of VLAD, 250 x 256",
            reports="4,900 and 6,400 bits: the same order.",
            sources=(VLAD,),
            show=_six,
        ),
        Item(
            what=ITEMS[5],
            title="time and memory over bits",
            reports="Bilinear is much smaller in both; m = 5 is much faster than m = 10.",
            sources=(COST,),
            show=_seven,
        ),
        Item(
            what=ITEMS[6],
            title="at equal time to encode",
            reports="With the same time to make a code, m = 1 and m = 5 are both superior to single. Here equal are "
            "the multiplications, which no other program on the machine can disturb: d_w d_v k_w + d_v k_w k_v against "
            "d_w d_v b.",
            sources=(VLAD,),
            show=_eight,
        ),
    ),
)
