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

from twinlens.app.indexes.fitted_models import kept_cap, load_extractors, stored_keypoints
from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.library.library import Library, absolute_path
from twinlens.app.methods import catalogue
from twinlens.app.search.query_distance import PictureView, PictureViewCache, QueryDistance, needs_variants
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, joined, verbatim
from twinlens.features.keypoints.keypoints import Keypoints, restored_keypoints
from twinlens.features.keypoints.sift import Cap
from twinlens.features.pictures.picture import Picture
from twinlens.features.query.words_and_colours import (
    Palette,
    Phrase,
    colour_vectors,
    palette_vector,
    refuse_colours,
    text_network,
)
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photographs import PhotographRow

if TYPE_CHECKING:
    from twinlens.app.library.workers.decoding_tasks import WorkerTask
    from twinlens.app.search.describing_tasks import DescribedPicture


MOST_WITH_KEYPOINTS = 3
"""Largest number of liked pictures whose keypoints are compared; for others their descriptors are enough."""


@dataclass(frozen=True, eq=False)
class QueryDescriptors:
    """The descriptors of a query, computed once for all indexes.

    Attributes
    ----------
    query : SearchQuery
    examples : tuple of ExampleDescriptors
        Of each example of the query, in the same order.
    """

    query: SearchQuery
    examples: tuple[ExampleDescriptors, ...]

    @property
    def seconds(self) -> float:
        """Seconds that describing the examples took; 0 if all were known."""
        return sum((one.seconds for one in self.examples), 0.0)

    @property
    def name(self) -> Message:
        """The name of the query: the path of its picture, or of all its pictures with their signs, without marks."""
        parts: list[Message] = []
        for one in self.examples:
            if one.picture.example.by_mark:
                continue
            if parts or one.weight < 0:
                parts.append(verbatim("−" if one.weight < 0 else "+"))
            name = one.picture.name
            parts.append(Message("{name} (part)", name=name) if one.picture.example.region else name)
        return joined(parts)

    def photographs(self) -> set[int]:
        """Return the ids of the query's photographs, without those that marks added, which are ordinary results."""
        ids: dict[bool, set[int]] = {True: set(), False: set()}
        for one in self.examples:
            if one.picture.photograph is not None:
                ids[one.picture.example.by_mark].add(one.picture.photograph.id)
        return ids[False] - ids[True]

    def liked_photographs(self) -> set[int]:
        """Return the ids of the whole photographs that results should resemble; they are results themselves."""
        whole = [one.picture for one in self._liked() if one.picture.example.region is None]
        return {picture.photograph.id for picture in whole if picture.photograph is not None}

    def distance(self, index: LoadedIndex) -> QueryDistance:
        """Return the distance by which an index ranks photographs."""
        views = [one.views[index.kind.id] for one in self.examples]
        vectors, colours = [one.alternatives for one in views], [one.colours for one in views]
        return QueryDistance.of(index.measure, vectors, [one.weight for one in self.examples], colours)

    def parts_distance(self, index: LoadedIndex) -> QueryDistance | None:
        """Return the distance by which an index looks for parts of the liked pictures; None without parts."""
        every = np.concatenate([one.views[index.kind.id].parts for one in self._liked()])
        return QueryDistance.of(index.measure, [every], [1.0]) if every.any() else None

    def keypoints(self) -> list[tuple[int, Keypoints]]:
        """Return the keypoints of the liked pictures, each with the picture's place in the query."""
        return [
            (place, one.keypoints)
            for place, one in enumerate(self.examples)
            if one.weight > 0 and one.keypoints is not None and len(one.keypoints)
        ]

    def _liked(self) -> list[ExampleDescriptors]:
        return [one for one in self.examples if one.weight > 0]


def describe_query(
    library: Library,
    r: Transaction,
    query: SearchQuery,
    kinds: Sequence[KindRow],
    keypoints: bool,
    known: PictureViewCache,
) -> QueryDescriptors:
    """Find the pictures of a query and describe them.

    Parameters
    ----------
    kinds : sequence of KindRow
        Kinds of the descriptors.
    keypoints : bool
        Whether keypoints are needed, which are those of the first liked pictures. Such a picture is also described part
        by part and, by descriptors that would not recognise it otherwise, mirrored and in negative; a photograph of the
        library only where its file is read anyway.
    known : PictureViewCache
        Pictures described earlier.

    Raises
    ------
    TwinlensError
        If a picture does not exist or cannot be read, or no picture is liked.
    """
    liked = [place for place, example in enumerate(query.examples) if example.weight > 0]
    if not liked:
        raise TwinlensError(
            "The search has no picture that results should resemble.",
            "Add a picture, or set one of the weights above 0.",
        )
    pictures = [find_query_picture(library, r, example) for example in query.examples]
    compared = set(liked[:MOST_WITH_KEYPOINTS]) if keypoints else set()
    examples = [picture.descriptors(r, kinds, place in compared, known) for place, picture in enumerate(pictures)]
    return QueryDescriptors(query, tuple(examples))


