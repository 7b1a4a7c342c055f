"""Ingest: folders are scanned, new and changed photographs read once, and everything kept in batches.

`adding` is the use case (add, rescan, retry, forget). `folder_scan` compares a folder with the library and registers
what is new; `ingest` gives photographs that wait to worker processes, in one pass or two; `batches` writes their
results in the order of ids, so that the library is the same whichever process was faster. `cost_estimate` says
beforehand what it will cost.
"""
