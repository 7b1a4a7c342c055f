"""How photographs are chosen that name no camera."""

from __future__ import annotations

NO_CAMERA = "unknown camera"
"""In place of part of a camera's name: photographs that name none."""
