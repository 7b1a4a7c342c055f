"""Advice: which index suits a library, measured within a stated time."""
