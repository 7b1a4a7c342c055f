"""``twinlens bench --codes``: search structures on packed codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from app.cli.bench.tables import numbered, print_columns
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.cli.tables import size

if TYPE_CHECKING:
    from rich.console import Console

    from app.bench.results import CodeBenchResult, CodeBenchSearch

_OF_CODES = frozenset(
    {"base", "codes", "queries", "query_count", "searches", "neighbours", "k", "library", "as_json", "quiet"}
)


def refuse_with_codes(base: str, context: click.Context) -> None:
    """Refuse what has no meaning where there are codes alone, and k by two names."""
    if base.endswith(".toml"):
        raise click.UsageError("An experiment names vectors; with --codes, BASE is a file of packed codes.")
    given = {
        option.name: option.opts[0]
        for option in context.command.params
        if option.name is not None and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }
    idle = [words for name, words in given.items() if name not in _OF_CODES]
    if idle:
        raise click.UsageError(f"With --codes there are no vectors to which {', '.join(idle)} could apply.")
    if {"k", "neighbours"} <= given.keys():
        raise click.UsageError("With --codes, -k and --neighbours are the same: give one of them.")


def bench_packed(
    session: Session,
    base: str,
    queries: str | None,
    query_count: int | None,
    searches: tuple[str, ...],
    neighbours: int | None,
) -> None:
    """Measure search structures on packed codes, and print what came of it."""
    from app.bench.code_bench import bench_codes
    from app.bench.code_bench_data import NEIGHBOURS, CodeExperiment

    experiment = CodeExperiment(base, queries or "", searches, query_count or 0, neighbours or NEIGHBOURS)
    with long_work(session) as progress:
        result = bench_codes(experiment, progress)
    give(session, result, lambda out: _print_structures(out, result))


def _print_structures(out: Console, result: CodeBenchResult) -> None:
    out.print(
        f"{result.n:,} codes of {result.bits:,} bits ({size(result.bytes)}), {result.queries:,} queries for the "
        f"{result.k:,} nearest.",
    )
    names = numbered(out, [one.search for one in result.results])
    measured = [(name, one) for name, one in zip(names, result.results, strict=True) if not one.refused]
    if measured:
        print_columns(out, [name for name, _ in measured], [_structure(one) for _, one in measured], "structure")
    for name, one in zip(names, result.results, strict=True):
        if one.refused or one.note:
            out.print(f"{name}: {one.refused or one.note}")
    out.print(
        f"The truth took {1000 * result.exact_seconds:,.1f} ms a query, all queries in one pass over the file.",
        style="dim",
    )


def _structure(one: CodeBenchSearch) -> dict[str, str]:
    return {
        **{f"R@{count}": f"{value:.3f}" for count, value in one.recall.items()},
        **{f"overlap@{count}": f"{value:.3f}" for count, value in one.overlap.items()},
        "scanned": f"{one.scanned:,.0f}",
        "probed": f"{one.probed:,.0f}" if one.probed else "",
        "build": f"{one.build_seconds:,.2f} s",
        "query": f"{1000 * one.query_seconds:,.2f} ms",
        "lists": size(one.bytes) if one.bytes else "",
    }
