"""Duplicates of a library: new pictures are compared, and groups made by the person's rules.

:func:`find_duplicates` compares and lists, :func:`known_duplicates` groups what was compared so far, and
:func:`proposed` plans to move away what the rules let go.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from twinlens.app.disposal.disposal_plan import DisposalChoice, DisposalPlan, plan_disposal
from twinlens.app.disposal.move_log import settle_if_possible
from twinlens.app.duplicates.comparing.candidates import MOST_LAID, NEIGHBOURS
from twinlens.app.duplicates.comparing.comparison import compare_pictures, relation_from_json
from twinlens.app.duplicates.comparing.picture_space import ALL_MEASURED
from twinlens.app.duplicates.decisions import fates, likely_copies, stays
from twinlens.app.duplicates.duplicate_results import DuplicateGroup, DuplicatesResult
from twinlens.app.duplicates.grouping import (
    NOTHING_KNOWN,
    Component,
    KnownRelations,
    Pair,
    by_copies,
    components,
    group,
    only_in,
    with_companions,
)
from twinlens.app.duplicates.groups import (
    ALL_GROUPS,
    DuplicateKind,
    DuplicatesQuery,
    GroupFilter,
    GroupMember,
    PhotoGroup,
)
from twinlens.app.duplicates.keeper_rules import Fate, KeeperCandidate, KeeperRules, saved_rules, stem
from twinlens.app.library import volumes
from twinlens.app.library.library import Library
from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress, part, silent
from twinlens.features.copies import RelationKind
from twinlens.features.pictures.picture import FILM, Metadata
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction

T = TypeVar("T")
_TELL_EVERY = 1_000  # rows between two calls of progress
_NAMED = 5  # pairs that could not be compared
_FAILED = (RelationKind.NOT_COMPARED, RelationKind.UNREACHED)


@dataclass(frozen=True)
class Duplicates:
    """All groups of a library.

    Attributes
    ----------
    of, missing : int
        Photographs of the library whose files are there, and those whose files are not.
    bounds : tuple of Message
        Limits of the comparison; empty where none was reached.
    failed : tuple of (bytes, bytes)
        The paths of each pair that could not be compared.
    decided : KnownRelations
        The decisions of the person.
    parts : tuple of (Component, tuple of PhotoGroup)
        The components of the library, and the groups of each.
    """

    groups: tuple[PhotoGroup, ...]
    rules: KeeperRules
    of: int
    bounds: tuple[Message, ...] = ()
    decided: KnownRelations = NOTHING_KNOWN
    parts: tuple[tuple[Component, tuple[PhotoGroup, ...]], ...] = ()
    missing: int = 0
    failed: tuple[tuple[bytes, bytes], ...] = ()

    def passing(self, wanted: GroupFilter) -> list[PhotoGroup]:
        """Return the groups that pass a filter."""
        return [one for one in self.groups if wanted.passes(one)]

    @property
    def going(self) -> tuple[GroupMember, ...]:
        """The photographs that are proposed to go."""
        return tuple(one for each in self.groups for one in each.going)

    @property
    def bytes(self) -> int:
        """The bytes of the files that are proposed to go."""
        return sum(one.photograph.bytes for one in self.going)

    @property
    def undecided(self) -> int:
        """Count the groups in which nothing tells which copy to keep."""
        return sum(one.undecided for one in self.groups)


def find_duplicates(
    library: Library, query: DuplicatesQuery = ALL_GROUPS, progress: Progress = silent
) -> DuplicatesResult:
    """Compare what is new in a library, and list its groups of duplicates.

    Raises
    ------
    TwinlensError
        If the library has no photographs, or none in a folder that is named, or there is no such index.
    """
    started = time.perf_counter()
    _check_folders(library, query)
    settle_if_possible(library)
    compared = compare_pictures(library, query.index, part(progress, 0.0, 0.95))
    found = known_duplicates(library, query.rules, part(progress, 0.95, 1.0))
    if not found.of:
        none = TwinlensError("The library has no photos yet.", Remedy("add folder"))
        raise volumes.nothing_readable() if found.missing else none
    made = result_of(found, found.passing(query), query.kinds)
    return made.model_copy(update={"compared": compared, "seconds": time.perf_counter() - started})


def known_duplicates(
    library: Library,
    rules: KeeperRules | None = None,
    progress: Progress = silent,
    before: Duplicates | None = None,
) -> Duplicates:
    """Make groups of what has been compared so far.

    Parameters
    ----------
    rules : KeeperRules, optional
        By default those of the library.
    progress : Progress
        May raise ``Cancelled``.
    before : Duplicates, optional
        Groups that were made earlier; those of which nothing has changed stay the same objects.

    Raises
    ------
    TwinlensError
        If the given rules name a folder in which no photograph lies.
    """
    given = rules is not None
    with library.store.reading() as r:
        rules = saved_rules(r) if rules is None else rules
        rows = r.comparisons.related()
        known = {
            (row.first, row.second): relation_from_json(row) for row in _each(rows, len(rows), part(progress, 0.0, 0.1))
        }
        progress(0.1, 1, Message("Making groups"))
        ids = _may_be_grouped(r, {content for pair in known for content in pair})
        photographs = _candidates(library, r, ids, part(progress, 0.2, 0.5))
        decided = _decided(r)
        count, crowded = r.photographs.counts(), r.comparisons.crowded()
        pictures = r.photographs.contents_count(ALL_MEASURED + 1)
        if given and (rules.preferred or rules.last):
            rules.check_folders(_folders(library, r))
    failed = {pair for pair, found in known.items() if found.kind in _FAILED}
    every = components(photographs, {pair: found for pair, found in known.items() if pair not in failed})
    bounds, paths = _bounds(pictures, crowded), _paths_of(photographs, failed)
    every = with_companions(every, part(progress, 0.5, 0.9))
    some = _each(every, len(every), part(progress, 0.9, 1.0))
    parts = tuple(_kept_parts(some, decided, rules, before))
    there, missing = count[PhotographState.READY], count[PhotographState.MISSING]
    return Duplicates(_all_of(parts), rules, there, bounds, decided, parts, missing, paths)


def _may_be_grouped(r: Transaction, contents: Collection[bytes]) -> Int64Ids:
    """Return the photographs of related or repeated contents, and those beside a RAW of the same name, ascending."""
    ids = r.photographs.related(contents)
    raws = set(r.photographs.of_format("RAW").tolist())
    if not raws:
        return ids
    namesakes: dict[tuple[int, bytes, str], list[int]] = defaultdict(list)
    for photograph, volume, path in r.photographs.places():
        namesakes[volume, path.rpartition(b"/")[0], stem(path).casefold()].append(photograph)
    beside = [one for some in namesakes.values() if not raws.isdisjoint(some) for one in some]
    return np.union1d(ids, np.array(beside, np.int64))


def _folders(library: Library, r: Transaction) -> set[bytes]:
    """Return the folders in which photographs lie."""
    known = library.volumes(r)
    folders = {(volume, path.rpartition(b"/")[0]) for _, volume, path in r.photographs.places()}
    return {volumes.locate(known[volume], folder) for volume, folder in folders}


def _check_folders(library: Library, query: DuplicatesQuery) -> None:
    """Refuse a folder in which no photograph lies: that nothing of it has a duplicate would say nothing."""
    wanted = [volumes.full_path(one) for one in (query.folder, query.also_in) if one is not None]
    if wanted:
        with library.store.reading() as r:
            folders = _folders(library, r)
        for folder in wanted:
            if not any(volumes.is_in(one, folder) for one in folders):
                raise none_in(folder)


def none_in(folder: bytes) -> TwinlensError:
    """Return the error that no photograph of the library lies in a folder, given by its full path."""
    return TwinlensError(
        "No photo of the library lies in {folder}.", "Name a folder of the library.", folder=shown(folder)
    )


def _candidates(library: Library, r: Transaction, ids: Int64Ids, progress: Progress) -> list[KeeperCandidate]:
    """List the photographs that can be kept or let go."""
    staying, made = set(ids[stays(r, ids)].tolist()), []
    for start in range(0, len(ids), _TELL_EVERY):
        progress(start, len(ids), Message("Making groups"))
        rows = r.photographs.by_id(ids[start : start + _TELL_EVERY])
        contents = {row.content_hash for row in rows if row.content_hash is not None}
        notes = r.camera_notes.of(contents)
        own = {content: len(json.loads(text)) for content, text in r.own_notes.of(contents).items()}
        made += [
            KeeperCandidate(
                row.id,
                row.content_hash,
                path,
                row.width or 0,
                row.height or 0,
                row.size,
                row.format or "",
                row.noted,
                row.camera,
                row.mtime_ns,
                row.id in staying or row.format == FILM,
                note.place if (note := notes.get(row.content_hash)) is not None else None,
                metadata=(
                    metadata := None if note is None or note.metadata is None else Metadata.of_text(note.metadata)
                ),
                damaged=metadata is not None and metadata.lacking > 0,
                own=own.get(row.content_hash, 0),
            )
            for row, path in zip(rows, library.paths(r, rows), strict=True)
            if row.content_hash is not None
        ]
    return made


def _each(every: Iterable[T], of: int, progress: Progress) -> Iterator[T]:
    """Yield the items, and report progress."""
    for at, one in enumerate(every):
        if at % _TELL_EVERY == 0:
            progress(at, of, Message("Making groups"))
        yield one


def _decided(r: Transaction) -> KnownRelations:
    return KnownRelations({}, {(row.first, row.second) for row in r.comparisons.refused()}, fates(r))


def _bounds(pictures: int, crowded: int) -> tuple[Message, ...]:
    """Describe the limits of the comparison, by the numbers of pictures and of those with too many neighbours."""
    made = []
    if pictures > ALL_MEASURED:
        made.append(
            Message(
                "Each photo is compared with the {count} most similar ones, and with more where all of these match.",
                count=NEIGHBOURS,
            )
        )
    if crowded:
        made.append(
            counted(
                "{count} photo has more than {most} similar ones. It was compared with the nearest only.",
                "{count} photos have more than {most} similar ones. They were compared with the nearest only.",
                crowded,
                most=MOST_LAID,
            )
        )
    return tuple(made)


def _paths_of(photographs: Sequence[KeeperCandidate], pairs: Collection[Pair]) -> tuple[tuple[bytes, bytes], ...]:
    """Return the paths of pairs of contents, in their order."""
    paths: dict[bytes, bytes] = {}
    for one in photographs:
        paths.setdefault(one.content, one.path)
    return tuple(sorted((paths[one], paths[other]) for one, other in pairs if one in paths and other in paths))


def _not_compared(pairs: Sequence[tuple[bytes, bytes]]) -> list[Message]:
    """Describe the pairs whose comparison failed, the first few by name."""
    made = [
        Message(
            "{first} and {second} could not be compared: one of them cannot be read now, or it took too long.",
            first=shown(one),
            second=shown(other),
        )
        for one, other in pairs[:_NAMED]
    ]
    if more := len(pairs) - len(made):
        made.append(
            counted("{count} more pair could not be compared.", "{count} more pairs could not be compared.", more)
        )
    return made


_Part = tuple[Component, tuple[PhotoGroup, ...]]


def _kept_parts(
    every: Iterable[Component], decided: KnownRelations, rules: KeeperRules, before: Duplicates | None
) -> Iterator[_Part]:
    """Group components; of those that are as before, and that no new decision touches, the groups are kept."""
    if before is None or rules != before.rules:
        for one in every:
            yield one, tuple(group(one.photographs, replace(decided, relations=one.relations), rules))
        return
    known = {one.photographs[0].id: (one, groups) for one, groups in before.parts}
    photographs = {one for one, _ in set(before.decided.chosen.items()) ^ set(decided.chosen.items())}
    contents = {one for pair in set(before.decided.refused) ^ set(decided.refused) for one in pair}
    for one in every:
        kept = known.get(one.photographs[0].id)
        touched = any(each.id in photographs or each.content in contents for each in one.photographs)
        if kept is not None and not touched and kept[0].equals(one):
            yield kept
        else:
            yield one, tuple(group(one.photographs, replace(decided, relations=one.relations), rules))


def _all_of(parts: Iterable[_Part]) -> tuple[PhotoGroup, ...]:
    return tuple(sorted((one for _, groups in parts for one in groups), key=by_copies))


def decided_again(library: Library, found: Duplicates) -> Duplicates:
    """Regroup only the components that new decisions touch, without reading photographs; the same without any."""
    with library.store.reading() as r:
        decided, rules = _decided(r), saved_rules(r)
    return found if (decided, rules) == (found.decided, found.rules) else _regrouped(found, decided, rules)


def _regrouped(found: Duplicates, decided: KnownRelations, rules: KeeperRules) -> Duplicates:
    parts = tuple(_kept_parts([one for one, _ in found.parts], decided, rules, found))
    return replace(found, groups=_all_of(parts), rules=rules, decided=decided, parts=parts)


def _with_sorts_going(found: Duplicates, names: Collection[str]) -> Duplicates:
    """Return the groups with all photographs of some sorts going that are probably the same picture as another.

    What a person decided about one of them counts.
    """
    every = likely_copies(found.groups)
    if unknown := set(names) - {one.sort.name for one in every}:
        raise TwinlensError(
            "No photos of the sort “{sort}” are probably the same picture as another.",
            "`twinlens duplicates --kind likely` lists the sorts.",
            sort=min(unknown),
        )
    going = {one.photograph.id: Fate.GOES for one in every if one.sort.name in names and not one.chosen}
    return _regrouped(found, replace(found.decided, chosen={**found.decided.chosen, **going}), found.rules)


def result_of(
    found: Duplicates, groups: Sequence[PhotoGroup], kinds: Collection[DuplicateKind] = ()
) -> DuplicatesResult:
    """Return the result that lists some of the groups; only copies of some kinds, or of all, count as going."""
    going = [one for each in groups for one in each.going if not kinds or one.kind in kinds]
    return DuplicatesResult(
        of=found.of,
        compared=0,
        rules=found.rules.text(),
        kinds=[one.value for one in kinds],
        groups=[DuplicateGroup.of(one) for one in groups],
        counts={kind.value: sum(kind in one.kinds for one in groups) for kind in DuplicateKind},
        sorts=dict(Counter(one.sort.name for one in likely_copies(groups) if not one.chosen).most_common()),
        copies=len(going),
        bytes=sum(one.photograph.bytes for one in going),
        undecided=sum(one.undecided for one in groups),
        bounds=[*found.bounds, *_not_compared(found.failed)],
        seconds=0.0,
    )


def choices(groups: Iterable[PhotoGroup], kinds: Collection[DuplicateKind] = ()) -> list[DisposalChoice]:
    """Return the photographs proposed to go, of some kinds or of all, each with the one kept in its place.

    Photographs that stay only for what no other file has are among them.
    """
    return [
        DisposalChoice(one.photograph.id, one.of.id, one.kind.value, one.only_here, by_hand=one.goes, listed=True)
        for each in groups
        for one in each.members
        if (one.goes or one.held) and (not kinds or one.kind in kinds)
    ]


def choices_by_hand(library: Library, photographs: Sequence[int], progress: Progress = silent) -> list[DisposalChoice]:
    """Return the photographs that a person removes, wherever they were seen, each with the best copy that stays."""
    leaving, made = set(photographs), {}
    for each in known_duplicates(library, progress=progress).groups:
        for picture in each.pictures:
            kept = next((one for one in picture if one.id not in leaving), None)
            for one in picture:
                if one.id in leaving and kept is not None:
                    kind = DuplicateKind.IDENTICAL if one.content == kept.content else DuplicateKind.SAME
                    only_here = only_in(one, kept, None)
                    made[one.id] = DisposalChoice(one.id, kept.id, kind.value, only_here, by_hand=True)
    return [made.get(one, DisposalChoice(one, None, "", by_hand=True)) for one in dict.fromkeys(photographs)]


def proposed(
    library: Library,
    query: DuplicatesQuery = ALL_GROUPS,
    destination: Path | None = None,
    progress: Progress = silent,
    take_along: bool = False,
    links: bool = False,
    likely: Collection[str] = (),
) -> DisposalPlan:
    """Compare new pictures, and plan to move away what the rules let go.

    Parameters
    ----------
    library, query, progress
        As of :func:`twinlens.app.duplicates.duplicates.find_duplicates`.
    destination : Path, optional
        A folder; by default the trash.
    take_along : bool
        Whether companions that only a copy has move to the kept photograph, and what only it says is written there;
        else that copy is refused.
    links : bool
        Whether identical copies become links instead.
    likely : collection of str
        Sorts, by their names, of which those go, too, that are probably the same picture as another.

    Raises
    ------
    TwinlensError
        If there is no such index or sort, or the destination cannot be used, or no photograph lies in a folder that is
        named.
    """
    _check_folders(library, query)
    settle_if_possible(library)
    compare_pictures(library, query.index, part(progress, 0.0, 0.9))
    found = known_duplicates(library, query.rules, part(progress, 0.9, 0.95))
    if likely:
        found = _with_sorts_going(found, likely)
    going = choices(found.passing(query), query.kinds)
    return plan_disposal(library, going, destination, take_along, part(progress, 0.95, 1.0), links)
