"""Reading photographs by a cluster: machines to which a scheduler of Dask gives pages of files.

::

    twinlens add --cluster        scheduler        twinlens worker, one a machine
    pages of tasks           ->   (Dask)      ->   volume and path located there, read by its own pool of processes
    one writer, id order     <-               <-   the outcome of each file

`address` says where the scheduler is and how it is reached. `cluster` connects to it, gives tasks out and takes results
in. `machine` is what runs on each machine: it offers itself, agrees with the others in code and packages, and reads.
Only this package imports `distributed`, and only when a cluster is used.
"""
