"""Jiang, Que and Kulis, CVPR 2015: what a lower rank and the monotone transform bring, and what centring does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.papers.result import Result
from tests.papers.studies import transform
from tests.papers.verdict import Claim, Judgement, above, gained, gravest, level

RECALLS = ("1", "10", "100")
KERNELS = ("chi-square", "intersection")
SETS = ("sift", "edge-crops", "colour-crops")
LOW = ("rank=64",)


def claims() -> list[Claim]:
    """Give the claims of the paper's Figure 3, for each kernel and data set."""
    found = []
    for name in SETS:
        for kernel in KERNELS:
            for text, better, worse in CONTESTS if name in transform.DATA else ():
                judge_pairs = _gain(f"{name} {kernel}", f"{better} above {worse}")
                found.append(Claim("JQK", f"{text} ({kernel}, {name})", "transform", judge_pairs))
            source = f"jqk-{name}-{kernel}"
            for text, judge in (
                ("KLSH above Nyström + LSH", _better(_klsh(kernel, ("",)), (f"nystrom-lsh:kernel={kernel}",))),
                (
                    "low-rank KLSH above low-rank Nyström + LSH",
                    _better(_klsh(kernel, LOW), (f"nystrom-lsh:kernel={kernel},rank=64",)),
                ),
                ("a centred query above an uncentred one", _better(_klsh(kernel, ("",)), _klsh(kernel, (_UNCENTRED,)))),
                ("KLSH equals KPCA + LSH", _equal(f"klsh:kernel={kernel}", f"kpca-lsh:kernel={kernel}")),
            ):
                found.append(Claim("JQK", f"{text} ({kernel}, {name})", source, judge))
    return found


CONTESTS = (
    ("low-rank KLSH above KLSH", "low", "full"),
    ("low rank + transform above low rank", "transformed", "low"),
    ("low rank + transform above full rank", "transformed", "full"),
)
"""What the study ``transform`` compares pair by pair, each with the rank and scale that are best for the data."""


def _gain(case: str, contest: str) -> Callable[[Result], Judgement]:
    """Judge what was gained on the same queries, landmarks and draws: as sure as the least sure R."""

    def judge(result: Result) -> Judgement:
        verdicts, numbers = [], []
        for count, one in result.figures[case]["contests"][contest].items():
            verdicts.append(gained(one["gain"], one["error"]))
            numbers.append(
                f"R@{count} {one['better']:.3f} / {one['worse']:.3f}, gain {one['gain']:+.3f} ±{one['error']:.3f} "
                f"({' / '.join(one['chosen'])})"
            )
        return Judgement(gravest(verdicts), ", ".join(numbers))

    return judge


_UNCENTRED = "centre_query=false"


def _klsh(kernel: str, options: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"klsh:kernel={kernel}" + (f",{one}" if one else "") for one in options)


def _better(better: Sequence[str], worse: Sequence[str]) -> Callable[[Result], Judgement]:
    """Compare the best of some methods with the best of others, by recall@10 each, at every R."""

    def judge(result: Result) -> Judgement:
        first, second = _best(result, better), _best(result, worse)
        verdicts, numbers = [], []
        for count in RECALLS:
            one, other = result.figure(first, f"recall@{count}"), result.figure(second, f"recall@{count}")
            verdicts.append(above(one, other))
            numbers.append(f"R@{count} {one} / {other}")
        return Judgement(gravest(verdicts), f"{', '.join(numbers)} ({_options(first)} / {_options(second)})")

    return judge


def _best(result: Result, methods: Sequence[str]) -> str:
    return max(methods, key=lambda text: result.figure(text, "recall@10").mean)


def _options(text: str) -> str:
    method, _, options = text.partition(":")
    return ",".join([method, *(one for one in options.split(",") if not one.startswith("kernel="))])


def _equal(one: str, other: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        pairs = [tuple(result.figure(text, f"recall@{count}") for text in (one, other)) for count in RECALLS]
        numbers = [f"R@{count} {a} / {b}" for count, (a, b) in zip(RECALLS, pairs, strict=True)]
        return Judgement(gravest(level(a, b) for a, b in pairs), ", ".join(numbers))

    return judge
