"""Colourings of a map: the facts by which photographs are coloured, and names and subjects of clusters and groups."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.library import volumes
from twinlens.app.library.browsing.overview import overview
from twinlens.app.library.browsing.shown_concepts import ShownConcepts
from twinlens.app.library.library import Library
from twinlens.app.map.map_results import MapFacts, MapResult
from twinlens.core.arrays import Float32Vectors, Int64Ids, Int64Rows
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import Message, verbatim
from twinlens.core.progress import Progress, silent
from twinlens.features.concepts.concept_words import Concept, concept_table

SIMILAR, DIFFERENT = 1, 2
_WORD = re.compile(r"[^\W\d_]{3,}")
_OF_ALL = 0.6  # of the photographs, at most: a word of more folders does not tell them apart
_OF_CLUSTER = 0.4
_OF_GROUP, _MORE, _WORDS = 0.2, 1.3, 2
_BLOCK = 4096


def map_facts(library: Library, ids: Int64Rows, progress: Progress = silent) -> MapFacts:
    """Return the facts by which photographs of a map may be coloured."""
    seen = overview(library, progress, ["places"])
    assert seen.places is not None
    known = seen.basics
    rows, there = _rows(known.ids, ids)
    folder = np.full(len(ids), -1, np.int32)
    folder[there] = seen.places.shown_numbers[seen.places.paths.folder[rows[there]]]
    taken = np.zeros(len(ids), np.int64)
    taken[there] = known.taken[rows[there]]
    hashes = np.zeros((len(ids), known.hashes.shape[1]), np.uint8)
    hashes[there] = known.hashes[rows[there]]
    away = np.ones(len(ids), np.bool_)
    away[there] = seen.away[rows[there]]
    folders = tuple(seen.places.shown_folders)
    inner = tuple(_inner(one, seen.located_roots) for one in folders)
    return MapFacts(folder, folders, inner, taken, _marks(library, hashes), hashes, away)


def _rows(known: Int64Rows, ids: Int64Rows) -> tuple[Int64Rows, npt.NDArray[np.bool_]]:
    """Return the rows of photographs among those known, and whether they are among them."""
    if len(known) == 0:
        return np.zeros(len(ids), np.int64), np.zeros(len(ids), np.bool_)
    rows = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return rows, known[rows] == ids


def _inner(folder: str, roots: Sequence[str]) -> str:
    """Return a folder relative to the outermost added folder around it, with the name of that."""
    around = [root for root in roots if volumes.is_in(folder, root)]
    if not around:
        return plain(folder)
    outermost = min(around, key=len).rstrip("/")
    return plain(folder[outermost.rfind("/") + 1 :])


def _marks(library: Library, hashes: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
    """Return the marks of each content: similar to another, different from one, or both."""
    with library.store.reading() as r:
        marks = r.marks.all()
    by_content: dict[bytes, int] = {}
    for mark in marks:
        for content in mark.pair:
            by_content[content] = by_content.get(content, 0) | (SIMILAR if mark.similar else DIFFERENT)
    found = np.zeros(len(hashes), np.int8)
    if by_content:
        found[:] = [by_content.get(one.tobytes(), 0) for one in hashes]
    return found


def moment(library: Library) -> str:
    """Return a text that changes with the photographs of the library and their contents."""
    known = overview(library).basics
    return hashlib.blake2b(known.ids.tobytes() + known.hashes.tobytes(), digest_size=16).hexdigest()


def similarities_to(library: Library, found: MapResult, photograph: int, progress: Progress = silent) -> Float32Vectors:
    """Return the similarities of all photographs of a map to one, (n,), by the measure of its index; NaN if gone.

    Raises
    ------
    TwinlensError
        If the library does not have this photograph.
    """
    with library.store.reading() as r:
        known = index_measure(r, found.index)
        vectors, present = r.descriptors.read(known.kind, [photograph])
        if not present[0]:
            raise TwinlensError(
                "The library has no photo #{photograph} that “{index}” compares by.",
                "Choose another photo, or rescan.",
                photograph=photograph,
                index=found.index,
            )
        query = vectors[0].astype(np.float32)
        similarities = np.full(len(found.ids), np.nan, np.float32)
        for start in range(0, len(found.ids), _BLOCK):
            progress(start, len(found.ids), Message("Measuring"))
            some = slice(start, start + _BLOCK)
            vectors, there = r.descriptors.read(known.kind, found.ids[some])
            distances = known.measure.distances(query, vectors.astype(np.float32))
            similarities[some] = np.where(there, known.measure.similarities(distances), np.nan)
    return similarities


class ClusterName(NamedTuple):
    """The name of a cluster, and the word in it; empty where a larger cluster has it or there is none."""

    name: Message
    word: str


def cluster_names(cluster: npt.NDArray[np.int32], count: int, facts: MapFacts) -> list[ClusterName]:
    """Name clusters, each by the word that is in most of its folders' paths and in few of the others'.

    A word counts by the share of the cluster's photographs that have it, times how many times their share is that of
    all photographs, as a logarithm. Where no word is in two fifths of them, it is "Cluster 3". Names are written as the
    folders are.
    """
    spelled = _spelled(facts)
    words = [_words(folder) for folder in facts.inner]
    everywhere = _counted(facts.folder, words)
    total = max(1, int((facts.folder >= 0).sum()))
    names: list[ClusterName] = []
    taken: Counter[str] = Counter()
    for number in range(count):
        own = facts.folder[cluster == number]
        best, highest = "", 0.0
        for word, times in sorted(_counted(own, words).items()):
            share, overall = times / max(1, len(own)), everywhere[word] / total
            if share < _OF_CLUSTER or overall > _OF_ALL:
                continue
            score = share * float(np.log(share / overall))
            if score > highest + 1e-12:
                best, highest = spelled[word], score
        taken[best] += 1
        if not best:
            names.append(ClusterName(Message("Cluster {number:d}", number=number + 1), ""))
        elif taken[best] == 1:
            names.append(ClusterName(verbatim(best), best))
        else:
            names.append(ClusterName(verbatim(f"{best} {taken[best]}"), ""))
    return names


def _spelled(facts: MapFacts) -> dict[str, str]:
    """Return the spelling of each word in the folders of most photographs."""
    known = facts.folder[facts.folder >= 0]
    counts = np.bincount(known, minlength=len(facts.inner)).tolist()
    times: Counter[str] = Counter()
    for folder, count in zip(facts.inner, counts, strict=True):
        for word in dict.fromkeys(_WORD.findall(folder)):
            times[word] += count
    best: dict[str, str] = {}
    for word in sorted(times, key=lambda word: (-times[word], word)):
        best.setdefault(word.lower(), word)
    return best


def _words(folder: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.lower() for word in _WORD.findall(folder)))


def _counted(folder: npt.NDArray[np.int32], words: Sequence[tuple[str, ...]]) -> Counter[str]:
    """Count the photographs whose folders have each word."""
    counts: Counter[str] = Counter()
    numbers, times = np.unique(folder[folder >= 0], return_counts=True)
    for number, many in zip(numbers.tolist(), times.tolist(), strict=True):
        for word in words[number]:
            counts[word] += many
    return counts


class GroupName(NamedTuple):
    """The name of a group of clusters, and the photographs that it comes from: those in folders of this name."""

    name: str
    named: npt.NDArray[np.bool_]


def group_names(group: npt.NDArray[np.int32], count: int, facts: MapFacts) -> list[GroupName]:
    """Name groups of clusters, each by the one or two words that set its folders apart most.

    A group holds several things, so a fifth of its photographs are enough for a word, if it is more frequent among them
    than everywhere. Where none is, the most frequent word names it, if two fifths have it. A number tells groups
    of the same words apart. Where there is no such word, the name is empty, and a photograph stands for the group.
    """
    spelled = _spelled(facts)
    words = [_words(folder) for folder in facts.inner]
    everywhere = _counted(facts.folder, words)
    total = max(1, int((facts.folder >= 0).sum()))
    found: list[GroupName] = []
    taken: Counter[str] = Counter()
    for number in range(count):
        own = facts.folder[group == number]
        shares = {word: times / max(1, len(own)) for word, times in sorted(_counted(own, words).items())}
        shares = {word: share for word, share in shares.items() if everywhere[word] <= _OF_ALL * total}
        scores = {
            word: share * float(np.log(share * total / everywhere[word]))
            for word, share in shares.items()
            if share >= _OF_GROUP and share * total > _MORE * everywhere[word]
        }
        frequent = {word: share for word, share in shares.items() if share >= _OF_CLUSTER}
        chosen = sorted(scores, key=lambda word: (-scores[word], word))[:_WORDS]
        chosen = chosen or sorted(frequent, key=lambda word: (-frequent[word], word))[:1]
        name = ", ".join(spelled[word] for word in chosen)
        taken[name] += 1
        named = np.array([bool(chosen) and chosen[0] in one for one in words] + [False], np.bool_)[facts.folder]
        found.append(GroupName(f"{name} {taken[name]}" if name and taken[name] > 1 else name, named))
    return found


_PROBABLE = 0.25  # among photographs that are alike, less is needed than to be sure of one alone
_OF_PART = 0.8  # that probably show it, at least
_OF_LIBRARY = 0.5  # what more than half of the library shows tells no part from others


def map_subjects(part: npt.NDArray[np.int32], count: int, ids: Int64Ids, shown: ShownConcepts) -> list[Concept | None]:
    """Return the subject of each part; None where there is none, or a larger part has it.

    Subjects are the broader concepts of the table that may be said of photographs, of those that four of five
    photographs of the part show: of 237 named parts of 1,400 labelled photographs, 97 % had so many that do. One counts
    by the share of the part that shows it, times the logarithm of how many times its share everywhere that is; of equal
    ones the narrower.

    Parameters
    ----------
    part : ndarray of int32, (n,)
        Numbers of parts, the largest part first; -1 for none.
    ids : ndarray of int64, (n,)
        The photographs, ascending.
    """
    broader = concept_table().facets
    sums = [one.classes for one in broader]
    breadth = np.array([len(one) for one in sums])
    _, known, places = np.intersect1d(shown.ids, ids, assume_unique=True, return_indices=True)
    part_of = part[places]
    everywhere = np.array(shown.classes.some(known).counts(sums, _PROBABLE)) / max(1, len(ids))
    sizes = np.bincount(part[part >= 0], minlength=count)
    order = np.argsort(part_of, kind="stable")
    begins = np.searchsorted(part_of[order], np.arange(count + 1))
    found: list[Concept | None] = []
    for number in range(count):
        own = known[order[begins[number] : begins[number + 1]]]
        shares = np.array(shown.classes.some(own).counts(sums, _PROBABLE)) / max(1, sizes[number])
        telling = (shares >= _OF_PART) & (everywhere <= _OF_LIBRARY) & (shares > everywhere)
        scores = np.zeros(len(broader))
        scores[telling] = shares[telling] * np.log(shares[telling] / everywhere[telling])
        best = [broader[place] for place in np.lexsort((breadth, -scores)) if scores[place] > 0]
        found.append(next((one for one in best if one not in found), None))
    return found
