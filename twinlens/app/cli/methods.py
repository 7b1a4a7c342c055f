"""``twinlens methods``, ``describe`` and ``encode``: the declarations, applied to any pictures and vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give
from twinlens.app.cli.tables import plain_table
from twinlens.app.language.texts import _, _n, text
from twinlens.app.machine.output_file import ONLY_COPY
from twinlens.app.vector_requests import Description, Encoding
from twinlens.core.message import size

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.describe import DescribeResult
    from twinlens.app.encode import EncodeResult


@click.command(cls=Command, epilog="Example: twinlens methods itq")
@click.argument("name", required=False)
@click.pass_obj
def methods(session: Session, name: str | None) -> None:
    """List all choices; with NAME, the parameters of one."""
    from twinlens.app.methods.catalogue import declaration, describe_declarations
    from twinlens.core.declaration.reference_page import page

    result = describe_declarations(name)

    def people(out: Console) -> None:
        if name is not None:
            for line in page(declaration(name)[1]).splitlines():
                out.print(line)
            return
        rows = [(_families()[one.family], one.key, _(one.summary)) for one in result.declarations]
        out.print(plain_table((_("kind"), _("name"), _("summary")), rows))
        out.print(_("`twinlens methods NAME` lists the parameters of one."))
        for refused in result.refused:
            out.print(
                _(
                    "{key} of the package {package} is not used: {reason}.",
                    key=refused.key,
                    package=refused.package,
                    reason=refused.reason,
                )
            )

    give(session, result, people)


def _families() -> dict[str, str]:
    return {
        "descriptor": _("descriptor"),
        "metric": _("metric"),
        "method": _("hash method"),
        "search": _("search structure"),
        "kernel": _("kernel"),
        "quantizer": _("quantizer"),
    }


@click.command(cls=Command, epilog="Example: twinlens describe gist ~/Pictures --output gist.npy")
@click.argument("descriptor")
@click.argument("sources", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE_OR_FOLDER]...")
@takes(
    "wanted",
    Description,
    click.option(
        "-o",
        "--output",
        "target",
        required=True,
        type=OUTPUT,
        metavar="FILE",
        help="A .npy, or .npz with --sparse; a .csv beside it lists the picture of each row.",
    ),
)
@click.pass_obj
def describe(session: Session, wanted: Description) -> None:
    """Describe pictures by DESCRIPTOR, and write a row of numbers for each.

    FILE_OR_FOLDER are pictures and folders of pictures; without any, the photos of the library are described,
    with the descriptors that it already has. Unreadable pictures have no row and are listed.

    With --sparse, the dot product of two rows of pyramid-match is its kernel, as bench and metric expect it: a row has
    a few of 10^14 dimensions.
    """
    from contextlib import ExitStack

    from twinlens.app.describe import describe_pictures, table_beside
    from twinlens.app.library.library import Library

    for file in (wanted.target, table_beside(wanted.target)):
        file.check(ONLY_COPY)
    with ExitStack() as stack:
        library = None if wanted.sources else stack.enter_context(Library.open(session.library))
        progress = stack.enter_context(long_work(session))
        result = describe_pictures(wanted, library, progress)
    give(session, result, lambda out: _print_described(out, result))


_SHOWN = 10


def _print_described(out: Console, result: DescribeResult) -> None:
    numbers = _n("{count} number each", "{count} numbers each", result.dimensions)
    if result.sparse:
        numbers = _("a few of {dimensions:.2g} numbers each", dimensions=result.dimensions)
    lines = [
        _n(
            "{count} picture by {descriptor}, {numbers}: {file} ({size}), in {seconds:,.1f} s.",
            "{count} pictures by {descriptor}, {numbers}: {file} ({size}), in {seconds:,.1f} s.",
            result.pictures,
            descriptor=result.descriptor,
            numbers=numbers,
            file=result.file,
            size=size(result.bytes),
            seconds=result.seconds,
        ),
        _("Pictures of the rows: {table}", table=result.table),
    ]
    if result.blank:
        lines.append(
            _n(
                "{count} row is zero: the descriptor found nothing in its picture.",
                "{count} rows are zero: the descriptor found nothing in their pictures.",
                result.blank,
            )
        )
    if result.passed_over:
        lines.append(
            _n("{count} other file is not a picture.", "{count} other files are not pictures.", result.passed_over)
        )
    lines += [
        _(
            "{path}: {reason} {next_step}",
            path=problem.path,
            reason=problem.reason,
            next_step=problem.next_step,
        )
        for problem in result.problems[:_SHOWN]
    ]
    if len(result.problems) > _SHOWN:
        more = len(result.problems) - _SHOWN
        lines.append(
            _n(
                "{count} more could not be read; --json lists all.",
                "{count} more could not be read; --json lists all.",
                more,
            )
        )
    for line in lines:
        out.print(line)


@click.command(cls=Command, epilog="Example: twinlens encode sift.fvecs --method itq:bits=64 --output codes.npz")
@click.argument("vectors")
@takes(
    "wanted",
    Encoding,
    *("method", "train", "encoder"),
    click.option("-o", "--output", "target", required=True, type=OUTPUT, metavar="FILE", help="A .npz for the result."),
)
@click.pass_obj
def encode(session: Session, wanted: Encoding) -> None:
    """Turn VECTORS (.npy, .npz, .fvecs, .bvecs, .hdf5) into binary codes.

    The file has the codes and the fitted encoder, in plain arrays. `twinlens bench FILE --codes` searches the codes,
    and --encoder encodes further vectors in the same way.
    """
    from twinlens.app.encode import encode_vectors

    if wanted.encoder is not None and wanted.model_fields_set & {"method", "train"}:
        raise click.UsageError(_("An encoder that is given learns nothing: leave out --method and --train."))
    with long_work(session) as progress:
        result = encode_vectors(wanted, progress)
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
