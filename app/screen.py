"""Whether a window can be shown; asked before Qt is, which ends the process where it cannot."""

from __future__ import annotations

import os
import sys


def has_screen() -> bool:
    """Tell whether there is a screen, or Qt was told to do without one."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
