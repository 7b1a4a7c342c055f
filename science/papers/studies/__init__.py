"""What bench does not measure: each module has ``DATA``, names of data sets, ``REPEATS``, how often it draws again, and
``measure(folders, repeats, progress)``."""
