"""The Learn view: what was marked, what can be learned from it, and what that changes."""
