"""A library that is one SQLite file: opening, transactions, journal, locks, upgrades, copies, and its own check.

Nothing outside of this package speaks to SQLite's driver. Locks and unfinished copies are of files of any kind; the
small pictures of the cache have a file of their own here.
"""

from __future__ import annotations
