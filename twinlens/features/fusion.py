"""Fusion: several descriptors in one vector, with weights that mean something.

Early fusion (Snoek, Worring, Smeulders: Early versus Late Fusion in Semantic Video Analysis, ACM Multimedia 2005),
built so that the dot product of two fused vectors is the weighted mean of what the parts' own measures say:

1. A part's vector is mapped so that its own measure is a dot product: as it is where that is linear, by its square root
   where it is Hellinger's. Both are exact. Of no other kernel is there such a map of few numbers, and an approximation
   would be a measure of another kind under the same name: descriptors with one are refused as parts.
2. It is brought to length 1, as measures are normalised.
3. It is multiplied by sqrt(w / W), w the part's weight and W the sum of the weights of the parts that have something to
   say of this picture (a picture without a keypoint is zero to shapes): so the whole has length 1, too.

So k(x, z) = Σ w k'(x, z) / sqrt(W(x) W(z)), over the parts that speak of both. Where the same parts speak of both it is
their weighted mean, whatever the weight of those that are silent. Where a part speaks of one picture alone, it says
that they are unlike there: with all else equal, a picture of which parts of weights 2 and 1 speak, and one of which the
first alone does, are alike by sqrt(2/3). A full 1 would claim what is not known; and to a picture with shapes, any
without them of the same colours would be nearer than a copy whose shapes have changed a little.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import PlainSerializer, ValidationInfo, field_validator

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import Declaration, Nested, parameter
from twinlens.core.declaration.fitted import Packed, join_packed
from twinlens.core.errors import InvalidError, TwinlensError
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import unit_rows
from twinlens.features.colour.colour_histogram import HsvHistogram
from twinlens.features.descriptor import SINGLE_DESCRIPTORS, Descriptor, Extractor, Pictures, Vector
from twinlens.features.keypoints.sift import Cap
from twinlens.features.pictures.picture import Picture
from twinlens.features.vocabulary.vlad import CompactVlad

_MAPS: dict[str, Callable[[Float64Matrix], Float64Matrix]] = {Linear.key: np.asarray, Hellinger.key: np.sqrt}
"""The map that turns a measure into a dot product, by the measure's key."""


