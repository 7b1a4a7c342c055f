"""An index to make: what it compares, by which measure, and how."""

from __future__ import annotations

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class NewIndex(Request):
    """A request for an index, by the text forms of its declarations."""

    key = "index create"

    descriptor: str = parameter(..., metavar="TEXT", help="What is compared: colour, edges, vlad, ...")
    metric: str = parameter(
        "",
        metavar="NAME|TEXT",
        help="Which differences count more: a metric of `twinlens metrics list`, or whitening, which is fitted.",
    )
    method: str = parameter("itq", metavar="TEXT", help="How vectors become bits.")
    search: str = parameter("scan", metavar="TEXT", help="How codes are searched.")
    name: str | None = parameter(None, metavar="NAME", help="Its name; by default its declarations.")
