"""The build compiles the translations, which are not kept in the repository, and takes along loops that are compiled.

Compiled loops (``tools/distribution/compiled_loops.py``) are of one system, processor and version of Python, and so is
the wheel that holds them. Without them a wheel is for all, and compiles its loops when it first starts.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))


LOOPS = "TWINLENS_LOOPS"
"""Variable of the environment: the folder of the compiled loops that a wheel takes along."""


class CompileTranslations(BuildHookInterface[Any]):
    """Compiles before files are collected, for wheels and for installations in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and name the files that come along."""
        from twinlens.app.language.compilation import compile_translations

        compile_translations()
        build_data["artifacts"].append("twinlens/resources/translations/*.mo")
        if self.target_name == "wheel" and version != "editable" and (folder := os.environ.get(LOOPS)):
            build_data["pure_python"], build_data["infer_tag"] = False, True
            for path in sorted(Path(folder).iterdir()):
                build_data["force_include"][str(path)] = f"twinlens/core/compilation/{path.name}"
