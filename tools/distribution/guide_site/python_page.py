"""The page of the Python surface, which mkdocstrings writes from the docstrings."""

from __future__ import annotations

_SURFACE = (
    "core.workbench",
    "core.hashing.hash_method.HashMethod",
    "core.hashing.hash_method.Encoder",
    "core.metrics.metric.Metric",
    "core.metrics.metric.FittedMetric",
    "core.kernels.kernel.Kernel",
    "core.search.search_structure.Search",
    "core.evaluation.evaluation_task.Figures",
)
"""What scripts begin with, and what it gives them."""


def python_page() -> str:
    """Write the source of the page."""
    return "\n\n".join(["# Python", *(f"::: {name}" for name in _SURFACE)]) + "\n"
