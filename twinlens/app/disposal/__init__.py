"""Disposal: copies move to the trash or to a folder, or become one file; a log undoes it, and nothing is ever lost."""
