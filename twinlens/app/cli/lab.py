"""``twinlens lab``: experiments on a library's photographs, kept as runs, and the papers' theory on its vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.bench.experiment import Experiment, read_experiment
from twinlens.app.cli.main import Command, TranslatedGroup
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give
from twinlens.app.cli.tables import (
    numbered,
    plain_table,
    print_data,
    print_exact_time,
    print_methods,
    print_relevant,
)
from twinlens.app.lab.theory.theory_settings import TheorySettings
from twinlens.app.language.texts import _
from twinlens.app.machine.output_file import DOCUMENT, DRAWING, EXPERIMENT, ONLY_COPY, OutputFile
from twinlens.core.errors import TwinlensError

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.lab.experiments.lab_results import LabRun
    from twinlens.app.lab.theory.theory_results import Theory


_RUN = (
    "Example: twinlens lab run --index Colours --method 'klsh:kernel=hellinger,rank={16,64,256}' --method lsh "
    "--bits 64,256 --seed 0 --seed 1 --name ranks"
)


@click.group(
    cls=TranslatedGroup, epilog="Example: twinlens lab run --index Colours --method 'lsh:bits={64,256}' --name bits"
)
def lab() -> None:
    """Measure hash methods on your own photos, and keep, draw, compare and share the results."""


@lab.command(cls=Command, epilog=_RUN)
@click.argument("plan", required=False, type=click.Path(path_type=Path))
@takes(
    "given",
    Experiment,
    *("index", "methods", "search", "bits", "metric", "truth", "edits", "query_count", "seeds", "k", "question"),
    without=(
        "queries",
        "labels",
        "query_labels",
        "pairs",
        "marks",
        "map_protocol",
        "neighbours",
        "partitions",
        "labelled",
        "asked",
        "epsilons",
        "shares",
        "scaled",
    ),
    show_defaults=False,
    metric="Metric applied before every method: a metric of the library, or a text form.",
    truth="Right results: l2, cosine, a kernel's text form, metric, radius:50, folders (same folder), concepts "
    "(showing the same thing), marks (marked as similar), or edits (originals of edited copies). Default: exact "
    "neighbours by the measure of the index.",
    query_count="Number of queries. Default: 100, or 20 photos to edit.",
    k="Voting neighbours, with --truth folders.",
)
@click.option("--write", type=OUTPUT, help="Also write the plan as TOML.")
@click.pass_obj
def run(session: Session, plan: Path | None, given: Experiment, write: OutputFile | None) -> None:
    """Measure the methods of PLAN, a .toml file as for bench, or the named ones, and keep the run.

    Each method, search structure and seed is a step, kept as soon as it is measured. A stopped run can be resumed, and
    no step is measured twice on the same data.
    """
    from twinlens.app.lab.experiments.runner import run_experiment
    from twinlens.app.library.library import Library

    if write is not None:
        write.check(ONLY_COPY)
    if (plan is None) == (not given.index):
        raise click.UsageError(_("Give either a PLAN, or --index with methods."))
    experiment = given if plan is None else given.overriding(read_experiment(plan))
    if write is not None:
        write.write(experiment.to_toml(), ONLY_COPY)
    with Library.open(session.library) as library, long_work(session) as progress:
        found = run_experiment(library, experiment, progress=progress)
    give(session, found, lambda out: print_run(out, found))


@lab.command(cls=Command, epilog="Example: twinlens lab index ranks 2 --name 'Low rank'")
@click.argument("run")
@click.argument("row")
@click.option("--name", help="Name of the index. Default: made from its text form.")
@click.pass_obj
def index(session: Session, run: str, row: str, name: str | None) -> None:
    """Create an index from ROW, a row number in the table of RUN."""
    from twinlens.app.lab.experiments.run_sheet import make_index
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        found = make_index(library, run, row, name, progress)
    give(
        session,
        found,
        lambda out: out.print(_("Created the index “{name}”: {index}.", name=found.name, index=found.text)),
    )


def print_run(out: Console, run: LabRun) -> None:
    """Print a run: question, data and table."""
    out.print(run.question or run.name, style="bold")
    if run.data is None:
        out.print(_("No steps are measured yet. Resume with {command}.", command="`twinlens lab resume`"))
        return
    data = run.data
    out.print(data.base)
    print_data(out, data)
    several = len({row.measured.search for row in run.rows}) > 1
    texts = [f"{row.measured.method} · {row.measured.search}" if several else row.measured.method for row in run.rows]
    names = numbered(out, texts)
    if names == texts:
        names = [f"{number} {text}" for number, text in enumerate(texts, 1)]
    print_methods(out, names, [row.measured for row in run.rows])
    print_relevant(out, data)
    print_exact_time(out, run.exact_seconds)
    if not run.complete:
        out.print(
            _(
                "{done} of {steps} steps measured. Resume with {command}.",
                done=run.done,
                steps=run.steps,
                command=f"`twinlens lab resume '{run.name}'`",
            ),
        )


_KINDS = ("rank", "hamming", "bounds", "rotation", "metric")


@click.command(cls=Command, epilog="Example: twinlens lab theory rank --index Colours --svg rank.svg")
@click.argument("kind", type=click.Choice(_KINDS))
@takes("settings", TheorySettings)
@click.option("--figure", metavar="NAME", default="", help="Which figure is drawn into a file.  [default: the first]")
@click.option("--svg", type=OUTPUT, metavar="FILE", help="Draw it as .svg, .pdf or .png.")
@click.option("--csv", "table", type=OUTPUT, metavar="FILE", help="Write all points.")
@click.option("--dark", is_flag=True, help="Light on dark.")
@click.pass_obj
def theory(
    session: Session,
    settings: TheorySettings,
    figure: str,
    svg: OutputFile | None,
    table: OutputFile | None,
    dark: bool,
) -> None:
    """Show a theory over what is measured of the vectors.

    rank: what low rank does to klsh; hamming: what bits of sik tell of the kernel; bounds: what norms spare an exact
    search; rotation: what the turns of itq gain; metric: which directions one stretches.
    """
    from twinlens.app.lab.figures.drawing import TABLE, check_figure_file, write_points
    from twinlens.app.lab.theory.theory import theory as compute
    from twinlens.app.library.library import Library

    if svg is not None:
        check_figure_file(svg)
    if table is not None:
        table.check(TABLE)
    with long_work(session) as progress:
        if settings.vectors:
            found = compute(settings, progress=progress)
        else:
            with Library.open(session.library) as library:
                found = compute(settings, library, progress)
    if svg is not None:
        _draw(found, figure, svg, dark)
    if table is not None:
        write_points(found.figures, table)
    give(session, found.result(), lambda out: _tell(out, found))


def _draw(found: Theory, name: str, file: OutputFile, dark: bool) -> None:
    from twinlens.app.lab.figures.drawing import write_figure

    one = next((one for one in found.figures if not name or one.name == name), None)
    if one is None:
        raise TwinlensError(
            "There is no figure “{name}” of {kind}.",
            "Name one of {figures}.",
            name=name,
            kind=found.kind,
            figures=", ".join(f.name for f in found.figures),
        )
    write_figure(one, file, dark)


def _tell(out: Console, found: Theory) -> None:
    out.print(found.answer)
    out.print()
    for one in found.figures:
        out.print(f"{one.title} ({one.name}): {one.reading}")
    out.print(plain_table(("what", "is"), [(name, f"{value:,.4g}") for name, value in found.numbers.items()], (1,)))
    out.print(f"{found.declaration}. {found.sample}")


lab.add_command(theory)


@lab.command(cls=Command, epilog="Example: twinlens lab resume ranks")
@click.argument("name")
@click.pass_obj
def resume(session: Session, name: str) -> None:
    """Resume the run NAME. Measured steps are kept."""
    from twinlens.app.lab.experiments.runner import resume_run
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        found = resume_run(library, name, progress)
    give(session, found, lambda out: print_run(out, found))


@lab.command("list", cls=Command, epilog="Example: twinlens lab list")
@click.pass_obj
def list_(session: Session) -> None:
    """List the runs, the newest first."""
    from twinlens.app.lab.experiments.runs import list_runs
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        found = list_runs(library)

    def people(out: Console) -> None:
        rows = [
            (
                one.name,
                one.question,
                one.data,
                one.truth or _("exact neighbours"),
                _("{done} of {steps}", done=one.done, steps=one.steps),
                one.created[:16],
            )
            for one in found.runs
        ]
        if not rows:
            out.print(_("No runs yet. Start one with {command}.", command="`twinlens lab run`"))
            return
        out.print(
            plain_table((_("run"), _("question"), _("data"), _("truth"), _("steps"), _("since")), rows, numbers=(4,))
        )

    give(session, found, people)


@lab.command(cls=Command, epilog="Example: twinlens lab show ranks")
@click.argument("name")
@click.pass_obj
def show(session: Session, name: str) -> None:
    """Show the table of the run NAME."""
    from twinlens.app.lab.experiments.runs import load_run
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        found = load_run(library, name)
    give(session, found, lambda out: print_run(out, found))


@lab.command(cls=Command, epilog="Example: twinlens lab export ranks recall.svg --figure recall-at")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.argument("file", type=OUTPUT)
@click.option("--figure", default="", help="Name of the figure, such as map-bits. Default: the first.")
@click.option("--dark", is_flag=True, help="Draw light on a dark background.")
@click.option("--vectors", is_flag=True, help="Include the vectors, so that anybody can run the experiment again.")
@click.pass_obj
def export(session: Session, runs: tuple[str, ...], file: OutputFile, figure: str, dark: bool, vectors: bool) -> None:
    """Write a RUN to FILE: .csv, .json, .svg, .pdf, .png or .twinlens-experiment. Several runs share a table or figure.

    A .twinlens-experiment has plan, seeds, figures, digests of the data, versions and the kind of machine, and never a
    photo; `twinlens lab open` shows it anywhere, `twinlens bench` runs it again.
    """
    from twinlens.app.lab.experiments.experiment_file import ENDING, write_experiment
    from twinlens.app.lab.experiments.runs import TABLE, load_run, write_runs_json, write_runs_table
    from twinlens.app.lab.figures.run_figures import write_run_figure
    from twinlens.app.library.library import Library
    from twinlens.app.library.library_results import FileResult

    ending = file.ending
    drawings = dict.fromkeys((".svg", ".pdf", ".png"), DRAWING)
    kind = {".csv": TABLE, ".json": DOCUMENT, **drawings, ENDING: EXPERIMENT}.get(ending)
    if kind is None:
        raise TwinlensError(
            "A run cannot be written as {file}.",
            "Use the ending .csv, .json, .svg, .pdf, .png or {ending}.",
            file=file.path.name,
            ending=ENDING,
        )
    if len(runs) > 1 and ending in {".json", ENDING}:
        raise TwinlensError("A {ending} file holds only one run.", "Export the runs one by one.", ending=ending)
    file.check(kind)
    with Library.open(session.library) as library:
        found = [load_run(library, name) for name in runs]
        if ending == ".csv":
            write_runs_table(found, file)
        elif ending == ".json":
            write_runs_json(found[0], file)
        elif ending == ENDING:
            write_experiment(library, found[0].name, file, vectors)
        else:
            write_run_figure(found, file, figure, dark)
    count = 0 if found[0].data is None else found[0].data.n
    result = FileResult(file=str(file), photographs=count, bytes=file.size)
    give(session, result, lambda out: out.print(_("Saved to {file}", file=str(file))))


@lab.command("open", cls=Command, epilog="Example: twinlens lab open ranks.twinlens-experiment --keep")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", is_flag=True, help="Keep the experiment as a run of the library.")
@click.option("--name", default="", help="Name of the kept run. Default: its own.")
@click.pass_obj
def open_(session: Session, file: Path, keep: bool, name: str) -> None:
    """Show the experiment in FILE. No photos or vectors are needed."""
    from twinlens.app.lab.experiments.experiment_file import keep_experiment, open_experiment
    from twinlens.app.library.library import Library

    opened = open_experiment(file)
    found = opened.run
    if keep:
        with Library.open(session.library) as library:
            found = keep_experiment(library, opened, name)

    def people(out: Console) -> None:
        print_run(out, found)
        if found.versions:
            out.print(
                _(
                    "Measured by Twinlens {version} on {processor}, data {digest:.12}.",
                    version=found.versions.get("twinlens", "?"),
                    processor=found.versions.get("processor") or found.versions.get("machine", "?"),
                    digest=found.digest,
                ),
                style="dim",
            )
        command = f"`twinlens bench {file}`"
        line = (
            _("The file has its vectors. Run it again with {command}.", command=command)
            if opened.tables is not None
            else _("Run it again with {command} in the library with the same photos.", command=command)
        )
        out.print(line, style="dim")

    give(session, found, people)


@lab.command(cls=Command, epilog="Example: twinlens lab rename ranks 'ranks of 2026'")
@click.argument("old")
@click.argument("new")
@click.pass_obj
def rename(session: Session, old: str, new: str) -> None:
    """Rename the run OLD to NEW."""
    from twinlens.app.lab.experiments.runs import rename_run
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        found = rename_run(library, old, new)
    give(session, found, lambda out: out.print(_("Renamed the run to “{name}”.", name=found.name)))


@lab.command(cls=Command, epilog="Example: twinlens lab delete ranks --keep ranks.twinlens-experiment")
@click.argument("name")
@click.option(
    "--keep",
    type=OUTPUT,
    help="Write it to this .twinlens-experiment first; `twinlens lab open FILE --keep` brings it back.",
)
@click.pass_obj
def delete(session: Session, name: str, keep: OutputFile | None) -> None:
    """Delete the run NAME and the steps measured only for it."""
    from twinlens.app.lab.experiments.experiment_file import write_experiment
    from twinlens.app.lab.experiments.runs import delete_run, list_runs, load_run
    from twinlens.app.library.library import Library

    if keep is not None:
        keep.check(ONLY_COPY)
    with Library.open(session.library) as library:
        name = load_run(library, name).name
        if keep is not None:
            write_experiment(library, name, keep, kind=ONLY_COPY)
        delete_run(library, name)
        found = list_runs(library)
    give(session, found, lambda out: out.print(_("Deleted the run “{name}”.", name=name)))
