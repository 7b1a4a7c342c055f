"""An advice that is made up, to test what is said and shown of one."""

from __future__ import annotations

from tests.app.lab.advice.test_advice import exact, point
from twinlens.app.lab.advice.advice import KeptAdvice
from twinlens.app.lab.advice.advice_results import AdviceResult, IndexParts
from twinlens.app.lab.advice.reasons import SPEEDS_MEANING
from twinlens.core.message import Message

NOW = point("now", 0.93, 40, 64, index="Automatic", frontier=True)
BEST = point("best", 0.97, 2, 32, frontier=True)
WORSE = point("worse", 0.9, 30, 128)
POINTS = [NOW, BEST, WORSE, exact(900)]
PEER = point("peer", 0.99, 1, 16).model_copy(update={"method": "faiss:PQ8np"})


def parts(method: str) -> IndexParts:
    return IndexParts(key=f"colour · {method} · scan", descriptor="colour", method=method, search="scan")


def result(**values: object) -> AdviceResult:
    made = {
        "truth": "edits", "meaning": Message("the photo that was edited"), "photographs": 1_200, "questions": 100,
        "seed": 0, "time_limit": 60.0, "seconds": 58.0, "points": POINTS, "proposed": "best", "present": "now",
        "reasons": [Message("It finds {share:.0%} of the exact results.", share=0.97)], "speeds": SPEEDS_MEANING,
        "tried": 4, "not_tried": [parts("itq:bits=128"), parts("lsh:bits=64")], "notes": [Message("A note.")],
        "refused": [Message("colour · klsh · scan: why not")], "command": "twinlens index create",
    }  # fmt: skip
    return AdviceResult.model_validate(made | values)


def kept(**values: object) -> KeptAdvice:
    return KeptAdvice(made="2026-11-25T12:00:00+00:00", result=result(**values), ready=1_200)
