"""The console of the command line."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from app.cli.plain_text import plain


class Terminal(Console):
    """A console that takes every text as it is: one line, no markup. Tables come from :func:`app.cli.tables`."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print lines of text and tables."""
        super().print(*(Text(plain(one)) if isinstance(one, str) else one for one in objects), **options)

    def on_broken_pipe(self) -> None:
        """Leave it to the command line how to end, where rich itself would end the program as if something failed."""
        raise  # noqa: PLE0704 (what it is called about)
