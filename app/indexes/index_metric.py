"""The metric of an index: one that the library keeps, or one that is fitted with the index; chosen, fitted, loaded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.indexes import fitted_models
from app.methods import catalogue
from core.errors import DeclarationError, TwinlensError
from core.hash_method import HashMethod
from core.message import Message
from core.metrics import FITTED, FittedMetric, Metric, under
from core.progress import Progress, silent
from features.descriptor import Descriptor
from storage.descriptors import KindRow
from storage.indexes import IndexRow
from storage.metrics import MetricRow
from storage.transaction import Transaction


@dataclass(frozen=True)
class ChosenMetric:
    """What an index is to measure by; one of the two is given. Made by :func:`choose_metric`.

    Attributes
    ----------
    kept : MetricRow or None
        A metric of the library.
    declared : Metric or None
        A metric that is fitted with the index.
    """

    kept: MetricRow | None = None
    declared: Metric | None = None

    @property
    def text(self) -> str:
        """The name of the one, or the text form of the other."""
        if self.kept is not None:
            return self.kept.name
        return "" if self.declared is None else self.declared.text()

    @property
    def written(self) -> str | None:
        """The declaration for keeping; None for a metric of the library."""
        return None if self.declared is None else catalogue.written(self.declared)

    @property
    def metric_id(self) -> int | None:
        """The id of the library's metric; None for one that is fitted with the index."""
        return None if self.kept is None else self.kept.id

    def check(self, r: Transaction, descriptor: Descriptor, method: HashMethod | None) -> None:
        """Refuse what can never be, before any photograph is read.

        Parameters
        ----------
        r : Transaction
        descriptor : Descriptor
        method : HashMethod or None
            None where the index has no codes.

        Raises
        ------
        TwinlensError
            If the metric is for another descriptor, or the method cannot learn behind it.
        """
        dimensions, shape = descriptor.dimensions, descriptor.matrix_shape
        if self.kept is not None:
            its = catalogue.descriptor(self.kept.descriptor)
            if its != descriptor:
                raise TwinlensError(
                    Message(
                        "The metric “{name}” measures {its}, not {descriptor}.",
                        name=self.kept.name,
                        its=its.text(),
                        descriptor=descriptor.text(),
                    ),
                    Message(
                        "Make an index of {its}, or choose another metric: see `twinlens metrics list`.", its=its.text()
                    ),
                )
            fitted = load_metric(r, self.kept.model_id)
            fitted.check(dimensions)
            if method is not None:
                under(fitted, method).check(dimensions, shape)
        elif self.declared is not None:
            self.declared.check(dimensions)
            if method is not None:
                method.check(dimensions, shape)

    def bytes(self, r: Transaction, dimensions: int) -> int:
        """Say how much space it takes in an index."""
        return dimensions * dimensions * 4 if self.kept is None else r.models.bytes(self.kept.model_id)


def choose_metric(r: Transaction, text: str) -> ChosenMetric:
    """Find what a person means: the name of a metric of the library, or the text form of a declaration.

    Raises
    ------
    TwinlensError
        If it is neither; names what there is.
    """
    kept = named_metric(r, text)
    if kept is not None:
        return ChosenMetric(kept=kept)
    known = {option.key for option in catalogue.FAMILIES["metric"]()}
    if text.split(":", maxsplit=1)[0].strip() in known:
        return ChosenMetric(declared=catalogue.metric(text))
    names = [f"“{row.name}”" for row in r.metrics.all()]
    there = f"the library keeps {', '.join(names)}" if names else "the library keeps none yet"
    raise DeclarationError(
        Message(
            "There is no metric “{text}”; {there}, and {known} can be fitted with an index.",
            text=text,
            there=there,
            known=", ".join(sorted(known)),
        ),
        Message("See `twinlens metrics list`, or bring one in with `twinlens metrics import FILE`."),
    )


def named_metric(r: Transaction, name: str) -> MetricRow | None:
    """Look a metric up by its name, whatever its case where that is unique."""
    exactly = r.metrics.by_name(name)
    if exactly is not None:
        return exactly
    alike = [row for row in r.metrics.all() if row.name.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else None


def load_metric(r: Transaction, model_id: int) -> FittedMetric:
    """Load a fitted metric, whatever form it is kept in."""
    kind = r.models.by_id(model_id).kind
    known = {one.__name__: one for one in FITTED}
    if kind not in known:
        raise TwinlensError(
            Message("A metric is stored as {kind}, which this version of Twinlens does not know.", kind=kind),
            Message("Install a newer one."),
        )
    return fitted_models.load(r, model_id, known[kind])


def metric_text(index: IndexRow) -> str:
    """Write the metric of an index as a person reads it: its name or its text form; empty where it has none."""
    if index.metric_name is not None:
        return index.metric_name
    return "" if index.metric is None else catalogue.metric(index.metric).text()


@dataclass(frozen=True, eq=False)
class IndexMetric:
    """A metric fitted for an index, not kept yet.

    Attributes
    ----------
    fitted : FittedMetric
    key : str
        Its identity.
    text : str
        What it was fitted from.
    """

    fitted: FittedMetric
    key: str
    text: str

    def keep(self, w: Transaction, index: IndexRow, sample_digest: bytes, fitted_on: int) -> None:
        """Let an index measure by it from now on."""
        model_id = fitted_models.keep(w, self.key, self.text, self.fitted, sample_digest)
        w.indexes.set_metric_model(index.id, model_id, fitted_on)


def fit_metric(
    r: Transaction,
    index: IndexRow,
    kind: KindRow,
    vectors: npt.NDArray[np.floating],
    sample_digest: bytes,
    progress: Progress = silent,
) -> IndexMetric | None:
    """Fit the metric of an index to a sample; None where it has none.

    One that the library keeps is not learned anew: the sample tells what its distances are divided by.

    Parameters
    ----------
    r : Transaction
    index : IndexRow
    kind : KindRow
    vectors : ndarray, (n, d)
        The sample.
    sample_digest : bytes
        Of the sample.
    progress : Progress

    Raises
    ------
    TwinlensError
        If the metric cannot be fitted to these vectors.
    """
    if index.metric_id is not None:
        kept = load_metric(r, r.metrics.by_id(index.metric_id).model_id)
        fitted = kept.fitted_to(vectors, progress)
        return IndexMetric(fitted, content_key(fitted), "")
    if index.metric is None:
        return None
    declared = catalogue.metric(index.metric)
    key = declared.identity(kind.key, digest=sample_digest)
    known = r.models.by_key(key)
    # What has this key already is used as it is: fitted again it might differ in its last digits, and codes with it.
    fitted = load_metric(r, known.id) if known is not None else declared.fit(vectors, progress=progress)
    return IndexMetric(fitted, key, index.metric)


def content_key(fitted: FittedMetric) -> str:
    """Return the identity of a metric that was not learned here: of what it is."""
    return fitted.pack().digest().hex()[:32]
