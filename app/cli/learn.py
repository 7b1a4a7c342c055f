"""``twinlens learn``: learn from judged pairs what similar means."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.finite import FiniteRange
from app.cli.main import Command
from app.cli.metric import make_ready
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.cli.tables import plain_table
from app.language.spoken import _, _n, number, text
from app.learn.metric_use_results import LearnedMetricUse

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens learn --name Mine")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--index", default="Automatic", show_default=True, metavar="NAME", help="For whose descriptor.")
@click.option("--name", metavar="NAME", help="Of the metric; by default Learned 1, 2, ...")
@click.option("--use", is_flag=True, help="Search by it from now on, where it is kept, as `metrics use` does.")
@click.option("--anyway", is_flag=True, help="Keep the best metric even if it may be better by chance only.")
@click.option(
    "--wrong",
    type=FiniteRange(0, 0.5, min_open=True),
    default=0.02,
    show_default=True,
    help="Share of wrong pairs below the threshold that is told.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is held out.")
@click.pass_obj
def learn(
    session: Session,
    file: Path | None,
    index: str,
    name: str | None,
    use: bool,
    anyway: bool,
    wrong: float,
    seed: int,
) -> int:
    """Learn a metric from the marks of the library, and keep it if it is better on photos that it has not seen.

    With FILE it is learned from the pairs in it instead, and they are not kept as marks. FILE is an export of
    `twinlens marks`, or a CSV with the columns first, second and judgement, or a JSON list of objects with these keys.
    Pictures are named by path or id; a judgement is similar or different.

    `twinlens metrics use NAME` searches by what is kept, as --use does at once; `metrics back` undoes that.
    """
    from app.learn.learning import LearningSettings
    from app.learn.learning import learn_and_keep as learn_metric
    from app.learn.metric_use import search_by_metric
    from app.library.library import Library
    from app.marks.pair_file import read_pairs

    pairs = None if file is None else read_pairs(file)
    with Library.open(session.library) as library, long_work(session) as progress:
        learned = learn_metric(
            library,
            LearningSettings(named=pairs, index=index, name=name, anyway=anyway, wrong=wrong, seed=seed),
            progress,
        )
        told, stopped = None, False
        if use and learned.metric is not None:
            told, stopped = make_ready(
                session, library, search_by_metric(library, learned.metric, learned.index), progress
            )
    result = LearnedMetricUse(**learned.model_dump(), switched=told)
    give(session, result, lambda out: _tell_learned(out, result))
    return 130 if stopped else 0


def _tell_learned(out: Console, result: LearnedMetricUse) -> None:
    for sentence in result.left_out:
        out.print(text(sentence))
    out.print(
        _n(
            "{count} pair ({similar} similar, {different} different) for {descriptor}.",
            "{count} pairs ({similar} similar, {different} different) for {descriptor}.",
            result.pairs,
            similar=result.similar,
            different=result.different,
            descriptor=result.descriptor,
        )
    )
    out.print(text(result.advice))
    rows = [
        (
            one.metric or _("no metric"),
            number(one.area, ".3f"),
            _("{low:.3f} to {high:.3f}", low=one.low, high=one.high),
            "" if one.metric is None else number(one.gain, "+.3f"),
        )
        for one in result.tried
    ]
    heading = (_("tried"), _("ROC area"), _("90 % interval"), _("gain"))
    out.print(plain_table(heading, rows, numbers=(1, 3)))
    if result.threshold is not None:
        found = result.threshold
        out.print(
            _(
                "Up to a distance of {distance:.3f} ({low:.3f} to {high:.3f}; similarity {similarity:.2f}) about "
                "{wrong:.0%} are wrong, and {kept:.0%} of the similar pairs lie within.",
                distance=found.distance,
                low=found.low,
                high=found.high,
                similarity=found.similarity,
                wrong=found.wrong,
                kept=found.kept,
            )
        )
    if result.switched is not None:
        out.print(_("Kept as “{name}”. {sentence}", name=result.metric, sentence=result.switched.sentence))
    elif result.metric is not None:
        command = f"twinlens metrics use {shlex.quote(result.metric)}"
        out.print(_("Kept as “{name}”. Search by it with `{command}`.", name=result.metric, command=command))
    else:
        out.print(_("No metric was kept. To keep the best one all the same, repeat with --anyway."))
