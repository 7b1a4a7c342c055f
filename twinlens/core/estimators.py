"""Estimators: hash methods and metrics by the conventions of scikit-learn, for its pipelines and searches of a grid.

``workbench.estimator("itq:bits=64")`` has the parameters of the declaration as its own, nested declarations in text
form; it learns by ``fit`` and gives bits by ``transform``, that of a metric G x. Labels teach what can learn from them:
supervised methods directly, metrics by pairs that are drawn from them. Nothing else of Twinlens needs scikit-learn.

Examples
--------
>>> import numpy as np
>>> from twinlens.core.workbench import estimator
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> x = np.random.default_rng(0).normal(size=(200, 16))
>>> codes = make_pipeline(StandardScaler(), estimator("itq:bits=8")).fit_transform(x)
>>> codes.shape, codes.dtype, sorted(np.unique(codes).tolist())
((200, 8), dtype('uint8'), [0, 1])
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.method_under_metric import unpack_encoder
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.metrics.metric import FittedMetric, Metric, MetricPairs

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise TwinlensError("scikit-learn is not installed here.", "Install it: pip install scikit-learn") from error

PAIRS_OF_CLASSES = 20
"""Pairs that teach a metric, for each two classes (Kulis, Jain and Grauman, PAMI 2009, section 6)."""


def estimator_of(declared: Declaration) -> DeclaredEstimator:
    """Return the estimator of a hash method or metric.

    Raises
    ------
    TwinlensError
        If it is neither.
    """
    values = {about.name: _plain(getattr(declared, about.name)) for about in type(declared).parameters()}
    return _estimator_class(type(declared))(**values)


class DeclaredEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator whose parameters are those of a declaration."""

    declared: ClassVar[type[Any]]

    def fit(self, x: npt.ArrayLike, y: npt.ArrayLike | None = None) -> Self:
        """Learn from vectors, (n, d), and where labels, (n,), are given and can teach, from these."""
        table = validate_data(self, x, dtype=np.float32)
        labels = None if y is None else np.unique(_checked(y, len(table)), return_inverse=True)[1].astype(np.int64)
        try:
            self._learn(self.declared(**self.get_params(deep=False)), table, labels)
        except TwinlensError as error:  # a search of a grid expects its kind
            rows, columns = table.shape
            raise ValueError(f"{error} x has n_samples={rows}, n_features={columns}.") from error
        return self

    def __sklearn_tags__(self) -> Any:
        """Return the tags of scikit-learn: what is given is never what was taken."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _table(self, x: npt.ArrayLike) -> npt.NDArray[np.float32]:
        check_is_fitted(self)
        table: npt.NDArray[np.float32] = validate_data(self, x, dtype=np.float32, reset=False)
        return table

    @abstractmethod
    def _learn(self, declared: Any, table: npt.NDArray[np.float32], labels: npt.NDArray[np.int64] | None) -> None:
        """Fit the declaration to checked vectors."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the declaration's class: that of the estimator is made from it."""
        return _restored, (self.declared, self.__getstate__())


class HashEstimator(DeclaredEstimator):
    """A hash method as a transformer of vectors into bits."""

    encoder_: Encoder

    def __getstate__(self) -> dict[str, Any]:
        """Return the state with the encoder as it is kept."""
        state: dict[str, Any] = super().__getstate__()
        return state | {"encoder_": state["encoder_"].pack()} if "encoder_" in state else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take such a state."""
        kept = state.get("encoder_")
        super().__setstate__(state if kept is None else state | {"encoder_": unpack_encoder(kept)})

    def _learn(
        self, declared: HashMethod, table: npt.NDArray[np.float32], labels: npt.NDArray[np.int64] | None
    ) -> None:
        teaching = None if labels is None else Supervision.of_labels(labels)
        self.encoder_ = declared.fit_with(table, teaching)
        self._n_features_out = self.encoder_.bits

    def transform(self, x: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """Return the bits of vectors, (n, d) -> (n, bits); the metric ``hamming`` compares them."""
        return unpack_bits(self.encode(x), self.encoder_.bits).astype(np.uint8)

    def encode(self, x: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """Return packed codes, (n, d) -> (n, ceil(bits / 8)), as ``nearest_codes`` takes them."""
        table = self._table(x)
        return self.encoder_.encode(table)


class MetricEstimator(DeclaredEstimator):
    """A metric as a transformer of x into G x, whose Euclidean distances are those of the metric."""

    metric_: FittedMetric

    def _learn(self, declared: Metric, table: npt.NDArray[np.float32], labels: npt.NDArray[np.int64] | None) -> None:
        pairs = None
        if labels is not None and declared.needs_marks:
            classes = int(labels.max()) + 1
            count = PAIRS_OF_CLASSES * classes * max(1, classes - 1) // 2
            pairs = MetricPairs.of_labels(labels, count, None, seed=0)
        self.metric_ = declared.fit(table, pairs)
        self._n_features_out = self.metric_.out_dimensions

    def transform(self, x: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Return G x of vectors, (n, d) -> (n, out)."""
        table = self._table(x)
        return self.metric_.apply(table)


@cache
def _estimator_class(declared: type[Declaration]) -> type[DeclaredEstimator]:
    """Make the class of a declaration's estimator, with its parameters in the signature, from which all is read."""
    if not issubclass(declared, HashMethod | Metric):
        raise TwinlensError(
            "{key} is neither a hash method nor a metric, so there is no estimator of it.",
            "Choose one of `twinlens methods`.",
            key=declared.key,
        )
    base = HashEstimator if issubclass(declared, HashMethod) else MetricEstimator
    given = [
        inspect.Parameter(about.name, inspect.Parameter.KEYWORD_ONLY, default=_plain(about.default))
        for about in declared.parameters()
    ]

    def __init__(self: DeclaredEstimator, **values: Any) -> None:  # noqa: N807
        for about in given:
            setattr(self, about.name, values.pop(about.name, about.default))
        if values:
            raise TypeError(f"{declared.key} has no parameter {next(iter(values))}")

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([own, *given])  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": declared.__doc__, "__module__": __name__, "declared": declared}
    return type(f"{declared.__name__}Estimator", (base,), members)


def _restored(declared: type[Declaration], state: dict[str, Any]) -> DeclaredEstimator:
    made = object.__new__(_estimator_class(declared))
    made.__setstate__(state)
    return made


def _plain(value: Any) -> Any:
    """Return a nested declaration in text form, which names it as well, and anything else as it is."""
    return value.text() if isinstance(value, Declaration) else value


def _checked(y: npt.ArrayLike, count: int) -> npt.NDArray[Any]:
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    check_classification_targets(labels)
    if labels.shape != (count,):
        raise ValueError(f"y has the shape {labels.shape}, and x has {count} rows")
    return labels
