"""Descriptors of a query's pictures: photographs of the library, files, bytes, parts of these, colours, and words."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.indexes.fitted_models import load_extractors
from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library, absolute_path
from app.library.stored_keypoints import kept_cap, stored_keypoints
from app.methods import catalogue
from app.results import shown
from app.search.search_query import Example, Region, SearchQuery
from app.search.search_space import PictureView, PictureViewCache, QueryDistance, needs_variants
from core.errors import TwinlensError
from core.message import Message, joined, verbatim
from features.keypoints import keypoints as kept_keypoints
from features.keypoints.keypoints import Keypoints
from features.keypoints.sift import Cap
from features.pictures.picture import Picture
from features.query.palette_and_sketch import Palette, palette_vector, refuse_colours
from features.query.phrase import Phrase, text_network
from storage.database.schema import PhotographState
from storage.library.store import Transaction
from storage.photographs.descriptors import KindRow
from storage.photographs.photographs import PhotographRow

if TYPE_CHECKING:
    from app.search.describing_tasks import DescribedPicture


MOST_WITH_KEYPOINTS = 3
"""Number of liked pictures whose keypoints are compared; the descriptors of more of them are enough."""


@dataclass(frozen=True, eq=False)
class QueryDescriptors:
    """Descriptors and keypoints of a query's picture.

    Attributes
    ----------
    views : dict of int to PictureView
        By the ids of the kinds of descriptors.
    keypoints : Keypoints or None
        None where they are not needed, or there is no picture.
    seconds : float
        Seconds that this took; 0 if all was known.
    """

    views: dict[int, PictureView]
    keypoints: Keypoints | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class QueryPicture:
    """A picture of a query.

    Attributes
    ----------
    name : Message
        Its path; the colours of a palette.
    photograph : PhotographRow or None
        If it is a photograph of the library, unchanged since it was read.
    path : bytes or None
        Its file; None where it came as bytes.
    data : bytes
        Its contents, where it came as bytes.
    picture : Picture or None
        The picture itself, where the program made it.
    region : tuple of float or None
        The part that is meant.
    sketch : bool
        Whether it is a sketch.
    palette : Palette or None
        The colours, where it is no picture at all.
    phrase : Phrase or None
        The words, where it is no picture at all.
    """

    name: Message
    photograph: PhotographRow | None
    path: bytes | None
    data: bytes = b""
    picture: Picture | None = None
    region: Region | None = None
    sketch: bool = False
    palette: Palette | None = None
    phrase: Phrase | None = None

    def seen(self, r: Transaction, sought: RequiredDescriptors, known: PictureViewCache) -> QueryDescriptors:
        """Return its descriptors, exactly as the library would keep them, and its keypoints.

        The file of a photograph of the library need not be there: its kept descriptors are used.

        Parameters
        ----------
        known : PictureViewCache
            Pictures described earlier.

        Raises
        ------
        TwinlensError
            If the picture cannot be read, or a descriptor cannot answer a palette, a sketch or words.
        """
        if self.palette is not None:
            return _palette_descriptors(r, sought.kinds, self.palette)
        if self.phrase is not None:
            return _phrase_descriptors(sought.kinds, self.phrase, known)
        if self.sketch:
            for kind in sought.kinds:
                refuse_colours(catalogue.descriptor(kind.text), "A sketch")
            sought = replace(sought, keypoints=False)
        if self.photograph is not None and self.region is None and not self.sketch:
            return self._seen_as_kept(r, sought, known, self.photograph)
        started = time.perf_counter()
        return self._looked(r, sought, known, self._digest(), started)

    def needs_a_process(self, looks: bool) -> bool:
        """Return whether a process is probably needed; ``looks`` says whether its mirror image is, too."""
        if self.palette is not None:
            return False
        return looks or self.photograph is None or self.region is not None or self.sketch

    def _seen_as_kept(
        self, r: Transaction, sought: RequiredDescriptors, known: PictureViewCache, photograph: PhotographRow
    ) -> QueryDescriptors:
        """Return what the library keeps of a photograph, completed from its file."""
        kinds, keypoints = sought.kinds, sought.keypoints
        views: dict[int, PictureView] = {}
        for kind in kinds:
            stored, present = r.descriptors.read(kind, [photograph.id])
            if present[0]:
                views[kind.id] = PictureView.alone(stored[0].astype(np.float32))
        (packed,) = stored_keypoints(r, [photograph.id]) if keypoints else (None,)
        kept = None if packed is None else kept_keypoints.restored_keypoints(packed)
        open_ones = tuple(
            kind
            for kind in kinds
            if kind.id not in views or (keypoints and needs_variants(catalogue.descriptor(kind.text)))
        )
        lacking = replace(sought, kinds=open_ones)
        if not open_ones and (kept is not None or not keypoints):
            return QueryDescriptors(views, kept)
        started = time.perf_counter()
        if any(kind.id not in views for kind in open_ones):
            found = self._looked(r, lacking, known, self._digest(), started)
        elif photograph.content_hash is None or not _as_it_was(self.path, photograph):
            return QueryDescriptors(views, kept)
        else:
            try:
                found = self._looked(r, lacking, known, photograph.content_hash, started)
            except TwinlensError:  # it cannot be read just now
                return QueryDescriptors(views, kept)
        for kind in open_ones:
            view = found.views[kind.id]
            if kind.id in views:  # to the last digit, so that it is at no distance from itself
                view = replace(view, alternatives=np.vstack((views[kind.id].alternatives, view.alternatives[1:])))
            views[kind.id] = view
        return QueryDescriptors(views, found.keypoints, found.seconds)

    def _looked(
        self, r: Transaction, sought: RequiredDescriptors, known: PictureViewCache, digest: bytes, started: float
    ) -> QueryDescriptors:
        """Describe the picture itself, as far as it is not known."""
        kinds, keypoints = sought.kinds, sought.keypoints
        found = {kind.key: _known_view(known, digest, kind, keypoints) for kind in kinds}
        lacking = [kind for kind in kinds if found[kind.key] is None]
        cap = kept_cap(r) if keypoints else None
        points = known.keypoints.get((digest, cap)) if cap is not None else None
        seconds = 0.0
        if lacking or (keypoints and points is None):
            made, looked = self._described(r, lacking, known, keypoints, cap if points is None else None)
            found |= made
            for key, view in made.items():
                known.views.keep((digest, key, keypoints), view)
            if cap is not None and looked is not None:
                points = looked
                known.keypoints.keep((digest, cap), points)
            seconds = time.perf_counter() - started
        return QueryDescriptors(
            {kind.id: one for kind in kinds if (one := found[kind.key]) is not None}, points, seconds
        )

    def _described(
        self, r: Transaction, kinds: Sequence[KindRow], known: PictureViewCache, variants: bool, cap: Cap | None
    ) -> DescribedPicture:
        """Have a process describe the picture; it is given the extractors that it lacks."""
        from app.library.workers import decoding  # here, since nothing is done to a photograph of the library
        from app.search.describing import described
        from app.search.describing_tasks import DescribingTask

        of = self.picture or decoding.decoding_task(self._source(), str(self.name), region=self.region)
        wanted = {kind.key: catalogue.descriptor(kind.text) for kind in kinds}
        task = DescribingTask(of, wanted, variants, variants and self.region is None, cap, self.sketch)
        return described(task, lambda keys: load_extractors(r, [one for one in kinds if one.key in keys]), known.sent)

    def _digest(self) -> bytes:
        """Return a digest of the picture: of a file by its path, size and time, otherwise by its content."""
        if self.picture is not None:
            said: object = hashlib.sha256(self.picture.rgb.data).digest()
        elif self.path is None:
            said = hashlib.sha256(self.data).digest()
        else:
            from app.library.workers import decoding

            file = decoding.named_file(self._file())
            said = file.path, file.size, file.mtime_ns
        return hashlib.sha256(repr((said, self.region, self.sketch)).encode()).digest()

    def _source(self) -> Path | bytes:
        return self.data if self.path is None else self._file()

    def _file(self) -> Path:
        assert self.path is not None
        path = Path(os.fsdecode(self.path))
        if self.photograph is not None and not path.is_file():
            raise TwinlensError(
                "The file {name} is missing, and this search needs it.",
                "Connect the disk that it is on, or search with another photo.",
                name=self.name,
            )
        return path


@dataclass(frozen=True, eq=False)
class EncodedQuery:
    """A query, described.

    Attributes
    ----------
    queries : tuple of QueryPicture
        A picture for each example.
    weights : tuple of float
        Theirs.
    seen : tuple of QueryDescriptors
        Their descriptors and keypoints.
    named : int or None
        The first so many name the query; None for all.
    """

    queries: tuple[QueryPicture, ...]
    weights: tuple[float, ...]
    seen: tuple[QueryDescriptors, ...]
    named: int | None = None

    @property
    def extracting(self) -> float:
        """Seconds that describing them took; 0 if all were known."""
        return sum((one.seconds for one in self.seen), 0.0)

    @property
    def name(self) -> Message:
        """The name of the query: the path of its picture, or of all its pictures with their signs."""
        parts: list[Message] = []
        for query, weight in zip(self.queries[: self.named], self.weights, strict=False):
            if parts or weight < 0:
                parts.append(verbatim("−" if weight < 0 else "+"))
            parts.append(Message("{name} (part)", name=query.name) if query.region else query.name)
        return joined(parts)

    def photographs(self) -> set[int]:
        """Return the ids of the query's photographs."""
        return {query.photograph.id for query in self.queries if query.photograph is not None}

    def liked_photographs(self) -> set[int]:
        """Return the ids of the whole photographs that results should resemble; they are results themselves."""
        return {
            query.photograph.id
            for query, weight in zip(self.queries, self.weights, strict=True)
            if query.photograph is not None and query.region is None and weight > 0
        }

    def criterion(self, index: LoadedIndex) -> QueryDistance:
        """Return the criterion by which an index ranks photographs."""
        views = [one.views[index.kind.id] for one in self.seen]
        return QueryDistance.of(index.measure, [view.alternatives for view in views], self.weights)

    def parts_criterion(self, index: LoadedIndex) -> QueryDistance | None:
        """Return the criterion by which an index looks for parts of the liked pictures; None without parts."""
        liked = [
            one.views[index.kind.id].parts for one, weight in zip(self.seen, self.weights, strict=True) if weight > 0
        ]
        every = np.concatenate(liked)
        return QueryDistance.of(index.measure, [every], [1.0]) if every.any() else None

    def keypoints(self) -> list[tuple[int, Keypoints]]:
        """Return the keypoints of the liked pictures, each with the picture's place in the query."""
        return [
            (place, one.keypoints)
            for place, (one, weight) in enumerate(zip(self.seen, self.weights, strict=True))
            if weight > 0 and one.keypoints is not None and len(one.keypoints)
        ]


