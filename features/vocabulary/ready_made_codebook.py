"""The vocabularies and projections that come with Twinlens, so that one reading of a photograph is enough.

They are made by ``python -m tools.codebook`` from the demo photographs, as CONTRIBUTING.md says.
"""

from __future__ import annotations

import io
from functools import cache

import numpy as np
import numpy.typing as npt

import resources
from core.errors import TwinlensError
from core.message import Message
from features.keypoints.sift import STEP
from features.vocabulary.vlad_projection import Projection
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
            Message(
                "The projection that comes with Twinlens has {shape} dimensions, not {dimensions}.",
                shape=steps.shape[1],
                dimensions=dimensions,
            ),
            Message("Choose dimensions={shape} or fewer, or learn your own with vocabulary=own.", shape=steps.shape[1]),
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
        Message(
            "No vocabulary with {centres} centres comes with Twinlens for this descriptor; there {value} with {map}.",
            centres=centres,
            value="is one" if len(sizes) == 1 else "are some",
            map=" and ".join(map(str, sizes)),
        ),
        Message("Choose centres={sizes}, or learn your own with vocabulary=own.", sizes=sizes[0]),
    )
