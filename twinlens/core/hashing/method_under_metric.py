"""A hash method behind a metric: it learns from G x and encodes G x, whatever the method and whatever the metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.kernel_hashing import KernelMethod
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.methods import METHODS
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import FITTED
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import Vectors, as_vectors, training_vectors

if TYPE_CHECKING:
    from twinlens.core.hashing.supervision import Supervision
    from twinlens.core.projections.kernel_components import Spectrum


@dataclass(frozen=True, eq=False)
class UnderMetric(Encoder):
    """First the metric, then the encoder: vectors to packed bits. An item still has one code.

    It has no kernel of its own: candidates are ranked by the metric, ``UnderMetric.metric``.

    Attributes
    ----------
    encoder : Encoder
        Takes what the metric gives.
    """

    metric: FittedMetric
    encoder: Encoder

    @property
    def bits(self) -> int:
        """Length of a code."""
        return self.encoder.bits

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes: before the metric."""
        return self.metric.dimensions

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project checked rows, (m, dimensions) -> (m, bits)."""
        return self.encoder.project_block(self.metric.apply_block(block))

    @property
    def note(self) -> Message:
        """Notes of the metric and of the encoder."""
        return joined([self.metric.note, getattr(self.encoder, "note", NOTHING)])

    def keeps(self, x: npt.ArrayLike) -> npt.NDArray[np.bool_] | None:
        """Keep what the encoder keeps, (n, d) -> (n,); nothing is computed for an encoder that keeps all."""
        if self.encoder.keeps(self.metric.apply(np.asarray(x)[:1])) is None:
            return None
        return self.encoder.keeps(self.metric.apply(x))

    def spectrum(self) -> Spectrum | None:
        """Return the eigenvalues of what the encoder learned."""
        return self.encoder.spectrum()

    @classmethod
    def unpack(cls, packed: Packed) -> UnderMetric:
        """Restore metric and encoder.

        Raises
        ------
        TwinlensError
            If the parts are of another version of the program.
        """
        metric = next((one for one in FITTED if one.__name__ == packed.part("metric").kind), None)
        if metric is None:
            raise unknown(packed.part("metric").kind)
        return cls(metric.unpack(packed.part("metric")), unpack_encoder(packed.part("encoder")))


def unpack_encoder(packed: Packed) -> Encoder:
    """Restore the encoder of any hash method, also one under a metric.

    Raises
    ------
    TwinlensError
        If no hash method gives such an encoder, or the parts are of another version of the program.
    """
    if packed.kind == UnderMetric.__name__:
        return UnderMetric.unpack(packed)
    found = next((method.encoder for method in METHODS if method.encoder.__name__ == packed.kind), None)
    if found is None:
        raise unknown(packed.kind)
    return found.unpack(packed)


def unknown(kind: str) -> TwinlensError:
    """Return the error that this version cannot restore a fitted object."""
    return TwinlensError(
        "What was learned is stored as {kind}, which this version of Twinlens does not know.",
        "Learn it again.",
        kind=kind,
    )


@dataclass(frozen=True)
class MethodUnderMetric:
    """A hash method that learns behind a metric. Made by :func:`under`."""

    metric: FittedMetric
    method: HashMethod

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse vectors that the two can never learn from; see `HashMethod.check`.

        A metric that keeps the number of dimensions keeps the shape of a matrix: entry by entry, G x is about what x
        is. One that does not leaves no matrix.

        Raises
        ------
        TwinlensError
            Says why, and what would do.
        """
        self.metric.check(dimensions)
        after = self.metric.out_dimensions
        if matrix_shape is None or (after == dimensions and not isinstance(self.metric, KernelMetric)):
            self.method.check(after, matrix_shape)
            return
        try:
            self.method.check(after, None)
        except TwinlensError as error:
            raise TwinlensError(
                "{sentence} The metric gives vectors of {after} dimensions in place of {dimensions}, "
                "which are no matrices any more.",
                error.next_step,
                sentence=error.message,
                after=after,
                dimensions=dimensions,
            ) from None

    def fit(self, x: Vectors, progress: Progress = silent) -> UnderMetric:
        """Do :meth:`fit_with` where nothing is known of the rows."""
        return self.fit_with(x, None, progress)

    def fit_with(self, x: Vectors, supervision: Supervision | None, progress: Progress = silent) -> UnderMetric:
        """Apply the metric to training vectors, and fit the method to the images.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.
        supervision : Supervision, optional
            What belongs together among the rows; see `HashMethod.fit_with`.

        Raises
        ------
        TwinlensError
            If no row is left, one is not finite, or the method cannot learn from them.
        """
        as_vectors(np.asarray(x)[:0], np.float32, self.metric.dimensions)
        telling = training_vectors(x)
        if supervision is not None:
            supervision = supervision.of_rows(np.flatnonzero(np.asarray(x).any(axis=1)))
        images = self.metric.apply(telling, part(progress, 0, 0.1))
        method = self.of_images()
        self._check_histograms(method, images)
        return UnderMetric(self.metric, method.fit_with(images, supervision, part(progress, 0.1, 1)))

    def of_images(self) -> HashMethod:
        """Return the method as it learns from images under the metric.

        A metric that was learned of the kernel by which the method compares takes its place: the dot products of what
        it gives are the learned kernel. The transform exp(s (k - 1)) of the learned similarity, 1 - distance² / 2, is
        a Gaussian of what it gives.
        """
        method = self.method
        if not isinstance(self.metric, KernelMetric) or not isinstance(method, KernelMethod):
            return method
        if method.kernel.key != self.metric.base.key and not method.kernel.non_negative:
            return method
        if method.scale is None:
            return method.changed(kernel=Linear(normalise=self.metric.ranking == "kernel"))
        return method.changed(kernel=Gaussian(gamma=method.scale / (2 * self.metric.spread**2)), scale=None)

    def _check_histograms(self, method: HashMethod, images: Vectors) -> None:
        """Refuse images that are no histograms, where the kernel needs them."""
        kernel = getattr(method, "kernel", None)
        if isinstance(kernel, Kernel) and kernel.non_negative:
            negative = int((images < 0).any(axis=1).sum())
            if negative:
                raise TwinlensError(
                    "The {key} kernel is for histograms, and under the metric {negative} of the {images} "
                    "vectors are none any more: they have negative entries.",
                    "Choose another kernel, such as gaussian, or no metric.",
                    key=kernel.key,
                    negative=negative,
                    images=len(images),
                )


def under(metric: FittedMetric, method: HashMethod) -> MethodUnderMetric:
    """Return a hash method that encodes vectors transformed by a metric.

    Examples
    --------
    >>> from twinlens.core.methods.lsh import Lsh
    >>> from twinlens.core.metrics.metric_forms import ExplicitMetric
    >>> x = np.array([[1.0, 0.0], [1.0, 0.5], [0.0, 1.0]], np.float32)
    >>> second_counts_little = ExplicitMetric.of(np.diag([1.0, 0.1]))
    >>> encoder = under(second_counts_little, Lsh(bits=16)).fit(x)
    >>> encoder.dimensions, encoder.encode(x).shape
    (2, (3, 2))
    """
    return MethodUnderMetric(metric, method)