def encode_query(
    library: Library, r: Transaction, question: SearchQuery, sought: RequiredDescriptors, known: PictureViewCache
) -> EncodedQuery:
    """Find the pictures of a query and describe them.

    Parameters
    ----------
    sought : RequiredDescriptors
        Of each picture; keypoints only of the first liked ones.
    known : PictureViewCache
        Pictures described earlier.

    Raises
    ------
    TwinlensError
        If a picture does not exist or cannot be read, or no picture is liked.
    """
    if not any(example.weight > 0 for example in question.examples):
        raise TwinlensError(
            "The search has no picture that results should resemble.",
            "Add a picture, or set one of the weights above 0.",
        )
    queries = tuple(find_query_picture(library, r, example) for example in question.examples)
    liked = [place for place, example in enumerate(question.examples) if example.weight > 0]
    looked_at = set(liked[:MOST_WITH_KEYPOINTS])
    seen = tuple(
        query.seen(r, sought if place in looked_at else replace(sought, keypoints=False), known)
        for place, query in enumerate(queries)
    )
    return EncodedQuery(queries, tuple(example.weight for example in question.examples), seen, question.named)


_UNNAMED = Message("a picture")


@dataclass(frozen=True)
class RequiredDescriptors:
    """The descriptors and keypoints that a query needs.

    Attributes
    ----------
    kinds : tuple of KindRow
        Kinds of the descriptors.
    keypoints : bool
        Whether keypoints are needed; the picture is then also described part by part and, by descriptors that would not
        recognise it otherwise, mirrored and in negative. A photograph of the library is so only where its file is
        read anyway.
    """

    kinds: tuple[KindRow, ...]
    keypoints: bool = False


