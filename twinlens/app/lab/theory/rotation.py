"""Figures of how the rotation of ITQ reduces the quantization error: by iteration, by bit, and in two dimensions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from twinlens.app.lab.figures.figure import Axis, Dash, Figure, FigureKind, Marker, Parameters, Series
from twinlens.app.lab.theory.theory_data import TheoryData
from twinlens.app.lab.theory.theory_results import Theory
from twinlens.core.message import Message, joined
from twinlens.core.methods.itq import Itq
from twinlens.core.progress import Progress, part, silent
from twinlens.core.theory.code_theory import RotationSteps, near_border, rotation_steps

_POINTS = 800
_QUADRANTS = tuple(Message("bits {bits}", bits=bits) for bits in ("11", "01", "00", "10"))
_NEAR = 0.25


def rotation_figures(material: TheoryData, declared: Itq, seed: int = 0, progress: Progress = silent) -> Theory:
    """Draw quantization error by iteration, variance by bit, and two bits before and after the rotation.

    Parameters
    ----------
    declared : Itq
        Of more bits than dimensions as many bits as there are dimensions.
    seed : int
        Of the subspace and the rotation.
    """
    x = material.x
    method = declared.changed(seed=seed, bits=min(declared.bits, x.shape[1]))
    found = rotation_steps(x, method, part(progress, 0, 0.8))
    two = rotation_steps(x, method.changed(bits=min(2, x.shape[1])), part(progress, 0.8, 1))
    numbers = {
        "captured": found.captured,
        "error without": found.plain_error,
        "error at start": float(found.errors[0]),
        "error after": float(found.errors[-1]),
        "lost without": found.plain_lost,
        "lost at start": float(found.lost[0]),
        "lost after": float(found.lost[-1]),
        "turns": float(len(found.errors) - 1),
        "largest bit before": float(found.before.max()) / found.captured,
        "largest bit after": float(found.after.max()) / found.captured,
        "near border before": near_border(two.projected, _NEAR),
        "near border after": near_border(two.rotated, _NEAR),
    }
    figures = [_turns(found, method.bits), _bits(found)]
    if x.shape[1] >= 2:
        figures += [_picture(two, False, numbers, seed), _picture(two, True, numbers, seed)]
    return Theory("rotation", method.text(), material.sample, seed, figures, numbers).with_sample()


def _turns(found: RotationSteps, bits: int) -> Figure:
    turns = list(range(len(found.lost)))
    gain = found.plain_lost - float(found.lost[-1])
    shares = {"lost": float(found.lost[-1]), "directions": bits, "without": found.plain_lost}
    if gain > 0:
        reading = Message(
            "Every turn brings the projections nearer to their signs: at the end signs lose {lost:.1%} of what the "
            "{directions} directions hold, less than without a rotation ({without:.1%}).",
            **shares,
        )
    else:
        reading = Message(
            "Every turn brings the projections nearer to their signs: at the end signs lose {lost:.1%} of what the "
            "{directions} directions hold, no less than without a rotation ({without:.1%}).",
            **shares,
        )
    note = Message(
        "Lost at the scale of signs that suits best. The quantisation error |B - VR|² falls from {first:.5g} to "
        "{last:.5g} an item. Rotating leaves the captured variance as it is.",
        first=found.errors[0],
        last=found.errors[-1],
    )
    points: list[Parameters] = [
        {Message("turn"): str(turn), "|B - VR|²/n": Message("{error:.6g}", error=value)}
        for turn, value in enumerate(found.errors)
    ]
    return Figure(
        "itq-turns",
        Message("What each turn of the rotation gains"),
        reading,
        Axis(Message("turns of the rotation")),
        Axis(Message("share of variance"), low=0, high=1),
        [
            Series(
                Message("variance captured, of all"), turns, [found.captured] * len(turns), place=2, dash=Dash.DASH_DOT
            ),
            Series(Message("lost by signs, of captured"), turns, found.lost.tolist(), place=0, points=points),
        ],
        [Marker(found.plain_lost, Message("lost without a rotation"), vertical=False, place=1)],
        note=joined([note, found.note]),
    )


def _bits(found: RotationSteps) -> Figure:
    places = list(range(1, len(found.before) + 1))
    before, after = found.before / found.captured, found.after / found.captured
    return Figure(
        "itq-variance",
        Message("Variance along each bit"),
        Message(
            "Before the rotation the first direction holds {first:.1%} of what is captured and the last {last:.2%}, "
            "though each gets one bit; after it, from {most:.1%} to {least:.2%}.",
            first=before.max(),
            last=before.min(),
            most=after.max(),
            least=after.min(),
        ),
        Axis(Message("bit, by falling variance"), log=True, low=1, high=len(places)),
        Axis(Message("share of captured variance"), low=0),
        [
            Series(Message("before"), places, np.sort(before)[::-1].tolist(), place=1, dash=Dash.DASHED),
            Series(Message("after"), places, np.sort(after)[::-1].tolist(), place=0, dash=Dash.SOLID),
        ],
        [Marker(1 / len(places), Message("the same for all"), vertical=False)],
        note=Message("{share:.1%} of all variance is captured.", share=found.captured),
    )


def _picture(found: RotationSteps, after: bool, numbers: dict[str, float], seed: int) -> Figure:
    points = found.rotated if after else found.projected
    drawn = np.sort(np.random.default_rng(seed).permutation(len(points))[:_POINTS])
    quadrant = _quadrant(points)
    reach = 1.05 * float(np.abs(np.stack([found.rotated, found.projected])[:, :, 1]).max())
    x, y = points[drawn].T
    inside = [quadrant[drawn] == place for place in range(len(_QUADRANTS))]
    series = [
        Series(name, x[some].tolist(), y[some].tolist(), kind=FigureKind.POINTS, place=place)
        for place, (name, some) in enumerate(zip(_QUADRANTS, inside, strict=True))
        if some.any()
    ]
    was, now = numbers["near border before"], numbers["near border after"]
    if after:
        title = Message("Two bits after the rotation")
        reading = Message(
            "The same points, turned so that they lie nearer to the corners of a square: {now:.0%} of the coordinates "
            "are close to a border, where {before:.0%} were.",
            now=now,
            before=was,
        )
    else:
        title = Message("Two bits before the rotation")
        reading = Message(
            "Each quadrant is a code. Points close to a border, {share:.0%} of the coordinates here, get another code "
            "than neighbours just across it.",
            share=was,
        )
    return Figure(
        f"itq-{'after' if after else 'before'}",
        title,
        reading,
        Axis(Message("first bit's direction") if after else Message("first projected dimension")),
        Axis(
            Message("second bit's direction") if after else Message("second projected dimension"),
            low=-reach,
            high=reach,
        ),
        series,
        [Marker(0.0, ""), Marker(0.0, "", vertical=False)],
        FigureKind.POINTS,
        equal=True,
        note=Message(
            "With two bits alone, so that the whole rotation lies in the picture; {points} points drawn. Close: within "
            "{near:g} of the root mean square.",
            points=len(drawn),
            near=_NEAR,
        ),
    )


def _quadrant(points: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the quadrant of points around the centre, in the order of `_QUADRANTS`."""
    first, second = points[:, 0] >= 0, points[:, 1] >= 0
    return np.where(second, np.where(first, 0, 1), np.where(first, 3, 2)).astype(np.int64)
