"""The specification of an index: its descriptor, metric, hash method and search structure, checked before any reading.

The metric is one that the library keeps, or one that is fitted with the index (:class:`ChosenMetric`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes import fitted_models
from twinlens.app.indexes.fitted_models import declared_text, load_metric
from twinlens.app.methods import catalogue
from twinlens.core.errors import DeclarationError, Remedy, TwinlensError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import Message
from twinlens.core.metrics.metric import FittedMetric, Metric
from twinlens.core.progress import Progress, silent
from twinlens.core.search.search_structure import Search
from twinlens.core.search.server_lists import ServerLists
from twinlens.features.descriptor import Descriptor
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.indexes.models import MetricRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow


@dataclass(frozen=True)
class IndexSpecification:
    """The declarations of a new index without its metric, which depends on the library. Made by :meth:`of`.

    Examples
    --------
    >>> wanted = IndexSpecification.of("colour", "itq:bits=256", "scan")
    >>> wanted.name(), wanted.name("whitening")
    ('colour · itq:bits=256', 'colour · whitening · itq:bits=256')
    >>> IndexSpecification.of("colour", "itq", "exact").name()
    'colour · exact'
    """

    descriptor: Descriptor
    method: HashMethod
    search: Search

    @classmethod
    def of(cls, descriptor: str, method: str, search: str) -> IndexSpecification:
        """Read text forms.

        Raises
        ------
        DeclarationError
            If one is not valid.
        """
        return cls(catalogue.descriptor(descriptor), catalogue.method(method), catalogue.search_structure(search))

    def name(self, metric: str = "") -> str:
        """Return its default name: the declarations, with the metric if any, and the search if it is not the scan."""
        parts = [self.descriptor.text(), *([metric] if metric else [])]
        if self.search.uses_codes:
            parts.append(self.method.text())
        if self.search.text() != "scan":
            parts.append(self.search.text())
        return " · ".join(parts)

    def checked(self, r: Transaction, metric: str) -> ChosenMetric | None:
        """Refuse impossible combinations, and return the metric, if there is one.

        Parameters
        ----------
        metric : str
            Name of a metric that the library keeps, or text form of one that is fitted; empty for none.

        Raises
        ------
        TwinlensError
            If there is no such metric, metric or method can never learn from this descriptor, or the library is on no
            server that could search its codes.
        """
        if isinstance(self.search, ServerLists):
            refusal = r.codes.tables.refusal()
            if refusal is not None:
                raise refusal
        method = self.method if self.search.uses_codes else None
        if metric:
            chosen = choose_metric(r, metric)
            chosen.check(r, self.descriptor, method)
            return chosen
        if method is not None:
            method.check(self.descriptor.dimensions, self.descriptor.matrix_shape)
        return None

    def check_marks(self, r: Transaction) -> None:
        """Refuse a new index that would learn from marks where there are none.

        Raises
        ------
        TwinlensError
            Says how to mark.
        """
        from_marks = self.search.uses_codes and getattr(self.method, "labels", "") == "marks"
        if from_marks and not r.marks.count():
            raise TwinlensError(
                "{key} learns from marks, and the library has none yet.", Remedy("mark pairs"), key=self.method.key
            )


@dataclass(frozen=True)
class ChosenMetric:
    """The metric of a new index; one of the two fields is set. Made by :func:`choose_metric`.

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
        """The name of the library's metric, or the text form of the declaration."""
        if self.kept is not None:
            return self.kept.name
        return "" if self.declared is None else self.declared.text()

    @property
    def written(self) -> str | None:
        """The declaration for keeping; None for a metric of the library."""
        return None if self.declared is None else catalogue.written_declaration(self.declared)

    @property
    def metric_id(self) -> int | None:
        """The id of the library's metric; None for one that is fitted with the index."""
        return None if self.kept is None else self.kept.id

    def check(self, r: Transaction, descriptor: Descriptor, method: HashMethod | None) -> None:
        """Refuse impossible combinations before any photograph is read.

        Parameters
        ----------
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
                    "The metric “{name}” is for {its}, not for {descriptor}.",
                    "Create an index of {its}, or choose another metric.",
                    name=self.kept.name,
                    its=its.text(),
                    descriptor=descriptor.text(),
                )
            fitted = load_metric(r, self.kept.model_id)
            fitted.check(dimensions)
            if method is not None:
                from twinlens.core.hashing.method_under_metric import under

                under(fitted, method).check(dimensions, shape)
        elif self.declared is not None:
            self.declared.check(dimensions)
            if method is not None:
                method.check(dimensions, shape)

    def bytes(self, r: Transaction, dimensions: int) -> int:
        """Return the bytes that it takes in an index."""
        return dimensions * dimensions * 4 if self.kept is None else r.models.bytes(self.kept.model_id)


def choose_metric(r: Transaction, text: str) -> ChosenMetric:
    """Return the metric of a name in the library, or of the text form of a declaration.

    Raises
    ------
    TwinlensError
        If it is neither; the error names the metrics that exist.
    """
    kept = named_metric(r, text)
    if kept is not None:
        return ChosenMetric(kept=kept)
    known = {option.key for option in catalogue.FAMILIES["metric"]()}
    if text.split(":", maxsplit=1)[0].strip() in known:
        return ChosenMetric(declared=catalogue.metric(text))
    names = [row.name for row in r.metrics.all()]
    raise DeclarationError(
        "There is no metric “{text}”.",
        Message(
            "Choose a metric of your library ({names}), or one that is fitted with the index ({known}).",
            names=names,
            known=sorted(known),
        )
        if names
        else Message(
            "Your library has no metrics yet. Choose one that is fitted with the index: {known}.", known=sorted(known)
        ),
        text=text,
    )


def named_metric(r: Transaction, name: str) -> MetricRow | None:
    """Return a metric by its name; case does not matter where the name stays unique."""
    exactly = r.metrics.by_name(name)
    if exactly is not None:
        return exactly
    alike = [row for row in r.metrics.all() if row.name.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else None


def metric_text(index: IndexRow) -> str:
    """Return the name or text form of an index's metric; empty if it has none."""
    if index.metric_name is not None:
        return index.metric_name
    return "" if index.metric is None else declared_text(catalogue.metric, index.metric)


