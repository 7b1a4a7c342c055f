"""Which set of which paper each data set stands in for: only a set that is named nowhere here is a paper's own."""

from __future__ import annotations

from science.papers.kernel_tables import SETTINGS

AUTHORS = {
    "jqk": "Jiang et al.",
    "bc": "Bodó and Csató",
    "kc": "Kim and Choi",
    "jkg": "Jain et al.",
    "ykc": "Yun et al.",
}

OWN = {"bc": ("dna",)}
"""By paper, the sets that are the paper's own."""

STAND_INS: dict[str, dict[str, str]] = {
    "jqk": {
        "sift": "SIFT1M",
        "all-sift": "SIFT1M",
        "edge-crops": "edge histograms of MIRFLICKR",
        "gist-crops": "GIST1M",
    },
    "bc": {name: setting.paper for name, setting in SETTINGS.items() if name not in OWN["bc"]},
    "kc": {"fashion-mnist": "MNIST", "vlad-crops": "VLAD of Flickr45K"},
    "jkg": {**dict.fromkeys(("vehicle", "soybean", "dna", "letter"), "Latex"), "cut-outs": "Caltech-101"},
    "ykc": {
        "sift": "CIFAR-10 and NUS-WIDE",
        "more-sift": "CIFAR-10 and NUS-WIDE",
        "fashion-mnist": "CIFAR-10 and NUS-WIDE",
        "groups-vlad": "VLAD of Holidays + Flickr1M",
    },
}
"""By paper and data set, the paper's set in whose place it stands."""


def in_place_of(name: str) -> str:
    """Say of which sets of which papers a data set takes the place.

    Examples
    --------
    >>> in_place_of("letter"), in_place_of("dna")
    ('Forest Covertype (Bodó and Csató); Latex (Jain et al.)', 'itself (Bodó and Csató); Latex (Jain et al.)')
    """
    own = {paper: "itself" for paper, sets in OWN.items() if name in sets}
    others = {paper: sets[name] for paper, sets in STAND_INS.items() if name in sets}
    return "; ".join(f"{what} ({AUTHORS[paper]})" for paper, what in {**own, **others}.items())
