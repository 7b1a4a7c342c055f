"""Services that every view of a workspace shares: long work, undo, history, messages and actions on photographs.

Views know each other only through these; `services.py` is the protocol by which they reach them.
"""
