"""The photographs that a kept metric was learned from, needed to judge it fairly later."""

from __future__ import annotations

import numpy as np

from core.arrays import Int64Ids
from storage.library.transaction import Transaction

_SETTING = "metric learned from"


def remember_photographs(w: Transaction, metric_id: int, photographs: Int64Ids) -> None:
    """Remember the photographs of the pairs that a metric was learned from, (c,), ascending."""
    known = _known(w)
    # Differences of ascending ids are short numbers.
    known[str(metric_id)] = np.diff(photographs, prepend=0).tolist()
    w.settings.put(_SETTING, known)


def photographs_learned_from(r: Transaction, metric_id: int) -> Int64Ids | None:
    """Return the photographs that a metric was learned from; None where that is not known, as of one from a file."""
    found = _known(r).get(str(metric_id))
    return None if found is None else np.cumsum(np.array(found, np.int64))


def forget_photographs(w: Transaction, metric_id: int) -> None:
    """Forget what a metric was learned from, for it is deleted."""
    known = _known(w)
    if known.pop(str(metric_id), None) is not None:
        w.settings.put(_SETTING, known)


def _known(r: Transaction) -> dict[str, list[int]]:
    found = r.settings.get(_SETTING, {})
    return found if isinstance(found, dict) else {}
