"""The build compiles the translations, which are not kept in the repository."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))


class CompileTranslations(BuildHookInterface[Any]):
    """Compiles before files are collected, for wheels and for installations in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile."""
        from twinlens.app.language.compilation import compile_translations

        compile_translations()
        build_data["artifacts"].append("twinlens/resources/translations/*.mo")
