"""Tables in Markdown."""

from __future__ import annotations

from science.papers.page.section import PageTable


def table(one: PageTable) -> str:
    """Write a table: the first column at the left, the others at the right."""
    rows = [one.head, [":--", *["--:"] * (len(one.head) - 1)], *one.rows]
    text = "\n".join("| " + " | ".join(cell(value) for value in row) + " |" for row in rows)
    return f"{text}\n\n{one.note}" if one.note else text


def cell(text: str) -> str:
    """Write what stands in a cell: a bar would end it."""
    return text.replace("|", "\\|")
