"""The comparison of every new picture of a library with all others; the library keeps the relations that it finds.

While pictures are compared, those that belong together form families (:class:`PictureFamilies`), and within a family
some are one picture. A long comparison runs in a process of its own (:func:`compare_in_process`), so that the window
stays quick.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from twinlens.app.duplicates.comparing.candidates import (
    MOST_LAID,
    CandidatePairs,
    CandidatePictures,
    NeighbourReach,
    TurnedPairs,
    among_nearest,
    candidates,
    turned_pairs,
)
from twinlens.app.duplicates.comparing.compared_contents import (
    ComparedContent,
    ComparedContents,
    file_of,
    hashes,
    reached,
)
from twinlens.app.duplicates.comparing.pair_confirmation import (
    SERIES_SECONDS,
    SERIES_VOTES,
    ConfirmedPair,
    PairConfirmation,
    ProposedPair,
)
from twinlens.app.duplicates.comparing.picture_space import picture_space
from twinlens.app.indexes.indexes import find_index
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.library.workers import decoders
from twinlens.app.library.workers.decoding_tasks import FactsTask
from twinlens.app.machine import background_work as waits
from twinlens.app.machine.separate_process import run_in_process
from twinlens.app.search.searcher import Searcher
from twinlens.core.containers import DisjointSets
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.features.copies import RelationKind
from twinlens.features.copies.relation import VERSION as RELATION_VERSION
from twinlens.features.copies.relation import Relation
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.storage.comparisons import ComparedRow, ReachRow, RelatedRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.notes import CameraNote

VERSION = 100 * RELATION_VERSION + 10
"""The version of proposing and confirming pairs; pictures compared by another version are compared anew."""

_AT_ONCE = 20_000
_WRITE_S = 2.0
_LIKELY_SAME = 6  # bits of 63 by which the hashes of copies differ at most
_COPIED = 2  # the same of copies of which a clock was set right
_COPIES_LAID = 8  # nearest pictures over which each is laid since it may be a copy: of its family, of other moments
_SMALL_FAMILY = 12  # copies of which every pair is confirmed; of more, all with the best few


def compare_pictures(
    library: Library, index: str = AUTOMATIC, progress: Progress = silent, threads: int | None = None
) -> int:
    """Compare what is new in a library with everything.

    Parameters
    ----------
    index : str
        Index that proposes pairs; by default the automatic one, whichever a person searches with.
    threads : int, optional
        Threads that align pictures; by default one a core. The result is the same with any number.

    Returns
    -------
    int
        How many pictures were new.

    Raises
    ------
    TwinlensError
        If there is no such index.
    """
    with library.store.reading() as r:
        index = find_index(r, index).name
        outdated = r.comparisons.versions() - {VERSION}
        waiting, again = r.comparisons.waiting(VERSION, KEYPOINTS_VERSION), _reached_again(library, r)
        gone = r.comparisons.any_absent()
    if gone:
        with library.store.writing("forgetting what is gone") as w:
            w.comparisons.forget_absent()
    if again:
        with library.store.writing("comparing again what can be reached again") as w:
            w.comparisons.compare_again(again)
    if not waiting and not again and not outdated:
        return 0
    every = ComparedContents(library)
    known: dict[int, bytes | None] = {}
    with library.store.reading() as r:
        for content, own in r.comparisons.compared(VERSION):
            if (place := every.places.get(content)) is not None:
                known[place] = own
        related = r.comparisons.related()
    if outdated:
        related = []
        with library.store.writing("forgetting what an earlier version found") as w:
            w.comparisons.forget_version(VERSION)
    fresh = [place for place in range(len(every)) if place not in known]
    if not fresh:
        return 0
    with waits.in_background(), PairConfirmation(library, every, threads) as confirming:
        run = _Run(library, index, every, known, related, confirming)
        run.look(fresh, part(progress, 0.0, 0.2))
        rest = part(progress, 0.2, 1.0)
        for start in range(0, len(fresh), _AT_ONCE):
            some = fresh[start : start + _AT_ONCE]
            run.compare(some, part(rest, start / len(fresh), (start + len(some)) / len(fresh)))
    return len(fresh)


class _Run:
    """One comparison of the new pictures of a library."""

    def __init__(
        self,
        library: Library,
        index: str,
        every: ComparedContents,
        known: dict[int, bytes | None],
        related: Sequence[RelatedRow],
        confirming: PairConfirmation,
    ) -> None:
        self._library = library
        self._index = index
        self._every = every
        self._hashes = [known.get(place) for place in range(len(every))]
        self._known = np.zeros(len(every), np.bool_)
        self._known[list(known)] = True
        self._made: list[bytes | None] = []  # of all; in `_hashes` each stands from the part on that it is compared in
        self._framed = TurnedPairs(np.empty((0, 2), np.int64), np.empty(0, np.int64))
        self._old = np.flatnonzero(self._known)
        self._searcher = Searcher(library)
        self._reached: tuple[str, NeighbourReach] | None = None
        self._confirming = confirming
        self._tried: set[tuple[int, int]] = set()
        self._laid: Counter[int] = Counter()  # over pictures of the same family
        self._families = PictureFamilies()
        self._damaged: set[int] = set()
        self._know(related)
        self._found: list[RelatedRow] = []
        self._written = time.monotonic()

    def _know(self, related: Sequence[RelatedRow]) -> None:
        """Start from the relations found before: new pictures may belong to these families."""
        for row in related:
            first, second = self._every.places.get(row.first), self._every.places.get(row.second)
            if first is not None and second is not None:
                pair = (min(first, second), max(first, second))
                self._tried.add(pair)
                self._families.put(*pair, RelationKind(row.kind))
                if row.kind == RelationKind.DAMAGED:
                    self._know_damaged(first, second, relation_from_json(row))

    def _know_damaged(self, first: int, second: int, found: Relation) -> None:
        if found.second_damaged is not None:
            self._damaged.add(second if found.second_damaged else first)

    def look(self, fresh: Sequence[int], progress: Progress) -> None:
        """Hash all new pictures, given by place, before they are compared some at a time."""
        made = hashes(self._library, [self._every.contents[place] for place in fresh], part(progress, 0.0, 0.8))
        self._made = list(self._hashes)
        for place, one in zip(fresh, made, strict=True):
            self._made[place] = one
        self._framed = turned_pairs(self._made, np.array(fresh, np.int64), part(progress, 0.8, 1.0))

    def compare(self, fresh: Sequence[int], progress: Progress) -> None:
        """Compare some new pictures, by place, with all."""
        places = np.array(fresh, np.int64)
        for place in fresh:
            self._hashes[place] = self._made[place]
        with self._searcher.moment() as moment:
            loaded = self._searcher.index(moment, self._index)
            ids = self._every.ids
            within = picture_space(moment.r, loaded, ids)
            reach = self._reach(moment.r, within.name)
            before = reach.distance.copy()
            alike = self._framed.of(places, self._known)
            pictures = CandidatePictures(ids, alike, places, self._old)
            proposed = candidates(moment.r, within, pictures, reach, part(progress, 0.0, 0.4))
        self._known[places] = True
        self._confirm(proposed, reach, part(progress, 0.4, 0.9))
        self._close(frozenset(fresh), part(progress, 0.9, 1.0))
        self._keep()
        self._complete_metadata(frozenset(fresh))
        changed = np.flatnonzero(reach.distance != before)  # NaN equals nothing
        changed = changed[~np.isnan(reach.distance[changed])]
        with self._library.store.writing("comparing photos") as w:
            w.comparisons.put(
                [ComparedRow(self._every.contents[place], self._hashes[place]) for place in fresh], VERSION
            )
            w.comparisons.reached(
                [
                    ReachRow(self._every.contents[place], within.name, float(reach.distance[place]), crowded)
                    for place, crowded in zip(changed.tolist(), reach.crowded[changed].tolist(), strict=True)
                ]
            )

    def _reach(self, r: Transaction, space: str) -> NeighbourReach:
        """Return the known distances of pictures to their neighbours in a space; they are read once."""
        if self._reached is not None and self._reached[0] == space:
            return self._reached[1]
        reach = NeighbourReach(np.full(len(self._every), np.nan), np.zeros(len(self._every), np.bool_))
        for row in r.comparisons.reaches():
            if row.space == space and (place := self._every.places.get(row.content)) is not None:
                reach.distance[place], reach.crowded[place] = row.distance, row.crowded
        self._reached = space, reach
        return reach

    def _confirm(self, proposed: CandidatePairs, reach: NeighbourReach, progress: Progress) -> None:
        """Confirm proposed pairs, the most similar first.

        Of two pictures of one family, only copies are still confirmed: of frames of a still camera, the nearest few.
        """
        families = self._families
        pairs = self._in_turn(proposed, reach)

        def says_more(pair: ProposedPair) -> bool:
            first, second = pair[:2]
            if not families.together(first, second):
                return True
            enough = self._laid[first] >= _COPIES_LAID and self._laid[second] >= _COPIES_LAID
            return not enough and self._apart(first, second) <= _LIKELY_SAME and not families.same(first, second)

        work = _PairWork(pairs, lambda pair: says_more(pair) and pair[:2] not in self._tried)

        def is_wanted(pair: ProposedPair) -> bool:
            wanted = says_more(pair) and self._is_new(pair)
            work.confirmed += wanted
            if wanted and families.together(*pair[:2]):
                self._laid.update(pair[:2])
            return wanted

        def tell(done: int) -> None:
            progress(work.share(done), 1.0, Message("Comparing photos point by point"))

        self._take(self._confirming.in_turn(pairs, is_wanted, lambda pair: families.of(*pair[:2]), tell))

    def _in_turn(self, proposed: CandidatePairs, reach: NeighbourReach) -> list[ProposedPair]:
        """Return the pairs that can tell something, the most similar first.

        Frames of a still camera are all alike: of a crowd, each picture is laid over its nearest only.
        """
        pairs = np.column_stack((proposed.first, proposed.second))
        self._every.read(np.unique(pairs).tolist())
        bits = np.array([self._apart(first, second) for first, second in pairs.tolist()], np.int64)
        order = np.lexsort((-proposed.votes, bits))
        pairs, bits, votes = pairs[order], bits[order], proposed.votes[order]
        seconds = np.array([self._every[one].seconds_from(self._every[other]) or 0.0 for one, other in pairs.tolist()])
        again = seconds > 0
        alike = again & (bits <= _COPIED)
        laid = np.zeros(len(pairs), np.bool_)
        laid[~again] = among_nearest(pairs[~again], MOST_LAID)
        laid[alike] = among_nearest(pairs[alike], _COPIES_LAID)
        reach.crowded[pairs[~again & ~laid]] = True
        series = again & (seconds <= SERIES_SECONDS) & (votes >= SERIES_VOTES)
        return [
            proposed.pair(at)._replace(alike=over)
            for at, over, kept in zip(order.tolist(), laid.tolist(), (laid | series).tolist(), strict=True)
            if kept
        ]

    def _is_new(self, pair: ProposedPair) -> bool:
        """Return whether a pair was not tried before, and record that it is tried now."""
        tried = pair[:2] in self._tried
        self._tried.add(pair[:2])
        return not tried

    def _take(self, confirmed: Iterable[ConfirmedPair]) -> None:
        """Keep the relations of confirmed pairs, and join their families."""
        for pair, found in confirmed:
            if found is not None:
                self._put(self._every[pair.first], self._every[pair.second], found)
                self._families.put(pair.first, pair.second, found.kind)
                self._know_damaged(pair.first, pair.second, found)

    def _apart(self, first: int, second: int) -> int:
        """Return the number of bits in which the hashes of two pictures differ; 64 where one is blank."""
        one, other = self._hashes[first], self._hashes[second]
        if one is None or other is None:
            return 64
        return (int.from_bytes(one, "little") ^ int.from_bytes(other, "little")).bit_count()

    def _close(self, fresh: frozenset[int], progress: Progress) -> None:
        """Confirm each family with a new picture: its copies with each other, all others with its best picture.

        Pictures that this does not confirm, such as the other half of a collage, become a family of their own.
        """
        families = self._families
        self._every.read(place for family in families.all(fresh) for place in family)
        copies = [
            ProposedPair(*both, alike=True) for both in families.unconfirmed_copies(_SMALL_FAMILY, self._stands, fresh)
        ]
        self._take(self._confirming.all(filter(self._is_new, copies)))
        every = families.all(fresh)
        left = [sorted(family, key=lambda place: self._stands(families, place)) for family in every]
        while left:
            progress(len(every) - len(left), len(every), Message("Comparing all of each group"))
            stars = [[ProposedPair(min(one, other), max(one, other)) for other in some] for *some, one in left]
            self._take(self._confirming.all(pair for star in stars for pair in star if self._is_new(pair)))
            left = [
                [other for pair, other in zip(star, family[:-1], strict=True) if not families.confirmed(*pair[:2])]
                for star, family in zip(stars, left, strict=True)
            ]
            left = [family for family in left if len(family) > 1]

    def _complete_metadata(self, fresh: frozenset[int]) -> None:
        """Read what files say of new copies that were added before this was kept: which one stays depends on it."""
        copies = {
            self._every[place].content: self._every[place] for some in self._families.copied(fresh) for place in some
        }
        with self._library.store.reading() as r:
            known = {content for content, note in r.camera_notes.of(copies).items() if note.metadata is not None}
        read: list[CameraNote] = []
        for content in copies.keys() - known:
            with suppress(TwinlensError):
                facts = decoders.ask(FactsTask(file_of(self._library, copies[content])))
                assert facts.metadata is not None
                read.append(CameraNote(content, facts.place, facts.subsecond, facts.metadata.text()))
        if read:
            with self._library.store.writing("reading what files say") as w:
                w.camera_notes.put(read)

    def _stands(self, families: PictureFamilies, place: int) -> Worth:
        """Return the rank of a picture in its family: it is whole, has a date, copies, pixels, a large file."""
        one = self._every[place]
        return (
            place not in self._damaged,
            one.taken is not None,
            families.copies(place),
            one.size[0] * one.size[1],
            one.bytes,
        )

    def _put(self, one: ComparedContent, other: ComparedContent, found: Relation) -> None:
        if one.content > other.content:
            one, other, found = other, one, found.turned_around()
        self._found.append(RelatedRow(one.content, other.content, found.kind.value, relation_to_json(found)))
        if time.monotonic() - self._written > _WRITE_S:
            self._keep()

    def _keep(self) -> None:
        if self._found:
            with self._library.store.writing("comparing photos") as w:
                w.comparisons.relate(self._found)
        self._found.clear()
        self._written = time.monotonic()


_SAMPLED = 400  # pairs by which those that are still wanted are estimated
_SAMPLED_EVERY_S = 1.0


class _PairWork:
    """The work of confirming pairs, most of which are no longer wanted when it is their turn, and then cost nothing.

    Parameters
    ----------
    still_wanted : callable
        Whether a pair would be confirmed if it were its turn now.
    """

    def __init__(self, pairs: Sequence[ProposedPair], still_wanted: Callable[[ProposedPair], bool]) -> None:
        self._pairs, self._still_wanted = pairs, still_wanted
        self._left, self._sampled_at = float(len(pairs)), -math.inf
        self._share = 0.0
        self.confirmed = 0

    def share(self, done: int) -> float:
        """Return the share of the work that is done with the first pairs, which never falls."""
        now = time.monotonic()
        if now - self._sampled_at >= _SAMPLED_EVERY_S:
            self._sampled_at, rest = now, len(self._pairs) - done
            some = range(done, len(self._pairs), max(1, rest // _SAMPLED))
            wanted = sum(self._still_wanted(self._pairs[place]) for place in some)
            self._left = rest * wanted / max(1, len(some))
        self._share = max(self._share, self.confirmed / max(1.0, self.confirmed + self._left))
        return self._share


WORTH_IT = 100
"""New pictures from which on another process is started; starting it takes as long as comparing so many."""


def compare_in_process(library: Library, progress: Progress = silent, worth_it: int = WORTH_IT) -> int:
    """Compare what is new in a library with everything, in a process of its own if there is much.

    Parameters
    ----------
    progress : Progress
        May raise ``Cancelled``: that ends the process at once, and what was found is kept.
    worth_it : int
        New pictures from which on another process compares them.

    Returns
    -------
    int
        How many pictures were new.

    Raises
    ------
    TwinlensError
        If the process ends by itself.
    """
    if waiting_pictures(library) < worth_it:
        return compare_pictures(library, progress=progress)
    compared: int = run_in_process(library.address, _Compare(), progress)
    return compared


@dataclass(frozen=True)
class _Compare:
    def __call__(self, library: Library, progress: Progress, tell: Callable[[Any], None], /) -> int:
        return compare_pictures(library, progress=progress)


def has_begun(library: Library) -> bool:
    """Return whether pictures of a library were compared at all."""
    with library.store.reading() as r:
        return r.comparisons.begun(VERSION)


def waiting_pictures(library: Library) -> int:
    """Count the pictures of a library that were not compared with all others yet, or can be reached again for it."""
    with library.store.reading() as r:
        again = {one for pair in _reached_again(library, r) for one in pair}
        return r.comparisons.waiting(VERSION, KEYPOINTS_VERSION) + len(again)


def _reached_again(library: Library, r: Transaction) -> list[tuple[bytes, bytes]]:
    """Return the pairs whose files could not both be reached when they were compared, and can be now."""
    pairs = [(row.first, row.second) for row in r.comparisons.of_kind(RelationKind.UNREACHED)]
    there = reached(library, r, {one for pair in pairs for one in pair})
    return [pair for pair in pairs if there.keys() >= set(pair)]


def relation_to_json(found: Relation) -> str:
    """Write a relation as JSON, with as many digits as are significant."""
    values = {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in asdict(found).items()
        if name not in ("kind", "places")
    }
    return json.dumps(values | {"places": [round(value, 6) for value in found.places]}, sort_keys=True)


def relation_from_json(row: RelatedRow) -> Relation:
    """Read a relation back from its row."""
    values = json.loads(row.facts)
    listed = {name: tuple(values[name]) for name in ("places", "frames") if name in values}
    return Relation(**values | listed | {"kind": RelationKind(row.kind)})


Worth = tuple[bool, bool, int, int, int]
"""The rank of a picture in its family: the larger one stands for it."""

_BEST = 4


class PictureFamilies:
    """Families of pictures, given by place and joined by confirmed relations."""

    def __init__(self) -> None:
        self._family = DisjointSets[int]()
        self._picture = DisjointSets[int]()
        self._copies: Counter[int] = Counter()
        self._confirmed: set[tuple[int, int]] = set()

    def put(self, first: int, second: int, kind: RelationKind) -> None:
        """Join two pictures, if they are one or one was made from the other."""
        if kind not in (RelationKind.SAME, RelationKind.LIKELY, RelationKind.EDITED, RelationKind.DAMAGED):
            return
        self._confirmed.add((first, second))
        self._family.join(first, second)
        if kind is RelationKind.SAME and not self.same(first, second):
            together = self.copies(first) + self.copies(second)
            self._picture.join(first, second)
            self._copies[self._picture.head(first)] = together

    def together(self, first: int, second: int) -> bool:
        """Return whether two pictures belong to one family."""
        return self._family.head(first) == self._family.head(second)

    def of(self, first: int, second: int) -> set[int]:
        """Return the families of two pictures, each by its lowest picture."""
        return {self._family.head(first), self._family.head(second)}

    def same(self, first: int, second: int) -> bool:
        """Return whether two are copies of one picture, as far as is known."""
        return self._picture.head(first) == self._picture.head(second)

    def copies(self, place: int) -> int:
        """Count the copies of a picture, itself with them."""
        return max(1, self._copies[self._picture.head(place)])

    def all(self, fresh: frozenset[int]) -> list[list[int]]:
        """Return the families of more than two with a new picture, each in the order of places."""
        return [some for some in self._family.all() if len(some) > 2 and not fresh.isdisjoint(some)]

    def copied(self, fresh: frozenset[int]) -> list[list[int]]:
        """Return the copies of each picture that has some, of those with a new one, in the order of places."""
        return [some for some in self._picture.all() if not fresh.isdisjoint(some)]

    def confirmed(self, first: int, second: int) -> bool:
        """Return whether two pictures, the lower place first, were confirmed with each other."""
        return (first, second) in self._confirmed

    def unconfirmed_copies(
        self, small: int, worth: Callable[[PictureFamilies, int], Worth], fresh: frozenset[int]
    ) -> list[tuple[int, int]]:
        """Return the pairs of copies, some of them new, that were not confirmed.

        Of a few copies these are all, of more those with the best ones.
        """
        found = []
        for some in self.copied(fresh):
            best = sorted(some, key=lambda place: worth(self, place), reverse=True)
            with_all = some if len(some) <= small else best[:_BEST]
            pairs = {(min(one, other), max(one, other)) for one in with_all for other in some if one != other}
            found += sorted(pairs - self._confirmed)
        return found
