"""What was found, in numbers: the answer to the question that a kind of theory asks."""

from __future__ import annotations

import math
from collections.abc import Mapping

from core.theory.kernel_ranks import R

Numbers = Mapping[str, float]

_UNKNOWN = 0.05  # of the variance: so much less of new items in what is kept says that it fits the sample
_MATTERS = 0.005  # of recall: less is no gain and no loss


def answer(kind: str, numbers: Numbers) -> str:
    """Return the answer in a few sentences."""
    return _ANSWERS[kind](numbers)


def short_answer(kind: str, numbers: Numbers) -> str:
    """Return it in some words."""
    return _SHORT[kind](numbers)


# --- rank -------------------------------------------------------------------------------------------------------------


def _rank(numbers: Numbers) -> str:
    best, full = int(numbers["best rank"]), int(numbers["components"])
    recall, of_all = numbers[f"best recall@{R}"], numbers[f"recall@{R} of all"]
    enough = int(numbers["enough rank"])
    spread = numbers["spread at best"]
    compared = (
        f"with the first {best:,} of {full:,} components, {R} results hold the nearest photograph in {recall:.1%} of "
        f"searches; with all of them, in {of_all:.1%}."
    )
    if best < full and recall - of_all > max(_MATTERS, spread):
        first = f"Low rank helps: {compared}"
    elif best < full and recall - of_all > _MATTERS:
        first = f"Low rank helps a little, if at all: {compared} One run differs from another by up to {spread:.1%}."
    else:
        first = (
            f"Low rank gains little here: recall stays at {of_all:.1%} up to all {full:,} components, and is at most "
            f"{recall:.1%}, at rank {best:,}."
        )
    spare = f" Rank {enough:,} already comes within one percent of the best." if enough < best else ""
    inside, outside = 1 - numbers["residual at best"], 1 - numbers["held-out residual at best"]
    why = f" Rank {best:,} holds {inside:.0%} of the variance of the landmarks, and {outside:.0%} of other photographs"
    if inside - outside > _UNKNOWN:
        why += ": the components know the sample better than what it stands for."
    else:
        why += ": the sample stands well for the others."
    return first + spare + why + _transform(numbers)


def _transform(numbers: Numbers) -> str:
    scales = sorted({name.rsplit(" s=", 1)[1] for name in numbers if name.startswith(f"best recall@{R} s=")})
    said = ""
    for scale in scales:
        gain = numbers[f"best recall@{R} s={scale}"] - numbers[f"best recall@{R}"]
        matters = max(_MATTERS, numbers["spread at best"])
        does = "helps" if gain > matters else "harms" if gain < -matters else "changes little"
        said += (
            f" The transform with s = {scale} {does}: {numbers[f'best recall@{R} s={scale}']:.1%} at its best rank, "
            f"{int(numbers[f'best rank s={scale}']):,}."
        )
    return said


def _rank_short(numbers: Numbers) -> str:
    best, full = int(numbers["best rank"]), int(numbers["components"])
    return f"rank {best:,} of {full:,}: {numbers[f'best recall@{R}']:.0%}, all: {numbers[f'recall@{R} of all']:.0%}"


# --- bits -------------------------------------------------------------------------------------------------------------


def _hamming(numbers: Numbers) -> str:
    bits, told = int(numbers["bits"]), numbers["told at 0.9"]
    said = (
        f"The share of {bits:,} bits that differ follows theory: it is {numbers['single worst']:.3f} off on average "
        f"where it is worst, and single pairs scatter by {numbers['single deviation']:.3f}."
    )
    if math.isfinite(told):
        said += f" A kernel value of 0.9 can so be read off to within about {told:.2f}; four times the bits halve that."
    if "bilinear mean error" in numbers:
        off, shift = abs(numbers["bilinear mean error"]), abs(numbers["single mean error"])
        as_good = "as well" if off <= shift + 0.005 else "less well"
        said += (
            f" Bilinear bits, which need far fewer random numbers, keep to their own curve {as_good} (on average "
            f"{off:.3f} off)."
        )
    return said


