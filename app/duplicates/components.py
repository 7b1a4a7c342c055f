"""Connected components of what is known: photographs that may share a group, and none of which shares one with others.

So a decision changes the groups of its component alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.duplicates.companions import FolderListings, are_told_apart
from app.duplicates.grouping import raw_pairs
from app.duplicates.groups import Pair
from app.duplicates.keeper_rules import KeeperCandidate
from core.arithmetic.disjoint_sets import DisjointSets
from core.message import Message
from core.progress import Progress, silent
from features.copies.relation import Relation, RelationKind


@dataclass(frozen=True, eq=False)
class Component:
    """Photographs that may share groups.

    Attributes
    ----------
    photographs : tuple of Candidate
    relations : mapping of (bytes, bytes) to Relation
        Of their contents.
    """

    photographs: tuple[KeeperCandidate, ...]
    relations: Mapping[Pair, Relation]


def components(photographs: Sequence[KeeperCandidate], relations: Mapping[Pair, Relation]) -> list[Component]:
    """Return the components of a library; photographs that stand alone are in none.

    Parameters
    ----------
    photographs : sequence of Candidate
    relations : mapping of (bytes, bytes) to Relation
        By ordered pairs of contents; those of contents that no photograph has say nothing.
    """
    by_content: dict[bytes, list[KeeperCandidate]] = defaultdict(list)
    for one in photographs:
        by_content[one.content].append(one)
    sets = DisjointSets[bytes]()
    for content, some in by_content.items():
        if len(some) > 1:
            sets.join(content, content)
    there = {pair: found for pair, found in relations.items() if pair[0] in by_content and pair[1] in by_content}
    for pair in (*there, *raw_pairs(photographs)):
        sets.join(*pair)
    known: dict[bytes, dict[Pair, Relation]] = defaultdict(dict)
    for pair, found in there.items():
        known[sets.head(pair[0])][pair] = found
    return [
        Component(tuple(one for content in some for one in by_content[content]), known[some[0]]) for some in sets.all()
    ]


def with_companions(parts: Sequence[Component], progress: Progress = silent) -> list[Component]:
    """Look at what lies beside the photographs of components that are copies of others; each folder is listed once.

    Raises
    ------
    Cancelled
        If progress says so.
    """
    surroundings, made = FolderListings(), []
    for at, part in enumerate(parts):
        progress(at, len(parts), Message("Looking at what lies beside the photos"))
        copied = _copied(part)
        beside = are_told_apart(
            [surroundings.of(one.path, one.taken) if one.content in copied else [] for one in part.photographs]
        )
        photographs = tuple(replace(one, beside=its) for one, its in zip(part.photographs, beside, strict=True))
        made.append(replace(part, photographs=photographs))
    return made


def _copied(part: Component) -> set[bytes]:
    """Return the contents that are the same picture as another photograph."""
    contents = [one.content for one in part.photographs]
    found = {content for content, count in Counter(contents).items() if count > 1}
    return found.union(*(pair for pair, relation in part.relations.items() if relation.kind is RelationKind.SAME))
