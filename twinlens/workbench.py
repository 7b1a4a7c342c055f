"""The mathematics for scripts and notebooks: what ``core.workbench`` offers, wherever Twinlens is installed.

>>> from twinlens import workbench
>>> workbench.declare("itq:bits=16").bits
16
"""

from core.workbench import *  # noqa: F403
