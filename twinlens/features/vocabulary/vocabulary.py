"""Vocabularies of visual words: k-means over local features, those that come along, and the base of their descriptors.

Lloyd: Least Squares Quantization in PCM, 1982; Arthur and Vassilvitskii: k-means++, SODA 2007, for the start. As local
features are multiples of `twinlens.features.keypoints.sift.STEP` and centres are rounded to such multiples, every dot
product, distance and sum here is exact: the same features and seed give the same vocabulary, whatever the machine and
its threads.

Those that come along are made by ``python -m tools.codebook`` from the demo photographs, as CONTRIBUTING.md says.

A projection is on the principal components of VLADs (Jégou and Chum: Negative evidences and co-occurences in image
retrieval: the benefit of PCA and whitening, ECCV 2012): centre, project on the leading components, divide by a power of
their deviations, bring to length 1. A vector and the directions are cut to multiples of 2^-12. As neither is longer
than 1, no partial sum of their product exceeds 1, and each is a multiple of 2^-24: float32 holds it exactly, so threads
and machines make no difference.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from twinlens import resources
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import column_mean, principal
from twinlens.core.vectors import Vectors
from twinlens.features.descriptor import Descriptor, Pictures
from twinlens.features.keypoints.sift import LENGTH, STEP, Cap, local_features
from twinlens.features.pictures.picture import Picture

Features = npt.NDArray[np.float32]
"""Local features, (n, 128), multiples of `STEP`."""

Half = npt.NDArray[np.float16]
"""Local features in half the memory, which holds multiples of `STEP` exactly."""

Codebook = npt.NDArray[np.float32]
"""Centres, (k, 128), multiples of `STEP`."""

FEATURES_A_PICTURE = 200
"""Local features that a vocabulary is given of each picture, at most: many pictures tell more than many of one."""

_FEATURES_A_CENTRE = 1_000
_SEEDS_A_CENTRE = 100
_ROUNDS = 60
_SETTLED = 1e-4  # a round that lowers the error by less than this share ends the learning
_BLOCK = 8_192


def gather_features(
    pictures: Iterable[Picture], cap: int | Cap, pictures_at_most: int, seed: int, progress: Progress
) -> Features:
    """Take local features of a sample of pictures, drawn at random within each.

    Parameters
    ----------
    cap : int or Cap
        Of the local features that are looked for in a picture.
    pictures_at_most : int
        For progress.

    Returns
    -------
    ndarray of float32, (n, 128)
    """
    return gather_described(DescribedSample(lambda: pictures, cap, 0), pictures_at_most, seed, progress)


class DescribedSample:
    """The local features of a sample, found once as far as there is room to keep them.

    Parameters
    ----------
    room : int
        Bytes that may be kept; where that is too little, the sample is gone through again each time.
    """

    def __init__(self, sample: Callable[[], Iterable[Picture]], cap: int | Cap, room: int) -> None:
        self._sample = sample
        self._cap = cap
        self._room = room
        self._kept: list[Half] | None = None

    def __iter__(self) -> Iterator[Half]:
        """Yield the local features of one picture after the other, as multiples of `STEP`, (n, 128)."""
        if self._kept is not None:
            yield from self._kept
            return
        kept: list[Half] = []
        room = self._room
        for picture in self._sample():
            roots = local_features(picture, self._cap).roots.astype(np.float16)
            room -= roots.nbytes
            if room >= 0:
                kept.append(roots)
            else:
                kept.clear()
            yield roots
        if room >= 0:
            self._kept = kept


def gather_described(described: DescribedSample, pictures_at_most: int, seed: int, progress: Progress) -> Features:
    """Do what `gather_features` does, with local features that may be known."""
    rng = np.random.default_rng(seed)
    drawn: list[Half] = []
    for number, roots in enumerate(described):
        progress(number, pictures_at_most, Message("Finding local features"))
        drawn.append(roots[np.sort(rng.permutation(len(roots))[:FEATURES_A_PICTURE])])
    return np.concatenate([np.zeros((0, LENGTH), np.float16), *drawn]).astype(np.float32)


def learn_centres(features: Features, centres: int, seed: int, progress: Progress = silent) -> Codebook:
    """Learn a vocabulary by k-means.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
        Of many pictures; of more than 1,000 a centre a random part is used.
    seed : int
        Of the start, and of that part.

    Returns
    -------
    ndarray of float32, (centres, 128)

    Raises
    ------
    TwinlensError
        If there are fewer distinct features than centres.
    """
    rng = np.random.default_rng(seed)
    if len(features) > centres * _FEATURES_A_CENTRE:
        features = features[np.sort(rng.permutation(len(features))[: centres * _FEATURES_A_CENTRE])]
    codebook = _start(features, centres, rng, part(progress, 0, 0.3))
    return _lloyd(features, codebook, part(progress, 0.3, 1))


def assign(features: Features, codebook: Codebook) -> npt.NDArray[np.intp]:
    """Return each feature its nearest centre, (n, 128) -> (n,); of equally near ones the first."""
    return np.asarray(_scores(features, codebook).argmax(axis=1))


def _scores(features: Features, codebook: Codebook) -> Features:
    """Return x·c - |c|²/2 of each feature and centre: the nearer the greater, and exact."""
    scores: Features = features @ codebook.T
    scores -= np.square(codebook).sum(axis=1) / 2
    return scores


def _start(features: Features, centres: int, rng: np.random.Generator, progress: Progress) -> Codebook:
    """Choose features as first centres (k-means++, greedy).

    Each is drawn with a chance as its squared distance to those before it, several times; of those drawn, the one that
    leaves the least error is taken.
    """
    x = features[np.sort(rng.permutation(len(features))[: centres * _SEEDS_A_CENTRE])]
    trials = 2 + int(np.log(centres))
    squares = np.square(x).sum(axis=1)
    chosen: list[int] = []
    nearest = np.ones(len(x), np.float32)  # the first is drawn evenly
    for number in range(centres):
        if number % 16 == 0:
            progress(number, centres, Message("Choosing the first visual words"))
        chances = np.cumsum(nearest, dtype=np.float64)
        if not len(chances) or chances[-1] == 0:
            raise TwinlensError(
                "The photos have only {number} different local features, too few to learn {centres} visual words.",
                "Choose fewer centres, add photos, or use the ready-made vocabulary.",
                number=number,
                centres=centres,
            )
        drawn = np.searchsorted(chances, rng.random(trials) * chances[-1], side="right")
        distances = squares[drawn, None] + squares - 2 * (x[drawn] @ x.T)
        left = np.minimum(nearest, distances) if number else distances
        best = int(left.sum(axis=1, dtype=np.float64).argmin())
        chosen.append(int(drawn[best]))
        nearest = left[best]
    return x[chosen]


def _lloyd(features: Features, codebook: Codebook, progress: Progress) -> Codebook:
    """Move centres to the mean of their nearest features, until the centres hardly move."""
    last = np.inf
    for number in range(_ROUNDS):
        sums, counts, errors = _nearest_sums(
            features, codebook, part(progress, number / _ROUNDS, (number + 1) / _ROUNDS)
        )
        filled = counts > 0
        moved = np.rint(sums[filled] / counts[filled, None] / STEP) * STEP
        codebook = codebook.copy()
        codebook[filled] = moved
        # A centre that lost all its features starts anew at one of those that are worst represented.
        worst = np.argsort(-errors, kind="stable")[: np.count_nonzero(~filled)]
        codebook[~filled] = features[worst]
        error = float(errors.sum(dtype=np.float64))
        if filled.all() and last - error <= _SETTLED * error:
            break
        last = error
    progress(1, 1, Message("Learning visual words"))
    return codebook


def _nearest_sums(
    features: Features, codebook: Codebook, progress: Progress
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp], npt.NDArray[np.float32]]:
    """Sum and count features nearest to each centre, (k, 128) and (k,); with each feature's squared distance, (n,)."""
    sums = np.zeros(codebook.shape)
    counts = np.zeros(len(codebook), np.intp)
    errors = []
    for number, block in enumerate(_blocks(features)):
        progress(number * _BLOCK, len(features), Message("Learning visual words"))
        scores = _scores(block, codebook)
        nearest = scores.argmax(axis=1)
        errors.append(np.square(block).sum(axis=1) - 2 * scores.max(axis=1))
        order = np.argsort(nearest, kind="stable")
        present, first = np.unique(nearest[order], return_index=True)
        sums[present] += np.add.reduceat(block[order].astype(np.float64), first)
        counts += np.bincount(nearest, minlength=len(codebook))
    return sums, counts, np.concatenate(errors)


