"""The options of a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.search.query_views import caps
from core.errors import TwinlensError
from core.message import Message
from features.descriptor import Descriptor


@dataclass(frozen=True)
class Wanted:
    """What a person wants of an answer; as in :meth:`app.search.searcher.Searcher.ask`.

    Attributes
    ----------
    k : int
    exact, compare_exact : bool
    check : bool or None
    confirmed_only : bool

    Raises
    ------
    TwinlensError
        If it contradicts itself.
    """

    k: int = 20
    exact: bool = False
    compare_exact: bool = False
    check: bool | None = None
    confirmed_only: bool = False

    def __post_init__(self) -> None:
        if self.confirmed_only and self.check is False:
            raise TwinlensError(
                Message("“Same picture” only cannot be combined with no check."), Message("Choose one of both.")
            )

    def of(self, descriptor: Descriptor) -> Wanted:
        """Return whether answers by a descriptor are checked, where that is left open: it must look at places, too."""
        if self.check is not None:
            return self
        return replace(self, check=self.confirmed_only or bool(caps(descriptor)))
