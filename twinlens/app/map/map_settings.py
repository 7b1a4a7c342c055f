"""Settings of a map: which photographs it shows, and by what they lie together."""

from __future__ import annotations

from typing import Literal

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request

LayoutKind = Literal["pca", "neighbours"]


class MapSettings(Request):
    """A request for a map; for the same photographs the same settings give the same map."""

    key = "map"

    index: str = parameter("Automatic", metavar="NAME", help="By which photos are alike.")
    kind: LayoutKind = parameter(
        "neighbours",
        help="pca: the two directions in which photos differ most, at once. neighbours: t-SNE, which keeps those "
        "together that are most alike.",
    )
    sample: int | None = parameter(None, ge=1, metavar="N", help="Lay out only so many photos, drawn by --seed.")
    seed: int = parameter(0, ge=0, help="The same seed gives the same map.")
