"""A page for each command, made from the commands themselves, and one that lists them all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import click

from app.cli.main import twinlens
from app.cli.spoken_help import every_command, examples, option_rows, paragraphs
from app.language.spoken import _


def command_pages() -> dict[str, str]:
    """Write the pages in the spoken language, by the name of their file; the list first."""
    root, *others = every_command(twinlens, "twinlens")
    shared = option_rows(root)
    names = twinlens.list_commands(root)
    rows = [f"- [`twinlens {name}`]({name}.md): {escaped(twinlens.summary(root, name))}" for name in names]
    blocks = [
        "# " + _("Commands"),
        *_told(root),
        "\n".join(rows),
        "## " + _("Options of every command"),
        *_options(shared),
        *_examples(root),
    ]
    pages = {"commands/index.md": blocks}
    for ctx in others:
        outer = ctx.parent is root
        blocks = pages.setdefault(f"commands/{ctx.command_path.split()[1]}.md", [])
        blocks += [f"{'#' if outer else '##'} {ctx.command_path}", *_told(ctx)]
        blocks += _options([row for row in option_rows(ctx) if row not in shared])
        blocks += _examples(ctx)
    return {name: "\n\n".join(blocks) + "\n" for name, blocks in pages.items()}


def _told(ctx: click.Context) -> Iterator[str]:
    """Yield the lines of a command: how it is called and what it does."""
    yield " ".join([f"    {ctx.command_path}", *ctx.command.collect_usage_pieces(ctx)])
    yield from (escaped(_(paragraph)) for paragraph in paragraphs(ctx.command))


def _options(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Write the options as one list, if there are some."""
    lines = [f"- `{option}`: {escaped(' '.join(words.split()))}" for option, words in rows]
    return ["\n".join(lines)] if lines else []


def _examples(ctx: click.Context) -> Iterator[str]:
    yield _("Examples:")
    yield "\n".join(f"    {command}" for command in examples(ctx.command))


def escaped(text: str) -> str:
    r"""Write a text so that Markdown takes no sign of it for its own, but for backquotes around code.

    Examples
    --------
    >>> escaped("[1<=x] of *.jpg, see `twinlens lab_x`")
    '\\[1&lt;=x\\] of \\*.jpg, see `twinlens lab_x`'
    """
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(
        one if one.startswith("`") else re.sub(r"([\\*_\[\]#])", r"\\\1", one.replace("<", "&lt;")) for one in pieces
    )
