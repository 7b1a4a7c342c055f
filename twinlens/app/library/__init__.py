"""A library of photographs: its folders and files, reading them, browsing, export and care.

`library` opens one, `ingest` reads photographs into it, `workers` are the processes that decode, `cluster` reads by
other machines. No picture is decoded in the program's own process: `workers.decoding` sends queries, large views and
edits to worker processes with the limits of ingest. Each process has one allowance of memory, against which a picture
is charged from its header, and processor time by the picture's size. One process stays warm for the person who waits;
others serve long work.
"""
