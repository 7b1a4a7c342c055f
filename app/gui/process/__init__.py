"""The process of the window: start, one instance, jobs, crashes, end."""
