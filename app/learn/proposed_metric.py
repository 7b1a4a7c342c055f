"""A metric that is looked at: one that was just learned and is not kept, or one that the library keeps."""

from __future__ import annotations

from dataclasses import dataclass

from app.indexes.index_measure import IndexMeasure
from app.indexes.index_metric import load_metric
from app.learn.learning import Proposal
from app.learn.metrics import find_metric
from app.methods import catalogue
from core.errors import TwinlensError
from core.message import Message
from core.metrics.metric import FittedMetric
from features.descriptor import Descriptor
from storage.library.transaction import Transaction


@dataclass(frozen=True, eq=False)
class ProposedMetric:
    """A metric and what it measures. Made by :meth:`of`.

    Attributes
    ----------
    name : str
        Under which it is kept; empty where it is not.
    fitted : FittedMetric
    descriptor : Descriptor
        Whose vectors it measures.
    """

    name: str
    fitted: FittedMetric
    descriptor: Descriptor

    @classmethod
    def of(cls, r: Transaction, metric: Proposal | str) -> ProposedMetric:
        """Find what is meant: a proposal, or the name of a kept metric.

        Raises
        ------
        TwinlensError
            If nothing was learned, or no metric of that name is kept.
        """
        if isinstance(metric, str):
            row = find_metric(r, metric)
            return cls(row.name, load_metric(r, row.model_id), catalogue.descriptor(row.descriptor))
        if metric.metric is None:
            raise TwinlensError(Message("Nothing was learned yet."), Message("Mark some more pairs, and learn."))
        return cls("", metric.metric, metric.index.descriptor)

    def check(self, index: IndexMeasure) -> None:
        """Refuse an index of other vectors.

        Raises
        ------
        TwinlensError
            Names both descriptors.
        """
        if self.descriptor != index.descriptor:
            raise TwinlensError(
                Message(
                    "The metric “{name}” measures {descriptor}, but “{name2}” is of {descriptor2}.",
                    name=self.name,
                    descriptor=self.descriptor.text(),
                    name2=index.row.name,
                    descriptor2=index.descriptor.text(),
                ),
                Message("Choose an index of the same descriptor."),
            )
