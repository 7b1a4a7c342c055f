"""What belongs inside a bundle: every module that it can import, and every file that the program reads."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from core.compilation.compilation import MODULES
from features.formats.formats import FORMATS
from tools.distribution import bundle_contents as contents


def test_every_module_is_inside_but_those_that_compile() -> None:
    modules = set(contents.modules())
    decoders = {one.module for one in FORMATS if one.module}
    assert {name for name in decoders if not name.startswith("PIL.")} <= modules
    assert {"app", "app.cli.main", "app.gui.frame.start", "core.compilation.compilation"} <= modules
    assert modules.isdisjoint({*MODULES, "core.compilation.compiled_loop", "storage.migrations.env"})
    assert not [name for name in modules if "-" in name or name.endswith("__init__")]


def test_every_file_that_the_program_reads_is_inside() -> None:
    inside = {PurePath(folder, Path(file).name).as_posix() for file, folder in contents.data()}
    assert {
        "resources/codebook.npz",
        "resources/network.npz",
        "resources/translations/de.mo",
        "resources/guide/pages.toml",
        "resources/notices/libraries.toml",
        "resources/desktop/twinlens.desktop",
        "storage/migrations/env.py",
        "storage/migrations/versions/v0009.py",
        f"{contents.WEIGHTS}/models/efficientnet-lite0-57934424.pth",
        f"{contents.WEIGHTS}/__init__.py",
    } <= inside
    assert not [file for file in inside if file.endswith((".po", ".pyc"))]


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("numpy/core.so", True),
        ("scipy/linalg/tests/data.npz", False),
        ("babel/locale-data/de.dat", True),
        ("babel/locale-data/fr.dat", False),
        ("babel/global.dat", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/plugins/tls/libqopensslbackend.so", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_fr.qm", False),
        ("matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf", True),
        ("matplotlib/mpl-data/fonts/ttf/DejaVuSansMono.ttf", False),
        ("resources/guide/de/lab.md", True),
    ],
)
def test_what_is_left_out(path: str, wanted: bool) -> None:
    assert contents.is_wanted(path) == wanted
