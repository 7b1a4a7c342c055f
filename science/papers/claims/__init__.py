"""The claims of the papers: a module for each paper, and its name in ``PAPERS``."""

from __future__ import annotations

from collections.abc import Callable

from science.papers.claims import bc, beyond, codes, jkg, jqk, kc, ykc
from science.papers.verdict import Claim

PAPERS: dict[str, Callable[[], list[Claim]]] = {
    "jqk": jqk.claims,
    "bc": bc.claims,
    "kc": kc.claims,
    "jkg": jkg.claims,
    "ykc": ykc.claims,
    "codes": codes.claims,
    "beyond": beyond.claims,
}
