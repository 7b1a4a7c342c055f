"""Files that a system looks for outside of the program: the man page, and what teaches shells to complete commands.

Both are made from the commands themselves. A shell asks the program what may come next.
"""

from __future__ import annotations

from pathlib import Path

from click.shell_completion import get_completion_class

from app.cli.main import twinlens
from tools.distribution.man_page import man_page

_COMPLETIONS = {
    "bash": "bash-completion/completions/twinlens",
    "zsh": "zsh/vendor-completions/_twinlens",
    "fish": "fish/vendor_completions.d/twinlens.fish",
}


def write_system_files(share: Path) -> None:
    """Write them below a folder ``share``."""
    files = {"man/man1/twinlens.1": man_page()}
    files |= {place: completion(shell) for shell, place in _COMPLETIONS.items()}
    for place, text in files.items():
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text(text, "utf-8")


def completion(shell: str) -> str:
    """Return the script that teaches a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    asked = kind(twinlens, {}, "twinlens", "_TWINLENS_COMPLETE")
    return asked.source_template % asked.source_vars()
