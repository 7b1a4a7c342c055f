"""Results of theory: figures, and sentences with the measured numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field

from twinlens.app.lab.figures.figure import Figure, document, sentences
from twinlens.app.results import Result
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.theory.code_theory import R


class TheoryResult(Result):
    """One kind of theory, for other programs."""

    kind: str
    answer: Message = Field(description="what was found, in sentences")
    declaration: str = Field(description="what was looked at: text form of a method or a kernel, or name of a metric")
    sample: Message = Field(description="which vectors, and how many of how many")
    seed: int
    numbers: dict[str, float | None] = Field(description="what the sentences say; null where there is no such number")
    figures: list[dict[str, Any]] = Field(description="each with its axes, series, markers and sentences")


@dataclass(frozen=True)
class Theory:
    """One kind of theory, drawn over what was measured.

    Attributes
    ----------
    kind : str
        Of `twinlens.app.lab.theory.theory.KINDS`.
    sample : Message
        A sentence.
    figures : sequence of Figure
        The most telling first.
    numbers : mapping of str to float
        NaN for what there is not.
    """

    kind: str
    declaration: str
    sample: Message
    seed: int
    figures: Sequence[Figure]
    numbers: dict[str, float]

    @property
    def answer(self) -> Message:
        """The result in sentences."""
        return answer(self.kind, self.numbers)

    @property
    def short_answer(self) -> Message:
        """The result in a few words."""
        return short_sentence(self.kind, self.numbers)

    def result(self) -> TheoryResult:
        """Return the theory for other programs."""
        numbers = {name: value if value == value else None for name, value in self.numbers.items()}  # noqa: PLR0124
        return TheoryResult(
            kind=self.kind,
            answer=self.answer,
            declaration=self.declaration,
            sample=self.sample,
            seed=self.seed,
            numbers=numbers,
            figures=[document(one) for one in self.figures],
        )

    def with_sample(self) -> Theory:
        """Return the theory with the sample named below every figure."""
        figures = [replace(one, note=sentences([one.note, self.sample])) for one in self.figures]
        return replace(self, figures=figures)


Numbers = Mapping[str, float]
_UNKNOWN = 0.05  # of the variance: so much less of new items in what is kept says that it fits the sample
_MATTERS = 0.005  # of recall: less is no gain and no loss


def answer(kind: str, numbers: Numbers) -> Message:
    """Return the result in a few sentences."""
    return _ANSWERS[kind](numbers)


def short_sentence(kind: str, numbers: Numbers) -> Message:
    """Return the result in a few words."""
    return _SHORT[kind](numbers)


# --- rank -------------------------------------------------------------------------------------------------------------
def _rank(numbers: Numbers) -> Message:
    best, full = int(numbers["best rank"]), int(numbers["components"])
    recall, of_all = numbers[f"best recall@{R}"], numbers[f"recall@{R} of all"]
    enough = int(numbers["enough rank"])
    spread = numbers["spread at best"]
    counts = {"rank": best, "components": full, "results": R, "recall": recall, "all": of_all}
    if best < full and recall - of_all > max(_MATTERS, spread):
        first = Message(
            "Low rank helps: with the first {rank} of {components} components, {results} results hold the nearest "
            "photo in {recall:.1%} of searches; with all of them, in {all:.1%}.",
            **counts,
        )
    elif best < full and recall - of_all > _MATTERS:
        first = Message(
            "Low rank helps a little, if at all: with the first {rank} of {components} components, {results} results "
            "hold the nearest photo in {recall:.1%} of searches; with all of them, in {all:.1%}. One run differs "
            "from another by up to {spread:.1%}.",
            **counts,
            spread=spread,
        )
    else:
        first = Message(
            "Low rank gains little here: recall stays at {all:.1%} up to all {components} components, and is at most "
            "{recall:.1%}, at rank {rank}.",
            rank=best,
            components=full,
            recall=recall,
            all=of_all,
        )
    spare = Message("Rank {rank} already comes within one percent of the best.", rank=enough)
    inside, outside = 1 - numbers["residual at best"], 1 - numbers["held-out residual at best"]
    held = {"rank": best, "inside": inside, "outside": outside}
    if inside - outside > _UNKNOWN:
        why = Message(
            "Rank {rank} holds {inside:.0%} of the variance of the landmarks, and {outside:.0%} of other photos: "
            "the components know the sample better than what it stands for.",
            **held,
        )
    else:
        why = Message(
            "Rank {rank} holds {inside:.0%} of the variance of the landmarks, and {outside:.0%} of other photos: "
            "the sample stands well for the others.",
            **held,
        )
    return joined([first, spare if enough < best else NOTHING, why, *_transforms(numbers)])


def _transforms(numbers: Numbers) -> list[Message]:
    """Return the effect of each transform of the kernel."""
    found = []
    for scale in sorted({name.rsplit(" s=", 1)[1] for name in numbers if name.startswith(f"best recall@{R} s=")}):
        recall = numbers[f"best recall@{R} s={scale}"]
        gain = recall - numbers[f"best recall@{R}"]
        matters = max(_MATTERS, numbers["spread at best"])
        values = {"scale": float(scale), "recall": recall, "rank": int(numbers[f"best rank s={scale}"])}
        if gain > matters:
            one = Message("The transform with s = {scale:g} helps: {recall:.1%} at its best rank, {rank}.", **values)
        elif gain < -matters:
            one = Message("The transform with s = {scale:g} harms: {recall:.1%} at its best rank, {rank}.", **values)
        else:
            one = Message(
                "The transform with s = {scale:g} changes little: {recall:.1%} at its best rank, {rank}.", **values
            )
        found.append(one)
    return found


def _rank_short(numbers: Numbers) -> Message:
    return Message(
        "rank {rank} of {components}: {recall:.0%}, all: {all:.0%}",
        rank=int(numbers["best rank"]),
        components=int(numbers["components"]),
        recall=numbers[f"best recall@{R}"],
        all=numbers[f"recall@{R} of all"],
    )


# --- bits -------------------------------------------------------------------------------------------------------------
def _hamming(numbers: Numbers) -> Message:
    distinguished = numbers["told at 0.9"]
    found = [
        Message(
            "The share of {bits} bits that differ follows theory: it is {worst:.3f} off on average where it is worst, "
            "and single pairs scatter by {deviation:.3f}.",
            bits=int(numbers["bits"]),
            worst=numbers["single worst"],
            deviation=numbers["single deviation"],
        )
    ]
    if math.isfinite(distinguished):
        found.append(
            Message(
                "A kernel value of 0.9 can so be read off to within about {within:.2f}; four times the bits halve "
                "that.",
                within=distinguished,
            )
        )
    if "bilinear mean error" in numbers:
        off, shift = abs(numbers["bilinear mean error"]), abs(numbers["single mean error"])
        if off <= shift + 0.005:
            bilinear = Message(
                "Bilinear bits, which need far fewer random numbers, keep to their own curve as well (on average "
                "{off:.3f} off).",
                off=off,
            )
        else:
            bilinear = Message(
                "Bilinear bits, which need far fewer random numbers, keep to their own curve less well (on average "
                "{off:.3f} off).",
                off=off,
            )
        found.append(bilinear)
    return joined(found)


def _hamming_short(numbers: Numbers) -> Message:
    return Message(
        "{bits} bits: {worst:.3f} off at most, ± {deviation:.3f}",
        bits=int(numbers["bits"]),
        worst=numbers["single worst"],
        deviation=numbers["single deviation"],
    )


# --- bounds -----------------------------------------------------------------------------------------------------------
def _bounds(numbers: Numbers) -> Message:
    k = _last_k(numbers)
    spared, heuristic = numbers[f"norms spared k={k}"], numbers[f"heuristic spared k={k}"]
    if max(spared, heuristic) < 5e-4:
        return Message(
            "Norm bounds spare nothing here: under this kernel all photos have nearly the same norm, so norms "
            "tell none apart. Try the polynomial kernel on an index whose vectors are not made of length 1."
        )
    first = Message(
        "Searching the {k} nearest, bound (1) spares {share:.1%} of the comparisons and loses none.", k=k, share=spared
    )
    shares = {"share": heuristic, "lost": numbers[f"heuristic lost k={k}"]}
    if heuristic > spared:
        second = Message(
            "The paper's bound (2) spares {share:.1%}, but it is not true: it loses {lost:.2%} of neighbours.", **shares
        )
    else:
        second = Message("The paper's bound (2) spares {share:.1%}, and loses {lost:.2%} of neighbours.", **shares)
    return joined([first, second])


def _bounds_short(numbers: Numbers) -> Message:
    k = _last_k(numbers)
    spared, heuristic = numbers[f"norms spared k={k}"], numbers[f"heuristic spared k={k}"]
    if max(spared, heuristic) < 5e-4:
        return Message("spare nothing: all norms are alike")
    return Message(
        "{share:.1%} spared; paper's: {heuristic:.1%}, {lost:.1%} lost",
        share=spared,
        heuristic=heuristic,
        lost=numbers[f"heuristic lost k={k}"],
    )


def _last_k(numbers: Numbers) -> int:
    """Return the k of the sentence: 10 if so many items were searched."""
    return next(k for k in (10, 3, 1) if f"norms spared k={k}" in numbers)


# --- rotation ---------------------------------------------------------------------------------------------------------
def _rotation(numbers: Numbers) -> Message:
    return Message(
        "Signs lose {without:.0%} of what the directions hold without a rotation, {start:.0%} after one by chance, "
        "and {after:.0%} after {turns} turns of learning. The rotation moves variance, and adds none: {captured:.0%} "
        "of all is captured throughout, but the largest share of one bit falls from {most_before:.1%} to "
        "{most_after:.1%}, so that every bit tells about as much.",
        without=numbers["lost without"],
        start=numbers["lost at start"],
        after=numbers["lost after"],
        turns=int(numbers["turns"]),
        captured=numbers["captured"],
        most_before=numbers["largest bit before"],
        most_after=numbers["largest bit after"],
    )


def _rotation_short(numbers: Numbers) -> Message:
    return Message(
        "signs lose {after:.0%} instead of {without:.0%}",
        after=numbers["lost after"],
        without=numbers["lost without"],
    )


# --- metric -----------------------------------------------------------------------------------------------------------
def _metric(numbers: Numbers) -> Message:
    values = {
        "count": int(numbers["directions"]),
        "stretched": int(numbers["stretched"]),
        "largest": numbers["largest"],
        "shrunk": int(numbers["shrunk"]),
    }
    if numbers.get("others"):
        first = Message(
            "Of {count} learned directions {stretched} are stretched, the first {largest:,.3g} times as much as the "
            "usual one, and {shrunk} are shrunk; the others stay.",
            **values,
        )
    else:
        first = Message(
            "Of {count} directions {stretched} are stretched, the first {largest:,.3g} times as much as the usual one, "
            "and {shrunk} are shrunk; the others stay.",
            **values,
        )
    before, after = numbers["area before"], numbers["area after"]
    if not (math.isfinite(before) and math.isfinite(after)):
        return first
    apart = Message(
        "A pair marked as similar is nearer than one marked as different in {after:.1%} of cases, {before:.1%} before. "
        "Most of these pairs it was learned from: of others expect less.",
        after=after,
        before=before,
    )
    return joined([first, apart])


def _metric_short(numbers: Numbers) -> Message:
    before, after = numbers["area before"], numbers["area after"]
    if not (math.isfinite(before) and math.isfinite(after)):
        return Message("{count} directions stretched", count=int(numbers["stretched"]))
    return Message("{after:.0%} of pairs judged rightly, {before:.0%} before", after=after, before=before)


_ANSWERS = {"rank": _rank, "hamming": _hamming, "bounds": _bounds, "rotation": _rotation, "metric": _metric}
_SHORT = {
    "rank": _rank_short,
    "hamming": _hamming_short,
    "bounds": _bounds_short,
    "rotation": _rotation_short,
    "metric": _metric_short,
}
