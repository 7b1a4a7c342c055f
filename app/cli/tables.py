"""Tables for the terminal: quiet, with one line under the heading and numbers to the right; and their console."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from app.indexes.index_results import IndexStatus
from app.language.texts import _, number, text
from core.files.untrusted_input import plain
from core.message import Message, counted, joined, size

if TYPE_CHECKING:
    from rich.console import Console

    from app.bench.bench_results import BenchData, BenchMethodResult


_WIDEST = 72
"""Characters of a column; longer texts go on in the next line."""


def plain_table(heading: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> Table:
    """Make a table; ``numbers`` are the columns that are set to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(heading):
        justify: JustifyMethod = "right" if place in numbers else "left"
        table.add_column(Text(plain(name)), justify=justify, overflow="fold", max_width=_WIDEST)
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    return table


def plain_index_table(indexes: Iterable[IndexStatus]) -> Table:
    """Make a table of what each index compares, for a person who has not created one."""
    from app.methods.catalogue import plain_words  # which imports every descriptor

    rows = [
        (
            index.name,
            _(plain_words(index.descriptor)),
            number(index.photographs),
            text(size(index.bytes)),
            _("answers searches") if index.default else "",
        )
        for index in indexes
    ]
    return plain_table((_("index"), _("compares"), _("photos"), _("size"), ""), rows, numbers=(2, 3))


def index_table(indexes: Iterable[IndexStatus]) -> Table:
    """Make the table of indexes with all their declarations."""
    rows = []
    for index in indexes:
        state = index.note
        if index.fitted_on is None and index.bits is not None:
            state = Message("answers exactly until it is fitted")
        elif not state and index.waiting:
            state = counted("{count} photo waits", "{count} photos wait", index.waiting)
        if index.default:
            state = joined([Message("answers where none is named"), state], "; ")
        bits = "" if index.bits is None else number(index.bits)
        photographs = number(index.photographs)
        rows.append((index.name, index.text, bits, photographs, text(size(index.bytes)), text(state)))
    heading = (_("index"), _("is"), _("bits"), _("photos"), _("size"), "")
    return plain_table(heading, rows, numbers=(2, 3, 4))


class Terminal(Console):
    """A console that takes every text as it is: one line, no markup. Tables come from :func:`app.cli.tables`."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print lines of text and tables."""
        super().print(*(Text(plain(one)) if isinstance(one, str) else one for one in objects), **options)

    def on_broken_pipe(self) -> None:
        """Leave the end of the program to the command line; rich itself would end it with the code of a failure."""
        raise  # noqa: PLE0704 (what it is called about)


_LONGEST = 22  # letters of a method's name that leave room for the figures in 100 columns


def numbered(out: Console, texts: list[str]) -> list[str]:
    """Return names of rows: their texts, or numbers printed before the table if the texts are long."""
    if max(map(len, texts)) <= _LONGEST:
        return texts
    numbers = [str(number) for number in range(1, len(texts) + 1)]
    for at, line in zip(numbers, texts, strict=True):
        out.print(f"{at:>3}  {line}")
    return numbers


def print_columns(out: Console, names: Sequence[str], rows: Sequence[dict[str, str]], first: str = "") -> None:
    """Print the columns in which at least one row has a figure."""
    columns = [name for name in rows[0] if any(row.get(name) for row in rows)]
    cells = [(name, *(row.get(column, "") for column in columns)) for name, row in zip(names, rows, strict=True)]
    out.print(plain_table((first or _("method"), *columns), cells, numbers=range(1, len(columns) + 1)))


def print_data(out: Console, data: BenchData) -> None:
    """Print the data of a bench."""
    values = {"vectors": data.n, "dimensions": data.d, "queries": data.queries, "truth": data.truth}
    line = (
        _(
            "{vectors} vectors with {dimensions} dimensions, {queries} queries, metric {metric}, truth {truth}.",
            metric=data.metric,
            **values,
        )
        if data.metric
        else _("{vectors} vectors with {dimensions} dimensions, {queries} queries, truth {truth}.", **values)
    )
    out.print(line)


def print_relevant(out: Console, data: BenchData) -> None:
    """Print the results that count as right."""
    out.print(_("Right results for mAP, precision and recall: {meaning}.", meaning=data.relevant), style="dim")


def print_exact_time(out: Console, seconds: float) -> None:
    """Print the time of exact search."""
    out.print(
        _("Exact search takes {milliseconds:,.1f} ms per query.", milliseconds=1000 * seconds),
        style="dim",
    )


def quality_of(one: BenchMethodResult) -> dict[str, str]:
    """Return the quality figures of a method by column heading."""

    def figure(name: str, value: float | None) -> str:
        if value is None:
            return ""
        found = number(value, ".3f")
        return f"{found} ±{number(one.deviation[name], '.3f')}" if name in one.deviation else found

    return {
        **{f"R@{count}": figure(f"recall@{count}", value) for count, value in one.recall.items()},
        "found@10": figure("found@10", one.found.get("10")),
        "P@10": figure("precision@10", one.precision.get("10")),
        "overlap@10": figure("overlap@10", one.overlap.get("10")),
        "mAP": figure("map", one.map),
        "mAP 100": figure("map_candidates", one.map_candidates),
        _("accuracy"): figure("accuracy", one.accuracy),
        _("before"): figure("accuracy_before", one.accuracy_before),
    }


def costs_of(one: BenchMethodResult) -> dict[str, str]:
    """Return the costs of a method by column heading."""
    query = one.seconds.encode_query + one.seconds.search
    return {
        _("dropped"): number(one.dropped, ",.0f") if one.dropped else "",
        _("looked at"): number(one.looked_at, ",.0f"),
        _("scanned"): number(one.scanned, ",.0f"),
        _("probed"): number(one.probed, ",.0f") if one.probed else "",
        _("fit"): _seconds(one.seconds.fit),
        _("encode"): _seconds(one.seconds.encode),
        _("build"): _seconds(one.seconds.build) if one.bytes.search else "",
        _("query"): f"{number(1000 * query, ',.2f')} ms",
        _("model"): text(size(one.bytes.model)),
        _("codes"): text(size(one.bytes.codes)),
        _("lists"): text(size(one.bytes.search)) if one.bytes.search else "",
    }


def _seconds(value: float) -> str:
    return f"{number(value, ',.2f')} s"
