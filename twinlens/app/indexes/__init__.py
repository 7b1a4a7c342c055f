"""Indexes: descriptor, metric, hash method and search structure, fitted on a library."""
