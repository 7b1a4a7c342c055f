"""Telemetry of libraries, which is switched off before any of them is imported.

Twinlens tells nobody anything, and no library does it in its place. Whatever of Twinlens is imported imports this first
(``twinlens/core/__init__.py``), and a process that it starts inherits the environment.
"""

from __future__ import annotations

import os
import sys

_SWITCHES = {"onnxruntime": ("ORT_DISABLE_TELEMETRY", "1")}
"""By the library: a variable of the environment that it looks at while it is imported, and what switches it off."""

BEGUN = frozenset(
    library
    for library, (variable, off) in _SWITCHES.items()
    if library in sys.modules and os.environ.get(variable) != off
)
"""Libraries that were imported before Twinlens was, by a script, and that may tell what they are used for."""

os.environ.update(_SWITCHES.values())

# A plugin would see every value, and looking for plugins among all that is installed takes a command 10 ms.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
