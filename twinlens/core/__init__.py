"""The mathematics: declarations, kernels, hash methods, search of codes. No pictures, files, SQL or Qt."""

from twinlens.core import telemetry as telemetry
