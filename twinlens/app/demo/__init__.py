"""The demo: real photographs from other people's public packages, indexed and searched."""

from __future__ import annotations
