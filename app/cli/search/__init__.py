"""The command `search` and the filters that other commands share."""
