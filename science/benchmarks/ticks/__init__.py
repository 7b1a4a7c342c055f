"""Benchmark of the window's ticks: how long a person waits for the window while it works."""

import twinlens.app.gui  # noqa: F401 (says how PySide makes its classes, before it is imported)
