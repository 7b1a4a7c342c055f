"""The standard indexes of a new library: the automatic one and the one of colours."""

from __future__ import annotations

from twinlens.core.message import NOTHING, Message

AUTOMATIC = ("itq:bits=256", "scan")
"""Hash method and search structure of the automatic index."""

COLOURS = ("Colours", "colour", "lsh:bits=512", "scan")
"""Name, descriptor, hash method and search structure of the index of colours."""

CONCEPTS = '{"key": "concepts"}'
"""The descriptor, as it is stored, of what photographs show: words search by it, and it needs no index."""

_LOOKS = "third=edges,fourth=pixels(rows=16,columns=16),first_weight=3,fourth_weight=0.25"
EARLIER = f"fusion:{_LOOKS}"
"""The descriptor of the first automatic indexes, and of new ones where the network's packages are missing.

It compares shapes and places, colours, edges, and with a small weight the tiny picture itself. Shapes alone lose copies
that are small, blurred or smooth, which colours find; edges find recoloured copies, and pixels the remaining ones.
"""

_SHAPES = "first=compact-vlad(keypoints=200,side=256)"
BEST = f"fusion:{_SHAPES},{_LOOKS},fifth=network,fifth_weight=8"
"""The descriptor of new automatic indexes: `EARLIER` and a network, by which photographs of the same thing are similar.

The network's weight was chosen on half of 474 labelled photographs and cut-outs, and judged on the other half: with 8,
0.751 of the first ten are of the same kind, with 4 0.735; as many edited copies of 24 photographs come first among 485.
Shapes have half as many dimensions beside a network, so that a vector is no larger. They are searched for in a picture
of 256 px, which takes half the time and finds and confirms as many copies as 360 px; 224 px find fewer.
"""

OLDER = tuple(f"fusion:{shapes},{_LOOKS},fifth=network,fifth_weight=4" for shapes in (_SHAPES, "first=compact-vlad"))
"""The descriptors of older libraries: the network weighs less, and shapes may be those of a picture of 360 px."""


def best_descriptor() -> str:
    """Return the text form of the descriptor of a new library's automatic index."""
    return EARLIER if lacking() else BEST


def lacking() -> Message:
    """Return which package of the network is missing, in words; empty where all are installed."""
    from twinlens.features.network import ready_made_network

    return next(
        (words for name in ready_made_network.READY_MADE if (words := ready_made_network.missing_for_networks(name))),
        NOTHING,
    )
