"""What all tests of the program can begin with."""

from __future__ import annotations

from tests.app.library_fixture import libraries

__all__ = ["libraries"]
