"""Indexes of a new library."""

from __future__ import annotations

from core.message import NOTHING, Message

AUTOMATIC = ("itq:bits=256", "scan")
"""Hash method and search structure of the automatic index."""

COLOURS = ("Colours", "colour", "lsh:bits=512", "scan")
"""Name, descriptor, hash method and search structure of the other one."""

_LOOKS = "third=edges,fourth=pixels(rows=16,columns=16),first_weight=3,fourth_weight=0.25"
EARLIER = f"fusion:{_LOOKS}"
"""What the automatic index compared by at first, and compares by where the network's packages are missing: shapes and
places, colours, edges, and a little the picture itself, very small.

Shapes alone lose copies that are small, blurred or smooth, colours find them; edges find those that are recoloured, and
pixels those of which nothing else speaks.
"""

_WITH_NETWORK = f"{_LOOKS},fifth=network,fifth_weight=4"
BEST = f"fusion:first=compact-vlad(keypoints=200,side=256),{_WITH_NETWORK}"
"""As before, and what a network sees, by which photographs of the same thing are alike.

The weights are those by which edited copies of photographs that no vocabulary was learned from were found most often
among 10,000 (``python -m science.benchmarks.edits``); the network's is that which finds most of the same kind without
losing copies. Shapes have half as many numbers beside a network, so that a vector takes no more room. Beside a network
they are looked for in a picture of 256 px, too, by half the time: as many copies are found and confirmed as by 360 px,
which 224 px are too few for.
"""

BEST_AT_360_PX = f"fusion:first=compact-vlad,{_WITH_NETWORK}"
"""The same where shapes are looked for in a larger picture: what some libraries compare by, which find as much."""


def best_descriptor() -> str:
    """Return the text of what a new library's automatic index compares by."""
    return EARLIER if lacking() else BEST


def lacking() -> Message:
    """Return the missing package of the network, which the best comparison needs; empty where all are there."""
    from features.network import ready_made_network

    return next(
        (told for name in ready_made_network.READY_MADE if (told := ready_made_network.missing_for_networks(name))),
        NOTHING,
    )
