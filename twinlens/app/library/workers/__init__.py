"""Worker processes: they alone decode, describe and compare pictures, within limits of memory and time.

A file that crashes its process, hangs or wants too much memory costs one photograph or one query, and no more. `worker`
is such a process, of the kind that all work elsewhere has (`twinlens.core.worker_process`); `worker_pool` runs those
that read files for ingest, `decoders` those that work for a caller that waits. `extraction` and `decoding_tasks` are
their tasks, `decoding` is how the rest of the program gets a picture, and `capacity` says how many processes a machine
has, and how fast they are.
"""
