"""``twinlens bench --codes``: search structures on packed codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from app.cli.bench.tables import numbered, print_columns
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.language.spoken import _, number, text
from core.amounts import size

if TYPE_CHECKING:
    from rich.console import Console

    from app.bench.results import CodeBenchResult, CodeBenchSearch

_OF_CODES = frozenset(
    {"base", "codes", "queries", "query_count", "searches", "neighbours", "k", "library", "as_json", "quiet"}
)


def refuse_with_codes(base: str, context: click.Context) -> None:
    """Refuse options that need vectors, and two names for k."""
    if base.endswith(".toml"):
        raise click.UsageError(_("With --codes, BASE is a file of packed codes, not an experiment."))
    given = {
        option.name: option.opts[0]
        for option in context.command.params
        if option.name is not None and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }
    idle = [words for name, words in given.items() if name not in _OF_CODES]
    if idle:
        raise click.UsageError(
            _("These options need vectors and cannot be used with --codes: {options}.", options=idle)
        )
    if {"k", "neighbours"} <= given.keys():
        raise click.UsageError(_("With --codes, -k and --neighbours mean the same. Give only one of them."))


def bench_packed(
    session: Session,
    base: str,
    queries: str | None,
    query_count: int | None,
    searches: tuple[str, ...],
    neighbours: int | None,
) -> None:
    """Measure search structures on packed codes, and print the figures."""
    from app.bench.code_bench import bench_codes
    from app.bench.code_bench_data import NEIGHBOURS, CodeExperiment

    experiment = CodeExperiment(base, queries or "", searches, query_count or 0, neighbours or NEIGHBOURS)
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
        print_columns(out, [name for name, __ in measured], [_structure(one) for __, one in measured], _("structure"))
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


def _structure(one: CodeBenchSearch) -> dict[str, str]:
    return {
        **{f"R@{count}": number(value, ".3f") for count, value in one.recall.items()},
        **{f"overlap@{count}": number(value, ".3f") for count, value in one.overlap.items()},
        _("scanned"): number(one.scanned, ",.0f"),
        _("probed"): number(one.probed, ",.0f") if one.probed else "",
        _("build"): f"{number(one.build_seconds, ',.2f')} s",
        _("query"): f"{number(1000 * one.query_seconds, ',.2f')} ms",
        _("lists"): text(size(one.bytes)) if one.bytes else "",
    }
