"""Figures drawn in the window, by pyqtgraph; imported when the first is shown."""
