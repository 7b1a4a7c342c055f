"""The Lab: methods measured on a person's own photographs.

`experiments` measures plans, which are bench's experiments, also on the stored vectors of an index. Each method, search
structure and seed is a step under a key of declarations, data and truth, kept the moment it is measured. `figures` are
plain data: the window paints them, matplotlib draws files, with the same words and colours. `theory` draws what the
papers prove over what is measured, `explore` answers while a parameter is turned, `advice` measures indexes within a
time and proposes one. What is shown of a run or an advice is a *sheet* (`sheet.py`), with the same columns, rows and
words in the window and in files. Runs and advice work in a process of their own, which goes on after each report of
progress only when it may.
"""
