"""The calls of each operating system, under the same names: ``system`` is the module of the running one.

A call that one system alone has stands in ``linux.py``, ``macos.py`` or ``windows.py`` and has its twin in the others:
in ``posix.py`` where Linux and macOS share it, in ``plain.py`` where it is the same everywhere but on Linux. What
psutil does on all three is in ``machine_facts.py``. Types are
checked for all three. What can be known without the system (how it writes paths, what its programs print) is a module
of its own beside them, which any system can import and test.
"""

import sys

if sys.platform == "win32":
    from twinlens.core.systems import windows as system
elif sys.platform == "darwin":
    from twinlens.core.systems import macos as system
else:
    from twinlens.core.systems import linux as system

__all__ = ["system"]
