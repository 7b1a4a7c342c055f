"""What bench does not measure: each module has ``DATA``, names of data sets, and ``measure(folders, progress)``."""
