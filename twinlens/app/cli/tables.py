"""Tables for the terminal: quiet, with one line under the heading and numbers to the right; and their console."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from rich import box
from rich.console import Console, JustifyMethod
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from twinlens.app.indexes.index_results import IndexStatus
from twinlens.app.language.texts import _, number, text, translate
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import Message, counted, joined, size

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.bench.bench_results import BenchData, BenchMethodResult, MeasuredResult
    from twinlens.core.evaluation.measures import PerformanceMeasure

    M = TypeVar("M", bound=MeasuredResult)

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
    from twinlens.app.methods.catalogue import plain_words  # which imports every descriptor

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
    """A console that takes every text as it is: one line, no markup."""

    def print(self, *objects: Any, sep: str = " ", end: str = "\n", **options: Any) -> None:
        """Print lines of text and tables."""
        if objects and not options and all(isinstance(one, str) for one in objects):
            text = sep.join(map(plain, objects)) + end  # as one, since there may be 50,000
            super().print(Segments([Segment(text)]), end="")
            return
        for one in objects:
            if isinstance(one, Table) and not self.is_terminal:  # what programs read is never folded
                for column in one.columns:
                    column.max_width, column.no_wrap = None, True
        super().print(
            *(Text(plain(one)) if isinstance(one, str) else one for one in objects), sep=sep, end=end, **options
        )

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


def print_methods(out: Console, names: Sequence[str], rows: Sequence[BenchMethodResult], first: str = "") -> None:
    """Print what methods find, and what they cost; without lists nothing was built."""
    from twinlens.core.evaluation.measures import COSTS, QUALITIES, MeasureTable, measures_of

    built = [one if one.values.get("bytes search") else without(one, "seconds build") for one in rows]
    print_measured(out, names, rows, measures_of(MeasureTable.TERMINAL, QUALITIES), first)
    print_measured(out, names, built, measures_of(MeasureTable.TERMINAL, COSTS), first)


def print_measured(
    out: Console, names: Sequence[str], rows: Sequence[MeasuredResult], keys: Iterable[str], first: str = ""
) -> None:
    """Print a table of measures, of those that at least one row has."""
    columns = [(measure_title(key), [measured_cell(key, one.values, one.spread) for one in rows]) for key in keys]
    columns = [(title, cells) for title, cells in columns if any(cells)]
    heading = (first or _("method"), *(title for title, _cells in columns))
    table = zip(names, *(cells for _title, cells in columns), strict=True)
    out.print(plain_table(heading, table, numbers=range(1, len(heading))))


def without(one: M, *keys: str) -> M:
    """Return a row without some of its measures."""
    return one.model_copy(update={"values": {key: value for key, value in one.values.items() if key not in keys}})


def measure_title(key: str) -> str:
    """Return the heading of a measure."""
    return translate(_measure(key).title)


def measured_cell(key: str, values: Mapping[str, float | None], spreads: Mapping[str, float] = {}) -> str:
    """Return the value of a measure in its unit, of a quality with its spread; empty where there is none."""
    measure, value, spread = _measure(key), values.get(key), spreads.get(key)
    if value is None or (measure.hides_zero and not value):
        return ""
    if measure.unit == "size":
        return text(size(round(value)))
    if measure.unit == "%":
        return _("{share:.1%}", share=value) if measure.decimals else _("{share:.0%}", share=value)
    shown = number(measure.scale * value, measure.form)
    if measure.unit:
        return f"{shown} {measure.unit}"
    if spread is None or not measure.has_spread:
        return shown
    return f"{shown} ±{number(measure.scale * spread, measure.form.removeprefix('+'))}"


def _measure(key: str) -> PerformanceMeasure:
    from twinlens.core.evaluation.measures import MEASURES  # which a search does without

    return MEASURES[key]
