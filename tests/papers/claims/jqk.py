"""Jiang, Que and Kulis, CVPR 2015: what a lower rank and the monotone transform bring, and what centring does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.papers.result import Result
from tests.papers.verdict import Claim, Judgement, above, gravest, level

RECALLS = ("1", "10", "100")
KERNELS = ("chi-square", "intersection")
SETS = ("sift", "edge-crops", "colour-crops")
LOW = ("rank=64", "rank=100")
TRANSFORMED = ("rank=100,scale=1", "rank=200,scale=3")


def claims() -> list[Claim]:
    """Give the claims of the paper's Figure 3, for each kernel and data set."""
    found = []
    for name in SETS:
        for kernel in KERNELS:
            source = f"jqk-{name}-{kernel}"
            for text, judge in (
                ("low-rank KLSH above KLSH", _better(_klsh(kernel, LOW), _klsh(kernel, ("",)))),
                ("low rank + transform above low rank", _better(_klsh(kernel, TRANSFORMED), _klsh(kernel, LOW))),
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
