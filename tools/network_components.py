"""Maker of the mean and the principal components of the ready-made network, ``resources/network.npz``.

``python -m tools.network_components`` learns them from the demo photographs and from edited versions, as the
ready-made vocabularies are. The same photographs give the same components.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.library.workers import decoding
from core.message import Message
from core.progress import Progress, silent
from features.network.network import NetworkExtractor
from features.network.network_file import OpenNetwork
from features.network.ready_made_network import CHANNELS, COMPONENTS, DIMENSIONS, from_weights, pack_components
from tools.codebook import SEED, versions, write

MODEL = "efficientnet-lite0"


def make(photographs: list[Path], progress: Progress = silent) -> bytes:
    """Learn mean and components; return the content of ``resources/network.npz``.

    Parameters
    ----------
    photographs : list of Path
        Files that can be read.
    """
    whole = from_weights(MODEL, np.zeros(CHANNELS, np.float32), np.eye(CHANNELS, dtype=np.float32))
    network, extractor = OpenNetwork(MODEL, whole), NetworkExtractor.of(MODEL)
    rng = np.random.default_rng(SEED)
    rows = []
    for number, picture in enumerate(decoding.pictures(photographs)):
        progress(number, len(photographs), Message("Describing pictures"))
        rows += [network.run(extractor.planes(version)) for version in versions(picture, rng)]
    features = np.stack(rows).astype(np.float64)
    mean = features.mean(axis=0)
    _, directions = np.linalg.eigh((features - mean).T @ (features - mean))
    strongest = directions[:, ::-1][:, :DIMENSIONS]
    return pack_components(
        mean, strongest * np.sign(strongest[np.abs(strongest).argmax(axis=0), np.arange(DIMENSIONS)])
    )


if __name__ == "__main__":
    write(COMPONENTS, make)
