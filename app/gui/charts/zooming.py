"""Zooming and moving the visible part of a figure."""

from __future__ import annotations

from app.lab.figures.extent import Span

Spans = tuple[Span, Span]
"""What is seen of both axes, scaled."""

_CLOSEST = 1e-4  # of the whole axis
_ALL = 0.999  # of an axis that counts as the whole


def zoomed_spans(seen: Spans, whole: Spans, times: float, around: tuple[float, float]) -> Spans | None:
    """Return the part that is seen so many times larger, a place staying where it is; None for the whole."""
    x, y = (_zoomed(seen[axis], whole[axis], times, around[axis]) for axis in (0, 1))
    all_seen = all(end - start >= _ALL * (high - low) for (start, end), (low, high) in zip((x, y), whole, strict=True))
    return None if all_seen else (x, y)


def moved_spans(seen: Spans, whole: Spans, x: float, y: float) -> Spans:
    """Return what is seen after a move along both axes, at most to the ends."""
    (left, right), (low, high) = seen
    return _within((left + x, right + x), whole[0]), _within((low + y, high + y), whole[1])


def _zoomed(span: Span, whole: Span, times: float, around: float) -> Span:
    before, most = span[1] - span[0], whole[1] - whole[0]
    length = min(max(before / times, _CLOSEST * most), most)
    start = around - (around - span[0]) * length / before
    return _within((start, start + length), whole)


def _within(span: Span, whole: Span) -> Span:
    """Move a span into another."""
    low = min(max(span[0], whole[0]), max(whole[0], whole[1] - (span[1] - span[0])))
    return low, min(low + (span[1] - span[0]), whole[1])