def _hamming_short(numbers: Numbers) -> str:
    return (
        f"{int(numbers['bits']):,} bits: {numbers['single worst']:.3f} off at most, ± {numbers['single deviation']:.3f}"
    )


# --- bounds -----------------------------------------------------------------------------------------------------------


def _bounds(numbers: Numbers) -> str:
    k = next(one for one in ("10", "3", "1") if f"norms spared k={one}" in numbers)
    spared, heuristic = numbers[f"norms spared k={k}"], numbers[f"heuristic spared k={k}"]
    lost = numbers[f"heuristic lost k={k}"]
    if max(spared, heuristic) < 5e-4:
        return (
            "Norm bounds spare nothing here: under this kernel all photographs have nearly the same norm, so norms "
            "tell none apart. Try the polynomial kernel on an index whose vectors are not made of length 1."
        )
    said = f"Searching the {k} nearest, bound (1) spares {spared:.1%} of the comparisons and loses none."
    if heuristic > spared:
        said += f" The paper's bound (2) spares {heuristic:.1%}, but it is not true: it loses {lost:.2%} of neighbours."
    else:
        said += f" The paper's bound (2) spares {heuristic:.1%}, and loses {lost:.2%} of neighbours."
    return said


def _bounds_short(numbers: Numbers) -> str:
    k = next(one for one in ("10", "3", "1") if f"norms spared k={one}" in numbers)
    spared, heuristic = numbers[f"norms spared k={k}"], numbers[f"heuristic spared k={k}"]
    if max(spared, heuristic) < 5e-4:
        return "spare nothing: all norms are alike"
    return f"{spared:.1%} spared; paper's: {heuristic:.1%}, {numbers[f'heuristic lost k={k}']:.1%} lost"


# --- rotation ---------------------------------------------------------------------------------------------------------


def _rotation(numbers: Numbers) -> str:
    turns = int(numbers["turns"])
    return (
        f"Signs lose {numbers['lost without']:.0%} of what the directions hold without a rotation, "
        f"{numbers['lost at start']:.0%} after one by chance, and {numbers['lost after']:.0%} after {turns:,} turns "
        f"of learning. The rotation moves variance, and adds none: {numbers['captured']:.0%} of all is captured "
        f"throughout, but the largest share of one bit falls from {numbers['largest bit before']:.1%} to "
        f"{numbers['largest bit after']:.1%}, so that every bit tells about as much."
    )


def _rotation_short(numbers: Numbers) -> str:
    return f"signs lose {numbers['lost after']:.0%} instead of {numbers['lost without']:.0%}"


# --- metric -----------------------------------------------------------------------------------------------------------


def _metric(numbers: Numbers) -> str:
    count, stretched, shrunk = (int(numbers[name]) for name in ("directions", "stretched", "shrunk"))
    of = f"{count:,} learned directions" if numbers.get("others") else f"{count:,} directions"
    said = (
        f"Of {of} {stretched:,} are stretched, the first {numbers['largest']:,.3g} times as much as "
        f"the usual one, and {shrunk:,} are shrunk; the others stay."
    )
    before, after = numbers["area before"], numbers["area after"]
    if math.isfinite(before) and math.isfinite(after):
        said += (
            f" A pair marked as similar is nearer than one marked as different in {after:.1%} of cases, "
            f"{before:.1%} before. Most of these pairs it was learned from: of others expect less."
        )
    return said


def _metric_short(numbers: Numbers) -> str:
    before, after = numbers["area before"], numbers["area after"]
    if not (math.isfinite(before) and math.isfinite(after)):
        return f"{int(numbers['stretched']):,} directions stretched"
    return f"{after:.0%} of pairs told apart, {before:.0%} before"


_ANSWERS = {"rank": _rank, "hamming": _hamming, "bounds": _bounds, "rotation": _rotation, "metric": _metric}
_SHORT = {
    "rank": _rank_short,
    "hamming": _hamming_short,
    "bounds": _bounds_short,
    "rotation": _rotation_short,
    "metric": _metric_short,
}
