"""``--help`` in the person's language: its texts are templates, translated when the help is written.

Templates are the paragraphs of a command's docstring and the help of its options. Examples are the same in every
language; an epilog is one of them, or some, each a line.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from app.language.spoken import _


class TranslatedHelp(click.Command):
    """Writes its help in the spoken language."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how it is called."""
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), _("Usage:") + " ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what it does."""
        for paragraph in paragraphs(self):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(_(paragraph))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each option says."""
        with formatter.section(_("Options")):
            formatter.write_dl(option_rows(ctx))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write its examples."""
        for example in examples(self):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(_("Example: {command}", command=example))


class TranslatedGroup(TranslatedHelp, click.Group):
    """A group of commands that writes its help in the spoken language."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each option says, and each command."""
        super().format_options(ctx, formatter)
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, self.summary(ctx, name)) for name in self.list_commands(ctx)])

    def summary(self, ctx: click.Context, name: str) -> str:
        """Return the first sentence of a command's help."""
        command = self.get_command(ctx, name)
        assert command is not None
        return _(paragraphs(command)[0]).split(". ")[0].removesuffix(".") + "."


def paragraphs(command: click.Command) -> list[str]:
    """Return what a command does, each paragraph a line."""
    return [" ".join(one.split()) for one in inspect.cleandoc(command.help or "").split("\n\n") if one.strip()]


def option_rows(ctx: click.Context) -> list[tuple[str, str]]:
    """Return the options of a command, each with what it says, its default and its limits."""
    rows = []
    for option in ctx.command.get_params(ctx):
        record = option.get_help_record(ctx)
        if record is not None and isinstance(option, click.Option):
            rows.append((record[0], _help_of(option, ctx)))
    return rows


def examples(command: click.Command) -> list[str]:
    """Return the examples of a command."""
    return [line.removeprefix("Example: ") for line in (command.epilog or "").splitlines()]


def every_command(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[click.Context]:
    """Yield a command and all commands in it, each with the context that its help is written in."""
    ctx = click.Context(command, parent, name, **command.context_settings)
    yield ctx
    if isinstance(command, click.Group):
        for inner_name in command.list_commands(ctx):
            inner = command.get_command(ctx, inner_name)
            assert inner is not None
            yield from every_command(inner, inner_name, ctx)


def help_templates(command: click.Command) -> Iterator[str]:
    """Yield the templates of a command's help, and of the commands in it."""
    for ctx in every_command(command, ""):
        yield from paragraphs(ctx.command)
        options = ctx.command.get_params(ctx)
        yield from (option.help for option in options if isinstance(option, click.Option) and option.help)


def _help_of(option: click.Option, ctx: click.Context) -> str:
    extra = option.get_help_extra(ctx)
    limits = []
    if "default" in extra:
        limits.append(_("default: {value}", value=extra["default"]))
    if "range" in extra:
        limits.append(extra["range"])
    if "required" in extra:
        limits.append(_("required"))
    said = _(option.help) if option.help else ""
    return f"{said}  [{'; '.join(limits)}]" if limits else said
