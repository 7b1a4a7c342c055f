"""``twinlens``: the table of commands, their shared options and help, and the exit codes.

``--help`` is in the person's language: its texts are templates, translated when the help is written.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import importlib
import inspect
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from twinlens.app.cli import terminal_text
from twinlens.app.cli.progress import INTERRUPTED, INTERRUPTION
from twinlens.app.cli.session import Session, add_overwrite, fail, say, settle_outputs
from twinlens.app.cli.terminal_text import PlainLogHandler
from twinlens.app.language.texts import _, chosen_language, describe_remedies, languages_of_environment, set_language
from twinlens.app.machine.app_folders import preferred_value
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import Cancelled, TwinlensError, did_you_mean, refused_by_system
from twinlens.core.message import Message, verbatim
from twinlens.storage.database.address import Address, names_server

# Each command with the module that is imported when it is called, and its summary.
_COMMANDS = {
    "demo": ("twinlens.app.cli.demo", "Fetch demo photos, index them and show ranked look-alikes."),
    "add": ("twinlens.app.cli.folders", "Add folders of photos, or bring them up to date."),
    "rescan": ("twinlens.app.cli.folders", "Look for changes in every folder of the library."),
    "forget": ("twinlens.app.cli.folders", "Remove a folder from the library; its files are not touched."),
    "worker": ("twinlens.app.cli.folders", "Let this machine read photos for a cluster."),
    "search": ("twinlens.app.cli.search", "Find the look-alikes of a picture."),
    "compare": ("twinlens.app.cli.search", "Search with several indexes and compare their results."),
    "duplicates": ("twinlens.app.cli.duplicates", "List duplicates, and clean them up."),
    "map": ("twinlens.app.cli.map", "Draw a map of the library with similar photos close together."),
    "index": ("twinlens.app.cli.index", "Create, list, rename and delete indexes."),
    "metrics": ("twinlens.app.cli.metrics", "Use, compare, import and manage metrics."),
    "note": ("twinlens.app.cli.notes", "Give photos stars, labels, keywords and captions, or show them."),
    "mark": ("twinlens.app.cli.marks", "Mark photos as similar or different."),
    "marks": ("twinlens.app.cli.marks", "List, remove, export and import marks."),
    "album": ("twinlens.app.cli.albums", "List, fill and delete albums."),
    "learn": ("twinlens.app.cli.metrics", "Learn from marks or a file of pairs what counts as similar."),
    "vocabulary": ("twinlens.app.cli.index", "Learn visual words from the library's own photos."),
    "methods": ("twinlens.app.cli.methods", "List descriptors, methods and kernels with their parameters."),
    "describe": (
        "twinlens.app.cli.methods",
        "Write descriptors of pictures into a file, for bench and other programs.",
    ),
    "encode": ("twinlens.app.cli.methods", "Turn any vectors into binary codes, and keep the encoder."),
    "bench": ("twinlens.app.cli.bench", "Measure hash methods on any vectors, without a library."),
    "lab": ("twinlens.app.cli.lab", "Measure methods on your photos, and keep, draw and share the results."),
    "evaluate": ("twinlens.app.cli.evaluate", "Measure which index finds which edited copies of your photos."),
    "advise": ("twinlens.app.cli.advise", "Recommend an index for this library, measured within a time limit."),
    "tune": ("twinlens.app.cli.tune", "Find good parameters for your vectors within a time limit."),
    "list": ("twinlens.app.cli.listing", "List the photos of the library, one path a line."),
    "status": ("twinlens.app.cli.library", "Show what the library contains."),
    "problems": ("twinlens.app.cli.library", "List files that could not be read, and why."),
    "check": ("twinlens.app.cli.library", "Check the library for damage."),
    "backup": ("twinlens.app.cli.library", "Copy the library into one file."),
    "restore": ("twinlens.app.cli.library", "Restore the library from a backup."),
    "copy": ("twinlens.app.cli.library", "Copy a library to a server, or from a server into a file."),
    "notices": ("twinlens.app.cli.installation", "List the parts that Twinlens is made of, with their licences."),
    "desktop": ("twinlens.app.cli.installation", "Add Twinlens to the desktop menu, or remove it."),
}
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""Errors of printing; files that a command writes have sentences of their own."""

_BEFORE = {"metric": "metrics"}  # earlier names of commands, which still work


def _shared(function: Any) -> Any:
    """Add the options that every command takes, before or behind its name."""
    for option in (
        click.option(
            "--library",
            type=Address.of,
            metavar="FILE|URL",
            help="The library to use: a file, or a database such as postgresql://archive/photos.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output."),
        click.option("-q", "--quiet", is_flag=True, help="Show no progress."),
    ):
        function = option(function)
    return function


