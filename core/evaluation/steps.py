"""Steps of a measurement, each under a key of all that determines its figures, and the places that keep them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from core.evaluation.evaluation_task import Figures
from core.message import NOTHING, Message

T = TypeVar("T")

VERSION = 1
"""Version of the figures; a new one measures every step again."""


class MeasurementStep(Protocol):
    """One step."""

    @property
    def key(self) -> str:
        """Equal for equal figures; see :func:`key_of`."""

    @property
    def name(self) -> Message:
        """Describe the step."""

    @property
    def kind(self) -> str:
        """Steps of one kind take about as long, the more so the nearer their sizes."""

    @property
    def size(self) -> int:
        """Such as the number of bits."""


@dataclass(frozen=True, eq=False)
class DeclaredStep(Generic[T]):
    """A step that measures something declared elsewhere.

    Attributes
    ----------
    key : str
    what : object
        What is measured.
    name : Message
    kind : str
    size : int
    """

    key: str
    what: T
    name: Message
    kind: str
    size: int = 0


@dataclass(frozen=True)
class DataFacts:
    """The data of a step.

    Attributes
    ----------
    base : str
        Source of the vectors.
    n, d, queries : int
    truth : str
        By which the true neighbours were found.
    relevant : Message
        Results that count as right in precision, recall and average precision.
    metric : str
        Applied before every method; empty for none.
    left_out : int
        All-zero rows of base and queries, left out for a histogram kernel.
    """

    base: str
    n: int
    d: int
    queries: int
    truth: str
    relevant: Message = NOTHING
    metric: str = ""
    left_out: int = 0


@dataclass(frozen=True, eq=False)
class MeasuredStep:
    """A measured step.

    Attributes
    ----------
    key : str
    figures : Figures
    facts : Facts
    exact : float
        Seconds of exact search per query.
    digest : str
        Of vectors, queries and right results.
    seconds : float
        That it took.
    digests : dict of str to str
        Of each of these; empty for steps of earlier versions.
    versions : dict of str to str
        Of the program and its machine; empty for those that run now.
    """

    key: str
    figures: Figures
    facts: DataFacts
    exact: float
    digest: str
    seconds: float
    digests: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


class StepStore(Protocol):
    """A place that keeps measured steps."""

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return those of some steps that were measured."""

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step, the moment it is measured."""


class StepMemory:
    """A store that forgets all when the program ends."""

    def __init__(self) -> None:
        self._steps: dict[str, MeasuredStep] = {}

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return those of some steps that were measured."""
        return {key: self._steps[key] for key in keys if key in self._steps}

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step."""
        self._steps[one.key] = one


def step_key(declared: Sequence[str], about: Mapping[str, Any]) -> str:
    """Return the key of a step.

    Parameters
    ----------
    declared : sequence of str
        Identities of what the step itself declares.
    about : dict
        Everything else that determines the figures, as JSON takes it.
    """
    rest = json.dumps({"version": VERSION, **about}, sort_keys=True)
    return hashlib.sha256(json.dumps([list(declared), rest]).encode()).hexdigest()[:32]
