"""The library that runs networks, onnxruntime; nothing else imports it.

Since 1.29 it reports to its maker, from the moment it is imported, unless the environment forbids it
(`twinlens/core/telemetry.py`). That it obeys was looked at in the versions named here: no socket, no file, no thread of
its own. Another one may not, so it is not used: to compare by something else is better than to tell others what is
compared.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

from twinlens.core import telemetry
from twinlens.features.descriptor import UnusableError

PACKAGE = "onnxruntime"
SILENT = "1.32"
"""The versions that pyproject.toml requires, too; `tests/features/network/test_runtime.py` looks again."""

_FATAL = 4  # level of the log of what runs networks


def runtime_refusal() -> UnusableError | None:
    """Return why no network can be run here, as an error; None where one can."""
    try:
        found = version(PACKAGE)
    except PackageNotFoundError:
        return not_installed(PACKAGE)
    if found.split(".")[:2] != SILENT.split("."):
        return UnusableError(
            "{package} {found} is not used: only of {silent} is it known that it tells nobody what it does.",
            "Install {package} {silent}, or search with an index that needs none.",
            package=PACKAGE,
            found=found,
            silent=SILENT,
        )
    if PACKAGE in telemetry.BEGUN:
        return UnusableError(
            "{package} is not used: it was imported before Twinlens, and may tell others what it does.",
            "Import Twinlens before it.",
            package=PACKAGE,
        )
    return None


@cache
def import_runtime() -> ModuleType:
    """Import it, silent in every way.

    Raises
    ------
    UnusableError
        If it is not installed, or might tell others what it does.
    """
    if (refused := runtime_refusal()) is not None:
        raise refused
    import onnxruntime

    onnxruntime.set_default_logger_severity(_FATAL)  # what goes wrong is raised, too
    onnxruntime.disable_telemetry_events()
    runtime: ModuleType = onnxruntime
    return runtime


def not_installed(package: str) -> UnusableError:
    """Return the error of a package that is not there."""
    return UnusableError(
        "The package {package} is not installed, which pictures are compared by.",
        "Install it, or search with an index that needs none.",
        package=package,
    )
