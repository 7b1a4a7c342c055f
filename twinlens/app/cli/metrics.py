"""``twinlens learn`` and ``metrics``: metrics learned from judged pairs, used, compared and managed."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command, TranslatedGroup
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give, index_names, say
from twinlens.app.cli.tables import plain_table
from twinlens.app.language.texts import _, _n, number, text
from twinlens.app.learn.learn_results import LearnedMetricUse, MetricListResult, MetricStatus
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import Cancelled
from twinlens.core.message import size

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from twinlens.app.learn.learn_results import JudgedMetric, MeanAndRange, MetricComparison, MetricSwitch
    from twinlens.app.library.library import Library
    from twinlens.core.metrics.metric import Ranking
    from twinlens.core.progress import Progress


@click.command(cls=Command, epilog="Example: twinlens learn --name Mine")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@takes(
    "settings",
    LearningSettings,
    *("index", "method", "name"),
    click.option("--use", is_flag=True, help="Search by it from now on, where it is kept, as `metrics use` does."),
)
@click.pass_obj
def learn(session: Session, file: Path | None, settings: LearningSettings, use: bool) -> int:
    """Learn a metric from the marks of the library, and keep it if it is better on photos that it has not seen.

    With FILE it is learned from the pairs in it instead, and they are not kept as marks. FILE is an export of
    `twinlens marks`, or a CSV with the columns first, second and judgement, or a JSON list of objects with these keys.
    Pictures are named by path or id; a judgement is similar or different.

    With --method the marks teach bits instead, and an index is kept if these are better than as many without marks. It
    learns again when the marks have changed: with the same command, or with the next `rescan`.

    `twinlens metrics use NAME` searches by what is kept, as --use does at once; `metrics back` undoes that.
    """
    from twinlens.app.indexes.indexes import set_default
    from twinlens.app.learn.learning import learn_and_keep
    from twinlens.app.learn.metrics import search_by_metric
    from twinlens.app.library.library import Library
    from twinlens.app.marks.pair_file import read_pairs

    if file is not None:
        settings = settings.changed(named=read_pairs(file))
    with Library.open(session.library) as library, long_work(session) as progress:
        learned = learn_and_keep(library, settings, progress)
        switch, stopped = None, False
        if use and learned.kept_index is not None:
            set_default(library, learned.kept_index)
        if use and learned.metric is not None:
            switch, stopped = make_ready(
                session, library, search_by_metric(library, learned.metric, learned.index), progress
            )
    result = LearnedMetricUse(**learned.model_dump(), switched=switch)
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
    elif result.kept_index is not None:
        kept = result.kept_index
        command = f"twinlens search PICTURE --index {shlex.quote(kept)}"
        out.print(_("Kept as the index “{name}”. Search by it with `{command}`.", name=kept, command=command))
    elif result.metric is not None:
        command = f"twinlens metrics use {shlex.quote(result.metric)}"
        out.print(_("Kept as “{name}”. Search by it with `{command}`.", name=result.metric, command=command))
    else:
        out.print(_("Nothing was kept. To keep the best all the same, repeat with --anyway."))


@click.group(cls=TranslatedGroup, epilog="Example: twinlens metrics import G.npy --descriptor compact-vlad --name Mine")
def metrics() -> None:
    """Metrics make some differences count more than others: search by one, compare them, look after them."""


@metrics.command(
    "import", cls=Command, epilog="Example: twinlens metrics import G.npy --descriptor compact-vlad --name Mine"
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--descriptor", required=True, metavar="TEXT", help="Whose vectors it measures: colour, vlad, ...")
@click.option("--name", metavar="NAME", help="Its name; by default that of the file.")
@click.option(
    "--ranking",
    type=click.Choice(["distance", "kernel"]),
    default="distance",
    show_default=True,
    help="By what candidates are ranked: the distance, or the cosine, of G x and G z.",
)
@click.pass_obj
def import_(session: Session, file: Path, descriptor: str, name: str | None, ranking: Ranking) -> None:
    """Keep the metric in FILE: a .npy with the matrix G; or a .npz with G, or A, or S and items."""
    from twinlens.app.learn.metrics import import_metric
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        _tell_metric(session, import_metric(library, file, descriptor, name, ranking))


def _tell_metric(session: Session, made: MetricStatus) -> None:
    _list(session, MetricListResult(metrics=[made]))


def _list(session: Session, result: MetricListResult) -> None:
    def people(out: Console) -> None:
        if result.metrics:
            out.print(_table(result.metrics))
        else:
            out.print(_("The library keeps no metrics."))

    give(session, result, people)


def _table(kept: Iterable[MetricStatus]) -> Table:
    rows = [
        (
            one.name,
            one.descriptor,
            one.learned_by or _("given"),
            f"{number(one.dimensions)} → {number(one.out_dimensions)}",
            text(size(one.bytes)),
            ", ".join(one.indexes),
            one.created,
            text(one.note),
        )
        for one in kept
    ]
    heading = (
        _("metric"),
        _("measures"),
        _("learned by"),
        _("dimensions"),
        _("size"),
        _("used by"),
        _("since"),
        _("note"),
    )
    return plain_table(heading, rows, numbers=(3, 4))


@metrics.command("list", cls=Command, epilog="Example: twinlens metrics list")
@click.pass_obj
def list_(session: Session) -> None:
    """List the metrics: what each measures, what it was learned from, how it was judged, and which indexes use it."""
    from twinlens.app.learn.metrics import list_metrics
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        _list(session, list_metrics(library))


@metrics.command(cls=Command, epilog="Example: twinlens metrics use Mine")
@click.argument("name")
@click.option(
    "--later", is_flag=True, help="Leave the fitting for `add` or `rescan`; until then searches by it are exact."
)
@click.pass_obj
def use(session: Session, name: str, later: bool) -> int:
    """Search by the metric NAME from now on, wherever no index is named.

    Creates an index that uses this metric, with the settings of the current index. `twinlens metrics back` undoes this.
    """
    from twinlens.app.learn.metrics import search_by_metric
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        switch, stopped = search_by_metric(library, name), False
        if not later:
            switch, stopped = make_ready(session, library, switch, progress)
    give(session, switch, lambda out: out.print(text(switch.sentence)))
    return 130 if stopped else 0


@metrics.command(cls=Command, epilog="Example: twinlens metrics back")
@click.pass_obj
def back(session: Session) -> None:
    """Search as before `metrics use`; the metric and its index stay."""
    from twinlens.app.learn.metrics import go_back
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        switch = go_back(library)
    give(session, switch, lambda out: out.print(text(switch.sentence)))


@metrics.command(cls=Command, epilog="Example: twinlens metrics compare")
@click.option(
    "--index", metavar="NAME", shell_complete=index_names, help="Whose metrics.  [default: the index that is searched]"
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is held out.")
@click.pass_obj
def compare(session: Session, index: str | None, seed: int) -> None:
    """Judge the kept metrics, and no metric, by the marks that none of them was learned from."""
    from twinlens.app.indexes.indexes import default_index
    from twinlens.app.learn.metric_comparison import compare_metrics
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = compare_metrics(library, index or default_index(library), seed, progress)
    give(session, result, lambda out: _compared(out, result))


def _compared(out: Console, result: MetricComparison) -> None:
    rows = [
        (
            one.name or _("no metric"),
            *_held_out(one),
            number(one.pairs),
            _("search") if one.default else "",
            one.created,
        )
        for one in result.metrics
    ]
    heading = (
        _("metric"),
        _("judged rightly"),
        _("ROC area"),
        _("recall@10"),
        _("pairs"),
        _("used by"),
        _("since"),
    )
    out.print(plain_table(heading, rows, numbers=(4,)))
    for one in result.metrics:
        if one.sentence:
            out.print(_("{name}: {sentence}", name=one.name or _("No metric"), sentence=one.sentence))
    out.print(
        _n(
            "{count} pair can be judged by, for {descriptor}.",
            "{count} pairs can be judged by, for {descriptor}.",
            result.pairs,
            descriptor=result.descriptor,
        )
    )


def _held_out(one: JudgedMetric) -> tuple[str, str, str]:
    if one.held_out is None:
        return "", "", ""
    return _range(one.held_out.accuracy), _range(one.held_out.area), _range(one.held_out.recall)


def _range(found: MeanAndRange | None) -> str:
    if found is None:
        return ""
    return _("{mean:.3f} ({low:.3f} to {high:.3f})", mean=found.mean, low=found.low, high=found.high)


def make_ready(
    session: Session, library: Library, switch: MetricSwitch, progress: Progress
) -> tuple[MetricSwitch, bool]:
    """Fit and encode the index that is now used; if that is stopped, print so, and that searches use it already."""
    from twinlens.app.learn.metrics import made_ready

    try:
        return made_ready(library, switch, progress), False
    except Cancelled:
        say(session, _("Stopped; `{command}` goes on with it.", command="twinlens rescan"))
        return switch, True


@metrics.command(cls=Command, epilog="Example: twinlens metrics rename Mine Holidays")
@click.argument("old")
@click.argument("new")
@click.pass_obj
def rename(session: Session, old: str, new: str) -> None:
    """Rename the metric OLD to NEW; indexes that use it stay as they are."""
    from twinlens.app.learn.metrics import rename_metric
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        _tell_metric(session, rename_metric(library, old, new))


@metrics.command(cls=Command, epilog="Example: twinlens metrics delete Mine")
@click.argument("name")
@click.option("--with-indexes", is_flag=True, help="Delete the indexes that measure by it, too.")
@click.pass_obj
def delete(session: Session, name: str, with_indexes: bool) -> None:
    """Delete the metric NAME, unless an index measures by it.

    With --with-indexes those are deleted as well; where one of them answers, the one before it does from then on.
    """
    from twinlens.app.learn.metrics import delete_metric_and_indexes, delete_unused_metric, list_metrics
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        if with_indexes:
            say(session, text(delete_metric_and_indexes(library, name).sentence))
            _list(session, list_metrics(library))
        else:
            _list(session, delete_unused_metric(library, name))


@metrics.command(cls=Command, epilog="Example: twinlens metrics export Mine mine.npz")
@click.argument("name")
@click.argument("file", type=OUTPUT)
@click.pass_obj
def export(session: Session, name: str, file: OutputFile) -> None:
    """Write the metric NAME into FILE: a .npy is its matrix G, a .npz holds it as it is kept."""
    from twinlens.app.learn.metric_files import check_metric_file
    from twinlens.app.learn.metrics import export_metric
    from twinlens.app.library.library import Library

    check_metric_file(file)
    with Library.open(session.library) as library:
        result = export_metric(library, name, file)
    written = _("“{metric}” is written into {file}.", metric=result.metric, file=result.file)
    give(session, result, lambda out: out.print(written))
