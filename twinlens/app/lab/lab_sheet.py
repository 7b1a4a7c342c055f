"""Sheet of an experiment of any kind: its finding, its curves, and a table of its measurements.

A row may be an index of the library, or one that can become an index. A sheet is written as an HTML page without
scripts that needs no other file and no network, and its table as CSV.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape

from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.lab.figures.drawing import draw_figure
from twinlens.app.lab.figures.figure import Figure, Words, figure_text
from twinlens.app.machine.output_file import PAGE, PAGE_MARK, CsvTable, Kind, OutputFile, table
from twinlens.app.methods import catalogue
from twinlens.core.evaluation.measures import COSTS, MEASURES, QUALITIES, in_order
from twinlens.core.message import NOTHING, Message, joined, verbatim

BETWEEN = " · "
OTHER_PROGRAM = Message("other program")
"""Note of a row to compare with, which can be no index of the library."""

Value = Words | float


@dataclass(frozen=True)
class SheetColumn:
    """A column of the table.

    Attributes
    ----------
    name : str
        In a table as CSV, and of its texts in a row.
    key : str
        Measure of its numbers.
    decimals : int
        Of its numbers.
    lesser : bool
        Whether a narrow table does without it.
    """

    name: str
    heading: Words
    help: Message = NOTHING
    decimals: int = 0
    lesser: bool = False
    key: str = ""

    def of(self, values: Mapping[str, Value | None]) -> Value | None:
        """Return what a row has in this column, numbers in its unit; None if it was not measured."""
        value = values.get(self.key or self.name)
        return MEASURES[self.key].scale * value if self.key and isinstance(value, float | int) else value

    def words(self, row: SheetRow) -> Message:
        """Return the text of a cell: a number with its spread over the seeds, and ≈ if provisional."""
        quality = bool(self.key) and MEASURES[self.key].has_spread
        spread = row.spreads.get(self.key, 0.0) if quality else 0.0
        return self.written(self.of(row.values), spread, row.provisional and quality)

    def written(self, value: Value | None, spread: float = 0.0, provisional: bool = False) -> Message:
        """Return the text of a value."""
        if value is None or isinstance(value, Message):
            return value or NOTHING
        if isinstance(value, str):
            return verbatim(value)
        decimals = self.decimals if value < _LARGE else 0
        shown = _number(value, decimals)
        if spread:
            shown = Message("{mean} ± {spread}", mean=shown, spread=_number(spread, decimals))
        return Message("≈ {value}", value=shown) if provisional else shown


_LARGE = 1_000  # from which on decimals say nothing


def _number(value: float, decimals: int) -> Message:
    return (
        Message("{value:,.0f}", value=value),
        Message("{value:,.1f}", value=value),
        Message("{value:,.2f}", value=value),
        Message("{value:,.3f}", value=value),
    )[decimals]


@dataclass(frozen=True)
class RowIndex:
    """A row as an index of the library.

    Attributes
    ----------
    wanted : NewIndex
        Makes it.
    name : Message
        That is proposed for it.
    text : str
        Its text form, by which the library's own are found.
    base : str
        Name of an index of the library with the same vectors; empty for none.
    method : str
        Hash method in text form; empty of exact search.
    """

    wanted: NewIndex
    name: Message
    text: str
    base: str = ""
    method: str = ""

    @property
    def line(self) -> tuple[str, str, str]:
        """Index, hash method and search structure of the row; empty if it has no parameters to explore."""
        return (self.base, self.method, self.wanted.search) if self.base and self.method else ("", "", "")


@dataclass(frozen=True)
class SheetRow:
    """A row of the table: a method with a search structure.

    Attributes
    ----------
    key : str
        In the figures too.
    name : Message or str
        What it is called where it stands alone.
    place : int
        In the palette.
    values, spreads : mapping
        What was measured by measure, texts by column, and deviations over the seeds.
    about : Message
        What is told of it under the pointer, in lines.
    index : RowIndex, optional
        None where it cannot be one of the library's: a program's to compare with, or vectors of a file.
    sentence : Message
        What it does; empty where the finding says it.
    quiet, provisional : bool
        Whether others are better in every respect; whether its figures may still change.
    """

    key: str
    name: Words
    place: int
    values: Mapping[str, Value | None]
    spreads: Mapping[str, float] = field(default_factory=dict)
    about: Message = NOTHING
    index: RowIndex | None = None
    sentence: Message = NOTHING
    reasons: Sequence[Message] = ()
    quiet: bool = False
    provisional: bool = False


_NAMES = {
    "wrong": "wrong@10", "seconds fit": "fit", "seconds encode each": "encode", "seconds query": "search",
    "seconds tenfold": "tenfold", "looked_at": "looked at", "bytes each": "bytes",
}  # fmt: skip
"""Names of columns that are not those of their measures."""


def _measured(key: str) -> SheetColumn:
    one, tenfold = MEASURES[key], key == "seconds tenfold"
    decimals = 2 if tenfold else min(one.decimals, 2)
    return SheetColumn(_NAMES.get(key, key), one.heading, one.help, decimals, tenfold, key)


COLUMNS = (
    SheetColumn("method", Message("method")),
    SheetColumn("run", Message("run")),
    SheetColumn("compares", Message("compares"), Message("Descriptor and metric by which photos are compared")),
    SheetColumn("search structure", Message("search structure")),
    SheetColumn("bits", Message("bits")),
    *(
        _measured(key)
        for measures in (QUALITIES, COSTS)
        for key in in_order(measures, "recall@", "map", "accuracy", "found@", "precision@", "wrong", "seconds ")
        if MEASURES[key].heading
    ),
    SheetColumn("note", Message("note")),
)
"""Every column that a table may have, in their order, for all kinds of experiments."""


def precise(*names: str) -> list[SheetColumn]:
    """Return columns of numbers with three decimals, for figures that stand alone."""
    return [replace(one, decimals=3 if one.decimals else 0) for one in COLUMNS if one.name in names]


@dataclass(frozen=True)
class LabSheet:
    """The sheet of an experiment, or of several side by side.

    Attributes
    ----------
    title : Message or str
        The question.
    about : Message
        What was measured, and how much.
    badge : Message
        What the finding is, such as "Proposed".
    warning : Message
        What must be known before anything is believed.
    command : str
        Gives the same in a terminal; empty for none.
    proposed : str
        Key of the row that the finding speaks of; empty for none.
    asks_for_index : bool
        Whether to make it an index is what comes next.
    hidden : collection of str
        Keys of the rows that are not in the figures.
    """

    title: Words = ""
    about: Message = NOTHING
    badge: Message = NOTHING
    finding: Message = NOTHING
    reasons: Sequence[Message] = ()
    warning: Message = NOTHING
    notes: Sequence[Message] = ()
    command: str = ""
    figures: Sequence[Figure] = ()
    rows: Sequence[SheetRow] = ()
    columns: Sequence[SheetColumn] = ()
    proposed: str = ""
    asks_for_index: bool = False
    hidden: Collection[str] = ()

    def row(self, key: str) -> SheetRow | None:
        """Return a row by its key; without one the proposed row, else the first."""
        known = {one.key: one for one in self.rows}
        return known.get(key) or known.get(self.proposed) or next(iter(self.rows), None)


def columns_of(rows: Sequence[SheetRow], without: Iterable[str] = (), lesser: Iterable[str] = ()) -> list[SheetColumn]:
    """Return the columns in which a row has a value, except some; a narrow table omits the lesser ones."""
    left, less = set(without), set(lesser)
    needed = [one for one in COLUMNS if one.name not in left and any(one.words(row) for row in rows)]
    return [replace(one, lesser=True) if one.name in less else one for one in needed]


@dataclass(frozen=True)
class LibraryIndexes:
    """The indexes of a library.

    Attributes
    ----------
    names : mapping of str to str
        Their names by their text forms.
    in_use : str
        Name of the one that is searched with.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    in_use: str = ""

    def descriptor(self, name: str) -> str:
        """Return the descriptor of an index in text form; empty without such an index."""
        return next((text.partition(BETWEEN)[0] for text, one in self.names.items() if one == name), "")

    def row(self, wanted: NewIndex, method: str, base: str = "") -> RowIndex:
        """Return the index that a row can become.

        Parameters
        ----------
        method : str
            Hash method in text form; empty of exact search.
        base : str
            Name of the index whose vectors were measured; by default any with the same descriptor.
        """
        parts = (wanted.descriptor, wanted.metric, method, wanted.search)
        of = f"{wanted.descriptor}{BETWEEN}"
        found = next((name for text, name in self.names.items() if text.startswith(of)), "")
        return RowIndex(
            wanted,
            name=_proposed(wanted, method),
            text=BETWEEN.join(filter(None, parts)),
            base=base if base in self.names.values() else found,
            method=method,
        )

    def note(self, index: RowIndex | None, proposed: bool = False) -> Message:
        """Return whether a row is proposed, and the name under which the library has it."""
        name = "" if index is None else self.names.get(index.text, "")
        has = Message("in use") if name == self.in_use else Message("“{name}”", name=name)
        return joined([Message("proposed") if proposed else NOTHING, has if name else NOTHING], BETWEEN)


