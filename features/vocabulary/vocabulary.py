"""Vocabularies of visual words: k-means over local features.

Lloyd: Least Squares Quantization in PCM, 1982; Arthur and Vassilvitskii: k-means++, SODA 2007, for the start. As local
features are multiples of `features.keypoints.sift.STEP` and centres are rounded to such multiples, every dot product,
distance and sum here is exact: the same features and seed give the same vocabulary, whatever the machine and its
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, part, silent
from features.keypoints.sift import LENGTH, STEP, Cap, local_features
from features.pictures.picture import Picture

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