def _known_view(known: PictureViewCache, digest: bytes, kind: KindRow, keypoints: bool) -> PictureView | None:
    """Return the known view of a picture; a view with variants also serves where none are needed."""
    found = known.views.get((digest, kind.key, keypoints))
    if found is None and not keypoints:
        whole = known.views.get((digest, kind.key, True))
        return None if whole is None else PictureView.alone(whole.alternatives[0])
    return found


def _palette_descriptors(r: Transaction, kinds: Sequence[KindRow], palette: Palette) -> QueryDescriptors:
    """Describe a palette, rounded as the library keeps descriptors."""
    started = time.perf_counter()
    described = [(kind, catalogue.descriptor(kind.text)) for kind in kinds]
    for _, declared in described:
        refuse_colours(declared, "A palette")
    extractors = load_extractors(r, kinds)
    made = {
        kind.id: PictureView.alone(
            palette_vector(declared, extractors[kind.key], palette).astype("<f2").astype(np.float32)
        )
        for kind, declared in described
    }
    return QueryDescriptors(made, None, time.perf_counter() - started)


def _phrase_descriptors(kinds: Sequence[KindRow], phrase: Phrase, known: PictureViewCache) -> QueryDescriptors:
    """Embed words, rounded as the library keeps descriptors."""
    from app.library.workers import decoding

    started = time.perf_counter()
    networks = [(kind, text_network(catalogue.descriptor(kind.text))) for kind in kinds]
    made: dict[int, PictureView] = {}
    for kind, network in networks:
        digest = hashlib.sha256(repr((phrase, network, network.bytes())).encode()).digest()
        view = known.views.get((digest, kind.key, False))
        if view is None:
            vector = decoding.embedded(network, phrase.text, kind.dimensions)
            if not vector.any():
                raise TwinlensError("The text network knows none of these words.", "Use other words, or English ones.")
            vector = vector / np.linalg.norm(vector)
            view = PictureView.alone(vector.astype("<f2").astype(np.float32))
            known.views.keep((digest, kind.key, False), view)
        made[kind.id] = view
    return QueryDescriptors(made, None, time.perf_counter() - started)