@dataclass(frozen=True, eq=False)
class FusionExtractor(Extractor):
    """Describes a picture by several extractors, side by side.

    Parameters
    ----------
    keys : tuple of str
        Of the parts' descriptors, by which their extractors are known again.
    measures : tuple of str
        Keys of the parts' measures: what their vectors are mapped by.
    weights : tuple of float
        Above 0; only their ratios count.
    """

    keys: tuple[str, ...]
    measures: tuple[str, ...]
    weights: tuple[float, ...]
    parts: tuple[Extractor, ...]

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by a vector of length 1; all zero where no part has anything to say.

        Raises
        ------
        UnusableError
            If a part can describe no picture now.
        """
        known_parts = self.known_parts(picture)
        vectors = [
            known_parts[name] if name in known_parts else one.extract(picture)
            for name, one in zip(self._names, self.parts, strict=True)
        ]
        mapped = [
            unit_rows(_MAPS[measure](vector.astype(np.float64))[None, :])[0]
            for vector, measure in zip(vectors, self.measures, strict=True)
        ]
        speaking = sum(weight for weight, row in zip(self.weights, mapped, strict=True) if row.any())
        shares = [np.sqrt(weight / speaking) if speaking else 0.0 for weight in self.weights]
        fused = [share * row for share, row in zip(shares, mapped, strict=True)]
        return np.concatenate(fused).astype(np.float32)

    def known_parts(self, picture: Picture) -> dict[str, Vector]:
        """Return the vectors of the parts that look at more than local features, by the name of the part.

        They are computed once for each picture; see `keep_known_part`.
        """
        return {
            name: picture.shared(("said", name), partial(one.extract, picture))
            for name, one in zip(self._names, self.parts, strict=True)
            if not one.of_local_features
        }

    @property
    def known_part_names(self) -> frozenset[str]:
        """The names of the parts that `known_parts` has."""
        return frozenset(name for name, one in zip(self._names, self.parts, strict=True) if not one.of_local_features)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple("" if one.of_local_features else one.pack().digest().hex() for one in self.parts)

    @property
    def kept_as(self) -> str:
        """Bytes where a part's vectors are kept so."""
        return "int8" if any(one.kept_as == "int8" for one in self.parts) else "float16"

    @property
    def outdated(self) -> bool:
        """Whether a part is."""
        return any(one.outdated for one in self.parts)

    def unusable(self) -> Message:
        """Return why a part cannot describe pictures now, by the first such part; empty where all can."""
        return next((sentence for one in self.parts if (sentence := one.unusable())), NOTHING)

    def pack(self) -> Packed:
        """Return the parts of the extractor, each named by its place."""
        numbers = {"keys": list(self.keys), "measures": list(self.measures), "weights": list(self.weights)}
        return join_packed(
            type(self).__name__, numbers, {}, {str(place): one.pack() for place, one in enumerate(self.parts)}
        )

    @classmethod
    def unpack(cls, packed: Packed) -> Self:
        """Restore the extractor; see `Fitted.unpack`."""
        numbers = packed.numbers
        if packed.kind != cls.__name__ or not {"keys", "measures", "weights"} <= set(numbers):
            raise TwinlensError(
                "What was learned is stored as {kind}, not as a fusion.", "Rebuild the index.", kind=packed.kind
            )
        known = [SINGLE_DESCRIPTORS.member(key) for key in numbers["keys"]]
        if None in known or not set(numbers["measures"]) <= set(_MAPS):
            raise TwinlensError(
                "A part of the fusion ({numbers}) is not known to this version of Twinlens.",
                "Rebuild the index.",
                numbers=", ".join(numbers["keys"]),
            )
        parts = [one.extractor.unpack(packed.part(str(place))) for place, one in enumerate(known) if one is not None]
        return cls(tuple(numbers["keys"]), tuple(numbers["measures"]), tuple(numbers["weights"]), tuple(parts))


def keep_known_part(picture: Picture, name: str, vector: Vector) -> None:
    """Keep a known vector of a picture for a part of a fusion."""
    picture.shared(("said", name), lambda: vector)


def _can_be_part(option: type[Declaration]) -> bool:
    return issubclass(option, Descriptor) and option.measure.key in _MAPS


def _key_of(value: object) -> str:
    """Return the key in a declaration, its text form or its JSON; empty where there is none."""
    if isinstance(value, Declaration):
        return value.key
    if isinstance(value, Mapping):
        return str(value.get("key", ""))
    return re.split(r"[:(]", value, maxsplit=1)[0].strip() if isinstance(value, str) else ""


def _json(value: Descriptor | None) -> dict[str, Any] | None:
    return None if value is None else value.to_json()


_Part = Annotated[Descriptor, Nested(lambda: SINGLE_DESCRIPTORS, _can_be_part)]
_MaybePart = Annotated[Descriptor | None, Nested(lambda: SINGLE_DESCRIPTORS, _can_be_part), PlainSerializer(_json)]


