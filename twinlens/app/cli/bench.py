"""``twinlens bench``: hash methods measured on vectors, and search structures on codes.

With ``--partitions`` it prints the table of k-NN before and after a metric.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from twinlens.app.bench.experiment import PEER, Experiment, read_experiment
from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give, say
from twinlens.app.cli.tables import (
    numbered,
    print_data,
    print_exact_time,
    print_measured,
    print_methods,
    print_relevant,
    without,
)
from twinlens.app.language.texts import _, _n, text
from twinlens.app.machine.output_file import ONLY_COPY, CsvTable, OutputFile, table
from twinlens.core.evaluation.measures import VOTE_MEASURES
from twinlens.core.message import size

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.bench.bench_results import (
        BenchData,
        BenchPartitions,
        BenchResult,
        BenchVotes,
        CodeBenchResult,
    )


_EXAMPLE = (
    "Example: twinlens bench vectors.npy --method lsh:bits=256 --method itq:bits=64\n"
    "Example: twinlens bench vectors.npy --labels labels.npy --metric itml --partitions 10 -k 4\n"
    "Example: twinlens bench codes.npy --codes --search scan --search buckets"
)


@click.command(cls=Command, epilog=_EXAMPLE)
@click.argument("source", metavar="BASE")
@takes(
    "given",
    Experiment,
    *("queries", "query_count", "labels", "query_labels", "methods"),
    click.option(
        "--peer",
        "peers",
        multiple=True,
        help="Index of faiss to compare with, as its index_factory takes it, such as PQ16, OPQ16,PQ16, "
        "IVF64,PQ16@nprobe=8, RaBitQ, HNSW32 or ITQ64,LSH; repeat for several. faiss must be installed.",
    ),
    *("search", "metric", "pairs", "marks", "partitions", "labelled", "asked", "bits", "epsilons", "shares", "scaled"),
    click.option("--table", type=OUTPUT, help="Write the table of partitions as CSV."),
    *("truth", "map_protocol", "seeds", "k"),
    click.option("--codes", is_flag=True, help="Measure search structures on packed codes in BASE and the queries."),
    without=("name", "question", "index", "edits"),
    show_defaults=False,
)
@click.option("--curves", type=OUTPUT, help="Write curves as CSV: method, seed, curve, x, y.")
@click.option("--figure", type=OUTPUT, help="Draw a figure of the result, as .svg, .pdf or .png.")
@click.option("--figure-name", default="", help="Which figure is drawn, such as found-time.  [default: the first]")
@click.option("--write", type=OUTPUT, help="Write the experiment as TOML, and run it.")
@click.pass_obj
def bench(
    session: Session,
    source: str,
    given: Experiment,
    peers: tuple[str, ...],
    table: OutputFile | None,
    codes: bool,
    curves: OutputFile | None,
    figure: OutputFile | None,
    figure_name: str,
    write: OutputFile | None,
) -> None:
    """Measure hash methods on the vectors of BASE, or repeat the experiment of a .toml or .twinlens-experiment file.

    BASE is .npy, .npz, .fvecs, .bvecs or ann-benchmarks' .hdf5, whose test vectors are the queries where it has some,
    by its distance and with its neighbors; FILE::NAME names an array of a file with several. A .npz of
    scipy.sparse.save_npz is taken by lsh. Measured steps are kept in the cache: what was stopped goes on, and what
    failed is a row that says why.

    recall@R is the probability that the true nearest, or one that is as near, is among the first R codes. overlap@k
    is the share of the true first k among the k that were found and ranked exactly, and worst@10 the lowest
    overlap@10 of a query. mAP, precision and recall count as right the 50 nearest by the truth, those of the same
    label, or all within the radius. None of them depends on the order of what is equally far. A query that is in
    the base is never its own result. With --metric, accuracy is also given as it was without it. Where the truth is
    the cosine, every method gets vectors of length 1, and all-zero vectors are left out.

    The curves: recall and precision over the Hamming radius, recall_at over R, and of kernel methods eigenvalue,
    residual and estimation over the rank; seed is mean, or with several seeds also each of them.

    With --partitions, some items of each class are queries, and the rest is searched. The metric is learned from
    pairs of a few items of the rest. The result is how often the -k nearest vote for the right class, before and
    after, as a mean over the classes. Each method searches permuted lists, unless --search names something else.

    With --codes, BASE is uint8 (n, bytes), such as numpy.packbits makes, and each search structure (all, unless
    --search names some) is judged against the exact Hamming neighbours. Codes that take more than an eighth of the
    memory are scanned in blocks from their file, however many they are.
    """
    from twinlens.app.bench.bench import CURVES, write_curves

    for file, kind in ((table, VOTES), (curves, CURVES), (write, ONLY_COPY)):
        if file is not None:
            file.check(kind)
    if figure is not None:
        from twinlens.app.lab.figures.drawing import check_figure_file

        check_figure_file(figure)
    if source.endswith(".twinlens-experiment"):
        bench_experiment(session, Path(source), click.get_current_context())
        return
    if codes:
        refuse_with_codes(source, click.get_current_context())
        bench_packed(
            session,
            given.changed(base=source, neighbours=given.k if "k" in given.model_fields_set else given.neighbours),
        )
        return
    from twinlens.app.bench.bench import measure_bench
    from twinlens.app.bench.partitions import PARTITIONS, split_partitions

    experiment = given.overriding(
        read_experiment(Path(source)) if source.endswith(".toml") else Experiment(base=source)
    )
    experiment = experiment.changed(methods=(*experiment.methods, *(f"{PEER}{one}" for one in peers)))
    if table is not None and not experiment.partitions:
        experiment = experiment.changed(partitions=PARTITIONS)
    experiment = split_partitions(experiment)
    if write is not None:
        write.write(experiment.complete().to_toml(), ONLY_COPY)
    with long_work(session) as progress:
        measured = measure_bench(experiment, progress, curves is not None)
    result = measured.result
    give(session, result, lambda out: _print(out, result))
    if figure is not None:
        from twinlens.app.lab.figures.run_figures import write_bench_figure

        write_bench_figure(measured, figure, figure_name)
        say(session, _("The figure is in {file}.", file=str(figure)))
    if curves is not None:
        write_curves(curves, result.curves)
        say(session, _("The curves are in {file}.", file=str(curves)))
    if table is not None and result.partitions is not None:
        write_votes(table, result.partitions)
        say(session, _("The table is in {file}.", file=str(table)))


def _print(out: Console, result: BenchResult) -> None:
    data = result.data
    if result.partitions is not None:
        print_votes(out, data, result.partitions)
        return
    print_data(out, data)
    if data.left_out:
        out.print(_n("{count} all-zero row is left out.", "{count} all-zero rows are left out.", data.left_out))
    names = _names(out, result)
    print_methods(out, names, result.results)
    print_relevant(out, data)
    for name, one in zip(names, result.results, strict=True):
        if one.refused:
            out.print(text(one.refused))
        elif one.note:
            out.print(_("{name}: {note}", name=name, note=one.note))
    print_exact_time(out, next(one.values["seconds exact"] for one in result.results if one.values))


def _names(out: Console, result: BenchResult) -> list[str]:
    """Return the names of the methods in the tables."""
    several = _several_searches(result)
    return numbered(out, [f"{one.method} · {one.search}" if several else one.method for one in result.results])


def _several_searches(result: BenchResult) -> bool:
    return len({one.search for one in result.results}) > 1


def bench_experiment(session: Session, file: Path, context: click.Context) -> None:
    """Run an experiment of the Lab again, and compare its figures with those of the file."""
    from twinlens.app.lab.experiments.experiment_file import open_experiment, run_again
    from twinlens.app.library.library import Library

    for name, option in _given(context).items():
        if name not in _OF_EVERY_BENCH:
            raise click.UsageError(_("An experiment file runs unchanged. Leave out {option}.", option=option))
    opened = open_experiment(file)
    with contextlib.ExitStack() as open_ones:
        library = None
        if opened.tables is None and opened.experiment.index:
            library = open_ones.enter_context(Library.open(session.library))
        progress = open_ones.enter_context(long_work(session))
        result, check = run_again(opened, library, progress)

    def people(out: Console) -> None:
        _print(out, result)
        for sentence in check.differing:
            out.print(text(sentence))
        if not check.differing:
            out.print(_("All {figures} figures equal those of the file, except times.", figures=check.figures))

    give(session, result, people)


_OF_EVERY_BENCH = frozenset({"source", "library", "as_json", "quiet", "overwrite"})
_OF_CODES = _OF_EVERY_BENCH - {"overwrite"} | {"codes", "queries", "query_count", "search", "neighbours", "k"}


def _given(context: click.Context) -> dict[str, str]:
    """Return the options that were given, by the names of their parameters."""
    return {
        option.name: option.opts[0]
        for option in context.command.params
        if option.name is not None and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def refuse_with_codes(base: str, context: click.Context) -> None:
    """Refuse options that need vectors, and two names for k."""
    if base.endswith(".toml"):
        raise click.UsageError(_("With --codes, BASE is a file of packed codes, not an experiment."))
    given = _given(context)
    idle = [words for name, words in given.items() if name not in _OF_CODES]
    if idle:
        raise click.UsageError(
            _("These options need vectors and cannot be used with --codes: {options}.", options=idle)
        )
    if {"k", "neighbours"} <= given.keys():
        raise click.UsageError(_("With --codes, -k and --neighbours mean the same. Give only one of them."))


def bench_packed(session: Session, experiment: Experiment) -> None:
    """Measure search structures on packed codes, and print the figures."""
    from twinlens.app.bench.code_bench import bench_codes

    with long_work(session) as progress:
        result = bench_codes(experiment, progress)
    give(session, result, lambda out: _print_structures(out, result))


def _print_structures(out: Console, result: CodeBenchResult) -> None:
    out.print(
        _(
            "{codes} codes of {bits} bits ({size}), {queries} queries for the {k} nearest codes.",
            codes=result.n,
            bits=result.bits,
            size=size(result.bytes),
            queries=result.queries,
            k=result.k,
        ),
    )
    names = numbered(out, [one.search for one in result.results])
    measured = [(name, one) for name, one in zip(names, result.results, strict=True) if not one.refused]
    if measured:
        print_measured(
            out, [name for name, __ in measured], [one for __, one in measured], _OF_STRUCTURES, _("structure")
        )
    for name, one in zip(names, result.results, strict=True):
        if one.refused or one.note:
            out.print(_("{name}: {note}", name=name, note=one.refused or one.note))
    out.print(
        _(
            "Exact search took {milliseconds:,.1f} ms per query, with all queries in one pass over the file.",
            milliseconds=1000 * result.exact_seconds,
        ),
        style="dim",
    )


_OF_STRUCTURES = (
    "recall@1", "overlap@10", "worst@10", "overlap@100", "scanned", "probed", "seconds build", "seconds query",
    "bytes search",
)  # fmt: skip
_OF_VOTES = (
    "pairs", "before", "after", "gain", "lost", "overlap share", "looked_at share", "query_seconds", "times",
    "fit_seconds",
)  # fmt: skip
_HEADING = ("method", "search", "bits", "pairs", *(f"{name}{end}" for name in VOTE_MEASURES for end in ("", "_error")))
VOTES = table(_HEADING)


def print_votes(out: Console, data: BenchData, found: BenchPartitions) -> None:
    """Print the data and the table of partitions."""
    for line in _about(data, found):
        out.print(line)
    rows = [one if one.method else without(one, "lost", "overlap share", "times") for one in found.rows]
    print_measured(out, [_name(one) for one in rows], rows, _OF_VOTES, _("search"))
    out.print(
        _(
            "before, after: accuracy in % without and with the metric, mean over the classes. lost: percentage points "
            "below the linear scan with the metric. found: share of the nearest by the metric. x: speed relative to "
            "the linear scan in one matrix product. ±: standard error over the partitions."
        ),
        style="dim",
    )
    if found.fastest:
        out.print(text(found.fastest))
    for one in found.rows:
        if one.note and not one.method:
            pairs = one.values["pairs"]
            out.print(_("{count:,.0f} pairs: {note}", count=pairs, note=one.note) if pairs else text(one.note))


def _about(data: BenchData, found: BenchPartitions) -> list[str]:
    values = {"vectors": data.n, "dimensions": data.d, "classes": found.classes}
    return [
        _("{vectors} vectors with {dimensions} dimensions, scaled, in {classes} classes.", **values)
        if found.scaled
        else _("{vectors} vectors with {dimensions} dimensions in {classes} classes.", **values),
        _n(
            "{count} partition with {queries} queries and {base} searched vectors.",
            "{count} partitions with {queries} queries and {base} searched vectors each.",
            found.partitions,
            queries=data.queries,
            base=found.base,
        ),
        _("Pairs are drawn from {labelled} labelled vectors.", labelled=found.labelled)
        if found.labelled
        else _("Pairs are from a file."),
        _("Metric {metric}, {k} voting neighbours.", metric=data.metric, k=found.k),
    ]


def _name(one: BenchVotes) -> str:
    return f"{one.method} · {one.search}" if one.method else _("linear scan")


def write_votes(file: OutputFile, found: BenchPartitions) -> None:
    """Write the table as CSV with shares from 0 to 1.

    Raises
    ------
    TwinlensError
        If it cannot be written, or must not be replaced.
    """
    with file.opened_text(VOTES) as target:
        rows = CsvTable(target)
        rows.writerow(_HEADING)
        for one in found.rows:
            cells = [_exact(of.get(key)) for key in VOTE_MEASURES.values() for of in (one.values, one.spread)]
            rows.writerow([one.method, one.search, one.bits, f"{one.values['pairs']:g}", *cells])


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.8g}"