@dataclass(frozen=True, eq=False)
class IndexMetric:
    """A metric fitted for an index, not kept yet.

    Attributes
    ----------
    key : str
        Its identity.
    text : str
        Its declaration.
    """

    fitted: FittedMetric
    key: str
    text: str

    def keep(self, w: Transaction, index: IndexRow, sample_digest: bytes, fitted_on: int) -> None:
        """Keep the metric as that of an index."""
        model_id = fitted_models.keep_model(w, self.key, self.text, self.fitted, sample_digest)
        w.indexes.set_metric_model(index.id, model_id, fitted_on)


@dataclass(frozen=True, eq=False)
class FittingSample:
    """The sample of vectors to which a metric or method is fitted.

    Attributes
    ----------
    vectors : ndarray, (n, d)
    digest : bytes
        Digest of their photographs.
    """

    kind: KindRow
    vectors: npt.NDArray[np.floating]
    digest: bytes


def fit_metric(
    r: Transaction, index: IndexRow, sample: FittingSample, progress: Progress = silent
) -> IndexMetric | None:
    """Fit the metric of an index to a sample; return None if it has none.

    A metric of the library is not learned anew: the sample only scales its distances.

    Raises
    ------
    TwinlensError
        If the metric cannot be fitted to these vectors.
    """
    if index.metric_id is not None:
        kept = load_metric(r, r.metrics.by_id(index.metric_id).model_id)
        fitted = kept.fitted_to(sample.vectors, progress)
        return IndexMetric(fitted, content_key(fitted), "")
    if index.metric is None:
        return None
    declared = catalogue.metric(index.metric)
    key = declared.identity(sample.kind.key, digest=sample.digest)
    known = r.models.by_key(key)
    # A metric kept under this key is used as it is: fitted again, its last digits and so the codes might differ.
    fitted = load_metric(r, known.id) if known is not None else declared.fit(sample.vectors, progress=progress)
    return IndexMetric(fitted, key, index.metric)


def content_key(fitted: FittedMetric) -> str:
    """Return the identity of an imported metric, from its content."""
    return fitted.pack().digest().hex()[:32]
