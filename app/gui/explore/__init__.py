"""The explorer: parameters turned, and what that does, seen at once."""