class Fusion(Descriptor):
    """Compares by several descriptors at once, each with a weight: shapes and colours, unless you choose others.

    Two photos are as alike as their parts are on average, by weight. It finds what one of its parts alone would
    miss, and takes the time and the room of all of them together. Where a part has nothing to say of a photo, as
    shapes of a clear sky, the others speak for it; a photo of which that part does speak is then less like it.
    """

    key = "fusion"
    title = "Fusion of descriptors"
    paper = "Snoek et al., ACM Multimedia 2005"
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = FusionExtractor
    plain_name = "everything at once"

    first: _Part = parameter(CompactVlad(dimensions=512), shown=True, help="A descriptor to compare by.")
    second: _Part = parameter(HsvHistogram(), shown=True, help="Another one.")
    third: _MaybePart = parameter(None, help="A third one; none leaves it out.")
    fourth: _MaybePart = parameter(None, help="A fourth one, likewise.")
    fifth: _MaybePart = parameter(None, help="A fifth one, likewise.")
    first_weight: float = parameter(
        1.0, ge=0.001, le=1000, help="Weight of the first descriptor, relative to the weights of the others."
    )
    second_weight: float = parameter(1.0, ge=0.001, le=1000, help="Weight of the second descriptor.")
    third_weight: float = parameter(1.0, ge=0.001, le=1000, help="Weight of the third descriptor, where there is one.")
    fourth_weight: float = parameter(
        1.0, ge=0.001, le=1000, help="Weight of the fourth descriptor, where there is one."
    )
    fifth_weight: float = parameter(1.0, ge=0.001, le=1000, help="Weight of the fifth descriptor, where there is one.")

    @field_validator("first", "second", "third", "fourth", "fifth", mode="before")
    @classmethod
    def _has_a_map(cls, value: object, about: ValidationInfo) -> object:
        """Return why a descriptor cannot be a part, where it is one."""
        key = _key_of(value)
        if key == cls.key:
            raise InvalidError("{name} cannot be a fusion itself; give its parts a place here", name=about.field_name)
        refused = SINGLE_DESCRIPTORS.member(key)
        if refused is not None and refused.measure.key not in _MAPS:
            raise InvalidError(
                "{name} cannot be {key}, which compares by the {kernel} kernel: only these kernels can share a "
                "vector exactly: {kernels}; give {key} an index of its own",
                name=about.field_name,
                key=key,
                kernel=refused.measure.key,
                kernels=list(_MAPS),
            )
        return value

    @property
    def parts(self) -> tuple[tuple[Descriptor, float], ...]:
        """The descriptors that there are, with their weights."""
        every = (
            (self.first, self.first_weight),
            (self.second, self.second_weight),
            (self.third, self.third_weight),
            (self.fourth, self.fourth_weight),
            (self.fifth, self.fifth_weight),
        )
        return tuple((one, weight) for one, weight in every if one is not None)

    @property
    def dimensions(self) -> int:
        """The sum of the dimensions of all parts."""
        return sum(one.dimensions for one, _ in self.parts)

    @property
    def classifies(self) -> bool:
        """Whether the network of a part does."""
        return any(one.classifies for one, _ in self.parts)

    @property
    def needs_a_file(self) -> bool:
        """Whether a part works only while a file outside the library is there."""
        return any(one.needs_a_file for one, _ in self.parts)

    @property
    def caps(self) -> tuple[Cap, ...]:
        """The caps of all parts."""
        return tuple(cap for one, _ in self.parts for cap in one.caps)

    @property
    def recognises_variants(self) -> bool:
        """Whether such a copy looks much the same to a part."""
        return any(one.recognises_variants for one, _ in self.parts)

    @property
    def learns(self) -> bool:
        """Whether a part does."""
        return any(one.learns for one, _ in self.parts)

    @property
    def sample_size(self) -> int:
        """The largest sample size of its parts."""
        return max(one.sample_size for one, _ in self.parts)

    @property
    def seed(self) -> int:
        """The seed of the first part that learns: all learn from one sample."""
        return next((int(getattr(one, "seed", 0)) for one, _ in self.parts if one.learns), 0)

    def fit(self, sample: Pictures, progress: Progress = silent) -> FusionExtractor:
        """Fit every part, each on so many pictures as it wants; see `Descriptor.fit`."""
        learning = sum(one.learns for one, _ in self.parts)
        learned = 0
        extractors = []
        for one, _ in self.parts:
            step: Progress = silent
            if one.learns:
                step = part(progress, learned / learning, (learned + 1) / learning)
                learned += 1
            extractors.append(one.fit(_first(sample, one.sample_size), step))
        return FusionExtractor(
            tuple(one.key for one, _ in self.parts),
            tuple(one.measure.key for one, _ in self.parts),
            tuple(weight for _, weight in self.parts),
            tuple(extractors),
        )


def _first(sample: Pictures, count: int) -> Pictures:
    """Return the beginning of a sample: a larger one begins with a smaller one."""

    def pictures() -> Iterator[Picture]:
        return islice(iter(sample()), count)

    return pictures
