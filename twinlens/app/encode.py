"""Encoding of vectors into a file that holds the codes and the encoder, which can encode other vectors later."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import Field

from twinlens.app.bench.array_files import open_npz
from twinlens.app.bench.vector_files import load_vectors
from twinlens.app.machine.output_file import ONLY_COPY, OutputFile
from twinlens.app.methods import catalogue
from twinlens.app.results import Result
from twinlens.app.vector_requests import Encoding
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import fitted_note
from twinlens.core.evaluation.tables import naming
from twinlens.core.evaluation.truth import is_dense
from twinlens.core.files.untrusted_input import check_kind, expanded, reading
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.hashing.packed_codes import bytes_of
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors
from twinlens.core.workbench import encoder_of_arrays, encoder_to_arrays

_BLOCK = 1 << 16


def encode_vectors(wanted: Encoding, progress: Progress = silent) -> EncodeResult:
    """Encode vectors, and write codes and encoder.

    Raises
    ------
    TwinlensError
        If a file cannot be read or written, must not be replaced, or the method cannot learn from these vectors.
    """
    _check_target(wanted.target)
    x = _table(wanted.vectors)
    began, fitted_on = time.perf_counter(), 0
    if wanted.encoder is not None:
        encoder, method = _kept(wanted.encoder)
    else:
        declared = catalogue.method(wanted.method)
        training = _table(wanted.train) if wanted.train else x
        rows = draw_places(len(training), declared.sample_size, np.random.default_rng(declared.seed))
        with naming(wanted.train or wanted.vectors):
            encoder = declared.fit(training[rows], part(progress, 0.0, 0.5))
        method, fitted_on = declared.text(), len(rows)
    fitted = time.perf_counter()
    with naming(wanted.vectors):
        codes = _codes(encoder, x, part(progress, 0.5, 1.0))
    encoded = time.perf_counter()
    with wanted.target.opened(ONLY_COPY) as file:
        np.savez(file, allow_pickle=False, codes=codes, method=np.array(method), **encoder_to_arrays(encoder))
    return EncodeResult(
        file=str(wanted.target.path.absolute()),
        method=method,
        vectors=len(x),
        dimensions=encoder.dimensions,
        bits=encoder.bits,
        fitted_on=fitted_on,
        bytes=wanted.target.size,
        fit_seconds=fitted - began,
        encode_seconds=encoded - fitted,
        note=fitted_note(encoder),
    )


def _check_target(target: OutputFile) -> None:
    if target.ending != ".npz":
        raise TwinlensError(
            "The file {name} does not end in .npz.", "Name a file that ends in .npz.", name=target.path.name
        )
    target.check(ONLY_COPY)


def _table(name: str) -> Vectors:
    x = load_vectors(name)
    if not is_dense(x) or x.ndim != 2 or 0 in x.shape:
        raise TwinlensError("{file} is no dense table of vectors.", "Give a table with a row per vector.", file=name)
    table: Vectors = x
    return table


def _kept(file: Path) -> tuple[Encoder, str]:
    place = expanded(file)
    with reading(
        place,
        Message("{file} cannot be read", file=place),
        Message("Give a file of codes that has its encoder with it."),
    ):
        check_kind(place.stat())
        with open_npz(place) as arrays:
            own = {name: arrays[name] for name in arrays.names if name != "codes"}
        return encoder_of_arrays(own), str(own.get("method", ""))


def _codes(encoder: Encoder, x: Vectors, progress: Progress) -> npt.NDArray[np.uint8]:
    codes = np.empty((len(x), bytes_of(encoder.bits)), np.uint8)
    for start in range(0, len(x), _BLOCK):
        progress(start, len(x), counted("Encoding {count} vector", "Encoding {count} vectors", len(x)))
        codes[start : start + _BLOCK] = encoder.encode(x[start : start + _BLOCK])
    return codes


class EncodeResult(Result):
    """Result of ``encode_vectors``."""

    file: str = Field(description=".npz of codes, uint8 (n, bytes), and of the encoder")
    method: str = Field(description="in text form; of an encoder that was given, as its file says")
    vectors: int
    dimensions: int
    bits: int
    fitted_on: int = Field(description="vectors that the method learned from; 0 where the encoder was given")
    bytes: int = Field(description="of the file")
    fit_seconds: float
    encode_seconds: float
    note: Message
