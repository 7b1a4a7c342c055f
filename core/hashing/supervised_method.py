"""Hash methods that learn from what belongs together; without that, they learn as their like without labels do."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import fields
from typing import Any, Literal

import numpy as np

from core.declaration.declaration import parameter
from core.hashing.hash_method import Encoder, HashMethod
from core.hashing.supervision import Supervision
from core.message import Message, joined
from core.progress import Progress, silent
from core.vectors import Vectors, as_vectors


class SupervisedMethod(HashMethod):
    """Base of the methods that learn from labels or judged pairs; a subclass implements :meth:`learn`."""

    supervised = True

    labels: Literal["marks", "folders"] = parameter(
        "marks",
        help="What says in a library which photos belong together: marks, or the folders that they are in. An "
        "experiment with labels takes those.",
    )
    per_class: int | None = parameter(
        None,
        ge=1,
        le=1_000_000,
        unit="items",
        help="How many items of each label it learns from, at most, drawn at random; none takes all.",
    )

    @property
    @abstractmethod
    def untaught(self) -> HashMethod:
        """The method that makes as many bits in the same way without labels: what it has to be better than."""

    @abstractmethod
    def learn(self, x: Vectors, supervision: Supervision, progress: Progress = silent) -> Encoder:
        """Learn a hash function.

        Parameters
        ----------
        x : ndarray, (n, d)
            Checked, without rows that are zero throughout.
        supervision : Supervision
            Of these rows; it teaches something.
        """

    def fit(self, x: Vectors, progress: Progress = silent) -> Encoder:
        """Learn without labels: what :attr:`untaught` learns, and a note that says so.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.
        """
        return self.fit_with(x, None, progress)

    def fit_with(self, x: Vectors, supervision: Supervision | None, progress: Progress = silent) -> Encoder:
        """Learn from what is known of the rows; see `HashMethod.fit_with`."""
        if supervision is not None:
            x = as_vectors(x, np.result_type(np.asarray(x).dtype, np.float32))
            telling = np.flatnonzero(x.any(axis=1))
            supervision = supervision.of_rows(telling).drawn(self.per_class, np.random.default_rng(self.seed))
            if supervision.teaches:
                return self.learn(x[telling], supervision, progress)
        plain: Any = self.untaught.fit(x, progress)  # a dataclass with a note, as all encoders of our own are
        unknown = Message(
            "Nothing says yet which items belong together, so these bits were learned without it, by {method}.",
            method=self.untaught.key,
        )
        values = {one.name: getattr(plain, one.name) for one in fields(plain)}
        return self.encoder(**(values | {"note": joined([unknown, plain.note])}))