class TranslatedHelp(click.Command):
    """A command whose help is in the language of the process."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage of the command."""
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), _("Usage:") + " ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the command."""
        for paragraph in paragraphs(self):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(_(paragraph))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each option says."""
        with formatter.section(_("Options")):
            formatter.write_dl(option_rows(ctx))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples of the command."""
        for example in examples(self):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(_("Example: {command}", command=example))


class Command(TranslatedHelp):
    """A command with the shared options; its function takes the session first."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        add_overwrite(self)
        _shared(self)

    def invoke(self, ctx: click.Context) -> Any:
        """Take the shared options out of the parameters and into the session."""
        session = ctx.ensure_object(Session)
        library, as_json, quiet = (ctx.params.pop(name) for name in ("library", "as_json", "quiet"))
        session.library = library or session.library
        session.as_json |= as_json
        session.quiet |= quiet
        terminal_text.named_library.set(str(session.library or ""))
        if "null" in ctx.params:
            null, paths = ctx.params.pop("null"), ctx.params.pop("paths")
            session.path_end = "\0" if null else "\n" if paths else ""
        _refuse_servers(ctx.params.values())
        settle_outputs(ctx.params, session)
        return super().invoke(ctx)


def _refuse_servers(values: Iterable[Any]) -> None:
    """Refuse the address of a server in place of a file, whose name would contain the password."""
    for value in values:
        path = value.path if isinstance(value, OutputFile) else value
        if isinstance(path, Path) and names_server(str(path)):
            raise TwinlensError(
                "The address of a server stands where a file or folder is meant.",
                "Name a file, one with such a name by its whole path; a server is named behind `--library`.",
            )
        if isinstance(value, tuple):
            _refuse_servers(value)


class PipeError(Exception):
    """A pipe is broken; an error of its own, since click would end the program with the code of a fault."""


@contextlib.contextmanager
def _pipes_past_click() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise PipeError(*error.args) from error


class TranslatedGroup(TranslatedHelp, click.Group):
    """A group of commands whose help is in the language of the process."""

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


class LazyGroup(TranslatedGroup):
    """A group that imports a command when it is called, and suggests one for a misspelt name."""

    def make_context(self, *arguments: Any, **attributes: Any) -> click.Context:
        """Parse the arguments, and print the help or version if they ask for it."""
        with _pipes_past_click():
            return super().make_context(*arguments, **attributes)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _pipes_past_click():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which a person needs them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        name = _BEFORE.get(name, name)
        if name not in _COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(_COMMANDS[name][0]), "list_" if name == "list" else name
        )
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or suggest one."""
        if args and _BEFORE.get(args[0], args[0]) not in _COMMANDS:
            hint = did_you_mean(args[0], _COMMANDS) or Message("See `twinlens --help`.")
            raise TwinlensError("There is no command “{name}”.", hint, name=args[0])
        return super().resolve_command(ctx, args)

    def summary(self, ctx: click.Context, name: str) -> str:
        """Return the summary of a command, without importing it."""
        return _(_COMMANDS[name][1])


def _print_version(ctx: click.Context, parameter: click.Parameter, given: bool) -> None:
    if given and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"twinlens {version('twinlens')}")
        ctx.exit()


def paragraphs(command: click.Command) -> list[str]:
    """Return the help of a command, each paragraph a line."""
    return [" ".join(one.split()) for one in inspect.cleandoc(command.help or "").split("\n\n") if one.strip()]


def option_rows(ctx: click.Context) -> list[tuple[str, str]]:
    """Return the options of a command, each with its help, its default and its limits."""
    rows = []
    for option in ctx.command.get_params(ctx):
        record = option.get_help_record(ctx)
        if record is not None and isinstance(option, click.Option):
            rows.append((record[0], _help_of(option, ctx)))
    return rows


def examples(command: click.Command) -> list[str]:
    """Return the examples of a command."""
    return [line.removeprefix("Example: ") for line in (command.epilog or "").splitlines()]


def _help_of(option: click.Option, ctx: click.Context) -> str:
    extra = option.get_help_extra(ctx)
    limits = []
    if "default" in extra:
        limits.append(_("default: {value}", value=extra["default"]))
    if "range" in extra:
        limits.append(extra["range"])
    if "required" in extra:
        limits.append(_("required"))
    help_text = _(option.help) if option.help else ""
    return f"{help_text}  [{'; '.join(limits)}]" if limits else help_text


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: twinlens add ~/Pictures\nExample: twinlens search ~/Pictures/windmill.jpg",
)
@_shared
@click.option("--version", is_flag=True, callback=_print_version, expose_value=False, is_eager=True, help="Print it.")
@click.pass_context
def twinlens(ctx: click.Context, library: Address | None, as_json: bool, quiet: bool) -> None:
    """Find the look-alikes in your own photos. Nothing leaves this machine unless you name a server."""
    ctx.obj = Session(library, as_json, quiet)
    if ctx.invoked_subcommand is None:
        from twinlens.app.cli.window import open_window

        open_window(ctx.obj, ctx.get_help())


