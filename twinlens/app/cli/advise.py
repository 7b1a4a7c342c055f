"""``twinlens advise``: the proposal of an index for the library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import PICTURE, Session, give, say
from twinlens.app.cli.tables import measure_title, measured_cell, plain_table
from twinlens.app.lab.advice.advice_settings import AdviceSettings, NamedPairs
from twinlens.app.language.texts import _, _n, number, text
from twinlens.core.message import Message, joined, verbatim

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from twinlens.app.lab.advice.advice_results import AdvicePoint, AdviceResult


_WORTH_COMPILING = 20.0  # seconds, of which compiling takes several
_SHOWN = 5
_SIZES = ("bytes each", "bytes whole", "seconds tenfold")


def _pairs(option: str, about: str) -> Callable[..., Any]:
    return click.option(option, nargs=2, multiple=True, type=PICTURE, metavar="A B", help=about)


@click.command(cls=Command, epilog="Example: twinlens advise --time 60 --build")
@takes(
    "settings",
    AdviceSettings,
    *("time_limit_s", "truth"),
    _pairs("--match", "Two photos, by path or as #12, that should match."),
    _pairs("--differ", "Two photos that should not match."),
    "descriptors",
    click.option("--build", is_flag=True, help="Create the proposed index."),
    click.option("--name", metavar="NAME", help="Name of the index that --build creates."),
    "peers",
    click.option("--all", "everything", is_flag=True, help="List all measured indexes, not only the best."),
)
@click.pass_obj
def advise(
    session: Session,
    settings: AdviceSettings,
    match: tuple[tuple[Path | int, Path | int], ...],
    differ: tuple[tuple[Path | int, Path | int], ...],
    build: bool,
    name: str | None,
    everything: bool,
) -> int:
    """Measure hash methods, bits and search structures on the library's own photos, and propose one index.

    The table lists the indexes that no other beats in recall, time and size. The proposal depends only on recall, size
    and coarse classes of time. A few photos are read to make edited copies. After Ctrl-C the proposal rests on
    what was measured so far. Measurements are kept: the next advice goes on from them.
    """
    from twinlens.app.lab.advice.advice import advise as find
    from twinlens.app.lab.advice.advice import build_advised_index
    from twinlens.app.library.library import Library

    if settings.time_limit_s >= _WORTH_COMPILING:
        from twinlens.app.machine import app_folders
        from twinlens.core.compilation import compilation

        compilation.prepare(app_folders.compiled_cache_folder())
    if match or differ:
        settings = settings.changed(pairs=NamedPairs(match, differ))
    with Library.open(session.library) as library:
        with long_work(session) as progress:
            result = find(library, settings, progress)
        made = None
        if build and not result.cancelled:
            with long_work(session) as progress:
                made = build_advised_index(library, result, name, progress)
            result = result.model_copy(update={"built": made.name})
    give(session, result, lambda out: _print(out, result, everything))
    if build and made is None:
        say(session, _("Measuring was stopped, so no index was created."))
    return 130 if result.cancelled else 0


def _print(out: Console, result: AdviceResult, everything: bool) -> None:
    for line in _about(result):
        out.print(line)
    out.print(_table(result, everything))
    out.print(_proposal(result), style="bold")
    for reason in (*result.reasons, result.existing):
        if reason:
            out.print(text(reason))
    for note in (*result.notes, *result.refused[:_SHOWN]):
        out.print(text(note), style="dim")
    if result.not_tried:
        out.print(_not_tried(result), style="dim")
    if result.built:
        out.print(_("Created the index “{name}”.", name=result.built))
    elif result.command:
        out.print()
        out.print(result.command)


def _about(result: AdviceResult) -> tuple[str, ...]:
    return (
        _(
            "{photographs} photos, {queries} queries. Right results: {meaning}.",
            photographs=result.photographs,
            queries=result.questions,
            meaning=result.meaning,
        ),
        _n(
            "{count} index measured in {seconds:,.0f} of {limit:g} s.",
            "{count} indexes measured in {seconds:,.0f} of {limit:g} s.",
            result.tried,
            seconds=result.seconds,
            limit=result.time_limit,
        ),
    )


def _table(result: AdviceResult, everything: bool) -> Table:
    points = [one for one in result.points if everything or one.frontier or one.key == result.proposed]
    points += result.peers
    several = _several(result)
    wrong = any(one.wrong is not None for one in points)
    words = [*([_("vectors")] if several else []), _("method"), _("search")]
    numbers = ["R@10", *([_("wrong")] if wrong else []), _("of exact"), _("query")]
    heading = [*words, *numbers, _("felt"), *map(measure_title, _SIZES), ""]
    felt = len(words) + len(numbers)
    return plain_table(
        heading,
        [_row(one, result, several, wrong) for one in points],
        numbers=[place for place in range(len(words), len(heading) - 1) if place != felt],
    )


def _several(result: AdviceResult) -> bool:
    return len({(one.descriptor, one.metric) for one in result.points}) > 1


def _row(one: AdvicePoint, result: AdviceResult, several: bool, wrong: bool) -> tuple[str, ...]:
    from twinlens.app.lab.advice.reasons import speed_name

    notes = [_("proposed")] if one.key == result.proposed else []
    notes += [_("is “{name}”", name=one.index)] if one.index else []
    if one in result.peers:
        notes = [_("to compare with")]
    elif not one.frontier and one.key != result.proposed:
        notes.append(_("not among the best"))
    return (
        *([text(_vectors(one))] if several else []),
        one.method or _("none"),
        one.search,
        *(measured_cell(key, one.values) for key in ("found@10", *(["wrong"] if wrong else []), "overlap@10")),
        f"{number(1000 * one.seconds, ',.1f')} ms",
        text(speed_name(one)),
        *(measured_cell(key, one.values) for key in _SIZES),
        ", ".join(notes),
    )


def _vectors(one: AdvicePoint) -> Message:
    from twinlens.app.lab.advice.reasons import descriptor_name

    return joined([descriptor_name(one.descriptor), verbatim(one.metric)], " · ")


def _proposal(result: AdviceResult) -> str:
    from twinlens.app.lab.advice.reasons import index_name

    index = index_name(result.point(), _several(result))
    if result.proposed == result.present:
        return _("Keep: {index}", index=index)
    return _("Proposed: {index}", index=index)


def _not_tried(result: AdviceResult) -> str:
    indexes = tuple(
        joined(map(verbatim, (one.metric, one.method, one.search)), " · ") for one in result.not_tried[:_SHOWN]
    )
    if more := len(result.not_tried) - len(indexes):
        return _("Not tried: {indexes}, and {more} more.", indexes=indexes, more=more)
    return _("Not tried: {indexes}.", indexes=indexes)
