"""Packages that are installed for a test, with entry points, as pip lays them out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, name: str, source: str, groups: Mapping[str, Mapping[str, str]]) -> None:
    """Lay a package of one module into a folder, which becomes one of installed packages when it is on the path.

    Parameters
    ----------
    folder : Path
    name : str
        Of the module; the package's own name has hyphens.
    source : str
    groups : mapping of str to mapping of str to str
        Entry points by group and name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(source)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 1.0\n")
    lines = [
        line for group, points in groups.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points.items()))
    ]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
