"""A sheet as a file: an HTML page that needs no other file, no script and no network, or its table as CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from app.lab.figures.drawing import draw_figure
from app.lab.figures.figure import Figure, Words, figure_text
from app.lab.sheet import LabSheet
from app.machine.csv_table import CsvTable
from app.machine.output_file import PAGE, PAGE_MARK, Kind, OutputFile, table
from core.message import Message

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
    shown : LabSheet
    figures : sequence of Figure
    file : OutputFile
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
            values = [one.of(row) for one in shown.columns]
            rows.writerow([str(one) if isinstance(one, Message) else one for one in values])


def table_of(shown: LabSheet) -> Kind:
    """Return the kind of the table of a sheet."""
    return table([one.name for one in shown.columns])


def _figure(figure: Figure) -> str:
    svg = draw_figure(figure, "svg").decode()
    words = " ".join(filter(None, [str(figure.reading), str(figure.note)]))
    return f"<figure>{svg[svg.index('<svg') :]}<figcaption>{escape(words)}</figcaption></figure>"
