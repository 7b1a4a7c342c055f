"""``twinlens evaluate``: indexes judged by edited copies, by kinds of photos, and against exact search."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give, say
from twinlens.app.cli.tables import measured_cell, plain_table
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.language.texts import _, _n, number, text
from twinlens.app.machine.output_file import CsvTable, OutputFile, table

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.evaluate.evaluation import EditFigures, EvaluatedIndex, EvaluateResult, KindsResult


_OF_EDITS = ("found@1", "found@10", "map")


@click.command(cls=Command, epilog="Example: twinlens evaluate --truth edits --index Automatic --photographs 50")
@takes("settings", EvaluationSettings)
@click.option("--output", type=OUTPUT, metavar="FILE.csv", help="Write the figures as CSV.")
@click.pass_obj
def evaluate(session: Session, settings: EvaluationSettings, output: OutputFile | None) -> int:
    """Measure how often each index finds what it should.

    By default some photos of the library are edited, and their originals are what should be found.
    The copies (cropped, turned, mirrored, small, grey, with a caption, ...) are made in memory with at most 1,024
    pixels a side. R@1 is the share of originals at the first place, R@10 among the first ten, mAP the mean of
    1 / rank. A perceptual hash of 64 bits is measured too. After Ctrl-C the figures rest on the queries so far.

    With folders, concepts or marks, whole photos are the queries, and P@10 is the share of the first ten results that
    are of the same folder, surely show the same thing, or are marked similar.

    With exact, figures are those that bench and the Lab give of the same vectors, and are kept like theirs.
    """
    from twinlens.app.evaluate.evaluation import evaluate as measure
    from twinlens.app.evaluate.kind_evaluation import evaluate_kinds
    from twinlens.app.library.library import Library

    if output is not None:
        output.check(table(_headings(settings.truth)))
    of_copies = settings.descriptors or settings.edits or settings.further
    if settings.truth == "exact":
        if of_copies or settings.folder or settings.check or settings.seed:
            raise click.UsageError(_("--truth exact takes --index, --photographs and --output alone."))
        _exactly(session, settings.indexes, settings.photographs, output)
        return 0
    if settings.truth != "edits":
        if of_copies:
            raise click.UsageError(_("--descriptor, --edits and --further are for --truth edits."))
        with Library.open(session.library) as library, long_work(session) as progress:
            found = evaluate_kinds(library, settings, progress)
        if output is not None:
            _write_kinds(output, found)
        give(session, found, lambda out: _print_kinds(out, found))
        return 130 if found.cancelled else 0
    with Library.open(session.library) as library, long_work(session) as progress:
        result = measure(library, settings, progress)
    if output is not None:
        _write(output, result)
        say(session, _("The figures are in {file}.", file=str(output)))
    give(session, result, lambda out: _print(out, result))
    return 130 if result.cancelled else 0


def _headings(truth: str) -> tuple[str, ...]:
    """Return the headings of the table for a kind of truth."""
    if truth == "exact":
        return "index", "text", "figure", "value"
    if truth == "edits":
        return "by", "text", "edit", "questions", "recall@1", "recall@10", "map"
    from twinlens.app.evaluate.kind_evaluation import FIRST

    return "by", "kind", "photographs", "questions", f"precision@{FIRST}"


def _exactly(session: Session, indexes: Sequence[str], queries: int, output: OutputFile | None) -> None:
    """Measure indexes against exact search."""
    from twinlens.app.cli.tables import numbered, print_data, print_methods
    from twinlens.app.lab.experiments.runner import ExactResult, measure_indexes
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = measure_indexes(library, indexes, queries, progress)
    if output is not None:
        rows = [
            (one.index, one.text, key, f"{value:.6f}")
            for one in result.indexes
            for key, value in one.measured.values.items()
            if key.startswith(("recall@", "overlap@"))
        ]
        _write_rows(output, _headings("exact"), rows)

    def people(out: Console, found: ExactResult) -> None:
        for one in found.indexes:
            out.print(f"{one.index}: {one.text}")
            print_data(out, one.data)
        if found.indexes:
            names = numbered(out, [one.index for one in found.indexes])
            print_methods(out, names, [one.measured for one in found.indexes], _("index"))
        for note in found.notes:
            out.print(text(note))

    give(session, result, lambda out: people(out, result))


def _write_rows(file: OutputFile, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with file.opened_text(table(heading)) as target:
        written = CsvTable(target)
        written.writerow(heading)
        written.writerows(rows)


def _write_kinds(file: OutputFile, result: KindsResult) -> None:
    rows = [
        (name, one.kind, one.photographs, one.questions, f"{one.precision[name]:.6f}")
        for name in result.indexes
        for one in result.kinds
    ]
    _write_rows(file, _headings(result.truth), rows)


def _print_kinds(out: Console, result: KindsResult) -> None:
    out.print(
        _n(
            "{questions} photos of {count} kind, searched among {library}, with seed {seed:d} in {seconds:,.0f} s.",
            "{questions} photos of {count} kinds, searched among {library}, with seed {seed:d} in {seconds:,.0f} s.",
            len(result.kinds),
            questions=result.questions,
            library=result.library,
            seed=result.seed,
            seconds=result.seconds,
        ),
    )
    heading = [_("kind"), _("photos"), *(f"{name} P@{result.first}" for name in result.indexes)]
    names = [one.kind for one in result.kinds]
    if result.truth == "folders" and len(names) > 1:
        with suppress(ValueError):  # on two drives
            shared = os.path.commonpath(names)
            names = [os.path.relpath(name, shared) for name in names]
    rows = [
        (name, number(one.photographs), *(number(one.precision[index], ".3f") for index in result.indexes))
        for name, one in zip(names, result.kinds, strict=True)
    ]
    rows.append((_("mean"), "", *(number(result.precision[name], ".3f") for name in result.indexes)))
    out.print(plain_table(heading, rows, numbers=range(1, len(heading))))
    for sentence in result.notes:
        out.print(text(sentence))


def _write(file: OutputFile, result: EvaluateResult) -> None:
    rows = []
    for index in result.indexes:
        for one in (*index.edits, index.mean, *index.further):
            figures = [f"{one.values[key]:.6f}" for key in _OF_EDITS]
            rows.append((index.name, index.text, one.edit, one.questions, *figures))
    _write_rows(file, _headings("edits"), rows)


def _print(out: Console, result: EvaluateResult) -> None:
    out.print(
        _(
            "{copies} edited copies of {photographs} photos (drawn from {of}), searched among {library}, with "
            "seed {seed:d} in {seconds:,.0f} s.",
            copies=result.questions,
            photographs=result.photographs,
            of=result.of,
            library=result.library,
            seed=result.seed,
            seconds=result.seconds,
        ),
    )
    for index in result.indexes:
        out.print(
            _(
                "{name}: {index}, {milliseconds:,.1f} ms per query",
                name=index.name,
                index=index.text,
                milliseconds=1000 * index.seconds,
            ),
        )
    heading = [_("edit")]
    for index in result.indexes:
        heading += [f"{index.name} R@1", "R@10", "mAP"]
    rows = _rows(result.indexes, [index.edits for index in result.indexes])
    rows += _rows(result.indexes, [[index.mean] for index in result.indexes])
    rows += _rows(result.indexes, [index.further for index in result.indexes])
    out.print(plain_table(heading, rows, numbers=range(1, len(heading))))
    for sentence in (*result.advice, *result.notes):
        out.print(text(sentence))


def _rows(indexes: list[EvaluatedIndex], figures: list[list[EditFigures]]) -> list[tuple[str, ...]]:
    rows = []
    for place, one in enumerate(figures[0]):
        cells = [one.edit]
        for column in figures:
            cells += [measured_cell(key, column[place].values) for key in _OF_EDITS]
        rows.append(tuple(cells))
    return rows
