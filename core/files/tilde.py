"""The ``~`` at the beginning of a path, which stands for a home folder."""

from __future__ import annotations

import os
from pathlib import Path


def expanded(path: Path | str) -> Path:
    """Return a path with its ``~`` written out; where there is no such home folder it stays, as a shell leaves it.

    Examples
    --------
    >>> expanded("~nobody of that name/a.jpg").parts
    ('~nobody of that name', 'a.jpg')
    """
    return Path(os.path.expanduser(path))  # noqa: PTH111 (which raises where there is none)
