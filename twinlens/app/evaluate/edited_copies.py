"""Edited copies of a library's photographs, drawn by seed and content, and made in the memory of worker processes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twinlens.app.evaluate.editing_tasks import Editing, HashedCopy, HashedEditing
from twinlens.app.library import volumes
from twinlens.app.library.library import Library
from twinlens.app.library.workers import decoders, decoding
from twinlens.app.machine import background_work
from twinlens.app.search.search_options import Filters
from twinlens.app.search.search_space import passing
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message, counted
from twinlens.core.sampling import sample
from twinlens.features.pictures.edits import Edit
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading_limits import UnreadableError
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photograph_listing import Filter

SIDE = 1024
"""Pixels of the longer side, at most, at which photographs are edited: as large as copies get about."""

HOSTING = "pasted"
"""The edit for which another photograph of the library is needed."""


@dataclass(frozen=True, eq=False)
class Content:
    """A photograph with all files identical to it.

    Attributes
    ----------
    hash : bytes
    ids : tuple of int
        Ascending.
    """

    hash: bytes
    ids: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Copy:
    """An edited copy.

    Attributes
    ----------
    editing : Editing
        By which a worker process makes it.
    right : frozenset of int
        Ids of its photographs.
    beside : frozenset of int
        Ids of other photographs it shows; finding them counts neither as right nor as wrong.
    """

    edit: Edit
    editing: Editing
    right: frozenset[int]
    beside: frozenset[int]

    def made(self) -> HashedCopy:
        """Make the copy; UnreadableError if its process crashes or takes too long."""
        return decoders.ask(HashedEditing(self.editing))


class PhotographOrder:
    """Photographs in an order that their content and a seed decide.

    Parameters
    ----------
    folder : Path, optional
        Draw only from this folder.
    look : callable
        Called before each file is opened; an error ends the draw.
    left_out : set of int
        Ids of photographs not to draw.

    Attributes
    ----------
    contents : list of Content
        In the order of the draw.
    unreadable : int
        Number of unreadable photographs so far.

    Raises
    ------
    TwinlensError
        If there is no such folder, or nothing to draw.
    """

    def __init__(
        self,
        library: Library,
        folder: Path | None,
        seed: int,
        look: Callable[[], None] = lambda: None,
        left_out: AbstractSet[int] = frozenset(),
    ) -> None:
        self._library = library
        self._seed = seed
        self._look = look
        self._read: dict[bytes, Picture] = {}
        self._lost: set[bytes] = set()  # contents that cannot be read now
        self.unreadable = 0
        with library.store.reading() as r:
            every = _contents(library, r, folder, seed)
        if not every:
            raise TwinlensError("The library has no photos yet.", Remedy("add folder"))
        self.contents = [content for content in every if left_out.isdisjoint(content.ids)]
        if not self.contents:
            raise volumes.nothing_readable()

    def drawn(self, photographs: int) -> Iterator[Content]:
        """Yield a number of photographs that can be read now."""
        count = 0
        for content in self.contents:
            if count == photographs:
                return
            if self._picture(content) is None:
                self.unreadable += 1
            else:
                count += 1
                yield content

    def copies(self, edits: Sequence[Edit], photographs: int) -> Iterator[Iterator[Copy]]:
        """Yield the copies of each of a number of photographs."""
        for content in self.drawn(photographs):
            yield (self.copy(content, edit) for edit in edits)

    def host(self, content: Content, edit: Edit) -> Content:
        """Return the photograph that hosts an edit: itself, or for pasting the next readable one, if any."""
        if edit.name != HOSTING:
            return content
        place = self.contents.index(content)
        others = (*self.contents[place + 1 :], *self.contents[:place])
        return next((other for other in others if self._picture(other) is not None), content)

    def copy(self, content: Content, edit: Edit) -> Copy:
        """Return an edited copy of a photograph, pasted into grey if there is no other photograph.

        Raises
        ------
        TwinlensError
            If the photograph cannot be read any more.
        """
        host, picture = self.host(content, edit), self._picture(content)
        other = picture if host is content else self._picture(host)
        if picture is None or other is None:
            raise volumes.nothing_readable()
        salt = hashlib.sha256(content.hash + edit.name.encode()).digest()
        made = Editing(
            edit.name,
            picture.rgb,
            None if host is content else other.rgb,
            self._seed + int.from_bytes(salt[:6], "little"),
        )
        return Copy(edit, made, frozenset(content.ids), frozenset(host.ids) - frozenset(content.ids))

    def _picture(self, content: Content) -> Picture | None:
        if content.hash not in self._read and content.hash not in self._lost:
            for known in list(self._read)[:-2]:  # one is edited, and the next one is what it is pasted into
                del self._read[known]
            self._look()
            picture = self._opened(content)
            if picture is None:
                self._lost.add(content.hash)
            else:
                self._read[content.hash] = picture
        return self._read.get(content.hash)

    def _opened(self, content: Content) -> Picture | None:
        with self._library.store.reading() as r:
            rows = r.photographs.by_id(content.ids)
            paths = self._library.paths(r, rows)
        for path in paths:
            with suppress(UnreadableError), background_work.in_background():
                return decoding.unchanged(Path(os.fsdecode(path)), content.hash, SIDE)
        return None


def copies_left_out(count: int) -> Message:
    """Return a sentence about copies that could not be made or described."""
    return counted(
        "{count} edited copy could not be described, and is left out.",
        "{count} edited copies could not be described, and are left out.",
        count,
    )


def _contents(library: Library, r: Transaction, folder: Path | None, seed: int) -> list[Content]:
    every, hashes = r.photographs.contents(r.photographs.matching(Filter(states=(PhotographState.READY,))))
    ids: dict[bytes, list[int]] = {}
    for one, content in zip(every.tolist(), hashes, strict=True):
        ids.setdefault(content, []).append(one)
    mask = None if folder is None else passing(library, r, Filters(folder=folder), every)
    chosen = hashes if mask is None else [hashes[place] for place in np.flatnonzero(mask)]
    return [Content(chosen[place], tuple(sorted(ids[chosen[place]]))) for place in sample(chosen, len(chosen), seed)]
