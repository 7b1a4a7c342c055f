"""Points of an advice: what was measured of an index, and what is reckoned of it for more photographs."""

from __future__ import annotations

from app.evaluate.evaluation import DEPTH
from app.lab.advice.choice import speed
from app.lab.advice.index_plan import FIRST, TriedIndex
from app.lab.advice.results import AdvicePoint
from core.evaluation.steps import MeasuredStep


def point_of(tried: TriedIndex, one: MeasuredStep) -> AdvicePoint:
    """Return the point of a measured index."""
    figures, searched, photographs = one.figures, one.facts.n, tried.candidate.subject.photographs
    grown = photographs / searched
    codes, model = figures.bytes["codes"], figures.bytes["model"]
    each = (codes + figures.bytes.get("search", 0)) / searched
    exact = tried.method is None

    def seconds(times: float) -> float:
        """Reckon a query with so many times more photographs: at most as many more codes are read."""
        encode, find, rank = (figures.seconds[name] for name in ("encode_query", "find", "rank"))
        if exact:
            return rank * times
        depth = tried.candidate.search.depth(DEPTH)
        ranked = min(depth, searched * times) / min(depth, searched)
        return encode + find * times + rank * ranked

    overlap = figures.overlap.get(FIRST, 1.0)
    return AdvicePoint(
        **tried.parts.model_dump(),
        bits=None if tried.method is None else tried.method.bits or 8 * round(codes / searched),
        exact=exact,
        photographs=searched,
        questions=one.facts.queries,
        recall=figures.found.get(FIRST, overlap),
        precision=figures.precision.get(FIRST),
        wrong=figures.wrong,
        overlap=overlap,
        seconds=seconds(grown),
        speed=speed(seconds(grown)),
        bytes_per_photograph=each,
        model_bytes=model,
        bytes=round(each * photographs) + model,
        seconds_tenfold=seconds(10 * grown),
        bytes_tenfold=round(each * 10 * photographs) + model,
    )
