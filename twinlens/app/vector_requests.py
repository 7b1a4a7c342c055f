"""Requests to write files: the vectors of pictures, and the codes of vectors."""

from __future__ import annotations

from pathlib import Path

from twinlens.app.machine.output_file import OutputFile
from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class Description(Request):
    """A request to describe pictures.

    Attributes
    ----------
    descriptor : str
        Text form.
    target : OutputFile
        A .npy, or a .npz if sparse. The table lies beside it, as .csv.
    sources : tuple of Path
        Pictures and folders; empty for the photographs of the library.
    """

    key = "describe"

    descriptor: str
    target: OutputFile
    sources: tuple[Path, ...] = ()
    sparse: bool = parameter(False, help="Write the exact sparse form of pyramid-match, as .npz.")
    workers: int | None = parameter(None, ge=1, le=256, help="Processes that read; by default one per core.")


class Encoding(Request):
    """A request to encode vectors.

    Attributes
    ----------
    vectors : str
        A file of vectors, as ``bench`` takes it.
    target : OutputFile
        A .npz.
    method : str
        Text form; it counts where no encoder is given.
    train : str
        Empty for the vectors that are encoded.
    encoder : Path, optional
        Made by :func:`twinlens.app.encode.encode_vectors`.
    """

    key = "encode"

    vectors: str
    target: OutputFile
    method: str = parameter("itq", metavar="TEXT", help="Hash method that learns and encodes.")
    train: str = parameter("", metavar="FILE", help="Vectors to learn from, instead of VECTORS.")
    encoder: Path | None = parameter(
        None, metavar="FILE", help="Use the encoder in this file, which encode wrote, instead of learning one."
    )