def _proposed(wanted: NewIndex, method: str) -> Message:
    """Return a name for a new index from its descriptor, method and bits."""
    made = catalogue.method(method) if method else None
    how = Message("Exact") if made is None else verbatim(f"{made.key} {made.bits}")
    described = Message(catalogue.descriptor(wanted.descriptor).plain_name)
    return joined([described, verbatim(wanted.metric), how], BETWEEN)


Write = Callable[[Message], str]
"""Writes a message in a person's language."""

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1.5rem; color: #1c1c1a;
  background: #fbfbf9 }
h1 { font-size: 1.5rem; margin: 0 } p { margin: .3rem 0 } .quiet, figcaption, li { color: #6b6b65 }
.finding { font-size: 1.15rem; font-weight: 600 } .warning { color: #c2410c }
figure { margin: 1.5rem 0 } svg { max-width: 100%; height: auto }
table { border-collapse: collapse; font-size: .9rem } td, th { padding: .3rem .9rem .3rem 0; text-align: left;
  border-bottom: 1px solid #deded9 } .proposed { font-weight: 600 }
"""


def write_page(shown: LabSheet, figures: Sequence[Figure], file: OutputFile, text: Write) -> None:
    """Write a sheet with some of its figures as an HTML page.

    Parameters
    ----------
    text : callable
        Writes a message in the language of the page.
    """

    def plain(words: Words) -> str:
        return escape(text(words) if isinstance(words, Message) else words)

    def line(tag: str, words: Words, role: str = "") -> str:
        return f'<{tag} class="{role}">{plain(words)}</{tag}>' if words else ""

    rows = [
        f'<tr class="{"proposed" if row.key == shown.proposed else ""}">'
        + "".join(line("td", one.words(row)) or "<td></td>" for one in shown.columns)
        + "</tr>"
        for row in shown.rows
    ]
    parts = [
        f"<title>{plain(shown.title)}</title><style>{_STYLE}</style>",
        line("h1", shown.title), line("p", shown.about, "quiet"), line("p", shown.finding, "finding"),
        line("p", shown.warning, "warning"), *(line("p", one) for one in shown.reasons),
        *(_figure(figure_text(one, text)) for one in figures),
        "<table><tr>", *(line("th", one.heading) for one in shown.columns), "</tr>", *rows, "</table>",
        "<ul>", *(line("li", one) for one in shown.notes), "</ul>" + line("code", shown.command),
    ]  # fmt: skip
    page = f'<!DOCTYPE html>\n<meta charset="utf-8">\n{PAGE_MARK}\n' + "\n".join(filter(None, parts)) + "\n"
    file.write(page, PAGE)


def write_csv(shown: LabSheet, file: OutputFile) -> None:
    """Write the table of a sheet as CSV, numbers whole."""
    with file.opened_text(table_of(shown)) as out:
        rows = CsvTable(out)
        rows.writerow([one.name for one in shown.columns])
        for row in shown.rows:
            values = [one.of(row.values) for one in shown.columns]
            rows.writerow([str(one) if isinstance(one, Message) else one for one in values])


def table_of(shown: LabSheet) -> Kind:
    """Return which table a sheet has."""
    return table([one.name for one in shown.columns])


def _figure(figure: Figure) -> str:
    svg = draw_figure(figure, "svg").decode()
    words = " ".join(filter(None, [str(figure.reading), str(figure.note)]))
    return f"<figure>{svg[svg.index('<svg') :]}<figcaption>{escape(words)}</figcaption></figure>"
