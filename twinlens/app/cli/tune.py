"""``twinlens tune``: the search for good parameters on given vectors."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from twinlens.app.bench.tuning_settings import TuningSettings
from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give, say
from twinlens.app.cli.tables import measure_title, measured_cell, plain_table
from twinlens.app.language.texts import _, _n, number, text
from twinlens.app.machine.output_file import ONLY_COPY, OutputFile

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.bench.tuning import TuneResult, TuneTrial


_SHOWN = (
    "recall@1", "recall@10", "recall@100", "seconds encode", "seconds query", "bytes code", "bytes model",
)  # fmt: skip
_WORTH_COMPILING = 20.0  # seconds of a budget, of which compiling takes several


@click.command(cls=Command, epilog="Example: twinlens tune --descriptor colour --method klsh:kernel=chi-square")
@click.argument("base", default="")
@takes("settings", TuningSettings)
@click.option("--save", type=OUTPUT, metavar="FILE.toml", help="Write the result with all trials.")
@click.pass_obj
def tune(session: Session, settings: TuningSettings, save: OutputFile | None) -> int:
    """Try parameters of hash methods on the vectors of BASE or of the library, with held-out queries.

    Candidates are compared by recall@10: the share of queries whose true nearest vector is among the ten nearest codes.
    The shortest code that is as good as the best, within chance, is proposed. After Ctrl-C the proposal rests on the
    trials so far. Measurements are kept: the next search of the same vectors goes on from them.
    """
    from twinlens.app.bench.kept_steps import CachedSteps
    from twinlens.app.bench.tuning import tune_parameters, tuning_file
    from twinlens.app.library.library import Library

    if save is not None:
        save.check(ONLY_COPY)
    if not settings.trials and settings.seconds >= _WORTH_COMPILING:
        from twinlens.app.machine import app_folders
        from twinlens.core.compilation import compilation

        compilation.prepare(app_folders.compiled_cache_folder())
    with ExitStack() as opened:
        library = opened.enter_context(Library.open(session.library)) if settings.descriptor else None
        progress = opened.enter_context(long_work(session))
        store = CachedSteps.of() if library is None else CachedSteps.of(library.store.id)
        result = tune_parameters(settings, library, progress, store=store)
    if save is not None:
        save.write(tuning_file(settings, result), ONLY_COPY)
        say(session, _("The result is in {file}.", file=str(save)))
    give(session, result, lambda out: _print(out, result))
    return 130 if result.cancelled else 0


def _print(out: Console, result: TuneResult) -> None:
    data = result.data
    out.print(
        _(
            "{vectors} vectors with {dimensions} dimensions, {queries} queries held out of each split, truth {truth}.",
            vectors=data.n,
            dimensions=data.d,
            queries=data.queries,
            truth=data.truth,
        ),
    )
    out.print(
        _n(
            "{count} measurement in {seconds:,.1f} s (limit: {limit}).",
            "{count} measurements in {seconds:,.1f} s (limit: {limit}).",
            result.trials,
            seconds=result.seconds,
            limit=result.budget,
        ),
    )
    heading = (_("tried"), _("items"), _("splits"), *map(measure_title, _SHOWN), "")
    rows = [_row(one, result) for one in result.tried]
    out.print(plain_table(heading, rows, numbers=range(1, len(heading) - 1)))
    for note in result.notes:
        out.print(text(note))
    out.print(_("Proposed: {declaration}", declaration=result.chosen))
    out.print(text(result.reason))
    if result.default_recall is not None and result.default != result.chosen:
        out.print(
            _("The default {declaration} has {recall:.3f}.", declaration=result.default, recall=result.default_recall),
        )
    out.print()
    out.print(result.command)


def _row(one: TuneTrial, result: TuneResult) -> tuple[str, ...]:
    if one.refused:
        return (one.method, number(one.items), *[""] * 8, text(one.refused))
    notes = [_("proposed")] if one.method == result.chosen else []
    notes += [_("default")] if one.default else []
    notes += [_("best for its size")] if "bytes" in one.best_for else []
    notes += [_("best recall at this query time")] if "seconds" in one.best_for else []
    return (
        one.method,
        number(one.items),
        number(len(one.splits)),
        *(measured_cell(key, one.values, one.spread) for key in _SHOWN),
        ", ".join(notes),
    )
