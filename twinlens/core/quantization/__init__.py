"""Quantizers: codes that are compared by tables of distances instead of bit by bit.

They are measured beside hash methods; an index of a library keeps binary codes, which every search structure can
search. Adding one is a new file here, and its place in ``QUANTIZERS``.
"""

from __future__ import annotations

from twinlens.core.declaration.family import Family
from twinlens.core.quantization.quantizer import Quantizer

QUANTIZERS: Family[Quantizer] = Family(
    "quantizer",
    Quantizer,
    {"pq": "twinlens.core.quantization.product_quantization:ProductQuantization"},
)
"""Every quantizer that can be chosen."""
