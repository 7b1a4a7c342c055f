"""Services that every view of a workspace shares: long work, undo, history, messages and actions on photographs.

`workspace.py` holds them all; a view is given it, and reaches by it the views that it does not know.
"""
