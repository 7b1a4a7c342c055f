"""``twinlens tune``: good parameters for one's own vectors, within a stated time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.finite import FiniteRange
from app.cli.main import Command
from app.cli.output_files import check_writable
from app.cli.progress import long_work
from app.cli.session import Session, give, say
from app.cli.tables import plain_table, size
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from rich.console import Console

    from app.bench.tuning import Wanted
    from app.bench.tuning_results import TuneResult, TuneTrial

_SHOWN = ("1", "10", "100")
_WORTH_COMPILING = 20.0  # seconds of a budget, of which compiling takes several


@click.command(cls=Command, epilog="Example: twinlens tune --descriptor colour --method klsh:kernel=chi-square")
@click.argument("base", required=False, default="")
@click.option("--descriptor", default="", metavar="TEXT", help="Its vectors in the library, in the place of BASE.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    default=("klsh",),
    show_default=True,
    metavar="TEXT",
    help="Whose parameters; give it again for another one. What it names stays, but for bits and gamma.",
)
@click.option(
    "--seconds",
    type=FiniteRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Time that may be spent; it is kept.",
)
@click.option("--trials", type=click.IntRange(1), help="Measurements in the place of the time: these repeat exactly.")
@click.option("--bits", default="", metavar="N,N,...", help="Lengths of codes; one for a fixed length.")
@click.option("--truth", default="", help="l2, cosine or a kernel's text form; by default the first method's.")
@click.option("--queries", type=click.IntRange(1), default=200, show_default=True, help="Held out in each split.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of splits and candidates.")
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE.toml", help="Write the answer, with all that was tried."
)
@click.pass_obj
def tune(
    session: Session,
    base: str,
    descriptor: str,
    methods: tuple[str, ...],
    seconds: float,
    trials: int | None,
    bits: str,
    truth: str,
    queries: int,
    seed: int,
    save: Path | None,
) -> int:
    """Try parameters of hash methods on the vectors of BASE, or of the library, by queries that are held out.

    Candidates are compared by recall@10: how often the true nearest is among the ten of fewest differing bits. The
    shortest code that is as good as the best, within what chance decides, is advised. Ctrl-C stops, and what was tried
    until then gives the answer.
    """
    from app.bench.tuning import Wanted, tune_parameters

    if not trials and seconds >= _WORTH_COMPILING:
        from app.machine import places
        from core import compilation

        compilation.prepare(places.compiled_cache_folder())
    if save is not None:
        check_writable(save)
    wanted = Wanted(
        base=base,
        descriptor=descriptor,
        methods=methods,
        bits=_lengths(bits),
        seconds=seconds,
        trials=trials or 0,
        truth=truth,
        queries=queries,
        seed=seed,
    )
    if descriptor:
        from app.library.library import Library

        with Library.open(session.library) as library, long_work(session) as progress:
            result = tune_parameters(wanted, library, progress)
    else:
        with long_work(session) as progress:
            result = tune_parameters(wanted, progress=progress)
    if save is not None:
        _save(save, wanted, result)
        say(session, f"The answer is in {save}.")
    give(session, result, lambda out: _print(out, result))
    return 130 if result.cancelled else 0


def _lengths(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(one) for one in text.split(",") if one.strip())
    except ValueError:
        raise TwinlensError(
            Message("--bits must be whole numbers, not {text}.", text=repr(text)), Message("Write --bits 64,128,256.")
        ) from None


def _save(file: Path, wanted: Wanted, result: TuneResult) -> None:
    from app.bench.tuning_file import tuning_file

    try:
        file.write_text(tuning_file(wanted, result), "utf-8")
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None


def _print(out: Console, result: TuneResult) -> None:
    data = result.data
    out.print(
        f"{data.n:,} vectors of {data.d:,} dimensions, {data.queries:,} queries held out of each split, "
        f"truth by {data.truth}; {result.trials:,} measurements in {result.seconds:,.1f} s of {result.budget}",
    )
    heading = ("tried", "items", "splits", *(f"R@{one}" for one in _SHOWN), "encode", "query", "a code", "model", "")
    rows = [_row(one, result) for one in result.tried]
    out.print(plain_table(heading, rows, numbers=range(1, len(heading) - 1)))
    for note in result.notes:
        out.print(note)
    compared = ""
    if result.default_recall is not None and result.default != result.chosen:
        compared = f" {result.default}, as it was asked for, has {result.default_recall:.3f}."
    for line in (f"Advised: {result.chosen}", f"{result.reason}{compared}", "", result.command):
        out.print(line)


def _row(one: TuneTrial, result: TuneResult) -> tuple[str, ...]:
    def recall(count: str) -> str:
        if count not in one.recall:
            return ""
        return f"{one.recall[count]:.3f}" + (f" ±{one.spread[count]:.3f}" if count in one.spread else "")

    if one.refused:
        return (one.method, f"{one.items:,}", *[""] * 8, one.refused)
    said = ["advised"] if one.method == result.chosen else []
    said += ["as asked for"] if one.default else []
    said += [f"best for {' and '.join(one.best_for)}"] if one.best_for else []
    return (
        one.method,
        f"{one.items:,}",
        f"{len(one.splits)}",
        *(recall(count) for count in _SHOWN),
        f"{one.encode_seconds:,.2f} s",
        f"{1000 * one.query_seconds:,.2f} ms" if one.query_seconds else "",  # explored by the ranking alone
        size(round(one.code_bytes)),
        size(one.model_bytes),
        ", ".join(said),
    )
