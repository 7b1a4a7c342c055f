"""Learned vocabularies: the library's record of its own, the descriptors that learn one, and results of commands."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from twinlens.app.results import Result
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.features.descriptor import Descriptor
from twinlens.features.pictures.edits import EDITS
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction

READY_MADE = "ready-made"
"""Name of the vocabulary that comes with the program."""

_SETTING = "vocabularies"
_COPY = 0.5  # cost of an edited copy, relative to reading a photograph
LEARNING = 1.2
"""Cost of learning from a photograph, relative to reading it: visual words and projection are added."""


class EditChange(Result):
    """Share of the copies of one edit that find their photograph first."""

    edit: str
    present: float = Field(description="recall@1 with the vocabulary that was in use")
    new: float = Field(description="recall@1 with the new one")


class VocabularyQuality(Result):
    """Effect of a vocabulary, measured on photographs that it was not learned from."""

    photographs: int = Field(description="that were edited and searched with")
    questions: int = Field(description="edited copies of them")
    among: int = Field(description="photographs that could have been found")
    present: float = Field(description="recall@1 with the vocabulary that was in use")
    present_interval: tuple[float, float] = Field(description="95 % confidence")
    new: float = Field(description="recall@1 with the new one")
    new_interval: tuple[float, float] = Field(description="95 % confidence")
    difference_interval: tuple[float, float] = Field(description="95 % confidence, of new - present, in pairs")
    edits: list[EditChange]
    sentence: Message


class OwnVocabulary(BaseModel):
    """Record of a vocabulary that was learned from the library."""

    model_config = ConfigDict(frozen=True)

    number: int
    descriptor: str
    kind: str
    learned: str
    photographs: int
    sample: int
    dropped: bool = False
    quality: VocabularyQuality | None = None

    @property
    def name(self) -> str:
        """The number of the vocabulary, as a name."""
        return str(self.number)


class VocabularyRecord(BaseModel):
    """The vocabularies of a library, and the index that is being made with one of them."""

    model_config = ConfigDict(frozen=True)

    own: tuple[OwnVocabulary, ...] = ()
    adopting: str = ""
    index: int = 0

    @classmethod
    def of(cls, r: Transaction) -> VocabularyRecord:
        """Read the record of a library."""
        return cls.model_validate(r.settings.get(_SETTING, {}))

    def keep(self, w: Transaction) -> None:
        """Write the record into the library."""
        w.settings.put(_SETTING, self.model_dump(mode="json"))

    def with_own(self, one: OwnVocabulary) -> VocabularyRecord:
        """Add a vocabulary, or replace the one of its number."""
        others = [other for other in self.own if other.number != one.number]
        return self.model_copy(update={"own": tuple(sorted((*others, one), key=lambda other: other.number))})


def learning_cost(sample: int, asked: int, among: int) -> float:
    """Return the cost of learning and measuring, in photographs read."""
    return LEARNING * sample + among + _COPY * asked * len(EDITS)


def with_vocabulary(descriptor: Descriptor, vocabulary: str, sample: int | None = None, seed: int = 0) -> Descriptor:
    """Return a descriptor with another vocabulary in all its parts.

    Parameters
    ----------
    vocabulary : str
        ``own`` or ``ready-made``.
    sample : int, optional
        Number of photographs to learn from; by default that of the descriptor.

    Raises
    ------
    TwinlensError
        If neither it nor any of its parts has a vocabulary.
    """
    changed = changed_vocabulary(descriptor, vocabulary, sample, seed)
    if changed is None:
        raise TwinlensError(
            "The automatic index compares {compared} ({descriptor}), which needs no vocabulary.",
            compared=Message(descriptor.plain_name),
            descriptor=descriptor.text(),
        )
    return changed


def has_vocabulary(descriptor: Descriptor) -> bool:
    """Return whether a descriptor, or one of its parts, has a vocabulary."""
    return changed_vocabulary(descriptor, "own", None, 0) is not None


def changed_vocabulary(
    descriptor: Descriptor, vocabulary: str, sample: int | None = None, seed: int = 0
) -> Descriptor | None:
    """Return what `with_vocabulary` returns; None if neither the descriptor nor any of its parts has a vocabulary."""
    fields = type(descriptor).model_fields
    values: dict[str, object] = {}
    if "vocabulary" in fields:
        values = {"vocabulary": vocabulary, "seed": seed}
        values["samples"] = fields["samples"].default if sample is None else sample
    for name in fields:
        value = getattr(descriptor, name)
        inner = changed_vocabulary(value, vocabulary, sample, seed) if isinstance(value, Descriptor) else None
        if inner is not None:
            values[name] = inner
    return descriptor.changed(**values) if values else None


def automatic_index(r: Transaction) -> IndexRow:
    """Return the index that the program maintains itself."""
    return next(index for index in r.indexes.all() if index.automatic)


def fewest_photographs(descriptor: Descriptor) -> int:
    """Return the least number of photographs to learn from: a projection needs more than it has dimensions.

    Examples
    --------
    >>> from twinlens.app.methods import catalogue
    >>> fewest_photographs(catalogue.descriptor("fusion:first=compact-vlad(dimensions=200),second=colour"))
    201
    """
    parts = [getattr(descriptor, name) for name in type(descriptor).model_fields]
    inner = max((fewest_photographs(one) for one in parts if isinstance(one, Descriptor)), default=1)
    own = {"vocabulary", "dimensions"} <= set(type(descriptor).model_fields)
    return max(inner, descriptor.dimensions + 1 if own else 1)


class VocabularyStatus(Result):
    """One vocabulary: the ready-made one, or one of the library's own."""

    name: str = Field(description="ready-made, or the number of an own one")
    state: Literal["in use", "learned", "being adopted", "dropped"]
    descriptor: str = Field(description="in text form")
    learned: str | None = Field(default=None, description="when; None: it is ready-made")
    photographs: int | None = Field(default=None, description="of the library at that time")
    sample: int | None = Field(default=None, description="photographs that it was learned from")
    quality: VocabularyQuality | None = Field(default=None, description="None: not measured yet")


class VocabularyListResult(Result):
    """Result of the commands of ``vocabulary``."""

    vocabularies: list[VocabularyStatus]
    notice: Message | None = Field(default=None, description="the next step worth taking; None: nothing")
