"""The vocabularies and projections that come with Twinlens, so that one reading of a photograph is enough.

They are made by ``python -m tools.codebook`` from the demo photographs, as CONTRIBUTING.md says.

A projection is on the principal components of VLADs (Jégou and Chum: Negative evidences and co-occurences in image
retrieval: the benefit of PCA and whitening, ECCV 2012): centre, project on the leading components, divide by a power of
their deviations, bring to length 1. A vector and the directions are cut to multiples of 2^-12. As neither is longer
than 1, no partial sum of their product exceeds 1, and each is a multiple of 2^-24: float32 holds it exactly, so threads
and machines make no difference.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

import resources
from core.errors import TwinlensError
from core.progress import Progress, part, silent
from core.projections.subspaces import column_mean, principal
from core.vectors import Vectors
from features.keypoints.sift import STEP
from features.vocabulary.vocabulary import Codebook

FILE = "codebook.npz"


def codebook(centres: int) -> Codebook:
    """Return a ready-made vocabulary, (centres, 128).

    Raises
    ------
    TwinlensError
        If none of so many centres comes along; names those that do.
    """
    steps = _found("codebook", centres)
    return (steps.astype(np.float32) * np.float32(STEP)).astype(np.float32)


def projection(centres: int, dimensions: int) -> Projection:
    """Return the ready-made projection of the VLADs of a ready-made vocabulary on at least so many dimensions.

    Raises
    ------
    TwinlensError
        If there is none for so many centres, or of so many dimensions.
    """
    steps = _found("projection", centres).astype(np.int16)
    if steps.shape[1] < dimensions:
        raise TwinlensError(
            "The projection that comes with Twinlens has {shape} dimensions, not {dimensions}.",
            "Choose dimensions={shape} or fewer, or learn your own with vocabulary=own.",
            shape=steps.shape[1],
            dimensions=dimensions,
        )
    return Projection(
        steps, _found("mean", centres).astype(np.float32), _found("variances", centres).astype(np.float32)
    )


def pack_codebook(codebooks: dict[int, Codebook], projections: dict[int, Projection]) -> bytes:
    """Write the file; the same vocabularies give the same bytes."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for centres, words in codebooks.items():
        arrays[f"codebook-{centres}"] = np.rint(words / STEP).astype(np.uint16)
    for centres, made in projections.items():
        arrays[f"projection-{centres}"] = made.steps
        arrays[f"mean-{centres}"] = made.mean.astype(np.float16)
        arrays[f"variances-{centres}"] = made.variances
    target = io.BytesIO()
    np.savez_compressed(target, allow_pickle=False, **arrays)
    return target.getvalue()


@cache
def _found(what: str, centres: int) -> npt.NDArray[np.generic]:
    """Read one array: a projection takes fifty times as long as a vocabulary."""
    with np.load(io.BytesIO(resources.read_bytes(FILE)), allow_pickle=False) as arrays:
        names = arrays.files
        if f"{what}-{centres}" in names:
            found: npt.NDArray[np.generic] = arrays[f"{what}-{centres}"]
            return found
    sizes = sorted(int(name.rpartition("-")[2]) for name in names if name.startswith(f"{what}-"))
    raise TwinlensError(
        "No vocabulary with {centres} centres comes with Twinlens for this descriptor; there {value} with {map}.",
        "Choose centres={sizes}, or learn your own with vocabulary=own.",
        centres=centres,
        value="is one" if len(sizes) == 1 else "are some",
        map=" and ".join(map(str, sizes)),
        sizes=sizes[0],
    )


_STEPS = 4096
_LEAST_VARIANCE = 1e-4  # of the largest: what a smaller one is divided by would be noise


@dataclass(frozen=True, eq=False)
class Projection:
    """Leading principal components of VLADs.

    Parameters
    ----------
    steps : ndarray of int16, (d, m)
        A direction a column, by decreasing variance, in steps of 2^-12.
    mean : ndarray of float32, (d,)
    variances : ndarray of float32, (m,)
        Along the directions.
    """

    steps: npt.NDArray[np.int16]
    mean: npt.NDArray[np.float32]
    variances: npt.NDArray[np.float32]

    def offset(self, dimensions: int) -> npt.NDArray[np.float32]:
        """Project the mean on the first directions, (dimensions,)."""
        directions = self.steps[:, :dimensions].astype(np.float64) / _STEPS
        return np.asarray(self.mean.astype(np.float64) @ directions, dtype=np.float32)

    def weights(self, dimensions: int, whitening: float) -> npt.NDArray[np.float32]:
        """Return the factors of the first components: variance to the power -whitening/2, (dimensions,)."""
        variances = np.maximum(self.variances[:dimensions].astype(np.float64), _LEAST_VARIANCE * self.variances[0])
        return np.asarray((variances / variances[0]) ** (-whitening / 2), dtype=np.float32)


def project_vlad(vector: npt.NDArray[np.float32], directions: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Multiply a vector of length at most 1 with directions given in steps, (d,), (d, m) -> (m,); exact."""
    steps = np.trunc(vector * np.float32(_STEPS))
    return np.asarray((steps @ directions) * np.float32(1 / _STEPS**2))


def learn_projection(vlads: Vectors, dimensions: int, seed: int, progress: Progress = silent) -> Projection:
    """Learn principal components.

    Parameters
    ----------
    vlads : ndarray of float32, (n, d)
        Rows of length 1 or zero throughout; the latter are left out.
    dimensions : int
        How many.
    seed : int
        Where there are more than are needed, a part is drawn.

    Raises
    ------
    TwinlensError
        If these vectors do not have so many.
    """
    vlads = vlads[vlads.any(axis=1)]
    if len(vlads) < 2:
        raise TwinlensError("None of the photos has local features to learn from.", "Add photos.")
    mean = column_mean(vlads, part(progress, 0, 0.1))
    rng = np.random.default_rng(seed)
    directions = principal(vlads, mean, min(dimensions, vlads.shape[1]), rng, part(progress, 0.1, 0.9))
    if directions.shape[1] < dimensions:
        raise TwinlensError(
            "{vlads} photos with local features give {shape} dimensions, not {dimensions}.",
            "Choose at most {shape} dimensions, or learn from more photos.",
            vlads=len(vlads),
            shape=directions.shape[1],
            dimensions=dimensions,
        )
    # Towards zero, so that no direction gets longer than 1.
    steps = np.trunc(directions * _STEPS).astype(np.int16)
    components = vlads @ directions.astype(np.float32)
    return Projection(steps, mean.astype(np.float32), components.var(axis=0, dtype=np.float64).astype(np.float32))