def help_texts() -> Iterator[str]:
    """Return the templates of all help."""
    yield from (summary for _file, summary in _COMMANDS.values())
    yield from help_templates(twinlens)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, and end the process with its exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (until the process ends)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name that the terminal cannot show is no reason to fail
            stream.reconfigure(errors="replace")
    logging.lastResort = PlainLogHandler(logging.WARNING)  # for records without a handler
    gc.set_threshold(100_000, *gc.get_threshold()[1:])  # imports make many objects, and no garbage among them
    atexit.register(gc.freeze)  # a last collection at exit would cost a short command a seventh
    with INTERRUPTION.hear():
        code = INTERRUPTED
        with contextlib.suppress(KeyboardInterrupt):  # in its first or last moments
            code = _run(sys.argv[1:] if arguments is None else arguments)
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except OSError:  # the error is printed already; Python itself would end with a code of its own
                    _write_no_more(stream)
        sys.exit(INTERRUPTED if INTERRUPTION.wished else code)


def _run(arguments: list[str]) -> int:
    set_language(chosen_language(preferred_value("language"), languages_of_environment()))
    describe_remedies(terminal_text.remedy_command)
    session = Session(as_json="--json" in arguments)  # also where the arguments themselves are wrong
    try:
        if "" in arguments:
            raise TwinlensError(
                "An argument is empty, as where a variable of the shell is not set.",
                "Write something in its place, or leave it out.",
            )
        code = twinlens.main(arguments, prog_name="twinlens", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        return _misunderstood(session, error)
    except TwinlensError as error:
        fail(session, error)
        return 2
    except (Cancelled, KeyboardInterrupt, click.Abort):
        say(session, _("Stopped."))
        return INTERRUPTED
    except (BrokenPipeError, PipeError) as error:
        return _broken_pipe(session, error)
    except MemoryError:
        too_little = Message("This needs more memory than the computer has.")
        fail(session, TwinlensError(too_little, "Give fewer or smaller vectors or photos."))
        return 2
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITABLE:
            return _unforeseen(session, error)
        _write_no_more(sys.stdout)
        unwritten = Message("The output cannot be written: {why}.", why=error.strerror)
        fail(Session(), TwinlensError(unwritten, "Make some space, or send it elsewhere."))
        return 2
    except Exception as error:  # noqa: BLE001 (the last catch: whatever comes here is our fault)
        return _unforeseen(session, error)
    finally:
        terminal_text.named_library.set("")  # what is said afterwards is of no command


def _misunderstood(session: Session, error: click.ClickException) -> int:
    """Print the error of wrong arguments."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message())
    elif isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "twinlens"
        next_step = Message("See `{command} --help`.", command=command)
        fail(session, TwinlensError(verbatim(error.format_message()), next_step))
    else:
        fail(session, TwinlensError(verbatim(error.format_message())))
    return 2


def _write_no_more(stream: TextIO) -> None:
    """Send the output nowhere, so that Python does not report an error at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _broken_pipe(session: Session, error: Exception) -> int:
    """End quietly where the reader of the output has gone; a broken pipe to a process of our own is a fault."""
    try:
        os.write(sys.stdout.fileno(), b"\n")
    except OSError:
        _write_no_more(sys.stdout)
        return 0
    return _unforeseen(session, error)


def _unforeseen(session: Session, error: Exception) -> int:
    """Log an unexpected error, and print what the system refused, or whether a package or the program is at fault."""
    from twinlens.app.machine.faults import log_fault
    from twinlens.core.declaration.family import fault_of_package

    log = log_fault(error)
    refused = refused_by_system(error) if isinstance(error, OSError) else fault_of_package(error)
    if refused is not None:
        fail(session, refused)
        return 2
    fault = Message("Twinlens made a mistake ({kind}: {words}).", kind=type(error).__name__, words=str(error))
    with_log = Message("Please report it together with {file}.", file=log)
    fail(session, TwinlensError(fault, with_log if log else Message("Please report it.")))
    return 1


def every_command(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[click.Context]:
    """Yield a command and all commands in it, each with the context of its help."""
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
