"""Twinlens as it is installed: one package, in which the parts of the program lie.

The parts import each other by their own names: ``app``, ``core``, ``features``, ``resources`` and ``storage``. Whoever
imports this package has their folder first among the places that Python imports from, so that an ``app`` or ``core``
elsewhere on the path is never taken for theirs. In a checkout the parts lie beside this package.
"""

import sys
from pathlib import Path

_PARTS = ("app", "core", "features", "resources", "storage")
_HERE = Path(__file__).resolve().parent
_FOLDER = _HERE if (_HERE / "app").is_dir() else _HERE.parent

for _name in _PARTS:
    _places = getattr(sys.modules.get(_name), "__path__", ())
    if _name in sys.modules and [Path(place).resolve() for place in _places] != [_FOLDER / _name]:
        raise ImportError(f"Another module is called “{_name}”, as a part of Twinlens is: import twinlens without it.")

sys.path[:] = [str(_FOLDER), *(place for place in sys.path if place != str(_FOLDER))]

import core.telemetry  # noqa: E402, F401 (switched off before a package beside Twinlens can be imported)
