"""The library view: the grid of all photographs with its filter, forgotten folders, and the page of problems."""
