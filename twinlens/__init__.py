"""Twinlens as it is installed: one package, in which the parts of the program lie.

The parts import each other by their own names: ``app``, ``core``, ``features``, ``resources`` and ``storage``. Whoever
imports this package has their folder first among the places that Python imports from, so that an ``app`` or ``core``
elsewhere on the path is never taken for theirs. In a checkout the parts lie beside this package.
"""

# Without pathlib, whose import takes long: until a command begins, Python answers Ctrl-C with a traceback.
# ruff: noqa: PTH112, PTH118, PTH120

import sys
from os.path import dirname, isdir, join, realpath

_PARTS = ("app", "core", "features", "resources", "storage")
_HERE = dirname(realpath(__file__))
_FOLDER = _HERE if isdir(join(_HERE, "app")) else dirname(_HERE)

for _name in _PARTS:
    _places = getattr(sys.modules.get(_name), "__path__", ())
    if _name in sys.modules and [realpath(place) for place in _places] != [join(_FOLDER, _name)]:
        raise ImportError(f"Another module is called “{_name}”, as a part of Twinlens is: import twinlens without it.")

sys.path[:] = [_FOLDER, *(place for place in sys.path if place != _FOLDER)]

import core.telemetry  # noqa: E402, F401 (switched off before a package beside Twinlens can be imported)