def find_query_picture(library: Library, r: Transaction, example: Example) -> QueryPicture:
    """Return the picture of an example: a file, a photograph by its id, the bytes of a picture, colours, or words.

    Its file is not opened.

    Raises
    ------
    TwinlensError
        If there is no such file or photograph.
    """
    picture, region, sketch = example.picture, example.region, example.sketch
    if isinstance(picture, Palette):
        return QueryPicture(verbatim(picture.text()), None, None, palette=picture)
    if isinstance(picture, Phrase):
        return QueryPicture(verbatim(picture.text), None, None, phrase=picture)
    if isinstance(picture, Picture):
        return QueryPicture(_UNNAMED, None, None, picture=picture)
    if isinstance(picture, bytes):
        return QueryPicture(_UNNAMED, None, None, picture, region=region, sketch=sketch)
    if isinstance(picture, int):
        rows = r.photographs.by_id([picture])
        if not rows:
            raise TwinlensError(
                "The library has no photo with the number {picture:d}.",
                "Add its folder again, or search with another photo.",
                picture=picture,
            )
        path = library.paths(r, rows)[0]
        return QueryPicture(verbatim(shown(path)), rows[0], path, region=region, sketch=sketch)
    path = absolute_path(picture)
    row = library.find(r, picture)
    if row is not None and row.state is PhotographState.READY and _unchanged(path, row):
        return QueryPicture(verbatim(shown(path)), row, path, region=region, sketch=sketch)
    from app.library.workers import decoding

    decoding.named_file(Path(os.fsdecode(path)))
    return QueryPicture(verbatim(shown(path)), None, path, region=region, sketch=sketch)


def _unchanged(path: bytes, row: PhotographRow) -> bool:
    """Return whether a file is unchanged since it was read; an absent one counts as unchanged."""
    try:
        status = os.stat(path)
    except OSError:
        return True
    return (status.st_size, status.st_mtime_ns) == (row.size, row.mtime_ns)


def _as_it_was(path: bytes | None, row: PhotographRow) -> bool:
    """Return whether the file of a photograph is there and unchanged."""
    return path is not None and os.path.isfile(path) and _unchanged(path, row)
