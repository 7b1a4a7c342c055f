"""The mathematics: declarations, kernels, hash methods, search of codes. No pictures, files, SQL or Qt."""

from core import telemetry as telemetry
