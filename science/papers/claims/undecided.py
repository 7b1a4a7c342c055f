"""What it would take to decide what cannot be told here, by the first words of a claim."""

from __future__ import annotations

DRAWS = "more draws of landmarks and hyperplanes"
QUERIES = "more queries"
ITEMS = "more seeds; where fewer than 3,000 items are drawn, a collection of 60,000 or more"
WIDER = "more repetitions: the interval reaches over the tolerance by chance alone"
PARTITIONS = "more partitions"
NEVER = "other data: on these there is nothing to tell"

TAKES: dict[str, str] = {
    # Jiang, Que and Kulis
    "recall rises with the rank": DRAWS,
    "every rank but the smallest": DRAWS,
    "some scale above none": DRAWS,
    "low rank + transform above low rank": f"{QUERIES}, 10,000 as in the paper, and the paper's million of items",
    "the rank that is best for 256 bits": DRAWS,
    "the transform brings more": f"{QUERIES}, 10,000 as in the paper, and the paper's million of items",
    "directions of sum zero": DRAWS,
    "directions of t =": DRAWS,
    "more landmarks rank better": DRAWS,
    "some thousands of landmarks": DRAWS,
    "KLSH is level with KPCA": DRAWS,
    "low-rank KLSH above": DRAWS,
    "rank and scale together": DRAWS,
    # Bodó and Csató
    "pre-images label as well": f"{WIDER}; where always guessing does as well, other data",
    "hashing compares less": "more repetitions: KLSH has two kinds of them on this table",
    "a query is labelled sooner": "a machine that nothing else uses",
    "a ridge changes nothing": WIDER,
    "bound (1) spares": NEVER,
    "bound (2), as it is printed": "nothing: a counterexample refutes it, and these data hold none",
    "bound (2) spares": NEVER,
    "on the paper's own data (DNA)": WIDER,
    # Kim and Choi
    "bits that share a projection vary together": "unlike pairs too: a kernel narrower than these data give",
    "bits that share a projection": "items so alike: near copies",
    "m = 5 is faster": "a machine that nothing else uses",
    "m = 5": "more seeds and items",
    "bilinear is above single": "more seeds",
    "the condition": NEVER,
    "their covariance": NEVER,
    # Jain, Kulis and Grauman
    "4-NN is better": PARTITIONS,
    "hashing under the learned metric": PARTITIONS,
    "accuracy hardly depends": PARTITIONS,
    "less is looked at": "another search: these lists look at 2M items whatever the bits",
    "1-NN is better": "more views that ask: 600 leave 1.5 points",
    "more pairs gain more": "more views that ask",
    "hashing loses at most": "more views that ask",
    "hashing under the learned kernel": "more views that ask",
    "a larger ε": "more views that ask",
    # Yun, Kim and Choi
    "uniform sampling is level": ITEMS,
    "weighted sampling is level": ITEMS,
    "uniform sampling is above": "more seeds",
    "from 5 %": ITEMS,
    "from 30 %": ITEMS,
    # Of no paper
    "the program's codes": "more seeds",
    "KPCA + ITQ above": "more seeds",
    "learned bilinear": "more seeds",
    "the tuner's choice": "more draws; where its choice are the defaults, nothing can",
}


def takes(text: str, timed: bool = False) -> str:
    """Return what deciding a claim takes; empty where nothing is known of it.

    Examples
    --------
    >>> takes("4-NN is better under the metric learned from 1,000 pairs")
    'more partitions'
    >>> takes("anything", timed=True)
    'a machine that nothing else uses'
    """
    found = next((words for start, words in TAKES.items() if text.startswith(start)), "")
    return found or "a machine that nothing else uses" * timed
