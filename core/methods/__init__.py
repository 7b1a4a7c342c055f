"""The hash methods. Adding one is a new file here that declares it, and its name in ``METHODS``."""

from __future__ import annotations

from core.declaration.family import Family
from core.hashing.hash_method import HashMethod
from core.methods.bilinear_itq import BilinearItq
from core.methods.bilinear_lsh import BilinearLsh
from core.methods.bilinear_sik import BilinearSik
from core.methods.itq import Itq
from core.methods.klsh import Klsh
from core.methods.kpca_itq import KpcaItq
from core.methods.kpca_lsh import KpcaLsh
from core.methods.lsh import Lsh
from core.methods.nystrom_lsh import NystromLsh
from core.methods.preimage_klsh import PreimageKlsh
from core.methods.sik import Sik
from core.methods.spectral import Spectral

METHODS: Family[HashMethod] = Family(
    "method",
    HashMethod,
    (
        Lsh,
        Klsh,
        KpcaLsh,
        NystromLsh,
        PreimageKlsh,
        Sik,
        BilinearSik,
        BilinearLsh,
        BilinearItq,
        Itq,
        KpcaItq,
        Spectral,
    ),
)
"""Every hash method that can be chosen."""
