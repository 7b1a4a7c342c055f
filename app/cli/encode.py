"""``twinlens encode``: codes of any vectors, and the encoder, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.output_files import OUTPUT
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.language.spoken import _, _n, text
from app.machine.output_file import OutputFile
from core.amounts import size

if TYPE_CHECKING:
    from rich.console import Console

    from app.encode.results import EncodeResult


@click.command(cls=Command, epilog="Example: twinlens encode sift.fvecs --method itq:bits=64 --output codes.npz")
@click.argument("vectors")
@click.option("--method", default="itq", show_default=True, metavar="TEXT", help="Hash method that learns and encodes.")
@click.option("--train", default="", metavar="FILE", help="Vectors to learn from, instead of VECTORS.")
@click.option(
    "--encoder",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Use the encoder in this file, which encode wrote, instead of learning one.",
)
@click.option("-o", "--output", required=True, type=OUTPUT, metavar="FILE", help="A .npz for the result.")
@click.pass_context
def encode(
    context: click.Context, vectors: str, method: str, train: str, encoder: Path | None, output: OutputFile
) -> None:
    """Turn VECTORS (.npy, .npz, .fvecs, .bvecs, .hdf5) into binary codes.

    The file has the codes and the fitted encoder, in plain arrays. `twinlens bench FILE --codes` searches the codes,
    and --encoder encodes further vectors in the same way.
    """
    from app.encode.encode import Encoding
    from app.encode.encode import encode_vectors as run

    given = context.get_parameter_source("method") is click.core.ParameterSource.COMMANDLINE
    if encoder is not None and (given or train):
        raise click.UsageError(_("An encoder that is given learns nothing: leave out --method and --train."))
    session: Session = context.obj
    with long_work(session) as progress:
        result = run(Encoding(vectors, output, method, train, encoder), progress)
    give(session, result, lambda out: _print_encoded(out, result))


def _print_encoded(out: Console, result: EncodeResult) -> None:
    out.print(
        _n(
            "{count} vector by {method}: {bits} bits each, {file} ({size}).",
            "{count} vectors by {method}: {bits} bits each, {file} ({size}).",
            result.vectors,
            method=result.method,
            bits=result.bits,
            file=result.file,
            size=size(result.bytes),
        )
    )
    if result.fitted_on:
        out.print(
            _n(
                "Learned from {count} vector in {fit:,.2f} s, encoded in {encode:,.2f} s.",
                "Learned from {count} vectors in {fit:,.2f} s, encoded in {encode:,.2f} s.",
                result.fitted_on,
                fit=result.fit_seconds,
                encode=result.encode_seconds,
            )
        )
    if result.note:
        out.print(text(result.note))
