"""Filter of groups of duplicates, for the window, the command line and exports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.duplicates.groups import PhotoGroup
from app.duplicates.kinds import DuplicateKind
from app.library import volumes


@dataclass(frozen=True)
class GroupFilter:
    """Conditions on groups; by default every group passes.

    Attributes
    ----------
    kinds : frozenset of Kind
        A photograph of one of these kinds; empty for any.
    folder : bytes
        A photograph in this folder or below, by its full path; empty for any.
    least_bytes : int
        A file of at least this size.
    undecided : bool
        Nothing tells which copy to keep.
    """

    kinds: frozenset[DuplicateKind] = frozenset()
    folder: bytes = b""
    least_bytes: int = 0
    undecided: bool = False

    @classmethod
    def of(
        cls,
        kinds: Iterable[str] = (),
        folder: Path | None = None,
        least_bytes: int = 0,
        undecided: bool = False,
    ) -> GroupFilter:
        """Return what a person names: kinds by their values, and a folder that need not be there."""
        full = b"" if folder is None else volumes.full_path(folder)
        return cls(frozenset(map(DuplicateKind, kinds)), full, least_bytes, undecided)

    def passes(self, group: PhotoGroup) -> bool:
        """Return whether a group has all of it."""
        photographs = group.photographs
        within = self.folder.rstrip(b"/") + b"/"
        return (
            (not self.kinds or bool(self.kinds & group.kinds))
            and (not self.folder or any(one.path.startswith(within) for one in photographs))
            and (not self.least_bytes or any(one.bytes >= self.least_bytes for one in photographs))
            and (not self.undecided or group.undecided)
        )


EVERY_GROUP = GroupFilter()
"""All groups."""
