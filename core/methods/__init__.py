"""The hash methods. Adding one is a new file here that declares it, and its place in ``METHODS``."""

from __future__ import annotations

from core.declaration.family import Family
from core.hashing.hash_method import HashMethod

METHODS: Family[HashMethod] = Family(
    "method",
    HashMethod,
    {
        "lsh": "core.methods.lsh:Lsh",
        "klsh": "core.methods.klsh:Klsh",
        "kpca-lsh": "core.methods.klsh:KpcaLsh",
        "nystrom-lsh": "core.methods.klsh:NystromLsh",
        "preimage-klsh": "core.methods.preimage_klsh:PreimageKlsh",
        "sik": "core.methods.sik:Sik",
        "bilinear-sik": "core.methods.sik:BilinearSik",
        "bilinear-lsh": "core.methods.lsh:BilinearLsh",
        "bilinear-itq": "core.methods.bilinear_itq:BilinearItq",
        "itq": "core.methods.itq:Itq",
        "kpca-itq": "core.methods.klsh:KpcaItq",
        "spectral": "core.methods.spectral:Spectral",
        "binary": "core.methods.binary:Binary",
        "lda-itq": "core.methods.supervised_itq:LdaItq",
        "cca-itq": "core.methods.supervised_itq:CcaItq",
        "ksh": "core.methods.ksh:Ksh",
    },
)
"""Every hash method that can be chosen."""
