"""Twinlens: finds look-alikes in a person's own photographs. How its parts lie in each other is in ARCHITECTURE.md."""

from twinlens.core import telemetry as telemetry
