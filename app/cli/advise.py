"""``twinlens advise``: which index to use for this library, within a stated time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.finite import FiniteRange
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.search.search import read_picture
from app.cli.session import Session, give, say
from app.cli.tables import plain_table, size

if TYPE_CHECKING:
    from rich.console import Console

    from app.lab.advice.results import AdvicePoint, AdviceResult

_WORTH_COMPILING = 20.0  # seconds, of which compiling takes several
_SHOWN = 5


@click.command(cls=Command, epilog="Example: twinlens advise --time 60 --build")
@click.option(
    "--time",
    "seconds",
    type=FiniteRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time that may be spent; it is kept.",
)
@click.option(
    "--truth",
    type=click.Choice(["edits", "marks", "neighbours"]),
    default="edits",
    show_default=True,
    help="What is right: edits = an edited copy finds its photograph; marks = what is marked as similar is found; "
    "neighbours = what exact search finds is found.",
)
@click.option(
    "--match", nargs=2, multiple=True, metavar="A B", help="Two photographs, by path or as #12, that should match."
)
@click.option("--differ", nargs=2, multiple=True, metavar="A B", help="Two photographs that should not.")
@click.option(
    "--descriptor",
    "descriptors",
    multiple=True,
    metavar="TEXT",
    help="Only indexes of this one, which an index of the library has; by default of all of them.",
)
@click.option("--build", is_flag=True, help="Make the index that is proposed.")
@click.option("--name", metavar="NAME", help="Of the index that --build makes.")
@click.option("--all", "everything", is_flag=True, help="List all that was measured, not only the best.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of what is drawn.")
@click.pass_obj
def advise(
    session: Session,
    seconds: float,
    truth: str,
    match: tuple[tuple[str, str], ...],
    differ: tuple[tuple[str, str], ...],
    descriptors: tuple[str, ...],
    build: bool,
    name: str | None,
    everything: bool,
    seed: int,
) -> int:
    """Measure hash methods, bits and search structures on the library's own photographs, and propose one index.

    The table lists what nothing else is better than by recall, time and bytes. What is proposed depends on recall,
    bytes and coarse classes of time alone. Photographs are read only to be edited, a few of them. Ctrl-C stops, and
    what was measured until then gives the answer.
    """
    from app.lab.advice.advice import advise as find
    from app.lab.advice.advice import build as make
    from app.lab.advice.questions import NamedPairs
    from app.library.library import Library

    if seconds >= _WORTH_COMPILING:
        from app.machine import places
        from core import compilation

        compilation.prepare(places.compiled_cache_folder())
    named = [tuple((read_picture(a), read_picture(b)) for a, b in pairs) for pairs in (match, differ)]
    pairs = NamedPairs(*named) if match or differ else None
    with Library.open(session.library) as library:
        with long_work(session) as progress:
            result = find(library, seconds, descriptors or None, truth, pairs, progress, seed)
        made = None
        if build and not result.cancelled:
            with long_work(session) as progress:
                made = make(library, result, name, progress)
            result = result.model_copy(update={"built": made.name})
    give(session, result, lambda out: _print(out, result, everything))
    if build and made is None:
        say(session, "It was stopped, so that no index was made; see --build.")
    return 130 if result.cancelled else 0


def _print(out: Console, result: AdviceResult, everything: bool) -> None:
    out.print(
        f"{result.photographs:,} photographs, {result.questions:,} questions; right is {result.meaning}; "
        f"{result.tried:,} indexes measured in {result.seconds:,.0f} s of {result.time_limit:g} s",
    )
    points = result.points if everything else [
        one for one in result.points if one.frontier or one.key == result.proposed
    ]  # fmt: skip
    several = len({(one.descriptor, one.metric) for one in result.points}) > 1
    wrong = any(one.wrong is not None for one in points)
    heading = (
        *(["vectors"] if several else []), "method", "search", "R@10", *(["wrong"] if wrong else []), "of exact",
        "query", "felt", "a photo", "in all", "query at 10x", "",
    )  # fmt: skip
    texts = 3 if several else 2
    rows = [_row(one, result, several, wrong) for one in points]
    out.print(plain_table(heading, rows, numbers=[n for n in range(texts, len(heading) - 1) if heading[n] != "felt"]))
    words = "exact search" if result.point().exact else f"{result.point().method} with {result.point().search}"
    of = f" of {_vectors(result.point())}" if several else ""
    said = "Keep" if result.proposed == result.present else "Proposed"
    out.print(f"{said}: {words}{of}", style="bold")
    for sentence in result.reasons:
        out.print(sentence)
    for note in (*result.notes, *result.refused[:_SHOWN]):
        out.print(note, style="dim")
    if result.not_tried:
        told = "; ".join(one.split(" · ", maxsplit=1)[1] for one in result.not_tried[:_SHOWN])
        more = f"; and {len(result.not_tried) - _SHOWN:,} more" if len(result.not_tried) > _SHOWN else ""
        out.print(f"Not tried: {told}{more}.", style="dim")
    if result.built:
        out.print(f"The index is “{result.built}”.")
    elif result.command:
        out.print()
        out.print(result.command)


def _vectors(one: AdvicePoint) -> str:
    from app.methods import catalogue

    plain = catalogue.descriptor(one.descriptor).plain_name
    return f"{plain} · {one.metric}" if one.metric else plain


def _row(one: AdvicePoint, result: AdviceResult, several: bool, wrong: bool) -> tuple[str, ...]:
    said = ["proposed"] if one.key == result.proposed else []
    said += [f"is “{one.index}”"] if one.index else []
    said += [] if one.frontier or one.key == result.proposed else ["not among the best"]
    return (
        *([_vectors(one)] if several else []),
        one.method or "none",
        one.search,
        f"{one.recall:.3f}",
        *(["" if one.wrong is None else f"{one.wrong:.3f}"] if wrong else []),
        f"{one.overlap:.3f}",
        f"{1000 * one.seconds:,.1f} ms",
        one.speed,
        f"{one.bytes_per_photograph:,.0f} B",
        size(one.bytes),
        f"{1000 * one.seconds_tenfold:,.0f} ms",
        ", ".join(said),
    )
