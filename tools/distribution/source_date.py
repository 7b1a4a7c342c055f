"""The time that everything made from one state of the sources bears, so that it is the same bytes whenever it is made.

The rule of reproducible builds: SOURCE_DATE_EPOCH where it is set, else the time of the last commit.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

VARIABLE = "SOURCE_DATE_EPOCH"
_ROOT = Path(__file__).resolve().parents[2]


def source_date() -> int:
    """Return the time in seconds since 1970."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        return int(given)
    asked = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(asked, cwd=_ROOT, capture_output=True, text=True, check=True).stdout)


def settle(folder: Path, programs: frozenset[Path] = frozenset()) -> None:
    """Set this time on all files of a folder, and the permissions of an installed program.

    Parameters
    ----------
    folder : Path
    programs : frozenset of Path
        Files that can be run; links lead to what they lead to.
    """
    time = source_date()
    for path in [*folder.rglob("*"), folder]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
        os.utime(path, (time, time), follow_symlinks=False)
