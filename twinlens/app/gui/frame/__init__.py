"""The frame of the window: rail, views, status line, keys, and the open library."""
