"""A library of photographs: opening it, adding folders, reading files, problems, browsing.

No picture is decoded in the program's own process. `decoding` sends questions, large views and edits to worker
processes with the limits of adding: memory by one allowance of each process, against which a picture is charged from
its header, and processor time by its size. One process stays warm for the person who waits; others serve long work.
"""