def _blocks(features: Features) -> Iterator[Features]:
    for start in range(0, len(features), _BLOCK):
        yield features[start : start + _BLOCK]


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


class WordDescriptor(Descriptor):
    """Base of the descriptors that look local features up in a vocabulary of visual words."""

    centres: int = parameter(
        64,
        ge=1,
        le=1024,
        shown=True,
        help="Visual words of the vocabulary. More tell pictures apart more finely and take more room and time.",
    )
    keypoints: int = parameter(
        300,
        ge=16,
        le=10_000,
        help="Local features of a picture that count at most, the strongest. More find smaller crops and take time.",
    )
    spread: float = parameter(
        0.0,
        ge=0,
        le=1,
        help="How evenly those are spread: 0 takes the strongest wherever they are, 1 as many from each part of the "
        "picture as it can give.",
    )
    vocabulary: Literal["ready-made", "own"] = parameter(
        "ready-made",
        help="The vocabulary that comes with Twinlens, at once; or one of your own, learned from your photos.",
    )
    samples: int = parameter(
        2000,
        ge=1,
        le=100_000,
        unit="photos",
        help="How many photos a vocabulary of your own is learned from.",
    )
    seed: int = parameter(
        0,
        ge=0,
        le=2**31 - 1,
        help="Start of the draws in learning a vocabulary of your own: the same seed, the same words.",
    )

    @property
    def cap(self) -> Cap:
        """Limit on the local features of a picture, as `twinlens.features.keypoints.sift.local_features` takes it."""
        return Cap(self.keypoints, self.spread)

    @property
    def caps(self) -> tuple[Cap, ...]:
        """The caps: its own one."""
        return (self.cap,)

    @property
    def learns(self) -> bool:
        """Whether it learns a vocabulary of the library's own."""
        return self.vocabulary == "own"

    @property
    def sample_size(self) -> int:
        """Number of pictures that it learns from at most."""
        return self.samples if self.learns else 0

    def codebook(self, sample: Pictures, progress: Progress) -> Codebook:
        """Get the ready-made vocabulary, or learn one.

        Raises
        ------
        TwinlensError
            If there is no ready-made one of so many centres, or the pictures have too few local features.
        """
        if not self.learns:
            return codebook(self.centres)
        features = gather_features(sample(), self.cap, self.samples, self.seed, part(progress, 0, 0.7))
        return learn_centres(features, self.centres, self.seed, part(progress, 0.7, 1))
