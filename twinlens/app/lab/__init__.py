"""The Lab: hash methods and search structures measured on a person's own photographs.

`experiments` measures plans, which are the experiments of `bench`, also on the stored vectors of an index. A method, a
search structure and a seed are a step, kept under a key of declarations, data and truth as soon as it is measured.
`figures` are plain data: laid out once, and drawn by one pen or another: the window's, or those of files.
`theory` draws what the papers prove over what is measured, `explore` measures while a parameter is turned, `advice`
measures indexes within a time limit and proposes one. A *sheet* (`lab_sheet`) shows a run or an advice, with the same
columns, rows and words in the window and in files. Runs and advice work in a process of their own, which waits after
each report of progress while the program is paused.
"""
