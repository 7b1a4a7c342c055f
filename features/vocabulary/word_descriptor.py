"""The common base of descriptors of visual words: their vocabulary and number of keypoints."""

from __future__ import annotations

from typing import Literal

from core.declaration.declaration import parameter
from core.progress import Progress, part
from features.descriptor import Descriptor, Pictures
from features.keypoints.sift import Cap
from features.vocabulary import ready_made_codebook
from features.vocabulary.vocabulary import Codebook, gather_features, learn_centres


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
        """Limit on the local features of a picture, as `features.keypoints.sift.local_features` takes it."""
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
            return ready_made_codebook.codebook(self.centres)
        features = gather_features(sample(), self.cap, self.samples, self.seed, part(progress, 0, 0.7))
        return learn_centres(features, self.centres, self.seed, part(progress, 0.7, 1))
