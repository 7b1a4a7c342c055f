"""The confirmation of proposed pairs: pictures are laid over each other, several at once.

The results are those of one pair after the other, whatever the number of threads: a pair begins only when all earlier
ones of its families have ended. Photographs whose thumbnails look the same are compared closely, by their files, since
only these tell a copy from a second shot.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from types import TracebackType
from typing import NamedTuple, Self

from twinlens.app.duplicates.comparing.compared_contents import ComparedContent, ComparedContents, file_of, reached
from twinlens.app.duplicates.comparing.comparing_tasks import (
    Alignment,
    AlignmentTask,
    CloseComparisonTask,
    CloseRelation,
    DamageTask,
    FurtherFramesTask,
    GreyPicture,
    StoredLook,
)
from twinlens.app.indexes.fitted_models import stored_keypoints
from twinlens.app.library.library import Library
from twinlens.app.library.pictures import all_thumbnails
from twinlens.app.library.workers import decoders
from twinlens.app.library.workers.decoding_tasks import BlocksTask, DecodingTask, ResizedBlocksTask
from twinlens.app.machine import background_work
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.containers import RecentValues
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.progress import stopped_by
from twinlens.core.systems import system
from twinlens.features.copies import RelationKind
from twinlens.features.copies.close_comparison import LARGE_SIDE, LargePicture
from twinlens.features.copies.copy_traces import Blocks, ResizedPicture, is_enlarged, is_made_smaller
from twinlens.features.copies.damage import Damage
from twinlens.features.copies.perceptual_hash import UPRIGHT, Orientation
from twinlens.features.copies.relation import NOT_COMPARED, UNREACHED, Relation
from twinlens.features.reading.reading_limits import UnreadableError
from twinlens.storage.library.store import Transaction

_log = logging.getLogger(__name__)
SERIES_SECONDS = 120.0
"""Seconds between two photographs of a series, at most."""

SERIES_VOTES = 8
"""Keypoints that agree in rotation and scale, at least, of two photographs of one series."""

_CERTAIN = (RelationKind.SAME, RelationKind.DAMAGED)
_ONE_PICTURE = (RelationKind.SAME, RelationKind.LIKELY)
_TRIES = 2  # the system may have ended the process for want of memory
_LOOKED_AHEAD = 64  # pairs
_WAIT_S = 0.2


class ProposedPair(NamedTuple):
    """Two pictures by their places, the lower one first, with the votes and orientation that propose them.

    Attributes
    ----------
    alike : bool
        Whether their thumbnails look so much alike that they may be copies though their cameras noted other times.
    """

    first: int
    second: int
    way: Orientation | None = UPRIGHT
    votes: int = SERIES_VOTES
    alike: bool = False


ConfirmedPair = tuple[ProposedPair, Relation | None]


class PairConfirmation:
    """A run that confirms pairs; a context manager, at whose end its threads end.

    Parameters
    ----------
    every : ComparedContents
        The pictures by their places.
    threads : int, optional
        By default one a core.
    """

    def __init__(self, library: Library, every: ComparedContents, threads: int | None = None) -> None:
        self._library, self._every = library, every
        self._looks, self._close_looks = AlignmentCache(library), FileVerification(library)
        self._most = threads or system.processors()
        self._closed = threading.Event()
        self._threads = ThreadPoolExecutor(self._most, thread_name_prefix="confirming")
        with background_work.in_background(), stopped_by(self._stop_if_closed):
            decoders.warm()
            self._context = copy_context()

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        """Cancel the work under way, and wait for its threads."""
        self._closed.set()
        self._threads.shutdown(cancel_futures=True)

    def all(self, pairs: Iterable[ProposedPair]) -> Iterator[ConfirmedPair]:
        """Yield pairs with their relations, in their order."""
        given: deque[tuple[ProposedPair, Future[Relation | None]]] = deque()
        for pair in pairs:
            given.append((pair, self._begin(pair)))
            if len(given) > 2 * self._most:
                yield _ended(*given.popleft())
        while given:
            yield _ended(*given.popleft())

    def in_turn(
        self,
        pairs: Iterable[ProposedPair],
        is_wanted: Callable[[ProposedPair], bool],
        families: Callable[[ProposedPair], set[int]],
        progress: Callable[[int], None],
    ) -> Iterator[ConfirmedPair]:
        """Yield the pairs that are still wanted when it is their turn, with their relations.

        Parameters
        ----------
        is_wanted : callable
            Called once for each pair, when all earlier ones of its families have been yielded.
        families : callable
            Returns the families of a pair, which change as pairs are yielded.
        progress : callable
            Called with the number of pairs that are done.
        """
        left, done = iter(pairs), 0
        under_way: dict[Future[Relation | None], ProposedPair] = {}
        ahead: list[ProposedPair] = []
        while True:
            ahead += islice(left, _LOOKED_AHEAD - len(ahead))
            if not ahead and not under_way:
                return
            taken: set[int] = set().union(*map(families, under_way.values()))
            later: list[ProposedPair] = []
            for pair in ahead:
                own = families(pair)
                if not taken.isdisjoint(own) or len(under_way) >= 2 * self._most:
                    later.append(pair)
                elif is_wanted(pair):
                    under_way[self._begin(pair)] = pair
                else:
                    done += 1
                    continue
                taken |= own
            ahead = later
            progress(done)
            for ended in wait(under_way, _WAIT_S, FIRST_COMPLETED).done if under_way else ():
                done += 1
                yield under_way.pop(ended), ended.result()

    def _begin(self, pair: ProposedPair) -> Future[Relation | None]:
        return self._threads.submit(self._context.copy().run, self._relation, pair)

    def _stop_if_closed(self) -> None:
        if self._closed.is_set():
            raise Cancelled

    def _relation(self, pair: ProposedPair) -> Relation | None:
        """Return the relation of two pictures; None without one."""
        self._stop_if_closed()
        one, other = self._every[pair.first], self._every[pair.second]
        apart = one.seconds_from(other)
        series = None
        if apart:
            together = apart <= SERIES_SECONDS and pair.votes >= SERIES_VOTES
            series = Relation(RelationKind.SIMILAR) if together else None
            if not pair.alike:
                return series
        with self._library.store.reading() as r:
            looks = self._looks.of(r, [one, other])
        if len(looks) < 2:
            return series or (NOT_COMPARED if _are_there(self._library, one, other) else UNREACHED)
        task = AlignmentTask(looks[one.content], looks[other.content], UPRIGHT if pair.way is None else pair.way)
        for _ in range(_TRIES):
            try:
                found = self._aligned(one, other, task)
            except UnreadableError as error:
                _log.warning("%s and %s are not compared: %s", one.content.hex(), other.content.hex(), error.message)
            else:  # a clock may have been set right: equal pixels decide, and the times where these leave a doubt
                return found if not apart or (found and found.kind in (*_CERTAIN, RelationKind.UNREACHED)) else series
        return NOT_COMPARED

    def _aligned(self, one: ComparedContent, other: ComparedContent, task: AlignmentTask) -> Relation | None:
        laid = decoders.ask(task)
        found = None if laid is None else self._close_looks.told(one, other, laid)
        return None if found is None or found.kind is RelationKind.OTHER else found


def _ended(pair: ProposedPair, found: Future[Relation | None]) -> ConfirmedPair:
    return pair, found.result()


_LOOKS = 1_500  # of 20 KB each


class AlignmentCache:
    """The stored looks of pictures to be aligned, with the last ones in memory."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: RecentValues[bytes, StoredLook] = RecentValues(_LOOKS)

    def of(self, r: Transaction, pictures: Sequence[ComparedContent]) -> dict[bytes, StoredLook]:
        """Return the stored looks of pictures; those are left out of which no thumbnail is there or can be made."""
        found = {one.content: look for one in pictures if (look := self._kept.get(one.content)) is not None}
        found |= self._made(r, [one for one in pictures if one.content not in found])
        for content, look in found.items():
            self._kept.keep(content, look)
        return found

    def _made(self, r: Transaction, pictures: Sequence[ComparedContent]) -> dict[bytes, StoredLook]:
        jpegs = all_thumbnails(self._library, [one.content for one in pictures])
        kept = stored_keypoints(r, [one.id for one in pictures])
        return {
            one.content: StoredLook(jpeg, data, one.size)
            for one, data in zip(pictures, kept, strict=True)
            if (jpeg := jpegs.get(one.content))
        }


