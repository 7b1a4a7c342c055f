"""What the advisor asks, and what is right: edited copies, marks, pairs that a person names, or exact neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.bench.tables import drawn
from app.evaluate.edited_copies import Copy, Draw
from app.evaluate.evaluation import chosen_edits
from app.library.library import Library
from app.library.pace import cores
from app.marks.marked_pictures import Named, Pictures
from core.errors import TwinlensError
from core.message import Message, verbatim
from features.descriptor import Extractor
from storage.batches import pieces
from storage.descriptors import KindRow
from storage.transaction import Transaction

EDITS, MARKS, NEIGHBOURS, PAIRS = "edits", "marks", "neighbours", "pairs"
TRUTHS = (EDITS, MARKS, NEIGHBOURS)

_FEWEST = 10
"""Questions, whatever time there is."""

_FEWEST_EDITS = 5
"""Ways in which each photograph is edited, at least."""

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class NamedPairs:
    """Pairs of photographs, by id or path, that a person names.

    Attributes
    ----------
    match, differ : tuple of (int or Path, int or Path)
        Those that should match, and those that should not.
    """

    match: tuple[tuple[int | Path, int | Path], ...] = ()
    differ: tuple[tuple[int | Path, int | Path], ...] = ()


@dataclass(frozen=True, eq=False)
class Asked:
    """One question.

    Attributes
    ----------
    vectors : dict of int to ndarray of float32, (d,)
        What is asked with, by the id of the kind of descriptor.
    right : frozenset of int
        Photographs that should be found.
    wrong : frozenset of int
        Photographs that should not.
    beside : frozenset of int
        Photographs that are no answer: the one that asks, and what a copy shows besides.
    any_right : bool
        Whether one of the right ones is enough, as for equal files.
    """

    vectors: dict[int, Vector]
    right: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    beside: frozenset[int] = frozenset()
    any_right: bool = False


@dataclass
class Questions:
    """What is asked, and what that means.

    Attributes
    ----------
    truth, meaning : str
    asked : list of Asked
        In an order such that a beginning of it is a fair draw.
    notes : list of str
    """

    truth: str
    meaning: str
    asked: list[Asked] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def edited_questions(
    library: Library, extractors: dict[int, tuple[KindRow, Extractor]], photographs: int, seed: int,
    more: Callable[[int, int], bool], share: Callable[[], float],
) -> Questions:  # fmt: skip
    """Describe edited copies of some photographs, as ``evaluate`` makes them; each copy is made and read once.

    Parameters
    ----------
    library : Library
    extractors : dict
        What describes them, by the kind's id.
    photographs : int
        At most.
    seed : int
    more : callable
        Asked before each photograph, with the numbers that are done and wanted, whether there is time for it.
    share : callable
        Gives the share of the time for this that is spent.
    """
    found = Questions(EDITS, "the photograph that was edited")
    edits = chosen_edits(())
    count = 0

    def look() -> None:
        if not more(count, wanted) and not 0 < len(found.asked) < _FEWEST:
            raise _TimeIsOverError

    wanted = photographs
    draw = Draw(library, None, seed, look)
    wanted = min(photographs, len(draw.contents))

    def describe(copy: Copy) -> Asked:
        picture = copy.picture()
        vectors = {
            key: extractor.extract(picture).astype(kind.stored()).astype(np.float32)
            for key, (kind, extractor) in extractors.items()
        }
        return Asked(vectors, copy.right, beside=copy.beside, any_right=True)

    began, skipped = share(), False

    def picked(copies: Iterator[Copy]) -> Iterator[Copy]:
        """Leave edits out, others of each photograph, where there is no time for all: many photographs tell more."""
        nonlocal skipped
        first = count * _FEWEST_EDITS
        for number, copy in enumerate(copies):
            done, now = len(found.asked), share()
            room = max(0.0, 1 - now) * done / max(now - began, 1e-9) / (wanted - count)
            if done < _FEWEST or (number - first) % len(edits) < max(_FEWEST_EDITS, room):
                yield copy
            else:
                skipped = True

    # Keypoints take most of the time, in code that leaves other threads alone.
    with ThreadPoolExecutor(cores(), thread_name_prefix="describe") as pool:
        try:
            for copies in draw.copies(edits, wanted):
                for some in _some(picked(copies), 2 * cores()):
                    more(count, wanted)
                    found.asked += pool.map(describe, some)
                count += 1
                if not more(count, wanted):
                    break
        except _TimeIsOverError:
            pass
    if draw.unreadable:
        found.notes.append(f"{draw.unreadable:,} photographs that were drawn cannot be read now.")
    if found.asked and count < wanted:
        found.notes.append(f"There was time to edit copies of {max(1, count):,} of {wanted:,} photographs.")
    if skipped:
        found.notes.append("There was no time to edit every photograph in every way: each was edited in some ways.")
    # The copies of one photograph stand together; a beginning shall have many photographs, and all edits.
    found.asked = [found.asked[i] for i in np.random.default_rng(seed).permutation(len(found.asked)).tolist()]
    return found


class _TimeIsOverError(Exception):
    """No further file is opened: there may be thousands that cannot be read."""


def _some(copies: Iterator[Copy], count: int) -> Iterator[list[Copy]]:
    """Yield copies by the handful: all of one photograph would fill the memory."""
    while some := list(islice(copies, count)):
        yield some


def marked_questions(r: Transaction, kinds: Sequence[KindRow], seed: int) -> Questions:
    """Ask with what is marked: similar photographs are to be found, different ones not."""
    contradicted = r.marks.contradicted()
    pairs = [
        ((mark.first, mark.second), mark.similar) for mark in r.marks.all() if mark.pair not in contradicted
    ]  # fmt: skip
    if not pairs:
        raise TwinlensError(
            Message("No photographs are marked yet."), Message("Mark some with `twinlens mark A B --similar`.")
        )
    ids: dict[bytes, list[int]] = {}
    every, hashes = r.photographs.contents(r.descriptors.ids(kinds[0]))
    for one, content in zip(every.tolist(), hashes, strict=True):
        ids.setdefault(content, []).append(one)
    known = [(ids[a], ids[b], similar) for (a, b), similar in pairs if a in ids and b in ids]
    return _of_pairs(r, kinds, known, Questions(MARKS, "what is marked as similar"), seed)


def named_questions(
    library: Library, r: Transaction, kinds: Sequence[KindRow], pairs: NamedPairs, seed: int
) -> Questions:
    """Ask with the pairs that a person names."""
    pictures = Pictures(library, r)
    known = []
    for some, similar in ((pairs.match, True), (pairs.differ, False)):
        for pair in some:
            pictures.expect(one for one in pair if isinstance(one, int))
            first, second = (pictures.find(one) for one in pair)
            for one in (first, second):
                if isinstance(one, str):
                    raise TwinlensError(verbatim(one), Message("Name photographs of the library, by path or as #12."))
            assert isinstance(first, Named)
            assert isinstance(second, Named)
            known.append(([first.id], [second.id], similar))
    return _of_pairs(r, kinds, known, Questions(PAIRS, "what you say should match"), seed)


def find_pairs(
    library: Library, pairs: Sequence[tuple[int | Path, int | Path, bool]]
) -> tuple[list[tuple[int, int, bool]], str]:
    """Find photographs of the library two by two; what is not found is left out, and a sentence says why."""
    found: list[tuple[int, int, bool]] = []
    fault = ""
    with library.store.reading() as r:
        pictures = Pictures(library, r)
        for first, second, match in pairs:
            one, other = pictures.find(first), pictures.find(second)
            if isinstance(one, Named) and isinstance(other, Named):
                found.append((one.id, other.id, match))
            else:
                fault = one if isinstance(one, str) else str(other)
    return found, fault


def _of_pairs(
    r: Transaction, kinds: Sequence[KindRow], pairs: Sequence[tuple[list[int], list[int], bool]], found: Questions,
    seed: int,
) -> Questions:  # fmt: skip
    """Let each photograph of a pair ask for the other."""
    right: dict[int, set[int]] = {}
    wrong: dict[int, set[int]] = {}
    same: dict[int, set[int]] = {}
    for first, second, similar in pairs:
        for asking, other in ((first, second), (second, first)):
            (right if similar else wrong).setdefault(asking[0], set()).update(other)
            same.setdefault(asking[0], set()).update(asking)
    askers = sorted(same)
    vectors = _vectors(r, kinds, askers)
    for one in askers:
        if one in vectors:
            sets = (right.get(one, set()), wrong.get(one, set()) - right.get(one, set()), same[one])
            good, bad, own = (frozenset(some) for some in sets)
            found.asked.append(Asked(vectors[one], good - own, bad - own, own))
    found.asked = [found.asked[i] for i in np.random.default_rng(seed).permutation(len(found.asked)).tolist()]
    if not any(one.right for one in found.asked):
        raise TwinlensError(
            Message("No pair says what should match, so that nothing could be found."),
            Message("Name one with --match A B, or mark some with `twinlens mark A B --similar`."),
        )
    return found


def neighbour_questions(r: Transaction, kinds: Sequence[KindRow], count: int, seed: int) -> Questions:
    """Ask with photographs of the library: right is what exact search finds."""
    every = r.descriptors.ids(kinds[0])
    for kind in kinds[1:]:
        every = np.intersect1d(every, r.descriptors.ids(kind))
    # The photographs that bench and the Lab ask with, so that the figures are theirs; the order is for beginnings.
    chosen = np.random.default_rng(seed).permutation(every[drawn(len(every), count)]).tolist()
    vectors = _vectors(r, kinds, chosen)
    found = Questions(NEIGHBOURS, "the first 10 that exact search finds")
    found.asked = [Asked(vectors[one], beside=frozenset([one])) for one in chosen if one in vectors]
    return found


def _vectors(r: Transaction, kinds: Sequence[KindRow], ids: Sequence[int]) -> dict[int, dict[int, Vector]]:
    """Read the vectors of photographs: of those that have all of the kinds."""
    found: dict[int, dict[int, Vector]] = {}
    for kind in kinds:
        for some in pieces(list(ids)):
            array = np.asarray(some, np.int64)
            order = np.sort(array)
            rows, present = r.descriptors.read(kind, order)
            for one, row, there in zip(order.tolist(), rows, present.tolist(), strict=True):
                if there:
                    found.setdefault(one, {})[kind.id] = row.astype(np.float32)
    return {one: vectors for one, vectors in found.items() if len(vectors) == len(kinds)}
