"""Descriptors of colours: histograms, moments, layout."""