_KEPT = 16  # pictures of 2 MB, and as many blocks of 0.5 MB
_WITH_BLOCKS = frozenset({"JPEG", "PNG", "TIFF", "BMP"})  # other formats lose as much as lies between two shots


class FileVerification:
    """The close comparison of photographs by their files; the last decoded ones are cached."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._grey = lru_cache(_KEPT)(self._read_grey)
        self._blocks = lru_cache(_KEPT)(self._read_blocks)
        self._resized = lru_cache(_KEPT)(self._read_resized)

    def told(self, first: ComparedContent, second: ComparedContent, laid: Alignment) -> Relation:
        """Return the relation of two photographs that were laid over each other.

        Photographs that look the same count as a series where a file cannot be decoded.

        Raises
        ------
        UnreadableError
            If they cannot be compared.
        """
        found, suspicious, drawn = laid
        suspicious |= first.format == second.format and first.bytes == second.bytes
        closely = found.kind is RelationKind.SAME or (drawn and found.kind is not RelationKind.OTHER)
        told = self._told_by_files(first, second, found, suspicious, closely)
        files_tell = closely or (suspicious and first.size == second.size)
        return UNREACHED if files_tell and not _are_there(self._library, first, second) else told

    def _told_by_files(
        self, first: ComparedContent, second: ComparedContent, found: Relation, suspicious: bool, closely: bool
    ) -> Relation:
        """Return what the files tell where these are asked; what cannot be decoded tells nothing."""
        if closely:
            close = self._compared_closely(first, second, found)
            found, suspicious = replace(found, kind=close.kind), suspicious or close.parted
            if close.kind in _ONE_PICTURE:
                # Two shots of one camera have one format, and other formats have lost what would tell.
                formats = {first.format, second.format}
                tells = close.kind is RelationKind.SAME or (len(formats) == 2 and formats <= _WITH_BLOCKS)
                found = replace(found, second_made=close.second_made if tells else None)
                found = self._with_frames(first, second, found)
        if suspicious and first.size == second.size and (damaged := self._damage(first, second)) is not None:
            return replace(found, kind=RelationKind.DAMAGED, second_damaged=damaged.second, damaged_from=damaged.start)
        return found

    def _compared_closely(self, first: ComparedContent, second: ComparedContent, small: Relation) -> CloseRelation:
        """Return the relation of two that look the same, or that are drawings."""
        side = min(LARGE_SIDE, max(first.size), max(second.size))
        grey = self._grey(first, side), self._grey(second, side)
        if grey[0] is None or grey[1] is None:
            return CloseRelation(RelationKind.SIMILAR if small.kind is RelationKind.SAME else small.kind)
        blocks: tuple[Blocks | None, Blocks | None] = None, None
        smaller = enlarged = None
        if small.kind is RelationKind.SAME and first.size == second.size:
            blocks = self._blocks(first), self._blocks(second)
        elif small.kind is RelationKind.SAME:
            smaller, enlarged = self._is_made_smaller(first, second)
        close = decoders.ask(
            CloseComparisonTask(
                LargePicture(grey[0], first.size, first.format, blocks[0]),
                LargePicture(grey[1], second.size, second.format, blocks[1]),
                smaller,
                small,
            )
        )
        if small.kind is RelationKind.SAME and first.at_the_moment_of(second):
            close = close._replace(kind=RelationKind.SAME, parted=False)
        if enlarged is not None:
            close = close._replace(second_made=enlarged is (_pixels(second) > _pixels(first)))
        one, other = (b"" if each is None else each.beginning for each in blocks)
        return close._replace(parted=close.parted or (one == other != b""))

    def _with_frames(self, first: ComparedContent, second: ComparedContent, found: Relation) -> Relation:
        """Return the relation of two whose first pictures are one: with other frames or pages they are not the same."""
        if first.frames == 1 == second.frames:
            return found
        try:
            frames = decoders.ask(FurtherFramesTask(self._file(first), self._file(second)))
        except TwinlensError:  # nothing says that the rest is the same, too
            return replace(found, kind=RelationKind.LIKELY)
        if frames.first != frames.second:
            return replace(found, kind=RelationKind.EDITED, frames=(frames.first, frames.second))
        return found if frames.same else replace(found, kind=RelationKind.OTHER)

    def _damage(self, first: ComparedContent, second: ComparedContent) -> Damage | None:
        with suppress(TwinlensError):
            return decoders.ask(DamageTask(self._file(first), self._file(second)))
        return None

    def _is_made_smaller(self, first: ComparedContent, second: ComparedContent) -> tuple[bool | None, bool | None]:
        """Return whether the larger of two pictures made smaller gives the other one, and whether it was enlarged."""
        small, large = sorted((first, second), key=_pixels)
        if small.format not in _WITH_BLOCKS or (blocks := self._blocks(small)) is None:
            return None, None
        if (larger := self._resized(large, small.size)) is None:
            return None, None
        return is_made_smaller(blocks, larger.blocks, small.size[0] / large.size[0]), is_enlarged(blocks, larger)

    def _read_resized(self, one: ComparedContent, size: tuple[int, int]) -> ResizedPicture | None:
        with suppress(TwinlensError):
            return decoders.ask(ResizedBlocksTask(self._file(one), size))
        return None

    def _read_grey(self, one: ComparedContent, side: int) -> UInt8Pixels | None:
        with suppress(TwinlensError):
            return decoders.ask(GreyPicture(self._file(one, side)))
        return None

    def _read_blocks(self, one: ComparedContent) -> Blocks | None:
        with suppress(TwinlensError):
            return decoders.ask(BlocksTask(self._file(one)))
        return None

    def _file(self, one: ComparedContent, side: int = LARGE_SIDE) -> DecodingTask:
        return file_of(self._library, one, side)


def _are_there(library: Library, *pictures: ComparedContent) -> bool:
    contents = {one.content for one in pictures}
    with library.store.reading() as r:
        return reached(library, r, contents).keys() == contents


def _pixels(one: ComparedContent) -> int:
    return one.size[0] * one.size[1]
