"""Charts of figures, explored with mouse and keys."""