@dataclass(frozen=True, eq=False)
class ExampleDescriptors:
    """The descriptors of one example of a query.

    Attributes
    ----------
    picture : QueryPicture
        The example, found.
    views : dict of int to PictureView
        By the ids of the kinds of descriptors.
    keypoints : Keypoints or None
        None where they are not needed, or there is no picture.
    seconds : float
        Seconds that describing took; 0 if all was known.
    """

    picture: QueryPicture
    views: dict[int, PictureView]
    keypoints: Keypoints | None = None
    seconds: float = 0.0

    @property
    def weight(self) -> float:
        """The weight of the example."""
        return self.picture.example.weight


_UNNAMED = Message("a picture")


def find_query_picture(library: Library, r: Transaction, example: Example) -> QueryPicture:
    """Return the picture of an example: a file, a photograph by its id, the bytes of a picture, colours, or words.

    Its file is not opened.

    Raises
    ------
    TwinlensError
        If there is no such file or photograph.
    """
    picture = example.picture
    if isinstance(picture, Palette):
        return QueryPicture(example, verbatim(picture.text()))
    if isinstance(picture, Phrase):
        return QueryPicture(example, verbatim(picture.text))
    if isinstance(picture, Picture | bytes):
        return QueryPicture(example, _UNNAMED)
    if isinstance(picture, int):
        rows = r.photographs.by_id([picture])
        if not rows:
            raise TwinlensError(
                "The library has no photo with the number {picture:d}.",
                "Add its folder again, or search with another photo.",
                picture=picture,
            )
        path = library.paths(r, rows)[0]
        return QueryPicture(example, verbatim(shown(path)), rows[0], path)
    path = absolute_path(picture)
    row = library.find(r, picture)
    if row is not None and row.state is PhotographState.READY and _unchanged(path, row):
        return QueryPicture(example, verbatim(shown(path)), row, path)
    from twinlens.app.library.workers import decoding

    decoding.named_file(Path(os.fsdecode(path)))
    return QueryPicture(example, verbatim(shown(path)), None, path)


