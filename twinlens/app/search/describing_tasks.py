"""The tasks of a search that worker processes run: all that decodes and describes a picture.

A picture that ends its process, or takes too long or too much memory, costs one sentence, and the next search works.
Extractors are sent once: a process keeps the last ones, and reports which ones it lacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from twinlens.app.library.workers.decoding_tasks import WorkerTask
from twinlens.app.library.workers.extraction import describe_picture
from twinlens.app.search.query_distance import PictureView, needs_variants
from twinlens.core.arrays import AnyArray
from twinlens.core.containers import RecentValues
from twinlens.core.systems import system
from twinlens.core.vectors import unpack_vectors
from twinlens.features.colour.colour_histogram import HistogramExtractor
from twinlens.features.descriptor import Descriptor, Extractor
from twinlens.features.keypoints.keypoints import Keypoints
from twinlens.features.keypoints.sift import Cap
from twinlens.features.pictures.picture import Picture
from twinlens.features.query.query_variants import query_parts, query_variants
from twinlens.features.query.words_and_colours import checked_sketch
from twinlens.features.reading import reading_limits
from twinlens.features.reading.reading_limits import Limits

_kept: RecentValues[str, Extractor] = RecentValues(4)  # some take 30 MB


class MissingExtractors(NamedTuple):
    """The extractors that a process does not have, by their keys."""

    keys: frozenset[str]


class DescribedPicture(NamedTuple):
    """A described picture: its views by the keys of extractors, and its keypoints where they are needed."""

    views: dict[str, PictureView]
    keypoints: Keypoints | None


@dataclass(frozen=True)
class DescribingTask:
    """A picture to describe.

    Attributes
    ----------
    of : WorkerTask or Picture
        The task that reads the picture; a picture that the program made is sent as it is.
    descriptors : mapping of str to Descriptor
        By the keys of their extractors.
    with_variants, with_parts : bool
        As :func:`views` takes them.
    cap : Cap or None
        The keypoints to find; None for none.
    sketch : bool
        Whether it is a sketch, on which something must be painted.
    extractors : mapping of str to Extractor
        Those that the process may lack.
    """

    of: WorkerTask[Picture] | Picture
    descriptors: Mapping[str, Descriptor]
    with_variants: bool
    with_parts: bool
    cap: Cap | None = None
    sketch: bool = False
    extractors: Mapping[str, Extractor] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of the picture."""
        return self.of.rgb.nbytes if isinstance(self.of, Picture) else self.of.size

    def __call__(self, limits: Limits) -> MissingExtractors | DescribedPicture:
        """Decode and describe it; raises as decoding it and as its extractors do."""
        known = {key: found for key in self.descriptors if (found := _kept.get(key)) is not None} | dict(
            self.extractors
        )
        for key, extractor in self.extractors.items():
            _kept.keep(key, extractor)
        if lacking := self.descriptors.keys() - known.keys():
            return MissingExtractors(frozenset(lacking))
        picture = self.of if isinstance(self.of, Picture) else self.of(limits)
        reading_limits.end_processor_time()  # descriptors differ too much
        if self.sketch:
            picture = checked_sketch(picture)
        descriptors = {key: (declared, known[key]) for key, declared in self.descriptors.items()}
        made = picture_views(picture, descriptors, self.with_variants, self.with_parts)
        if self.sketch:
            made = {key: _with_colours(view, descriptors[key][1], picture) for key, view in made.items()}
        return DescribedPicture(made, None if self.cap is None else Keypoints.of(picture, self.cap))


def picture_views(
    picture: Picture, descriptors: Mapping[str, tuple[Descriptor, Extractor]], with_variants: bool, with_parts: bool
) -> dict[str, PictureView]:
    """Describe a picture by several descriptors, its parts by those of local features, and its variants by need.

    Parameters
    ----------
    descriptors : mapping of str to (Descriptor, Extractor)
        By any keys.

    Returns
    -------
    dict of str to PictureView
        By the same keys.
    """
    every = sorted({cap for declared, _ in descriptors.values() for cap in declared.caps})
    changed = with_variants and any(needs_variants(declared) for declared, _ in descriptors.values())
    shown = query_variants(picture, every) if changed else (picture,)
    cut = query_parts(picture, every[-1], every[:-1]) if every and with_parts else ()
    made = {}
    for key, (declared, extractor) in descriptors.items():
        alternatives = [describe_picture(extractor, one) for one in (shown if needs_variants(declared) else shown[:1])]
        of_parts = _each(extractor, cut if declared.caps else ())
        made[key] = PictureView(
            unpack_vectors(np.stack(alternatives)).astype(np.float32),
            unpack_vectors(np.array(of_parts).reshape(-1, len(alternatives[0]))).astype(np.float32),
        )
    return made


def _with_colours(view: PictureView, extractor: Extractor, sketch: Picture) -> PictureView:
    if not isinstance(extractor, HistogramExtractor):
        return view
    whole, *alone = extractor.of_sketch(sketch)
    return replace(view, alternatives=whole[None], colours=np.array(alone).reshape(-1, len(whole)))


def _each(extractor: Extractor, pictures: Sequence[Picture]) -> list[AnyArray]:
    """Describe several pictures, at the same time where there are processors: a network takes 10 ms for each."""
    if not pictures:
        return []
    with ThreadPoolExecutor(min(len(pictures), system.processors()), thread_name_prefix="parts") as pool:
        return list(pool.map(partial(describe_picture, extractor), pictures))
