"""Forms of a query: parts, mirrored and inverted pictures, colours and sketches."""

from __future__ import annotations