@dataclass(frozen=True)
class QueryPicture:
    """An example, found. Made by :func:`find_query_picture`.

    Attributes
    ----------
    name : Message
        Its path; the colours of a palette, or the words.
    photograph : PhotographRow or None
        If it is a photograph of the library, unchanged since it was read.
    path : bytes or None
        Its file; None where it has none.
    """

    example: Example
    name: Message
    photograph: PhotographRow | None = None
    path: bytes | None = None

    def descriptors(
        self, r: Transaction, kinds: Sequence[KindRow], keypoints: bool, known: PictureViewCache
    ) -> ExampleDescriptors:
        """Return its descriptors, exactly as the library would keep them, and its keypoints.

        The file of a photograph of the library need not be there: its kept descriptors are used.

        Parameters
        ----------
        kinds, keypoints, known
            As in :func:`describe_query`.

        Raises
        ------
        TwinlensError
            If the picture cannot be read, or a descriptor cannot compare a palette, a sketch or words.
        """
        started, source = time.perf_counter(), self.example.picture
        if isinstance(source, Palette):
            views = _palette_views(r, kinds, source)
            return ExampleDescriptors(self, views, None, time.perf_counter() - started)
        if isinstance(source, Phrase):
            views = _phrase_views(kinds, source, known)
            return ExampleDescriptors(self, views, None, time.perf_counter() - started)
        if self.example.sketch:
            for kind in kinds:
                refuse_colours(catalogue.descriptor(kind.text), "A sketch")
            return self._described(r, kinds, False, known, self._digest())
        if self.photograph is not None and self.example.region is None:
            return self._kept_descriptors(r, kinds, keypoints, known, self.photograph)
        return self._described(r, kinds, keypoints, known, self._digest())

    def needs_a_process(self, looks: bool) -> bool:
        """Return whether a process is probably needed; always with ``looks``, which asks for its mirror image too."""
        if isinstance(self.example.picture, Palette):
            return False
        return looks or self.photograph is None or self.example.region is not None or self.example.sketch

    def _kept_descriptors(
        self,
        r: Transaction,
        kinds: Sequence[KindRow],
        keypoints: bool,
        known: PictureViewCache,
        photograph: PhotographRow,
    ) -> ExampleDescriptors:
        """Return the kept descriptors of a photograph, completed from its file."""
        views: dict[int, PictureView] = {}
        for kind in kinds:
            stored, present = r.descriptors.read(kind, [photograph.id])
            if present[0]:
                views[kind.id] = PictureView.alone(stored[0].astype(np.float32))
        (packed,) = stored_keypoints(r, [photograph.id]) if keypoints else (None,)
        kept = ExampleDescriptors(self, views, None if packed is None else restored_keypoints(packed))
        lacking = [
            kind
            for kind in kinds
            if kind.id not in views or (keypoints and needs_variants(catalogue.descriptor(kind.text)))
        ]
        if not lacking and (kept.keypoints is not None or not keypoints):
            return kept
        if any(kind.id not in views for kind in lacking):
            found = self._described(r, lacking, keypoints, known, self._digest())
        elif photograph.content_hash is None or not _as_it_was(self.path, photograph):
            return kept
        else:
            try:
                found = self._described(r, lacking, keypoints, known, photograph.content_hash)
            except TwinlensError:  # it cannot be read just now
                return kept
        for kind in lacking:
            view = found.views[kind.id]
            if kind.id in views:  # to the last digit, so that it is at no distance from itself
                view = replace(view, alternatives=np.vstack((views[kind.id].alternatives, view.alternatives[1:])))
            views[kind.id] = view
        return replace(found, views=views)

    def _described(
        self, r: Transaction, kinds: Sequence[KindRow], keypoints: bool, known: PictureViewCache, digest: bytes
    ) -> ExampleDescriptors:
        """Describe the picture, as far as its views are not known."""
        started, seconds = time.perf_counter(), 0.0
        found = {kind.key: _known_view(known, digest, kind, keypoints) for kind in kinds}
        lacking = [kind for kind in kinds if found[kind.key] is None]
        cap = kept_cap(r) if keypoints else None
        points = known.keypoints.get((digest, cap)) if cap is not None else None
        if lacking or (keypoints and points is None):
            made, looked = self._described_by_worker(r, lacking, known, keypoints, cap if points is None else None)
            found |= made
            for key, view in made.items():
                known.views.keep((digest, key, keypoints), view)
            if cap is not None and looked is not None:
                points = looked
                known.keypoints.keep((digest, cap), points)
            seconds = time.perf_counter() - started
        views = {kind.id: one for kind in kinds if (one := found[kind.key]) is not None}
        return ExampleDescriptors(self, views, points, seconds)

    def _described_by_worker(
        self, r: Transaction, kinds: Sequence[KindRow], known: PictureViewCache, variants: bool, cap: Cap | None
    ) -> DescribedPicture:
        """Describe the picture in a worker process, and send the extractors that it lacks."""
        from twinlens.app.library.workers import decoding  # here, since nothing is done to a photograph of the library
        from twinlens.app.search.describing import describe_in_worker
        from twinlens.app.search.describing_tasks import DescribingTask

        picture, region = self.example.picture, self.example.region
        if isinstance(picture, Picture):
            of: WorkerTask[Picture] | Picture = picture
        else:
            file = picture if isinstance(picture, bytes) else self._file()
            of = decoding.decoding_task(file, str(self.name), region=region)
        descriptors = {kind.key: catalogue.descriptor(kind.text) for kind in kinds}
        task = DescribingTask(of, descriptors, variants, variants and region is None, cap, self.example.sketch)
        return describe_in_worker(
            task, lambda keys: load_extractors(r, [one for one in kinds if one.key in keys]), known.sent
        )

    def _digest(self) -> bytes:
        """Return a digest of the picture: of a file by its path, size and time, otherwise by its content."""
        example = self.example
        if isinstance(example.picture, Picture):
            identity: object = hashlib.sha256(example.picture.rgb.data).digest()
        elif isinstance(example.picture, bytes):
            identity = hashlib.sha256(example.picture).digest()
        else:
            from twinlens.app.library.workers import decoding

            file = decoding.named_file(self._file())
            identity = file.path, file.size, file.mtime_ns
        return hashlib.sha256(repr((identity, example.region, example.sketch)).encode()).digest()

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


def _known_view(known: PictureViewCache, digest: bytes, kind: KindRow, keypoints: bool) -> PictureView | None:
    """Return the known view of a picture; a view with variants also serves where none are needed."""
    found = known.views.get((digest, kind.key, keypoints))
    if found is None and not keypoints:
        whole = known.views.get((digest, kind.key, True))
        return None if whole is None else PictureView.alone(whole.alternatives[0])
    return found


def _palette_views(r: Transaction, kinds: Sequence[KindRow], palette: Palette) -> dict[int, PictureView]:
    """Describe a palette, rounded as the library keeps descriptors."""
    declared_kinds = [(kind, catalogue.descriptor(kind.text)) for kind in kinds]
    for _, declared in declared_kinds:
        refuse_colours(declared, "A palette")
    extractors = load_extractors(r, kinds)
    made = {}
    for kind, declared in declared_kinds:
        extractor = extractors[kind.key]
        mixed = PictureView.alone(palette_vector(declared, extractor, palette).astype("<f2").astype(np.float32))
        colours = colour_vectors(extractor, palette)
        made[kind.id] = mixed if len(colours) < 2 else replace(mixed, colours=colours)
    return made


def _phrase_views(kinds: Sequence[KindRow], phrase: Phrase, known: PictureViewCache) -> dict[int, PictureView]:
    """Embed words, rounded as the library keeps descriptors."""
    from twinlens.app.library.workers import decoding

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
    return made


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
