"""Queries of an advice with their relevant photographs: edited copies, marks, named pairs, or exact neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from twinlens.app.evaluate.edited_copies import Content, Copy, PhotographOrder, copies_left_out
from twinlens.app.evaluate.evaluation import chosen_edits
from twinlens.app.lab.advice.advice_settings import EDITS, MARKS, NEIGHBOURS, PAIRS, NamedPairs
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import MarkedPictures, NamedPicture
from twinlens.app.methods import catalogue
from twinlens.app.search.describing import Describer
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.evaluation.judgement import QueryTruth
from twinlens.core.evaluation.measurement import DataFacts, MeasuredStep, StepStore, step_key
from twinlens.core.evaluation.tables import draw_queries
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress
from twinlens.core.sampling import digest_of_sample
from twinlens.core.systems import system
from twinlens.core.tuning.attempts import SecondsBudget
from twinlens.features.descriptor import Extractor
from twinlens.features.pictures.edits import Edit
from twinlens.features.reading.reading_limits import UnreadableError
from twinlens.storage.database.dialect import pieces
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

_FEWEST = 10
"""Fewest queries, however little time there is."""

_EACH = 5
"""Edits of each photograph before others of it have their turn."""

_FEW = 40
"""Copies that are enough for more time to make no others, up to `_WORTH` times as much."""

_WORTH = 4
_AGAIN = 0.6  # share of the time in which as many copies as before are made
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class AdviceQuery(QueryTruth):
    """One query: vectors by the id of their kind of descriptor, and the ids of its relevant photographs."""

    vectors: dict[int, Vector] = field(default_factory=dict)


@dataclass
class AdviceQueries:
    """Queries in random order, so that any first part is a fair sample, with the meaning of a relevant result."""

    truth: str
    meaning: Message
    queries: list[AdviceQuery] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class EditingTime:
    """Time for editing photographs, a share of a budget; a store remembers how many copies it sufficed for."""

    budget: SecondsBudget
    share: float
    progress: Progress
    store: StepStore

    def has_more(self, done: int, of: int) -> bool:
        """Return whether there is time for another copy."""
        editing = Message("Editing photo {done} of {of}", done=min(done + 1, of), of=of)
        self.progress(min(1.0, self.budget.spent()), 1.0, editing)
        return self.budget.spent() < self.share

    def copies(self, key: str) -> int | None:
        """Return how many copies were made with about as much time; None if others should be made now."""
        known = self.store.kept([key]).get(key)
        if known is None:
            return None
        more = self.budget.seconds / known.seconds
        return known.facts.queries if 0.8 <= more <= (_WORTH if known.facts.queries >= _FEW else 1.25) else None

    def keep(self, key: str, copies: int) -> None:
        """Remember how many copies there was time for."""
        self.store.keep(MeasuredStep(key, Figures(), DataFacts("", 0, 0, copies, EDITS), 0.0, "", self.budget.seconds))


def edited_queries(
    library: Library, extractors: dict[int, tuple[KindRow, Extractor]], photographs: int, seed: int, time: EditingTime
) -> AdviceQueries:
    """Describe edited copies of some photographs, made as in ``evaluate``, by extractors under the ids of their kinds.

    As many are made as there is time for; the next advice with about as much time makes the same, so that what it
    measured stands.
    """
    found, edits = AdviceQueries(EDITS, Message("the photo that was edited")), chosen_edits(())
    edited: set[bytes] = set()

    def look() -> None:
        if not time.has_more(len(edited), photographs) and not 0 < len(found.queries) < _FEWEST:
            raise _TimeIsOverError

    describer = Describer(
        {kind.key: (catalogue.descriptor(kind.text), extractor) for kind, extractor in extractors.values()}
    )

    def describe(copy: Copy) -> AdviceQuery | None:
        try:
            by_key = describer.vectors(copy.editing)
        except UnreadableError:
            return None
        vectors = {one: kind.rounded(by_key[kind.key]).astype(np.float32) for one, (kind, _) in extractors.items()}
        return AdviceQuery(copy.right, beside=copy.beside, any_right=True, vectors=vectors)

    draw = PhotographOrder(library, None, seed, look)
    wanted = min(photographs, len(draw.contents))
    about = {"photographs": digest_of_sample([one.hash for one in draw.contents]).hex(), "seed": seed, "of": wanted}
    key = step_key([*(kind.key for kind, _ in extractors.values()), *(edit.name for edit in edits)], about)
    most = time.copies(key)
    if most is not None:
        time = replace(time, share=max(time.share, _AGAIN))
    copies = islice(_copies(draw, edits, wanted, edited), most)
    tried, context = 0, copy_context()
    with ThreadPoolExecutor(system.processors(), thread_name_prefix="describe") as pool, suppress(_TimeIsOverError):
        while time.has_more(len(edited), wanted) or len(found.queries) < _FEWEST:
            some = list(islice(copies, 2 * system.processors()))  # all would fill the memory
            described = pool.map(lambda copy: context.copy().run(describe, copy), some)
            found.queries += [one for one in described if one is not None]
            tried += len(some)
            if not some:
                break
    if draw.unreadable:
        found.notes.append(
            counted(
                "{count} of the chosen photos cannot be read now.",
                "{count} of the chosen photos cannot be read now.",
                draw.unreadable,
            )
        )
    if tried > len(found.queries):
        found.notes.append(copies_left_out(tried - len(found.queries)))
    if 0 < len(edited) < wanted - draw.unreadable:
        few = Message("There was time to edit {edited} of {wanted} photos.", edited=len(edited), wanted=wanted)
        found.notes.append(few)
    if 0 < tried < len(edited) * len(edits):
        found.notes.append(Message("There was no time for all edits of every photo, so each was edited in some ways."))
    if most is None and found.queries:
        time.keep(key, tried)
    # The copies of one photograph stand together; a beginning shall have many photographs, and all edits.
    found.queries = [found.queries[i] for i in np.random.default_rng(seed).permutation(len(found.queries)).tolist()]
    return found


class _TimeIsOverError(Exception):
    """The time for editing has run out, even if thousands of files were unreadable."""


def _copies(draw: PhotographOrder, edits: Sequence[Edit], photographs: int, edited: set[bytes]) -> Iterator[Copy]:
    """Yield a few edits of each photograph, then the others: photographs are more informative than edits of one."""
    known: list[Content] = []
    for turn in range(0, len(edits), _EACH):
        for number, content in enumerate(known if turn else draw.drawn(photographs)):
            if not turn:
                known.append(content)
                edited.add(content.hash)
            for place in range(turn, min(turn + _EACH, len(edits))):
                yield draw.copy(content, edits[(_EACH * number + place) % len(edits)])


def marked_queries(r: Transaction, kinds: Sequence[KindRow], seed: int) -> AdviceQueries:
    """Return queries from marks: similar photographs should be found, different ones not."""
    contradicted = r.marks.contradicted()
    pairs = [
        ((mark.first, mark.second), mark.similar) for mark in r.marks.all() if mark.pair not in contradicted
    ]  # fmt: skip
    if not pairs:
        raise TwinlensError("No photos are marked yet.", Remedy("mark pairs"))
    ids: dict[bytes, list[int]] = {}
    every, hashes = r.photographs.contents(r.descriptors.ids(kinds[0]))
    for one, content in zip(every.tolist(), hashes, strict=True):
        ids.setdefault(content, []).append(one)
    known = [(ids[a], ids[b], similar) for (a, b), similar in pairs if a in ids and b in ids]
    return _of_pairs(r, kinds, known, AdviceQueries(MARKS, Message("a photo marked as similar")), seed)


def named_queries(
    library: Library, r: Transaction, kinds: Sequence[KindRow], pairs: NamedPairs, seed: int
) -> AdviceQueries:
    """Return queries from named pairs."""
    pictures = MarkedPictures(library, r)
    known = []
    for some, similar in ((pairs.match, True), (pairs.differ, False)):
        for pair in some:
            pictures.expect(one for one in pair if isinstance(one, int))
            ids = []
            for one in map(pictures.find, pair):
                if not isinstance(one, NamedPicture):
                    raise TwinlensError(one, "Name photos of the library, by path or by number as in #12.")
                ids.append([one.id])
            known.append((ids[0], ids[1], similar))
    return _of_pairs(r, kinds, known, AdviceQueries(PAIRS, Message("a photo that should match")), seed)


def find_pairs(
    library: Library, pairs: Sequence[tuple[int | Path, int | Path, bool]]
) -> tuple[list[tuple[int, int, bool]], str]:
    """Find pairs of photographs in the library; also return why one was not found, empty if all were."""
    found: list[tuple[int, int, bool]] = []
    fault = ""
    with library.store.reading() as r:
        pictures = MarkedPictures(library, r)
        for first, second, match in pairs:
            one, other = pictures.find(first), pictures.find(second)
            if isinstance(one, NamedPicture) and isinstance(other, NamedPicture):
                found.append((one.id, other.id, match))
            else:
                fault = one if isinstance(one, str) else str(other)
    return found, fault


def _of_pairs(
    r: Transaction, kinds: Sequence[KindRow], pairs: Sequence[tuple[list[int], list[int], bool]], found: AdviceQueries,
    seed: int,
) -> AdviceQueries:  # fmt: skip
    """Add each photograph of a pair as a query for the other."""
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
            found.queries.append(AdviceQuery(good - own, bad - own, own, vectors=vectors[one]))
    found.queries = [found.queries[i] for i in np.random.default_rng(seed).permutation(len(found.queries)).tolist()]
    if not any(one.right for one in found.queries):
        raise TwinlensError("No pair of photos should match, so there is nothing to find.", Remedy("mark pairs"))
    return found


def neighbour_queries(r: Transaction, kinds: Sequence[KindRow], count: int, seed: int) -> AdviceQueries:
    """Return photographs of the library as queries, with their exact results as the relevant ones."""
    every = r.descriptors.ids(kinds[0])
    for kind in kinds[1:]:
        every = np.intersect1d(every, r.descriptors.ids(kind))
    # The same queries as in bench and the Lab, so figures agree; shuffled, so that any first part is a fair sample.
    chosen = np.random.default_rng(seed).permutation(every[draw_queries(len(every), count)]).tolist()
    vectors = _vectors(r, kinds, chosen)
    found = AdviceQueries(NEIGHBOURS, Message("one of the first 10 exact results"))
    found.queries = [AdviceQuery(beside=frozenset([one]), vectors=vectors[one]) for one in chosen if one in vectors]
    return found


def _vectors(r: Transaction, kinds: Sequence[KindRow], ids: Sequence[int]) -> dict[int, dict[int, Vector]]:
    """Read the vectors of the photographs that have every kind of descriptor."""
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
