"""The name that stands for photographs without a camera."""

from __future__ import annotations

NO_CAMERA = "unknown camera"
"""In place of part of a camera's name: photographs that name none."""
