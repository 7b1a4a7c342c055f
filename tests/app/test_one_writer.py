"""Files that a person names are written by `twinlens.app.machine.output_file` alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from twinlens import app

ROOT = Path(app.__file__).parent
_MAY_WRITE = re.compile(r"write_text|write_bytes|savefig|\bopen\(.*[\"'][rbt+]*[wxa]")
_WRITING_MODE = re.compile(r"[rbt]*([wxa][bt+]*|\+b?)")
OWN_FILES = {
    "cli/main.py",  # /dev/null
    "cli/man_page.py",  # the installation's own pages and completions
    "cli/spoken_help.py",  # `write_text` of click
    "gui/frame/kept_windows.py",  # how windows were left
    "library/photo_export.py",  # copies, under names that are free
    "machine/output_file.py",  # the one place
    "cli/session.py",  # a picture from standard input, in a temporary folder
}
ASKS = {"gui/process/outside_files.py", "gui/frame/libraries_page.py"}
"""The question for an output, and that for a library."""


def modules() -> Iterator[tuple[str, str]]:
    """Yield the modules of the command line and the window, and all that write outputs or tables, with their texts."""
    for file in sorted(ROOT.rglob("*.py")):
        name, text = file.relative_to(ROOT).as_posix(), file.read_text("utf-8")
        if name.startswith(("cli/", "gui/")) or "twinlens.app.machine.output_file" in text:
            yield name, text


def writes(text: str) -> bool:
    """Return whether a module opens a file for writing."""
    if not _MAY_WRITE.search(text):
        return False
    return any(isinstance(one, ast.Call) and _opens_to_write(one) for one in ast.walk(ast.parse(text)))


def _opens_to_write(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name != "open":
        return name in {"write_text", "write_bytes", "savefig"}
    given = [
        one.value for one in (*call.args, *(word.value for word in call.keywords)) if isinstance(one, ast.Constant)
    ]
    return any(isinstance(mode, str) and _WRITING_MODE.fullmatch(mode) for mode in given)


def test_files_are_opened_for_writing_in_one_place() -> None:
    assert writes('file.open("w", newline="")')
    assert writes('open(file, mode="xb")')
    assert not writes('file.open("rb")')
    assert {name for name, text in modules() if writes(text)} <= OWN_FILES


def test_the_window_asks_for_files_in_one_place() -> None:
    assert {name for name, text in modules() if "getSaveFileName" in text} == ASKS
