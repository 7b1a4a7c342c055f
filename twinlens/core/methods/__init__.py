"""The hash methods. Adding one is a new file here that declares it, and its place in ``METHODS``."""

from __future__ import annotations

from twinlens.core.declaration.family import Family
from twinlens.core.hashing.hash_method import HashMethod

METHODS: Family[HashMethod] = Family(
    "method",
    HashMethod,
    {
        "lsh": "twinlens.core.methods.lsh:Lsh",
        "klsh": "twinlens.core.methods.klsh:Klsh",
        "kpca-lsh": "twinlens.core.methods.klsh:KpcaLsh",
        "nystrom-lsh": "twinlens.core.methods.klsh:NystromLsh",
        "preimage-klsh": "twinlens.core.methods.preimage_klsh:PreimageKlsh",
        "sik": "twinlens.core.methods.sik:Sik",
        "bilinear-sik": "twinlens.core.methods.sik:BilinearSik",
        "bilinear-lsh": "twinlens.core.methods.lsh:BilinearLsh",
        "bilinear-itq": "twinlens.core.methods.bilinear_itq:BilinearItq",
        "itq": "twinlens.core.methods.itq:Itq",
        "kpca-itq": "twinlens.core.methods.klsh:KpcaItq",
        "spectral": "twinlens.core.methods.spectral:Spectral",
        "agh": "twinlens.core.methods.agh:AnchorGraphHashing",
        "binary": "twinlens.core.methods.binary:Binary",
        "lda-itq": "twinlens.core.methods.supervised_itq:LdaItq",
        "cca-itq": "twinlens.core.methods.supervised_itq:CcaItq",
        "ksh": "twinlens.core.methods.ksh:Ksh",
    },
)
"""Every hash method that can be chosen."""
