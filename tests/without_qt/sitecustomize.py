"""With this folder on PYTHONPATH, Python and every process it starts behave as if PySide6 were not installed.

`run.py test` runs all tests but the window's like that: what has no window must work, and be importable, without Qt.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

HIDDEN = ("PySide6", "shiboken6", "PySide6_Essentials")


class FinderWithoutQt(PathFinder):
    """Finds all modules but Qt's."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find nothing for Qt's names, so that importing them fails as it does where they are missing."""
        if fullname.partition(".")[0] in HIDDEN:
            return None
        return super().find_spec(fullname, path, target)


sys.meta_path[:] = [FinderWithoutQt if finder is PathFinder else finder for finder in sys.meta_path]
