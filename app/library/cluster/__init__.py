"""Reading photographs by a cluster: machines that are given pages of files by a scheduler of Dask.

::

    twinlens add --cluster        scheduler        twinlens worker, one a machine
    pages of tasks           ->   (Dask)      ->   volume and path located there, read by its own pool of processes
    one writer, id order     <-               <-   what became of each file

`address` says where the scheduler is and how it is reached, `cluster` connects to it, `pages` gives tasks out and takes
results in; `machine` is what runs on each machine, `agreement` what they must have in common, `service` a machine that
offers itself. Only this package imports `distributed`, and only when a cluster is used.
"""
